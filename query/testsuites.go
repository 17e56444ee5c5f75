package query

import (
	"slices"
	"strings"

	"codeidx/facts"
	"codeidx/graph"
)

// suiteRuns lists the tests of Go that run a method as part of a suite: the
// functions that hand its type, or one that embeds it, to a function Run of a
// package outside (suite.Run of testify). It is empty for what is no such method.
func (s *testSearch) suiteRuns(l located) ([]located, error) {
	sym := &l.file.Symbols[l.i]
	if l.file.Lang != facts.Go || sym.Kind != facts.DefMethod || !strings.HasPrefix(sym.Name, "Test") ||
		!strings.HasSuffix(l.file.Path, "_test.go") || !strings.HasSuffix(sym.Signature, sym.Name+"()") {
		return nil, nil
	}
	class, err := s.x.classOf(l)
	if err != nil || class.file == nil {
		return nil, err
	}
	k := class.key()
	runs, known := s.suites[k]
	if !known {
		if runs, err = s.suiteRunners(class); err != nil {
			return nil, err
		}
		s.suites[k] = runs
	}
	return runs, nil
}

// suiteRunners lists the test functions that run a suite or one that embeds it,
// those of its own package first.
func (s *testSearch) suiteRunners(class located) ([]located, error) {
	var out []located
	types := []located{class}
	seen := map[graph.Key]bool{class.key(): true}
	for len(types) > 0 && len(seen) < maxNodes {
		t := types[0]
		types = types[1:]
		steps, err := s.x.incomingSteps(t.key(), want{kinds: []graph.Kind{graph.References, graph.Calls, graph.Inherits}})
		if err != nil {
			return nil, err
		}
		for _, st := range steps {
			k := st.end.key()
			if seen[k] {
				continue
			}
			switch {
			case st.raw.Kind == graph.Inherits && st.end.i > 0:
				seen[k] = true
				types = append(types, st.end)
			case isRunnable(st.end) && st.end.i > 0:
				runs, err := s.runsSuite(st.end)
				if err != nil {
					return nil, err
				}
				if seen[k] = true; runs {
					out = append(out, st.end)
				}
			}
		}
	}
	home := parentDir(class.file.Path)
	slices.SortStableFunc(out, func(a, b located) int {
		return boolRank(parentDir(a.file.Path) != home) - boolRank(parentDir(b.file.Path) != home)
	})
	return out, nil
}

func boolRank(b bool) int {
	if b {
		return 1
	}
	return 0
}

// runsSuite says whether a test calls a function Run that is not of this repository.
func (s *testSearch) runsSuite(test located) (bool, error) {
	loose, err := s.loose(test.file.Path)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(loose, func(u graph.Loose) bool {
		return u.Name == "Run" && u.Kind == graph.Calls && int(u.From) == test.i
	}), nil
}
