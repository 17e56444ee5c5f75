package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// grep answers with ripgrep and reading, as agents do without an index: search
// the name, read around each hit, take for an answer what looks like one. It
// cannot understand what it reads, so lines that look right are claims.
type grep struct {
	*world
	hits []hit
}

// What an agent's tools show of one search, how much it reads around a hit, and
// how many regions before it gives up.
const (
	mostOutput = 30_000
	window     = 200
	mostReads  = 20
)

func (g *grep) name() string { return "grep" }

// hit is a line that a search found.
type hit struct {
	path string
	line int
	text string
}

func (h *hit) at() string { return place(h.path, h.line) }

// search runs ripgrep over the tree and keeps the hits in code.
func (g *grep) search(a *answer, args ...string) ([]hit, error) {
	cmd := exec.Command("rg", append([]string{"-n", "--no-heading", "--color=never", "--sort=path"}, args...)...)
	cmd.Dir = g.dir
	cmd.Args = append(cmd.Args, ".")
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
		return nil, fmt.Errorf("rg %v: %w", args, err)
	}
	if len(out) > mostOutput {
		out = out[:mostOutput]
	}
	a.took(len(out))
	var hits []hit
	for l := range strings.Lines(string(out)) {
		path, rest, _ := strings.Cut(strings.TrimPrefix(l, "./"), ":")
		number, text, ok := strings.Cut(rest, ":")
		n, err := strconv.Atoi(number)
		if ok && err == nil && isCode(path) {
			hits = append(hits, hit{path, n, text})
		}
	}
	return hits, nil
}

// read reads lines of a file, as many as there are.
func (g *grep) read(a *answer, path string, first, last int) ([]string, error) {
	text, err := os.ReadFile(filepath.Join(g.dir, path))
	if err != nil {
		return nil, err
	}
	all := strings.SplitAfter(string(text), "\n")
	first, last = max(first, 1), min(last, len(all))
	if first > last {
		return nil, nil
	}
	n := 0
	for _, l := range all[first-1 : last] {
		n += len(l)
	}
	a.took(n)
	return all[first-1 : last], nil
}

// readAround reads the regions around hits, those that touch in one call.
func (g *grep) readAround(a *answer, hits []hit) error {
	reads := 0
	for i := 0; i < len(hits) && reads < mostReads; reads++ {
		from, to := hits[i].line-window/2, hits[i].line+window/2
		j := i + 1
		for ; j < len(hits) && hits[j].path == hits[i].path && hits[j].line-window/2 <= to; j++ {
			to = hits[j].line + window/2
		}
		if _, err := g.read(a, hits[i].path, from, to); err != nil {
			return err
		}
		i = j
	}
	return nil
}

// comment begins lines that are none of code.
var comment = regexp.MustCompile(`^\s*(#|//|/?\*)`)

// defines matches what looks like a definition of a name.
func defines(name string) string {
	n := regexp.QuoteMeta(name)
	return `\b(def|class|function|interface|trait|enum|type|struct)\s+&?` + n + `\b|\bfunc\s+(\([^)]*\)\s*)?` + n + `\b|\b(const|let|var)\s+` + n +
		`\s*=|^\s*((export|default|public|private|protected|static|async|get|set)\s+)*` + n + `\([^()]*\)[^;()]*\{\s*$`
}

func (g *grep) answer(q *question) (*answer, error) {
	a := &answer{}
	var err error
	switch q.kind {
	case "callers":
		err = g.calls(a, q)
	case "changes":
		diff := exec.Command("git", "diff")
		diff.Dir = g.dir
		var out []byte
		if out, err = diff.Output(); err == nil {
			a.took(len(out))
			if err = g.take(a, q, `\b`+q.name+`\b`); err == nil {
				a.claims = slices.DeleteFunc(a.claims, func(c string) bool { return c == q.at })
			}
		}
	case "callees":
		err = g.callees(a, q)
	case "definition":
		g.hits, err = g.search(a, defines(q.name))
		g.claim(a, func(*hit) bool { return true })
	case "implementers":
		err = g.take(a, q, `\b(extends|implements|use)\b.*\b`+q.name+`\b|class\s.*\(.*\b`+q.name+`\b|^\s+\*?(\w+\.)?`+q.name+`$`)
	case "overrides":
		err = g.take(a, q, defines(q.name))
		a.claims = slices.DeleteFunc(a.claims, func(c string) bool { return c == q.at })
	case "impact":
		err = g.imports(a, q)
	case "tests":
		if err = g.take(a, q, `\b`+q.name+`\b`); err == nil {
			g.paths(a, func(h *hit) bool { return isTest(h.path) })
		}
	case "read":
		err = g.body(a, q)
	case "phrase":
		pattern := strings.Join(strings.Fields(q.words), `.{0,2}`)
		if g.hits, err = g.search(a, "-i", pattern); err == nil {
			g.claim(a, func(*hit) bool { return true })
			err = g.readAround(a, g.hits[:min(3, len(g.hits))])
		}
	}
	return a, err
}

