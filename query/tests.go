package query

import (
	"cmp"
	"slices"

	"codeidx/graph"
)

// maxTestNodes bounds the definitions that a search for tests expands.
const maxTestNodes = 500

// TestHit is a test that a change may concern. Reason says how it was found:
// "changed" (it is among what was asked about), "calls" (Witness leads from the
// test to the change), "imports" (its file imports the changed file, Witness
// are the imports), "name" (it is called like the change: a hint).
type TestHit struct {
	Symbol      Sym    `json:"symbol"` // the test, or the file of tests
	Reason      string `json:"reason"`
	Depth       int    `json:"depth"`
	Granularity string `json:"granularity"` // "symbol", or "module" for a whole file
	Certainty   string `json:"certainty"`   // "hard": every step resolved; "candidate": a step is not; "hint"
	Runner      string `json:"runner"`      // pytest, unittest, go, jest or phpunit
	Selector    string `json:"selector"`    // arguments that make the runner run it, from the top
	Witness     []Edge `json:"witness"`     // from the test to the change
	paths       []string
	Stale
}

// Paths lists the files along the witness.
func (h *TestHit) Paths() []string { return h.paths }

func (h *TestHit) lines() int { return 0 }

// cut leaves the signature out.
func (h *TestHit) cut(int) (Item, string) {
	short := *h
	short.Symbol = h.Symbol.brief()
	return &short, "max_bytes: signatures are left out"
}

// testSearch collects the tests of one question.
type testSearch struct {
	x     *Index
	p     Params
	res   *result
	seeds seedSet
	// Found tests and files of tests, which no later and weaker reason repeats.
	seen  map[graph.Key]bool
	files map[string]bool
	// Files that the question is about, by path.
	changed []string
}

// tests answers which tests a change of files or definitions may concern.
func tests(x *Index, p Params) (*result, error) {
	s := &testSearch{x: x, p: p, res: &result{}, seen: map[graph.Key]bool{}, files: map[string]bool{}}
	s.res.Limits = []string{
		"tests: fixtures, parametrisation and plugins of test runners are not covered; this answer never allows skipping other tests",
	}
	if len(p.Symbols)+len(p.Paths) == 0 {
		return nil, errorf(InvalidRequest, "for example: git codeidx tests parse.go", "tests needs paths or symbols")
	}
	steps := []func() error{
		s.collect,
		func() error { return s.byCalls(true) },
		func() error { return s.byCalls(false) },
		s.byImports, s.byName,
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return s.res, nil
}

// collect finds what is asked about. Something unknown is an error: it must
// not pass for something that has no tests.
func (s *testSearch) collect() error {
	for _, name := range slices.Concat(s.p.Paths, s.p.Symbols) {
		found, err := s.x.targets(name)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			if _, ok, err := s.x.resolvePath(name, s.p.Prefix); err != nil {
				return err
			} else if !ok {
				return errorf(InvalidRequest, "of deleted files and definitions: git codeidx impact-changes", "no indexed file or definition is called %q", name)
			}
			s.res.note(name + " has no definitions: only its name can hint at tests")
		}
		for _, l := range found {
			s.res.about(s.x.symOf(l.file, l.i))
			s.changed = append(s.changed, l.file.Path)
			for _, m := range s.x.expand(name, l) {
				s.seeds.add(m)
			}
		}
	}
	slices.Sort(s.changed)
	s.changed = slices.Compact(s.changed)
	for _, r := range s.seeds.level {
		if isRunnable(r.at) {
			s.add(r, "changed")
		}
	}
	return nil
}

// byCalls walks reversed edges from the seeds to tests, nearest first. Tests
// are not walked through.
func (s *testSearch) byCalls(hard bool) error {
	w := want{kinds: impactKinds, hard: hard}
	visited := map[graph.Key]bool{}
	for _, r := range s.seeds.level {
		visited[r.at.key()] = true
	}
	level, expanded := s.seeds.level, 0
	for depth := 1; depth <= s.p.Depth && len(level) > 0; depth++ {
		var next []*reached
		for _, r := range level {
			if expanded++; expanded > maxTestNodes {
				s.res.noteOnce("the search stopped at its bound of definitions: name fewer symbols to see more")
				return nil
			}
			steps, err := s.x.incomingSteps(r.at.key(), w)
			if err != nil {
				return err
			}
			for _, st := range steps {
				k := st.end.key()
				if visited[k] {
					continue
				}
				visited[k] = true
				n := &reached{st.end, st.edge, r, r.soft || st.raw.Resolution != graph.Resolved, depth}
				switch {
				case isRunnable(st.end):
					s.add(n, "calls")
				case st.end.i > 0:
					next = append(next, n)
				}
			}
		}
		level = next
	}
	return nil
}

