package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"

	"codeidx/facts"
)

// repository is one tree to ask about.
type repository struct {
	dir, binary string
	tests       []string   // ids of all tests that ran, sorted
	functions   []function // that a test executes, by position
}

// function is one definition of a source file that holds no tests.
type function struct {
	path, name string
	line, last int
	truth      map[string]bool // ids of the tests that execute it
	reach      string          // see reaches
}

func (f *function) tests() []string {
	out := make([]string, 0, len(f.truth))
	for t := range f.truth {
		out = append(out, t)
	}
	slices.Sort(out)
	return out
}

// executed is a line of .ci/cover.py.
type executed struct {
	Test  string
	Path  string
	Lines [][2]int
}

// readTruth binds executed lines to the functions around them.
func (r *repository) readTruth(file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	tests := map[string]bool{}
	byPath := map[string][]executed{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, len(data)+1)
	for lines.Scan() {
		var e executed
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return err
		}
		tests[e.Test] = true
		if l := facts.ByID(facts.Detect(e.Path)); l != nil && !l.TestFile(e.Path) {
			byPath[e.Path] = append(byPath[e.Path], e)
		}
	}
	for path, list := range byPath {
		found, err := r.definitions(path)
		if err != nil {
			return err
		}
		for _, e := range list {
			credit(found, e)
		}
		for _, f := range found {
			if len(f.truth) > 0 {
				r.functions = append(r.functions, f)
			}
		}
	}
	slices.SortFunc(r.functions, func(a, b function) int { return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.line, b.line)) })
	r.tests = ranked(tests, func(a, b string) int { return cmp.Compare(a, b) })
	return nil
}

func ranked[V any](m map[string]V, compare func(a, b string) int) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.SortFunc(out, compare)
	return out
}

// credit gives a test to the functions whose own lines it executes. In Python
// the first line runs where the definition stands, not where it is called; what
// is nested in a function is no evidence that the function itself ran.
func credit(found []function, e executed) {
	python := facts.Detect(e.Path) == facts.Python
	for _, span := range e.Lines {
		for line := span[0]; line <= span[1]; line++ {
			around := -1
			for i := range found {
				if f := &found[i]; f.line <= line && line <= f.last {
					if around >= 0 {
						around = -1
						break
					}
					around = i
				}
			}
			if around >= 0 && !(python && line == found[around].line) {
				found[around].truth[e.Test] = true
			}
		}
	}
}

// answer is the part of the program's documents that is read here.
type answer struct {
	Items []struct {
		Symbol struct {
			Path, Qualified, Kind, Name string
			Line                        int
			End                         int `json:"end_line"`
		}
		Reason, Runner, Certainty, Selector string
		Depth                               int
	}
}

// ask runs one question.
func (r *repository) ask(args ...string) (*answer, error) {
	c := exec.Command(r.binary, append(args, "--json", "--freshness", "stat")...)
	c.Dir = r.dir
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%v: %w: %s", args, err, out)
	}
	a := &answer{}
	return a, json.Unmarshal(out, a)
}

// definitions lists the functions and methods of a file.
func (r *repository) definitions(path string) ([]function, error) {
	a, err := r.ask("symbols", path)
	if err != nil {
		return nil, err
	}
	var out []function
	for _, it := range a.Items {
		s := it.Symbol
		if s.Path == path && (s.Kind == "function" || s.Kind == "method") {
			out = append(out, function{path: path, name: s.Qualified, line: s.Line, last: s.End, truth: map[string]bool{}})
		}
	}
	return out, nil
}
