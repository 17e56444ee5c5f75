package query

import (
	"path"
	"slices"
	"strings"

	"codeidx/facts"
	"codeidx/graph"
)

// isRunnable says whether a test runner runs a definition on its own: a test
// function or method, or the code of a file of tests outside any definition,
// which is where describe, it and test are called.
func isRunnable(l located) bool {
	s := &l.file.Symbols[l.i]
	if l.i == 0 {
		return holdsTests(l.file)
	}
	return s.IsTest() && (s.Kind == facts.DefFunction || s.Kind == facts.DefMethod) && s.Flags&facts.Local == 0
}

// holdsTests says whether a runner collects tests from a file, as opposed to
// what tests share.
func holdsTests(f *graph.FileSymbols) bool {
	e := facts.ByID(f.Lang)
	if e == nil || !e.TestFile(f.Path) {
		return false
	}
	switch f.Lang {
	case facts.JavaScript, facts.TypeScript, facts.TSX:
		return true
	}
	return slices.ContainsFunc(f.Symbols, func(s graph.Symbol) bool { return s.IsTest() })
}

// runnerOf names the program that runs a test.
func runnerOf(l located) string {
	switch l.file.Lang {
	case facts.Go:
		return "go"
	case facts.JavaScript, facts.TypeScript, facts.TSX:
		return "jest"
	case facts.PHP:
		return "phpunit"
	}
	if p := l.file.Symbols[l.i].Parent; l.i > 0 && p > 0 && strings.Contains(l.file.Symbols[p].Signature, "TestCase") {
		return "unittest"
	}
	return "pytest"
}

// selectorOf gives the arguments that make the runner run a test, or all tests
// of a file, from the top of the work tree.
func selectorOf(l located, g goTests) string {
	s := &l.file.Symbols[l.i]
	switch {
	case l.file.Lang == facts.Go:
		return g.selector()
	case l.i == 0:
		return shellWord(l.file.Path)
	case l.file.Lang == facts.PHP:
		return shellWord(l.file.Path) + " --filter " + shellWord("::"+s.Name+"$")
	}
	return shellWord(l.file.Path + "::" + strings.ReplaceAll(s.Qualified, ".", "::"))
}

// goTests are tests of one Go package: functions, or methods of the suite that
// the functions run.
type goTests struct {
	dir     string
	names   []string
	methods []string
}

// goTestsOf names the package and the test; of a whole file, its tests. runs are
// the functions that run it as a method of a suite.
func goTestsOf(l located, runs []located) goTests {
	if l.file.Lang != facts.Go {
		return goTests{}
	}
	g := goTests{dir: parentDir(l.file.Path)}
	switch {
	case len(runs) > 0:
		g.dir = parentDir(runs[0].file.Path)
		for _, r := range runs {
			if parentDir(r.file.Path) == g.dir {
				g.names = append(g.names, r.file.Symbols[r.i].Name)
			}
		}
		g.methods = []string{l.file.Symbols[l.i].Name}
	case l.i > 0:
		g.names = []string{l.file.Symbols[l.i].Name}
	default:
		for i := range l.file.Symbols {
			if i > 0 && isRunnable(located{l.file, i}) {
				g.names = append(g.names, l.file.Symbols[i].Name)
			}
		}
	}
	return g
}

// selector makes the arguments of "go test". Benchmarks have a flag of their own.
func (g goTests) selector() string {
	dir := "."
	if g.dir != "" {
		dir = shellWord("./" + g.dir)
	}
	var run, bench []string
	for _, n := range g.names {
		if strings.HasPrefix(n, "Benchmark") {
			bench = append(bench, n)
		} else {
			run = append(run, n)
		}
	}
	pattern := exactly(run)
	if len(g.methods) > 0 {
		pattern += "/" + exactly(g.methods)
	}
	out := dir + " -run " + shellWord(pattern)
	if len(bench) > 0 {
		out += " -bench " + shellWord(exactly(bench))
	}
	return out
}