// claim takes hits for an answer.
func (g *grep) claim(a *answer, fits func(*hit) bool) {
	for i := range g.hits {
		if h := &g.hits[i]; fits(h) && !comment.MatchString(h.text) {
			a.claims = append(a.claims, h.at())
		}
	}
}

// paths takes the files of hits for an answer.
func (g *grep) paths(a *answer, fits func(*hit) bool) {
	a.claims = nil
	for i := range g.hits {
		if h := &g.hits[i]; fits(h) {
			a.claims = append(a.claims, h.path)
		}
	}
}

// take searches a pattern, reads around the hits and claims them.
func (g *grep) take(a *answer, q *question, pattern string) (err error) {
	if g.hits, err = g.search(a, pattern); err != nil {
		return err
	}
	g.claim(a, func(*hit) bool { return true })
	return g.readAround(a, g.hits)
}

// calls searches the name and claims what looks like a call.
func (g *grep) calls(a *answer, q *question) (err error) {
	if g.hits, err = g.search(a, "-w", q.name); err != nil {
		return err
	}
	call, def := regexp.MustCompile(`\b`+regexp.QuoteMeta(q.name)+`\s*[(\[<]`), regexp.MustCompile(defines(q.name))
	g.claim(a, func(h *hit) bool { return call.MatchString(h.text) && !def.MatchString(h.text) })
	return g.readAround(a, g.hits)
}

// called matches the names that a body calls.
var called = regexp.MustCompile(`([A-Za-z_$][\w$]*)\s*\(`)

// keywords look like calls.
var keywords = []string{"if", "for", "while", "switch", "return", "func", "function", "catch", "def", "print", "len", "isinstance", "array", "list", "and", "or", "not", "in", "elif", "foreach", "match", "isset", "append", "make", "range", "super", "str", "int"}

// mostNames bounds the names of a body that are looked up.
const mostNames = 30

// callees reads the body and looks each called name up.
func (g *grep) callees(a *answer, q *question) error {
	if _, err := g.search(a, defines(q.name)); err != nil {
		return err
	}
	b, err := g.world.body(q.at)
	if err != nil {
		return err
	}
	text, err := g.read(a, pathOf(q.at), b[0], max(b[1], b[0]+window))
	if err != nil {
		return err
	}
	var names []string
	for _, m := range called.FindAllStringSubmatch(strings.Join(text[:min(b[1]-b[0]+1, len(text))], ""), -1) {
		if !slices.Contains(names, m[1]) && !slices.Contains(keywords, m[1]) && m[1] != q.name {
			names = append(names, m[1])
		}
	}
	for _, n := range names[:min(mostNames, len(names))] {
		if g.hits, err = g.search(a, defines(n)); err != nil {
			return err
		}
		g.claim(a, func(*hit) bool { return true })
	}
	return nil
}

// imports searches lines that import something called like the file.
func (g *grep) imports(a *answer, q *question) (err error) {
	stem := strings.TrimSuffix(filepath.Base(q.path), filepath.Ext(q.path))
	if isOneOf(stem, "index", "__init__") || strings.HasSuffix(q.path, ".go") {
		stem = filepath.Base(filepath.Dir(q.path))
	}
	if g.hits, err = g.search(a, `(import|from|require|use|include|")\b.*\b`+regexp.QuoteMeta(stem)+`\b`); err != nil {
		return err
	}
	if err := g.readAround(a, g.hits); err != nil {
		return err
	}
	g.paths(a, func(h *hit) bool { return h.path != q.path })
	return nil
}

// body finds the definition and reads a window from it on.
func (g *grep) body(a *answer, q *question) error {
	hits, err := g.search(a, defines(q.name))
	if err != nil {
		return err
	}
	for _, h := range hits {
		if h.path != pathOf(q.at) {
			continue
		}
		text, err := g.read(a, h.path, h.line-2, h.line+window)
		if err != nil {
			return err
		}
		for i := range text {
			a.claims = append(a.claims, place(h.path, max(h.line-2, 1)+i))
		}
	}
	return nil
}
