package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"

	"codeidx/facts"
)

// armNames are the ways to find the tests of a function: all that tests answers,
// of it what calls lead to, and the tests of files that import the function's.
var armNames = []string{"tests", "calls", "closure"}

type arm struct {
	name string
	rank func(*function) ([]string, error)
}

func (r *repository) arms() []arm {
	c := &closure{repository: r}
	return []arm{ // the first one sets each function's reach
		{"tests", func(f *function) ([]string, error) { return r.answered(f, "") }},
		{"calls", func(f *function) ([]string, error) { return r.answered(f, "calls") }},
		{"closure", c.rank},
	}
}

// answered are the tests that an answer names, in its order, of one reason or of
// all. A file stands for its tests.
func (r *repository) answered(f *function, reason string) ([]string, error) {
	a, err := r.ask("tests", fmt.Sprintf("%s:%d", f.path, f.line))
	if err != nil {
		return nil, err
	}
	f.reach = reachOf(a)
	var order []string
	seen := map[string]bool{}
	for _, it := range a.Items {
		if reason != "" && it.Reason != reason {
			continue
		}
		match, err := selected(it.Runner, it.Selector)
		if err != nil {
			return nil, err
		}
		for _, t := range r.tests {
			if !seen[t] && match(t) {
				seen[t] = true
				order = append(order, t)
			}
		}
	}
	return order, nil
}

// reaches part functions by what an answer says of its nearest test.
var reaches = []string{"1 step", "2 steps", "3 or more", "unproven", "no path"}

// reachOf is the length of the shortest proven path to a test.
func reachOf(a *answer) string {
	nearest, any := 0, false
	for _, it := range a.Items {
		if it.Reason == "calls" {
			if any = true; it.Certainty == "hard" && (nearest == 0 || it.Depth < nearest) {
				nearest = it.Depth
			}
		}
	}
	switch {
	case nearest > 0:
		return reaches[min(nearest, 3)-1]
	case any:
		return reaches[3]
	}
	return reaches[4]
}

var goSelector = regexp.MustCompile(`^(\S+) -run '?([^' ]*)'?`)

// selected says which tests a selector makes its runner run.
func selected(runner, selector string) (func(test string) bool, error) {
	if runner != "go" {
		return func(t string) bool { return t == selector || strings.HasPrefix(t, selector+"::") }, nil
	}
	m := goSelector.FindStringSubmatch(selector)
	if m == nil {
		return nil, fmt.Errorf("odd selector %q", selector)
	}
	dir := path.Clean(m[1])
	var levels []*regexp.Regexp
	for level := range strings.SplitSeq(m[2], "/") {
		re, err := regexp.Compile(level)
		if err != nil {
			return nil, err
		}
		levels = append(levels, re)
	}
	return func(t string) bool {
		at, names, _ := strings.Cut(t, "::")
		if at != dir {
			return false
		}
		for i, name := range strings.Split(names, "/") {
			if i < len(levels) && !levels[i].MatchString(name) {
				return false
			}
		}
		return true
	}, nil
}

// closure finds tests by imports alone: those of the test files that import a
// function's file, directly or through others, nearest first.
type closure struct {
	*repository
	importers map[string][]string // by file; of Go by folder
	tests     map[string][]string
}

// unit is what is imported: a file, of Go a package folder.
func unit(p string) string {
	if facts.Detect(p) == facts.Go {
		return path.Dir(p)
	}
	return p
}

func (c *closure) load() error {
	cmd := exec.Command(c.binary, "edges", "--jsonl", "--kind", "imports")
	cmd.Dir = c.dir
	out, err := cmd.Output()
	if err != nil {
		return err
	}
	c.importers, c.tests = map[string][]string{}, map[string][]string{}
	for line := range strings.Lines(string(out)) {
		var e struct {
			Path string
			Def  string `json:"def_path"`
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			return err
		}
		to := e.Def
		if facts.Detect(e.Path) != facts.Go {
			to = unit(to)
		}
		if from := unit(e.Path); e.Path != "" && from != to {
			c.importers[to] = append(c.importers[to], from)
		}
	}
	for _, t := range c.repository.tests {
		at, _, _ := strings.Cut(t, "::")
		c.tests[at] = append(c.tests[at], t)
	}
	return nil
}

func (c *closure) rank(f *function) ([]string, error) {
	if c.importers == nil {
		if err := c.load(); err != nil {
			return nil, err
		}
	}
	start := unit(f.path)
	depth := map[string]int{start: 0}
	for level := []string{start}; len(level) > 0; {
		var next []string
		for _, at := range level {
			for _, from := range c.importers[at] {
				if _, seen := depth[from]; !seen {
					depth[from] = depth[at] + 1
					next = append(next, from)
				}
			}
		}
		level = next
	}
	var order []string
	for _, p := range ranked(depth, func(a, b string) int { return cmp.Or(cmp.Compare(depth[a], depth[b]), cmp.Compare(a, b)) }) {
		order = append(order, c.tests[p]...)
	}
	return slices.Clip(order), nil
}
