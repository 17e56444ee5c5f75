package query

import (
	"cmp"
	"slices"
	"strings"

	"codeidx/facts"
	"codeidx/graph"
)

// Bounds of explore (spec/engine.md §6).
const (
	exploreSeeds    = 4
	exploreFiles    = 10 // of seeds and matches
	exploreSteps    = 3  // of a path from seed to seed
	exploreEvidence = 16
	exploreCalls    = 3 // shown per seed and direction
	exploreLines    = 24
)

// Finding is one piece of evidence of explore. Role says why it is here:
// "seed" (a definition that the words name), "connects" (calls lead from
// another seed to this one), "match" (the best definition of a further file),
// "caller", "callee".
type Finding struct {
	Role    string `json:"role"`
	Symbol  Sym    `json:"symbol"`
	Doc     string `json:"doc,omitempty"`
	Why     string `json:"why,omitempty"`
	Edge    *Edge  `json:"edge,omitempty"`
	Of      string `json:"of,omitempty"` // id of the seed it belongs to
	Callers int    `json:"callers,omitempty"`
	Tests   int    `json:"tests,omitempty"` // test definitions among the callers
	// SameName counts further definitions of the name that match as well.
	SameName int `json:"same_name,omitempty"`
	// Steps are the calls from the seed Of to this one, where there are several.
	Steps []Edge   `json:"steps,omitempty"`
	Text  *Snippet `json:"text,omitempty"`
	key   graph.Key
	Stale
}

// Paths lists the files of the definition and of the call sites.
func (f *Finding) Paths() []string {
	if len(f.Steps) > 0 {
		paths := []string{f.Symbol.Path}
		for _, e := range f.Steps {
			paths = append(paths, e.Path)
		}
		return paths
	}
	if f.Edge != nil && f.Edge.Path != f.Symbol.Path {
		return []string{f.Symbol.Path, f.Edge.Path}
	}
	return []string{f.Symbol.Path}
}

func (f *Finding) lines() int {
	if f.Text == nil {
		return 0
	}
	return f.Text.lines()
}

// cut keeps the first lines of the source text and leaves the prose out.
func (f *Finding) cut(lines int) (Item, string) {
	short := *f
	short.Symbol, short.Doc, short.Why = f.Symbol.brief(), "", ""
	if f.Text == nil {
		return &short, "max_bytes: signatures and prose are left out"
	}
	text := *f.Text
	text.shorten(lines)
	short.Text = &text
	return &short, f.Text.cutReason(lines)
}

// seed is a chosen definition with its direct relations.
type seed struct {
	located
	why     string
	same    int // further definitions of its name
	callers []step
	callees []step
}

// explore gives the few definitions that a question is about, the calls
// around them and their first lines, in at most exploreEvidence items.
func explore(x *Index, p Params) (*result, error) {
	found, err := x.relevant(p)
	if err != nil {
		return nil, err
	}
	res := &result{}
	seeds := found.seeds
	for i := range seeds {
		if err := x.hop(&seeds[i], p); err != nil {
			return nil, err
		}
		res.about(x.symOf(seeds[i].file, seeds[i].i))
		f, err := x.seedFinding(&seeds[i], p)
		if err != nil {
			return nil, err
		}
		res.add(f)
	}
	if err := x.addConnections(res, seeds, p); err != nil {
		return nil, err
	}
	x.addMatches(res, found.more)
	x.addCalls(res, seeds, exploreEvidence)
	if len(seeds) == 0 {
		res.missing(x, p.Query)
		return res, nil
	}
	return res, x.noteUnbound(res, res.Of[0].Name)
}

// addMatches adds the best definition of further files, without text.
func (x *Index) addMatches(res *result, more []seed) {
	for _, s := range more {
		sym := &s.file.Symbols[s.i]
		res.add(&Finding{Role: "match", Symbol: x.symOf(s.file, s.i), Doc: firstSentence(sym.Doc), Why: s.why, SameName: s.same, key: s.key()})
	}
}

