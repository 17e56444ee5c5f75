//go:build cgo

package golang_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"codeidx/facts"
	extract "codeidx/facts/golang"
	"codeidx/facts/treesitter"
	"codeidx/graph"
	"codeidx/graph/golang"
	"codeidx/graph/marktest"
)

const archives = "../../testdata/go"

func TestMarkedSources(t *testing.T) {
	marktest.Run(t, archives, func(files map[string][]byte) (*graph.Program, []graph.FileEdges) {
		p := program(t, files)
		out, err := graph.Resolve(p, []graph.Resolver{golang.New()})
		if err != nil {
			t.Fatal(err)
		}
		return p, out
	})
}

// program extracts a set of files; those that are no Go source are
// configuration.
func program(t testing.TB, files map[string][]byte) *graph.Program {
	t.Helper()
	parser, err := treesitter.New("go")
	if err != nil {
		t.Fatal(err)
	}
	defer parser.Close()
	e := extract.New(parser.Grammar())
	p := &graph.Program{}
	for _, path := range sortedKeys(files) {
		if !strings.HasSuffix(path, ".go") {
			p.Config = append(p.Config, graph.ConfigFile{Path: path, Data: files[path]})
			continue
		}
		tree, err := parser.Parse(files[path], 10*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		f, err := e.Extract(path, tree)
		if err != nil {
			t.Fatal(err)
		}
		p.Files = append(p.Files, f)
	}
	return p
}

func sortedKeys(files map[string][]byte) []string {
	keys := make([]string, 0, len(files))
	for k := range files {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// TestOrderOfFiles resolves each archive with its files in another order: every
// file must keep its edges and unresolved references.
func TestOrderOfFiles(t *testing.T) {
	for _, files := range readArchives(t) {
		p := program(t, files)
		want := listing(p)
		r := rand.New(rand.NewPCG(1, 2))
		for range 5 {
			r.Shuffle(len(p.Files), func(i, j int) { p.Files[i], p.Files[j] = p.Files[j], p.Files[i] })
			q := &graph.Program{Files: slices.Clone(p.Files), Config: p.Config}
			if diff := cmp.Diff(want, listing(q)); diff != "" {
				t.Fatalf("edges depend on the order of files:\n%s", diff)
			}
		}
	}
}

// listing resolves p and writes out every edge and unresolved reference.
func listing(p *graph.Program) []string {
	out := make([]graph.FileEdges, len(p.Files))
	golang.New().Resolve(p, out)
	var lines []string
	for i, fe := range out {
		f := p.Files[i]
		for _, e := range fe.Edges {
			to := ""
			if e.To.File < 0 {
				to = p.Dirs[-e.To.File-1]
			} else {
				g := p.Files[e.To.File]
				to = fmt.Sprint(g.Path, " ", g.Defs[e.To.Def].NamePos)
			}
			lines = append(lines, fmt.Sprint(f.Path, e.Pos, e.Kind, e.Resolution, e.Open, e.Rule, f.Qualified(e.From), f.Name(e.Name), " -> ", to))
		}
		for _, u := range fe.Unresolved {
			lines = append(lines, fmt.Sprint(f.Path, u.Pos, u.Kind, u.Reason, f.Qualified(u.From), f.Name(u.Name)))
		}
	}
	sort.Strings(lines)
	return lines
}

// TestDamagedSources cuts bytes out of the marked sources: whatever is left,
// resolving ends and no edge starts inside a broken region.
func TestDamagedSources(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, files := range readArchives(t) {
		for path, src := range files {
			if len(src) == 0 || !strings.HasSuffix(path, ".go") {
				continue
			}
			for range 4 {
				from := r.IntN(len(src))
				to := min(len(src), from+1+r.IntN(20))
				damaged := map[string][]byte{}
				for p, s := range files {
					damaged[p] = s
				}
				damaged[path] = slices.Concat(src[:from], src[to:])
				p := program(t, damaged)
				out, err := graph.Resolve(p, []graph.Resolver{golang.New()})
				if err != nil {
					t.Fatal(err)
				}
				checkBroken(t, p, out)
			}
		}
	}
}

func checkBroken(t *testing.T, p *graph.Program, out []graph.FileEdges) {
	t.Helper()
	inside := func(f *facts.File, pos uint32) bool {
		for _, s := range f.Errors {
			if s.Start <= pos && pos < s.End {
				return true
			}
		}
		return false
	}
	for i, fe := range out {
		f := p.Files[i]
		for _, e := range fe.Edges {
			if inside(f, e.Pos) {
				t.Errorf("%s: edge %v at %d starts in a broken region", f.Path, e.Kind, e.Pos)
			}
			if e.To.File >= 0 && inside(p.Files[e.To.File], p.Files[e.To.File].Defs[e.To.Def].NamePos) {
				t.Errorf("%s: edge %v at %d ends in a broken region", f.Path, e.Kind, e.Pos)
			}
		}
	}
}

// TestDepth resolves code that is as deep as the bounds and deeper.
func TestDepth(t *testing.T) {
	var b strings.Builder
	b.WriteString("package deep\n\ntype T struct{}\n\nfunc (T) Next() T { return T{} }\n\nvar v0 = T{}.Next()\n")
	const n = 3000
	for i := n; i > 0; i-- {
		fmt.Fprintf(&b, "var v%d = v%d.Next()\n", i, i-1)
	}
	fmt.Fprintf(&b, "var chain = v0%s\n", strings.Repeat(".Next()", n))
	fmt.Fprintf(&b, "var parens = %sv0%s\n", strings.Repeat("(", n), strings.Repeat(")", n))
	for i := range 40 {
		fmt.Fprintf(&b, "type E%d struct{ E%d }\n", i, i+1)
	}
	b.WriteString("type E40 struct{ F int }\n\nvar far = E0{}.F\n\ntype Grow[P any] struct{ next *Grow[[]P] }\n\nvar g = Grow[int]{}.next.next.next\n")
	p := program(t, map[string][]byte{"deep.go": []byte(b.String())})
	out := make([]graph.FileEdges, 1)
	golang.New().Resolve(p, out)
	reasons := map[graph.Reason]int{}
	for _, u := range out[0].Unresolved {
		reasons[u.Reason]++
	}
	if reasons[graph.DepthLimit] == 0 {
		t.Errorf("no depth_limit among %v", reasons)
	}
	if len(out[0].Edges) < n {
		t.Errorf("%d edges, want at least %d", len(out[0].Edges), n)
	}
}

func readArchives(t *testing.T) []map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(archives, "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives (%v)", err)
	}
	var all []map[string][]byte
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, marktest.Files(data))
	}
	return all
}

// FuzzResolve resolves any text beside a sound file of its package.
func FuzzResolve(f *testing.F) {
	paths, err := filepath.Glob(filepath.Join(archives, "*.txtar"))
	if err != nil || len(paths) == 0 {
		f.Fatalf("no seeds (%v)", err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for p, src := range marktest.Files(data) {
			if strings.HasSuffix(p, ".go") {
				f.Add(src)
			}
		}
	}
	sound := []byte("package p\n\ntype T[A any] struct{ a A; I }\n\ntype I interface{ M(T[I]) I }\n\nfunc (t T[A]) M(T[I]) I { return t.I.M(t.a) }\n")
	f.Fuzz(func(t *testing.T, src []byte) {
		p := program(t, map[string][]byte{"a.go": src, "b.go": sound})
		out, err := graph.Resolve(p, []graph.Resolver{golang.New()})
		if err != nil {
			t.Fatal(err)
		}
		checkBroken(t, p, out)
	})
}
