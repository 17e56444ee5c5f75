package query

import (
	"slices"

	"codeidx/graph"
)

// TestHit is a test that a change may concern. Reason says how it was found:
// "changed" (it is among what was asked about), "calls" (Witness leads from the
// test to the change), "setup" (a runner calls what leads there before or after
// the test), "class" (it reaches the class of a method that nothing calls by
// name), "imports" (its file imports the changed file, Witness are the imports),
// "name" (it is called like the change: a hint).
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
	goTests     goTests
	by          *reached // nil for what no search along edges reached
	rank        float64  // among tests of one step of the search, least first
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
	found []*TestHit
	// Files that the question is about, by path, and whether it names any as a whole.
	changed []string
	whole   bool
	suites  map[graph.Key][]located // of Go, by type: what runs it
	users   map[graph.Key][]located // of Python, by class: what takes a fixture that makes one
	unbound map[string][]graph.Loose
	calls   map[*graph.FileSymbols][]int // by definition: the calls in it
}

const testLimits = "tests: setup methods, suites and fixtures are followed by convention; parametrisation, plugins, reflection and what a test client " +
	"dispatches are not covered; this answer never allows skipping other tests"

// tests answers which tests a change of files or definitions may concern.
func tests(x *Index, p Params) (*result, error) {
	s := &testSearch{
		x: x, p: p, res: &result{Limits: []string{testLimits}}, seen: map[graph.Key]bool{}, files: map[string]bool{},
		suites: map[graph.Key][]located{}, users: map[graph.Key][]located{},
		unbound: map[string][]graph.Loose{}, calls: map[*graph.FileSymbols][]int{},
	}
	if len(p.Symbols)+len(p.Paths) == 0 {
		return nil, errorf(InvalidRequest, "for example: git codeidx tests parse.go", "tests needs paths or symbols")
	}
	for _, step := range []func() error{s.collect, s.byCalls, s.byClass, s.byImports, s.byName} {
		if err := step(); err != nil {
			return nil, err
		}
		s.flush()
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
			s.whole = s.whole || l.i == 0
			for _, m := range s.x.expand(name, l) {
				s.seeds.add(m)
			}
		}
	}
	slices.Sort(s.changed)
	s.changed = slices.Compact(s.changed)
	for _, r := range s.seeds.level {
		runs, err := s.isTest(r.at)
		if err != nil {
			return err
		}
		if runs {
			if err := s.add(r, "changed"); err != nil {
				return err
			}
		}
	}
	return nil
}

// isTest says whether a runner runs a definition on its own, as a test or as a
// method of a suite.
func (s *testSearch) isTest(l located) (bool, error) {
	if isRunnable(l) {
		return true, nil
	}
	runs, err := s.suiteRuns(l)
	return len(runs) > 0, err
}

// add records a test that a search reached.
func (s *testSearch) add(r *reached, reason string) error {
	k := r.at.key()
	if s.seen[k] || !s.admits(r.at) {
		return nil
	}
	s.seen[k] = true
	s.files[k.Path] = true
	i := s.x.impactOf(r)
	h, err := s.hit(r.at, TestHit{Reason: reason, Depth: r.deep, Certainty: i.Certainty, Witness: i.Witness, paths: i.paths, by: r})
	s.found = append(s.found, h)
	return err
}

// flush moves what a step found into the answer, the nearest first.
func (s *testSearch) flush() {
	s.rankFound()
	for _, h := range s.found {
		s.res.add(h)
	}
	s.found = nil
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
func (s *testSearch) hit(l located, h TestHit) (*TestHit, error) {
	h.Symbol, h.Granularity = s.x.symOf(l.file, l.i), "symbol"
	if l.i == 0 {
		h.Granularity = "module"
	}
	runs, err := s.suiteRuns(l)
	if err != nil {
		return nil, err
	}
	h.Runner, h.goTests = runnerOf(l), goTestsOf(l, runs)
	h.Selector = selectorOf(l, h.goTests)
	if h.Witness == nil {
		h.Witness = []Edge{}
	}
	h.paths = append(h.paths, l.file.Path)
	slices.Sort(h.paths)
	h.paths = slices.Compact(h.paths)
	return &h, nil
}

// addFile records a file of tests that no stronger reason names.
func (s *testSearch) addFile(path string, h TestHit) error {
	f, err := s.x.Symbols(path)
	if err != nil || f == nil || s.files[path] || !holdsTests(f) {
		return err
	}
	l := located{f, 0}
	if !s.admits(l) {
		return nil
	}
	s.files[path] = true
	done, err := s.hit(l, h)
	s.found = append(s.found, done)
	return err
}
