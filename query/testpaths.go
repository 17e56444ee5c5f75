package query

import (
	"math"

	"codeidx/graph"
)

// maxTestNodes bounds the definitions that one search for tests expands.
const maxTestNodes = 500

// execKinds are the edges along which a test comes to execute a definition: it
// calls it, or hands it on as a value.
var execKinds = []graph.Kind{graph.Calls, graph.References}

// byCalls walks reversed edges from the seeds to tests: along resolved edges
// first, so that a candidate never hides a proven path, then along all, and
// along what runners call by convention.
func (s *testSearch) byCalls() error {
	if err := s.walk(s.seeds.level, "calls", true); err != nil {
		return err
	}
	return s.walk(s.seeds.level, "calls", false)
}

// walk is a breadth-first search from definitions against the edges. Tests are
// not walked through. On the way it estimates how likely each definition comes
// to execute what is asked about, over all the paths that it meets.
func (s *testSearch) walk(level []*reached, reason string, hard bool) error {
	visited := map[graph.Key]*reached{}
	for _, r := range level {
		visited[r.at.key()] = r
		r.likely = 1
	}
	expanded := 0
	for depth := 1; depth <= s.p.Depth && len(level) > 0; depth++ {
		var next []*reached
		for _, r := range level {
			if expanded++; expanded > maxTestNodes {
				s.res.noteOnce("the search stopped at its bound of definitions: name fewer symbols to see more")
				return nil
			}
			steps, err := s.stepsTo(r, hard)
			if err != nil {
				return err
			}
			for _, st := range steps {
				k := st.end.key()
				n, known := visited[k]
				if !known {
					n = &reached{at: st.end, by: st.edge, prev: r, soft: r.soft || st.raw.Resolution != graph.Resolved, implied: r.implied || st.implied, deep: depth}
					visited[k] = n
				}
				if n.test || n.deep == depth {
					n.likely = 1 - (1-n.likely)*(1-r.likely*s.chance(&st))
				}
				if known {
					continue
				}
				if n.test, err = s.isTest(st.end); err != nil {
					return err
				}
				switch {
				case n.test && n.implied && reason == "calls":
					err = s.add(n, "setup")
				case n.test:
					err = s.add(n, reason)
				case st.end.i > 0:
					next = append(next, n)
				}
				if err != nil {
					return err
				}
			}
		}
		level = next
	}
	return nil
}

// chance estimates how likely a definition that runs takes a step: less where
// the step is not proven, and where it has many others to take.
func (s *testSearch) chance(st *step) float64 {
	p := 0.95
	switch {
	case st.raw.Resolution != graph.Resolved:
		p = candidateChance
	case st.raw.Kind != graph.Calls:
		p = valueChance
	}
	if n := s.fanOut(st.end); n > 1 {
		p /= 1 + fanOutWeight*math.Log(float64(n))
	}
	return p
}

// Of chance: that of a candidate, that of a definition handed on as a value, and
// the weight of other steps.
const (
	candidateChance = 0.4
	valueChance     = 0.6
	fanOutWeight    = 0.3
)

// fanOut counts the calls of a definition that is no test.
func (s *testSearch) fanOut(l located) int {
	if isTest(l) {
		return 0
	}
	counts, known := s.calls[l.file]
	if !known {
		counts = make([]int, len(l.file.Symbols))
		if refs, err := s.x.Refs(l.file.Path); err == nil && refs != nil {
			for i := range refs.Edges {
				if e := &refs.Edges[i]; e.Kind == graph.Calls && int(e.From) < len(counts) {
					counts[e.From]++
				}
			}
		}
		s.calls[l.file] = counts
	}
	return counts[l.i]
}

// stepsTo lists what may execute a definition. What is asked about itself is
// also met through its types: a changed class through what inherits from it.
func (s *testSearch) stepsTo(r *reached, hard bool) ([]step, error) {
	w := want{kinds: execKinds, hard: hard}
	if isType(&r.at.file.Symbols[r.at.i]) {
		if w.kinds = []graph.Kind{graph.Calls}; r.prev == nil {
			w.kinds = impactKinds
		}
	}
	steps, err := s.x.callSteps(r.at, w)
	if err != nil || hard {
		return steps, err
	}
	implied, err := s.impliedSteps(r.at)
	return append(steps, implied...), err
}

// byClass looks for tests that reach the class of the methods asked about,
// where no call of them was found: a language calls some methods by syntax
// alone, a library by an interface.
func (s *testSearch) byClass() error {
	for _, it := range s.res.Items {
		if h := it.(*TestHit); h.Reason == "calls" {
			return nil
		}
	}
	var classes seedSet
	for _, r := range s.seeds.level {
		class, err := s.x.classOf(r.at)
		if err != nil {
			return err
		}
		if class.file != nil && !s.seeds.seen[class.key()] {
			classes.add(class)
		}
	}
	for _, r := range classes.level {
		r.soft = true
	}
	return s.walk(classes.level, "class", false)
}