// anchors are the words of a question that look like code: they carry a
// capital inside, an underscore, a dot, a slash or are the whole question.
func anchors(q string) []string {
	words := strings.Fields(q)
	if len(words) == 1 {
		return words
	}
	var out []string
	for _, w := range words {
		w = strings.Trim(w, `.,;:?!()"'`+"`")
		if len(w) > 2 && (strings.ContainsAny(w[1:], "_./:#ABCDEFGHIJKLMNOPQRSTUVWXYZ")) {
			out = append(out, w)
		}
	}
	return out
}

// hop finds the direct callers and callees of a seed, resolved ones first.
func (x *Index) hop(s *seed, p Params) error {
	w := want{kinds: []graph.Kind{graph.Calls, graph.Inherits, graph.Implements}, prefix: p.PathPrefix}
	var err error
	if s.callers, err = x.incomingSteps(s.key(), w); err != nil {
		return err
	}
	if s.callees, err = x.outgoingSteps(s.located, w); err != nil {
		return err
	}
	for _, list := range []*[]step{&s.callers, &s.callees} {
		*list = slices.DeleteFunc(*list, func(t step) bool { return !w.inside(t.end.file.Path) })
		slices.SortStableFunc(*list, func(a, b step) int {
			return cmp.Or(cmp.Compare(a.raw.Resolution, b.raw.Resolution), cmp.Compare(testRank(a), testRank(b)))
		})
	}
	return nil
}

func testRank(s step) int {
	if isTest(s.end) {
		return 1
	}
	return 0
}

// isTest says whether a definition is a test or lives in a test file.
func isTest(l located) bool {
	e := facts.ByID(l.file.Lang)
	return l.file.Symbols[l.i].IsTest() || e != nil && e.TestFile(l.file.Path)
}

func (x *Index) seedFinding(s *seed, p Params) (*Finding, error) {
	sym := &s.file.Symbols[s.i]
	f := &Finding{Role: "seed", Symbol: x.symOf(s.file, s.i), Doc: firstSentence(sym.Doc), Why: s.why, SameName: s.same, key: s.key()}
	distinct := map[graph.Key]bool{}
	for _, c := range s.callers {
		if k := c.end.key(); c.raw.Kind == graph.Calls && !distinct[k] {
			distinct[k] = true
			f.Callers++
			if isTest(c.end) {
				f.Tests++
			}
		}
	}
	if s.i == 0 {
		return f, nil
	}
	var err error
	f.Text, err = x.snippet(s.file.Path, int(sym.Start), int(min(sym.End, sym.Start+exploreLines-1)))
	return f, err
}

// addCalls adds callers and callees of each seed in turn, until the answer
// holds limit items.
func (x *Index) addCalls(res *result, seeds []seed, limit int) {
	isSeed := map[graph.Key]bool{}
	for i := range seeds {
		isSeed[seeds[i].key()] = true
	}
	shown := map[graph.Key]bool{}
	for _, it := range res.Items {
		shown[it.(*Finding).key] = true
	}
	add := func(role string, of *seed, s step) bool {
		k := s.end.key()
		if len(res.Items) >= limit || shown[k] || isSeed[k] {
			return false
		}
		shown[k] = true
		e := s.edge
		res.add(&Finding{Role: role, Symbol: x.symOf(s.end.file, s.end.i), Edge: &e, Of: x.symbolID(of.key()), key: k})
		return true
	}
	for i := range seeds {
		s := &seeds[i]
		for _, part := range []struct {
			role  string
			steps []step
		}{{"caller", s.callers}, {"callee", s.callees}} {
			n := 0
			for _, st := range part.steps {
				if n < exploreCalls && add(part.role, s, st) {
					n++
				}
			}
			if len(part.steps) > n && len(res.Items) >= limit {
				res.partial("only the first calls around each definition are shown: ask callers or callees for all")
				return
			}
		}
	}
}
