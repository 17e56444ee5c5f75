package query

import (
	"maps"
	"slices"

	"codeidx/graph"
)

// impactKinds are the dependencies that a change travels back along.
// Containment is none: a changed method does not touch its siblings.
var impactKinds = []graph.Kind{graph.Calls, graph.References, graph.Inherits, graph.Implements, graph.Overrides, graph.TypeOf}

// Impact is one definition that a change may reach, with a shortest witness.
type Impact struct {
	Side        string `json:"side,omitempty"` // of impact-changes: "before" or "after"
	Symbol      Sym    `json:"symbol"`
	Depth       int    `json:"depth"`
	Granularity string `json:"granularity"` // "symbol", or "module" for code outside any definition
	Certainty   string `json:"certainty"`   // "hard": every step resolved; "candidate": a step is not
	Witness     []Edge `json:"witness"`     // from the reached definition to the changed one
	paths       []string
	Stale
}

// Paths lists the files along the witness.
func (i *Impact) Paths() []string { return i.paths }

// reached is a node of the breadth-first search with its predecessor.
type reached struct {
	at   located
	by   Edge
	prev *reached
	soft bool
	deep int
	// A runner makes a step on the way, by convention.
	implied bool
	// Of a search for tests: it is one; how likely it executes the seeds.
	test   bool
	likely float64
}

// seedSet is the definitions that a search along reversed edges starts from.
type seedSet struct {
	level []*reached
	seen  map[graph.Key]bool // seeds, and what was reached
	// again holds the seeds that are no result yet, where they may be one: what
	// changed may use what else changed. Nil where they may not.
	again map[graph.Key]bool
}

func (s *seedSet) add(l located) {
	if s.seen == nil {
		s.seen = map[graph.Key]bool{}
	}
	if k := l.key(); !s.seen[k] {
		s.seen[k] = true
		s.level = append(s.level, &reached{at: l})
	}
}

// mayBeResults makes seeds that use other seeds results, too.
func (s *seedSet) mayBeResults() { s.again = maps.Clone(s.seen) }

// impact answers what may break when the given symbols or files change.
func impact(x *Index, p Params) (*result, error) {
	res := &result{}
	var seeds seedSet
	for _, sym := range p.Symbols {
		found, err := x.targets(sym)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			res.missing(x, sym)
		}
		for _, l := range x.filter(found, p) {
			res.about(x.symOf(l.file, l.i))
			for _, m := range x.expand(sym, l) {
				seeds.add(m)
			}
		}
		if err := x.noteUnbound(res, sym); err != nil {
			return nil, err
		}
	}
	return res, x.reach(res, &seeds, p, "")
}

// reach adds what reversed edges lead to from the seeds: along resolved ones
// first, so that a candidate never hides a proven path.
func (x *Index) reach(res *result, seeds *seedSet, p Params, side string) error {
	if err := x.spread(res, seeds, p, true, side); err != nil || p.Mode != "full" {
		return err
	}
	res.noteOnce("candidate paths are heuristic: they may not exist at run time")
	return x.spread(res, seeds, p, false, side)
}

// spread runs one breadth-first search from the seeds against the edges.
func (x *Index) spread(res *result, seeds *seedSet, p Params, hard bool, side string) error {
	w := want{impactKinds, hard, p.PathPrefix}
	level, seen := seeds.level, seeds.seen
	visited := map[graph.Key]bool{}
	for depth := 1; depth <= p.Depth && len(level) > 0; depth++ {
		var next []*reached
		for _, r := range level {
			if r.prev != nil && r.at.i == 0 {
				continue // module code has no callers of its own
			}
			steps, err := x.callSteps(r.at, w)
			if err != nil {
				return err
			}
			for _, s := range steps {
				k := s.end.key()
				again := seeds.again[k] && k != r.at.key()
				if visited[k] || seen[k] && hard && !again {
					continue
				}
				visited[k] = true
				n := &reached{at: s.end, by: s.edge, prev: r, soft: r.soft || s.raw.Resolution != graph.Resolved, deep: depth}
				switch {
				case again: // it is searched from already
					delete(seeds.again, k)
				case seen[k]:
					next = append(next, n)
					continue
				default:
					next = append(next, n)
				}
				seen[k] = true
				if !w.inside(s.end.file.Path) {
					res.Outside++
					continue
				}
				i := x.impactOf(n)
				i.Side = side
				res.add(i)
			}
			if len(visited) >= maxNodes {
				res.partial("traversal stopped at its bound of nodes: ask with a smaller depth or a path prefix")
				return nil
			}
		}
		level = next
	}
	return nil
}

func (x *Index) impactOf(r *reached) *Impact {
	out := &Impact{Symbol: x.symOf(r.at.file, r.at.i), Depth: r.deep, Granularity: "symbol", Certainty: "hard"}
	if r.at.i == 0 {
		out.Granularity = "module"
	}
	if r.soft {
		out.Certainty = "candidate"
	}
	for n := r; n.prev != nil; n = n.prev {
		out.Witness = append(out.Witness, n.by)
		out.paths = append(out.paths, n.at.file.Path, n.prev.at.file.Path)
	}
	slices.Sort(out.paths)
	out.paths = slices.Compact(out.paths)
	return out
}
