package query

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"codeidx/facts"
	"codeidx/graph"
)

// fixtureUses lists the tests and fixtures that name a fixture as a parameter:
// in its file, and below the folder of a conftest.py where nothing nearer has
// its name.
func (s *testSearch) fixtureUses(l located) ([]step, error) {
	auto, ok, err := s.fixture(l)
	if err != nil || !ok {
		return nil, err
	}
	name := l.file.Symbols[l.i].Name
	var out []step
	uses := func(f *graph.FileSymbols) {
		if f != l.file && definesFunction(f, name) {
			return
		}
		for i := 1; i < len(f.Symbols); i++ {
			user := located{f, i}
			if k := f.Symbols[i].Kind; k != facts.DefFunction && k != facts.DefMethod || user == l {
				continue
			}
			if takesParameter(f.Symbols[i].Signature, name) || auto && isRunnable(user) {
				out = append(out, implied(user, l, user, "tests.fixture"))
			}
		}
	}
	if path.Base(l.file.Path) != "conftest.py" {
		uses(l.file)
		return out, nil
	}
	e := facts.ByID(facts.Python)
	return out, s.x.eachFile(parentDir(l.file.Path), func(f *graph.FileSymbols) {
		if f.Lang == facts.Python && e.TestFile(f.Path) {
			uses(f)
		}
	})
}

func definesFunction(f *graph.FileSymbols, name string) bool {
	return slices.ContainsFunc(f.Symbols, func(s graph.Symbol) bool {
		return s.Kind == facts.DefFunction && s.Qualified == name
	})
}

// fixture says whether a function is decorated as a fixture of pytest, and
// whether every test in reach uses it.
func (s *testSearch) fixture(l located) (auto, ok bool, err error) {
	loose, err := s.loose(l.file.Path)
	if err != nil {
		return false, false, err
	}
	sym := &l.file.Symbols[l.i]
	first := uint32(0) // of the decorators: behind what ends before
	for i := 1; i < len(l.file.Symbols); i++ {
		if other := &l.file.Symbols[i]; other.End < sym.Line {
			first = max(first, other.End)
		} else if other.Line < sym.Line && other.End >= sym.End {
			first = max(first, other.Line)
		}
	}
	at := slices.IndexFunc(loose, func(u graph.Loose) bool { return u.Name == "fixture" && u.Line > first && u.Line < sym.Line })
	if at < 0 {
		return false, false, nil
	}
	src, err := s.x.Source(l.file.Path)
	if err != nil {
		return false, false, err
	}
	lines := bytes.SplitAfter(src, []byte("\n"))
	head := bytes.Join(lines[min(int(loose[at].Line)-1, len(lines)):min(int(sym.Line)-1, len(lines))], nil)
	return bytes.Contains(head, []byte("autouse=True")), true, nil
}

// takesParameter says whether a Python signature names a parameter.
func takesParameter(signature, name string) bool {
	_, list, ok := strings.Cut(signature, "(")
	if !ok {
		return false
	}
	depth := 0
	word := 0
	for i := 0; i < len(list); i++ {
		switch list[i] {
		case '(', '[', '{':
			depth++
			continue
		case ')', ']', '}':
			depth--
		}
		if depth < 0 || depth == 0 && list[i] == ',' {
			param, _, _ := strings.Cut(list[word:i], "=")
			param, _, _ = strings.Cut(param, ":")
			if strings.TrimSpace(param) == name {
				return true
			}
			word = i + 1
		}
		if depth < 0 {
			break
		}
	}
	return false
}

// callsOfValues lists the sites where a test calls a method on something of
// unknown type while it takes a fixture that makes an object of the method's
// class: "def test(runner): runner.invoke(…)".
func (s *testSearch) callsOfValues(l located) ([]step, error) {
	if l.file.Lang != facts.Python {
		return nil, nil
	}
	class, err := s.x.classOf(l)
	if err != nil || class.file == nil {
		return nil, err
	}
	users, err := s.usersOf(class)
	if err != nil {
		return nil, err
	}
	name := l.file.Symbols[l.i].Name
	var out []step
	for _, user := range users {
		loose, err := s.loose(user.file.Path)
		if err != nil {
			return nil, err
		}
		at := &user.file.Symbols[user.i]
		for _, u := range loose {
			if u.Name == name && u.Kind == graph.Calls && u.Reason == graph.DynamicReceiver && at.Line <= u.Line && u.Line <= at.End {
				out = append(out, impliedAt(user, l, user.file.Path, u.Line, u.Col, "tests.fixture_value"))
			}
		}
	}
	return out, nil
}

// usersOf lists what takes a fixture that makes an object of a class or of one
// that inherits from it.
func (s *testSearch) usersOf(class located) ([]located, error) {
	if users, known := s.users[class.key()]; known {
		return users, nil
	}
	var out []located
	classes := []located{class}
	seen := map[graph.Key]bool{class.key(): true}
	for len(classes) > 0 && len(seen) < maxNodes {
		c := classes[0]
		classes = classes[1:]
		made, err := s.x.incomingSteps(c.key(), want{kinds: []graph.Kind{graph.Calls}})
		if err != nil {
			return nil, err
		}
		for _, st := range made {
			if st.end.i == 0 || !isTest(st.end) || st.end.file.Lang != facts.Python {
				continue
			}
			uses, err := s.fixtureUses(st.end)
			if err != nil {
				return nil, err
			}
			for _, u := range uses {
				if !slices.Contains(out, u.end) {
					out = append(out, u.end)
				}
			}
		}
		below, err := s.x.subclasses(c, false)
		if err != nil {
			return nil, err
		}
		for _, sub := range below {
			if k := sub.key(); !seen[k] {
				seen[k] = true
				classes = append(classes, sub)
			}
		}
	}
	s.users[class.key()] = out
	return out, nil
}

// loose lists the references of a file that were not bound.
func (s *testSearch) loose(path string) ([]graph.Loose, error) {
	if list, known := s.unbound[path]; known {
		return list, nil
	}
	data, has, err := s.x.unresolved.Row(path)
	if err != nil || !has {
		return nil, err
	}
	list, err := graph.DecodeLoose(data)
	if err != nil {
		return nil, s.x.corrupt(graph.UnresolvedTable, path, err)
	}
	s.unbound[path] = list
	return list, nil
}
