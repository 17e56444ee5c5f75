package python_test

import (
	"math/rand"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"codeidx/facts"
	extract "codeidx/facts/python"
	"codeidx/facts/treesitter"
	"codeidx/graph"
	"codeidx/graph/marktest"
	"codeidx/graph/python"
)

const archives = "../../testdata/python"

// program extracts the members of an archive, in order of their paths.
func program(t testing.TB, files map[string][]byte) *graph.Program {
	t.Helper()
	parser, err := treesitter.New("python")
	if err != nil {
		t.Fatal(err)
	}
	defer parser.Close()
	x, r := extract.New(parser.Grammar()), python.New()
	paths := make([]string, 0, len(files))
	for path := range files {
		paths = append(paths, path)
	}
	sort.Strings(paths)
	p := &graph.Program{}
	for _, path := range paths {
		if r.ConfigFile(path) {
			p.Config = append(p.Config, graph.ConfigFile{Path: path, Data: files[path]})
		}
		if facts.Detect(path) != facts.Python {
			continue
		}
		tree, err := parser.Parse(files[path], time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		f, err := x.Extract(path, tree)
		if err != nil {
			t.Fatal(err)
		}
		if err := facts.Validate(f); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		p.Files = append(p.Files, f)
	}
	return p
}

func resolve(p *graph.Program) []graph.FileEdges {
	out := make([]graph.FileEdges, len(p.Files))
	python.New().Resolve(p, out)
	return out
}

func TestMarkedSources(t *testing.T) {
	marktest.Run(t, archives, func(files map[string][]byte) (*graph.Program, []graph.FileEdges) {
		p := program(t, files)
		return p, resolve(p)
	})
}

// edge is an edge free of the order of files.
type edge struct {
	Kind, Resolution, Rule, Name, To string
	Pos                              uint32
	Open                             bool
}

// byPath lists the edges and the unresolved references of each file.
func byPath(p *graph.Program, out []graph.FileEdges) map[string][]edge {
	m := map[string][]edge{}
	for i, f := range p.Files {
		for _, e := range out[i].Edges {
			to := ""
			if e.To.File < 0 {
				to = p.Dirs[-e.To.File-1] + "/"
			} else {
				t := p.Files[e.To.File]
				to = t.Path + "#" + t.Qualified(e.To.Def)
			}
			m[f.Path] = append(m[f.Path], edge{e.Kind.String(), e.Resolution.String(), e.Rule.String(), f.Name(e.Name), to, e.Pos, e.Open})
		}
		for _, u := range out[i].Unresolved {
			m[f.Path] = append(m[f.Path], edge{Kind: u.Kind.String(), Rule: u.Reason.String(), Name: f.Name(u.Name), Pos: u.Pos})
		}
	}
	return m
}

// TestOrderOfFiles resolves every archive with its files in other orders.
func TestOrderOfFiles(t *testing.T) {
	paths, err := filepath.Glob(archives + "/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives (%v)", err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		p := program(t, marktest.Files(data))
		want := byPath(p, resolve(p))
		for seed := range int64(5) {
			q := &graph.Program{Files: append([]*facts.File{}, p.Files...), Config: p.Config}
			rand.New(rand.NewSource(seed)).Shuffle(len(q.Files), func(i, j int) { q.Files[i], q.Files[j] = q.Files[j], q.Files[i] })
			if diff := cmp.Diff(want, byPath(q, resolve(q))); diff != "" {
				t.Errorf("%s, order %d: edges differ (-sorted +shuffled):\n%s", path, seed, diff)
			}
		}
	}
}

// TestChosenDefinition checks which of several definitions of one name a use
// is bound to, which marks cannot say.
func TestChosenDefinition(t *testing.T) {
	tests := []struct {
		name, source string
		use          string // the last occurrence of this text is the use
		lines        []int  // of the definitions, resolved first
	}{
		{"redefinition", "def f(): ...\ndef f(): ...\nf()\n", "f", []int{2}},
		{"use between", "def f(): ...\nf()\ndef f(): ...\n", "f()\n", []int{1}},
		{"from a function", "def g():\n    f()\ndef f(): ...\ndef f(): ...\n", "f()\n", []int{4}},
		{"overloads", "from typing import overload\n@overload\ndef f(): ...\n@overload\ndef f(x): ...\ndef f(x=0): ...\nf\n", "f", []int{6}},
		{"setter", "class C:\n    @property\n    def p(self): ...\n    @p.setter\n    def p(self, v): ...\n    def m(self):\n        self.p\n", "p", []int{3}},
		{"variants", "import sys\nif sys.platform:\n    def f(): ...\nelse:\n    def f(): ...\nf()\n", "f", []int{5, 3}},
		{"early return", "def f(a):\n    if a:\n        def g(): ...\n        return g\n    def g(): ...\n    g()\n", "g", []int{5}},
		{"fallback", "try:\n    from gone import f\nexcept ImportError:\n    def f(): ...\nf()\n", "f", []int{4}},
		{"assigned twice", "X = 1\nX = 2\nX\n", "X", []int{1}},
		{"class attribute first", "class C:\n    a = 1\n    def m(self):\n        self.a = 2\n        return self.a\n", "a", []int{2}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := program(t, map[string][]byte{"m.py": []byte(test.source)})
			pos := uint32(strings.LastIndex(test.source, test.use))
			var lines []int
			for _, e := range resolve(p)[0].Edges {
				if e.Pos == pos {
					lines = append(lines, p.Files[0].Line(p.Files[0].Defs[e.To.Def].NamePos))
				}
			}
			if diff := cmp.Diff(test.lines, lines); diff != "" {
				t.Errorf("lines of definitions (-want +have):\n%s", diff)
			}
		})
	}
}

