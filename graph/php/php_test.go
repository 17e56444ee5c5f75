package php_test

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
	extract "codeidx/facts/php"
	"codeidx/facts/treesitter"
	"codeidx/graph"
	"codeidx/graph/marktest"
	"codeidx/graph/php"
)

const archives = "../../testdata/php"

// program extracts the members of an archive, in order of their paths.
func program(t *testing.T, files map[string][]byte) *graph.Program {
	t.Helper()
	parser, err := treesitter.New("php")
	if err != nil {
		t.Fatal(err)
	}
	defer parser.Close()
	x, r := extract.New(parser.Grammar()), php.New()
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
		if facts.Detect(path) != facts.PHP {
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
	php.New().Resolve(p, out)
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
			t := p.Files[e.To.File]
			to := t.Path + "#" + t.Qualified(e.To.Def)
			m[f.Path] = append(m[f.Path], edge{e.Kind.String(), e.Resolution.String(), e.Rule.String(), f.Name(e.Name), to, e.Pos, e.Open})
		}
		for _, u := range out[i].Unresolved {
			m[f.Path] = append(m[f.Path], edge{Kind: u.Kind.String(), Rule: u.Reason.String(), Name: f.Name(u.Name), Pos: u.Pos})
		}
	}
	return m
}

// all returns the paths of the archives.
func all(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob(archives + "/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives (%v)", err)
	}
	return paths
}

// TestOrderOfFiles resolves every archive with its files in other orders.
func TestOrderOfFiles(t *testing.T) {
	for _, path := range all(t) {
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

// TestBrokenSources cuts pieces out of an archive's files: the resolver must
// give edges between existing definitions, and none from a broken region.
func TestBrokenSources(t *testing.T) {
	paths := all(t)
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

func checkEdge(r *rapid.T, p *graph.Program, f *facts.File, e graph.Edge) {
	if int(e.From) >= len(f.Defs) || e.Pos > f.Size || e.To.File < 0 || int(e.To.File) >= len(p.Files) ||
		int(e.To.Def) >= len(p.Files[e.To.File].Defs) {
		r.Fatalf("%s: edge out of range: %+v", f.Path, e)
	}
	for _, s := range f.Errors {
		if s.Start <= e.Pos && e.Pos < s.End {
			r.Fatalf("%s: edge from a broken region: %+v", f.Path, e)
		}
	}
}

// TestChosenDefinition checks which of several definitions of one name a use
// is bound to, which marks cannot say.
func TestChosenDefinition(t *testing.T) {
	tests := []struct {
		name, source string
		use          string // the last occurrence of this text is the use
		lines        []int  // of the definitions
	}{
		{"namespaces", "<?php\nnamespace A; class C {}\nnamespace B; class C {}\nnew \\A\\C;", `C;`, []int{2}},
		{"this namespace", "<?php\nnamespace A; class C {}\nnamespace B; class C {}\nnew C;", `C;`, []int{3}},
		{"variants", "<?php\nif (X) {\nfunction f() {}\n} else {\nfunction f() {}\n}\nf();", `f();`, []int{3, 5}},
		{"unconditional", "<?php\nif (X) {\nfunction f() {}\n}\nfunction f() {}\nf();", `f();`, []int{5}},
		{"constants", "<?php\nif (X) define('K', 1);\nelse define('K', 2);\necho K;", `K;`, []int{2, 3}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := program(t, map[string][]byte{"m.php": []byte(test.source)})
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