func exactly(names []string) string {
	switch len(names) {
	case 0:
		return "^$"
	case 1:
		return "^" + names[0] + "$"
	}
	return "^(" + strings.Join(names, "|") + ")$"
}

// shellWord quotes a word where a shell would not take it as it is.
func shellWord(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:@%+,=", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// byName finds files of tests that are called like a changed file, and tests
// that are called like a definition that was asked for.
func (s *testSearch) byName() error {
	stems := map[string]bool{}
	for _, p := range s.changed {
		stems[testStem(p)] = true
	}
	var files []string
	err := s.x.files.Scan("", func(r row) bool {
		e := facts.ByID(facts.Detect(r.Key))
		if e != nil && e.TestFile(r.Key) && stems[testStem(r.Key)] {
			files = append(files, r.Key)
		}
		return true
	})
	if err != nil {
		return err
	}
	for _, p := range files {
		if err := s.addFile(p, TestHit{Reason: "name", Certainty: "hint"}); err != nil {
			return err
		}
	}
	for _, of := range s.res.Of {
		if of.Kind == "file" {
			continue
		}
		for _, name := range []string{"test_" + of.Name, "Test" + strings.ToUpper(of.Name[:1]) + of.Name[1:]} {
			if err := s.addNamed(name); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *testSearch) addNamed(name string) error {
	keys, err := s.x.Defined(name)
	if err != nil {
		return err
	}
	found, err := s.x.locate(keys)
	if err != nil {
		return err
	}
	for _, l := range found {
		if k := l.key(); isRunnable(l) && !s.seen[k] && s.admits(l) {
			s.seen[k] = true
			h, err := s.hit(l, TestHit{Reason: "name", Certainty: "hint"})
			if err != nil {
				return err
			}
			s.found = append(s.found, h)
		}
	}
	return nil
}

// testStem is the lower-case base name of a file without what makes it the name of a test.
func testStem(p string) string {
	base, _, _ := strings.Cut(strings.ToLower(path.Base(p)), ".")
	base = strings.TrimPrefix(base, "test_")
	base = strings.TrimPrefix(base, "test-")
	base = strings.TrimSuffix(base, "_test")
	base = strings.TrimSuffix(base, "-test")
	return strings.TrimSuffix(base, "test")
}

// Selectors lists the arguments that make a runner run the tests of an answer,
// without doubles, in its order. Tests of one Go package share a line, the
// methods of each suite another.
func Selectors(items []Item, runner string) []string {
	var order []string
	at := map[string]int{}
	groups := map[string]goTests{}
	for _, it := range items {
		h, ok := it.(*TestHit)
		if !ok || h.Runner != runner && !(runner == "pytest" && h.Runner == "unittest") {
			continue
		}
		line, group := h.Selector, h.goTests
		if runner == "go" {
			line = group.dir
			if len(group.methods) > 0 {
				line += "\x00" + strings.Join(group.names, "|")
			}
			known := groups[line]
			groups[line] = goTests{group.dir, joinNames(known.names, group.names), joinNames(known.methods, group.methods)}
		}
		if _, known := at[line]; !known {
			at[line] = len(order)
			order = append(order, line)
		}
	}
	for i, line := range order {
		if g, ok := groups[line]; ok {
			order[i] = g.selector()
		}
	}
	return order
}

func joinNames(list, more []string) []string {
	for _, n := range more {
		if !slices.Contains(list, n) {
			list = append(list, n)
		}
	}
	return list
}

// KnownPlaces parts the places of a diff by whether the index has their file.
func KnownPlaces(env *Env, places []string) (known, skipped []string, err error) {
	pin, err := open(env)
	if err != nil {
		return nil, nil, err
	}
	for _, place := range places {
		file := place
		if p, _, _, ok := pathLines(place); ok {
			file = p
		}
		f, err := pin.index.Symbols(file)
		if err != nil {
			return nil, nil, err
		}
		if f != nil {
			known = append(known, place)
		} else {
			skipped = append(skipped, place)
		}
	}
	return known, skipped, nil
}