// TestBrokenSources cuts pieces out of an archive's files: the resolver must
// give edges between existing definitions, and none from a broken region.
func TestBrokenSources(t *testing.T) {
	paths, err := filepath.Glob(archives + "/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives (%v)", err)
	}
	rapid.Check(t, func(r *rapid.T) {
		data, err := os.ReadFile(rapid.SampledFrom(paths).Draw(r, "archive"))
		if err != nil {
			t.Fatal(err)
		}
		files := marktest.Files(data)
		names := make([]string, 0, len(files))
		for name := range files {
			names = append(names, name)
		}
		sort.Strings(names)
		for range rapid.IntRange(1, 4).Draw(r, "cuts") {
			name := rapid.SampledFrom(names).Draw(r, "file")
			src := files[name]
			from := rapid.IntRange(0, len(src)).Draw(r, "from")
			to := min(len(src), from+rapid.IntRange(0, 60).Draw(r, "length"))
			files[name] = append(append([]byte{}, src[:from]...), src[to:]...)
		}
		p := program(t, files)
		for i, out := range resolve(p) {
			for _, e := range out.Edges {
				checkEdge(r, p, p.Files[i], e)
			}
		}
	})
}

// TestEveryRule sees each rule of graph/rule_python.go at work in the archives.
func TestEveryRule(t *testing.T) {
	paths, err := filepath.Glob(archives + "/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[graph.Rule]bool{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, out := range resolve(program(t, marktest.Files(data))) {
			for _, e := range out.Edges {
				seen[e.Rule] = true
			}
		}
	}
	for r := graph.PyImport; r.Info().ID != "unknown"; r++ {
		if !seen[r] {
			t.Errorf("no archive uses rule %s", r)
		}
	}
}

func checkEdge(r *rapid.T, p *graph.Program, f *facts.File, e graph.Edge) {
	if int(e.From) >= len(f.Defs) || e.Pos > f.Size || int(e.To.File) >= len(p.Files) || -int(e.To.File) > len(p.Dirs) {
		r.Fatalf("%s: edge out of range: %+v", f.Path, e)
	}
	if e.To.File >= 0 && int(e.To.Def) >= len(p.Files[e.To.File].Defs) {
		r.Fatalf("%s: edge to a definition that does not exist: %+v", f.Path, e)
	}
	for _, s := range f.Errors {
		if s.Start <= e.Pos && e.Pos < s.End {
			r.Fatalf("%s: edge from a broken region: %+v", f.Path, e)
		}
	}
}

func BenchmarkResolve(b *testing.B) {
	dir := os.Getenv("CODEIDX_BENCH_TREE")
	if dir == "" {
		b.Skip("CODEIDX_BENCH_TREE names no tree")
	}
	files, total := map[string][]byte{}, 0
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil || facts.Detect(path) != facts.Python {
			return err
		}
		src, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(rel)], total = src, total+len(src)
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	p := program(b, files)
	b.SetBytes(int64(total))
	for b.Loop() {
		resolve(p)
	}
}