// add records a test that a search reached.
func (s *testSearch) add(r *reached, reason string) {
	k := r.at.key()
	if s.seen[k] || !s.admits(r.at) {
		return
	}
	s.seen[k] = true
	s.files[k.Path] = true
	i := s.x.impactOf(r)
	s.res.add(s.hit(r.at, TestHit{Reason: reason, Depth: r.deep, Certainty: i.Certainty, Witness: i.Witness, paths: i.paths}))
}

// admits says whether a test passes the question's filters.
func (s *testSearch) admits(l located) bool {
	if !underPrefix(l.file.Path, s.p.PathPrefix) || s.p.Lang != "" && l.file.Lang.String() != s.p.Lang {
		s.res.Outside++
		return false
	}
	return true
}

// hit completes a test.
func (s *testSearch) hit(l located, h TestHit) *TestHit {
	h.Symbol, h.Granularity = s.x.symOf(l.file, l.i), "symbol"
	if l.i == 0 {
		h.Granularity = "module"
	}
	h.Runner, h.Selector = runnerOf(l), selectorOf(l)
	if h.Witness == nil {
		h.Witness = []Edge{}
	}
	h.paths = append(h.paths, l.file.Path)
	slices.Sort(h.paths)
	h.paths = slices.Compact(h.paths)
	return &h
}

// addFile records a file of tests that no stronger reason names.
func (s *testSearch) addFile(path string, h TestHit) error {
	f, err := s.x.Symbols(path)
	if err != nil || f == nil || s.files[path] || !holdsTests(f) {
		return err
	}
	l := located{f, 0}
	if s.admits(l) {
		s.files[path] = true
		s.res.add(s.hit(l, h))
	}
	return nil
}

// imported is a file met by following imports backwards.
type imported struct {
	path string
	by   Edge
	prev *imported
	deep int
}

// maxImportFiles and maxImportDepth bound the search along imports.
const (
	maxImportFiles = 500
	maxImportDepth = 3
)

// byImports finds files of tests that import a changed file, nearest first.
func (s *testSearch) byImports() error {
	visited := map[string]bool{}
	var level []*imported
	for _, p := range s.changed {
		visited[p] = true
		level = append(level, &imported{path: p})
	}
	for depth := 1; depth <= maxImportDepth && len(level) > 0; depth++ {
		var next []*imported
		for _, at := range level {
			importers, err := s.x.importers(at.path)
			if err != nil {
				return err
			}
			for _, e := range importers {
				if visited[e.Path] || len(visited) > maxImportFiles {
					continue
				}
				visited[e.Path] = true
				n := &imported{e.Path, e, at, depth}
				next = append(next, n)
				h := TestHit{Reason: "imports", Depth: depth, Certainty: "hard"}
				for i := n; i.prev != nil; i = i.prev {
					h.Witness = append(h.Witness, i.by)
					h.paths = append(h.paths, i.path, i.prev.path)
				}
				if err := s.addFile(e.Path, h); err != nil {
					return err
				}
			}
		}
		level = next
	}
	return nil
}

// importers lists the first import of each file that imports a file, or the
// package folder that it belongs to, by path.
func (x *Index) importers(path string) ([]Edge, error) {
	paths := map[string]bool{}
	for _, table := range []string{path, parentDir(path)} {
		list, err := x.inboundOf(table)
		if err != nil {
			return nil, err
		}
		for _, in := range list {
			if table == path || in.Key.IsDir() {
				for _, p := range in.Paths {
					paths[p] = true
				}
			}
		}
	}
	var out []Edge
	for _, p := range sortedKeys(paths) {
		e, err := x.importEdge(p, path)
		if err != nil {
			return nil, err
		}
		if e != nil {
			out = append(out, *e)
		}
	}
	return out, nil
}

// importEdge is the first edge by which one file imports another, nil for none.
func (x *Index) importEdge(from, to string) (*Edge, error) {
	refs, err := x.Refs(from)
	if err != nil || refs == nil || from == to {
		return nil, err
	}
	f, err := x.Symbols(from)
	if err != nil || f == nil {
		return nil, err
	}
	for i := range refs.Edges {
		r := &refs.Edges[i]
		k := refs.Targets[r.To]
		if r.Kind == graph.Imports && (k.Path == to || k.IsDir() && k.Path == cmp.Or(parentDir(to), k.Path)) && int(r.From) < len(f.Symbols) {
			e := edgeOf(refs, f.Key(int(r.From)), i, x.ordinals(refs)[i])
			return &e, nil
		}
	}
	return nil, nil
}
