package query

import (
	"slices"
	"strings"

	"codeidx/facts"
	"codeidx/graph"
)

// setupMethods are what runners call around the test methods of a class, by
// language; moduleSetup what pytest calls around the functions of a file.
var (
	setupMethods = map[facts.Lang][]string{
		facts.Go: {"SetupSuite", "SetupTest", "SetupSubTest", "BeforeTest", "AfterTest", "TearDownTest", "TearDownSubTest", "TearDownSuite"},
		facts.Python: {"setUp", "tearDown", "setUpClass", "tearDownClass", "asyncSetUp", "asyncTearDown", "setup_method", "teardown_method",
			"setup_class", "teardown_class"},
		facts.PHP: {"setUp", "tearDown", "setUpBeforeClass", "tearDownAfterClass"},
	}
	moduleSetup = []string{"setUpModule", "tearDownModule", "setup_module", "teardown_module", "setup_function", "teardown_function"}
)

// setupConfidence is that of an unambiguous heuristic (spec/evidence.md).
const setupConfidence = 0.6

// impliedSteps lists the tests around which a runner calls a definition: a
// setup method, or a fixture of pytest that tests and other fixtures name as a
// parameter; of a method also the calls on what a fixture makes.
func (s *testSearch) impliedSteps(l located) ([]step, error) {
	sym := &l.file.Symbols[l.i]
	e := facts.ByID(l.file.Lang)
	switch {
	case e == nil || l.i == 0:
		return nil, nil
	case !e.TestFile(l.file.Path):
		return s.callsOfValues(l)
	case sym.Kind == facts.DefMethod && slices.Contains(setupMethods[l.file.Lang], sym.Name):
		class, err := s.x.classOf(l)
		if err != nil || class.file == nil {
			return nil, err
		}
		return s.methodsAround(l, class)
	case l.file.Lang == facts.Python && sym.Kind == facts.DefFunction && sym.Parent <= 0 && slices.Contains(moduleSetup, sym.Name):
		return testsAround(l, l.file), nil
	case l.file.Lang == facts.Python:
		return s.fixtureUses(l)
	}
	return nil, nil
}

// implied makes the step from a test to what is run around it. The evidence is
// the head of what is run, or of the test that asks for it.
func implied(from, to located, evidence located, rule string) step {
	at := &evidence.file.Symbols[evidence.i]
	return impliedAt(from, to, evidence.file.Path, at.Line, at.Col, rule)
}

func impliedAt(from, to located, path string, line, col uint32, rule string) step {
	return step{end: from, implied: true, raw: graph.Ref{Kind: graph.Calls, Resolution: graph.Candidate}, edge: Edge{
		Kind: graph.Calls.String(), Path: path, Line: line, Col: col, Name: to.file.Symbols[to.i].Name,
		Resolution: graph.Candidate.String(), Rule: rule, Confidence: setupConfidence, Provenance: "derived",
	}}
}

// testsAround are the tests among the functions of a file, methods included.
func testsAround(setup located, f *graph.FileSymbols) []step {
	var out []step
	for i := 1; i < len(f.Symbols); i++ {
		if t := (located{f, i}); isRunnable(t) {
			out = append(out, implied(t, setup, setup, "tests.setup"))
		}
	}
	return out
}

// methodsAround are the test methods of a class and of those that inherit its
// setup, by position.
func (s *testSearch) methodsAround(setup, class located) ([]step, error) {
	name := setup.file.Symbols[setup.i].Name
	var out []step
	classes := []located{class}
	seen := map[graph.Key]bool{class.key(): true}
	for len(classes) > 0 && len(seen) < maxNodes {
		c := classes[0]
		classes = classes[1:]
		methods, err := s.x.methodsOf(c)
		if err != nil {
			return nil, err
		}
		for _, m := range methods {
			runs, err := s.isTest(m)
			if err != nil {
				return nil, err
			}
			if runs {
				out = append(out, implied(m, setup, setup, "tests.setup"))
			}
		}
		below, err := s.x.subclasses(c, false)
		if err != nil {
			return nil, err
		}
		for _, sub := range below {
			own, err := s.x.methodsOf(sub)
			if err != nil {
				return nil, err
			}
			overridden := slices.ContainsFunc(own, func(m located) bool { return m.file.Symbols[m.i].Name == name })
			if k := sub.key(); !seen[k] && !overridden {
				seen[k] = true
				classes = append(classes, sub)
			}
		}
	}
	return out, nil
}

// classOf returns the type that a method belongs to; its file is nil for what
// is no method. In Go the type may stand in another file of the package.
func (x *Index) classOf(l located) (located, error) {
	sym := &l.file.Symbols[l.i]
	if sym.Kind != facts.DefMethod {
		return located{}, nil
	}
	if p := int(sym.Parent); p > 0 {
		return located{l.file, p}, nil
	}
	name, _, ok := strings.Cut(sym.Qualified, ".")
	if !ok {
		return located{}, nil
	}
	for i := 1; i < len(l.file.Symbols); i++ {
		if t := &l.file.Symbols[i]; t.Qualified == name && isType(t) {
			return located{l.file, i}, nil
		}
	}
	keys, err := x.Defined(name)
	if err != nil {
		return located{}, err
	}
	found, err := x.locate(slices.DeleteFunc(keys, func(k graph.Key) bool {
		return k.Qualified != name || parentDir(k.Path) != parentDir(l.file.Path)
	}))
	if err != nil {
		return located{}, err
	}
	for _, t := range found {
		if isType(&t.file.Symbols[t.i]) {
			return t, nil
		}
	}
	return located{}, nil
}

// methodsOf lists the methods of a type, by position. Those of Go may stand in
// any file of the package; in the files of tests they are looked for.
func (x *Index) methodsOf(class located) ([]located, error) {
	files := []*graph.FileSymbols{class.file}
	if class.file.Lang == facts.Go {
		files = files[:0]
		dir := parentDir(class.file.Path)
		err := x.eachFile(dir, func(f *graph.FileSymbols) {
			if parentDir(f.Path) == dir && strings.HasSuffix(f.Path, "_test.go") {
				files = append(files, f)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	prefix := class.file.Symbols[class.i].Qualified + "."
	var out []located
	for _, f := range files {
		for i := 1; i < len(f.Symbols); i++ {
			s := &f.Symbols[i]
			if s.Kind == facts.DefMethod && strings.HasPrefix(s.Qualified, prefix) && !strings.Contains(s.Qualified[len(prefix):], ".") {
				out = append(out, located{f, i})
			}
		}
	}
	return out, nil
}
