package ecma_test

import (
	"math/rand"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"codeidx/facts"
	extract "codeidx/facts/ecma"
	"codeidx/facts/treesitter"
	"codeidx/graph"
	"codeidx/graph/ecma"
	"codeidx/graph/marktest"
)

const archives = "../../testdata/ecma"

// reader extracts files of all three grammars.
type reader struct {
	parsers map[facts.Lang]*treesitter.Parser
}

func newReader(t testing.TB) *reader {
	t.Helper()
	r := &reader{parsers: map[facts.Lang]*treesitter.Parser{}}
	for _, l := range ecma.New().Languages() {
		p, err := treesitter.New(facts.ByID(l).Grammar)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Close)
		r.parsers[l] = p
	}
	return r
}

func (r *reader) extract(t testing.TB, path string, src []byte) *facts.File {
	t.Helper()
	p := r.parsers[facts.Detect(path)]
	tree, err := p.Parse(src, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	f, err := extract.New(p.Grammar()).Extract(path, tree)
	if err != nil {
		t.Fatal(err)
	}
	if err := facts.Validate(f); err != nil {
		t.Errorf("%s: %v", path, err)
	}
	return f
}

// program extracts the members of an archive, in order of their paths.
func program(t testing.TB, files map[string][]byte) *graph.Program {
	t.Helper()
	r, steer := newReader(t), ecma.New()
	paths := make([]string, 0, len(files))
	for path := range files {
		paths = append(paths, path)
	}
	sort.Strings(paths)
	p := &graph.Program{}
	for _, path := range paths {
		if steer.ConfigFile(path) {
			p.Config = append(p.Config, graph.ConfigFile{Path: path, Data: files[path]})
		}
		if r.parsers[facts.Detect(path)] != nil {
			p.Files = append(p.Files, r.extract(t, path, files[path]))
		} else {
			p.Others = append(p.Others, path)
		}
	}
	return p
}

func resolve(t testing.TB, p *graph.Program) []graph.FileEdges {
	t.Helper()
	out, err := graph.Resolve(p, []graph.Resolver{ecma.New()})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestMarkedSources(t *testing.T) {
	marktest.Run(t, archives, func(files map[string][]byte) (*graph.Program, []graph.FileEdges) {
		p := program(t, files)
		return p, resolve(t, p)
	})
}

// edge is an edge free of the order of files.
type edge struct {
	Path, Kind, Resolution, Rule, Name, To, Target string
	Pos                                            uint32
	Open                                           bool
}

func edges(p *graph.Program, out []graph.FileEdges) []edge {
	var all []edge
	for i := range out {
		f := p.Files[i]
		for _, e := range out[i].Edges {
			made := edge{Path: f.Path, Kind: e.Kind.String(), Resolution: e.Resolution.String(), Rule: e.Rule.String(), Name: f.Name(e.Name), Pos: e.Pos, Open: e.Open}
			if e.To.File < 0 {
				made.To = p.Dirs[-e.To.File-1]
			} else {
				made.To, made.Target = p.Files[e.To.File].Path, p.Files[e.To.File].Qualified(e.To.Def)
			}
			all = append(all, made)
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].Path < all[j].Path })
	return all
}

// TestOrderOfFiles resolves the marked sources with their files in other
// orders: the edges must be the same ones.
func TestOrderOfFiles(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(archives, "*.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no archives (%v)", err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		p := program(t, marktest.Files(data))
		want := edges(p, resolve(t, p))
		for seed := range int64(3) {
			rand.New(rand.NewSource(seed)).Shuffle(len(p.Files), func(i, j int) { p.Files[i], p.Files[j] = p.Files[j], p.Files[i] })
			if diff := cmp.Diff(want, edges(p, resolve(t, p))); diff != "" {
				t.Errorf("%s: seed %d (-sorted +shuffled):\n%s", name, seed, diff)
			}
		}
	}
}

// TestDeepAndCyclic resolves sources that nest or refer to themselves without
// end: it must come to one.
func TestDeepAndCyclic(t *testing.T) {
	sources := map[string]string{
		"calls.ts":     "let x = " + strings.Repeat("f(", 400) + "1" + strings.Repeat(")", 400) + "\nfunction f(a) { return f(a) }\n",
		"members.js":   "const o = {}\no" + strings.Repeat(".a", 2000) + ".b()\n",
		"bases.ts":     "interface A extends B, C, A {}\ninterface B extends A, C {}\ninterface C extends A, B {}\ndeclare const a: A\na.none.more()\n",
		"alias.ts":     "type A = B | A[]\ntype B = { next: A; other: B } & A\ndeclare const b: B\nb.next.next.none()\n",
		"generic.ts":   "type W<T> = { v: T; w: W<W<T>> }\ndeclare const w: W<string>\nw" + strings.Repeat(".w", 60) + ".v.none()\n",
		"mutual.js":    "export function a() { return b() }\nexport function b() { return c() }\nexport function c() { return a() }\na().none.x()\n",
		"star.ts":      "export * from './star2'\nexport * from './star'\n",
		"star2.ts":     "export * from './star'\nimport {gone} from './star'\ngone()\n",
		"callbacks.js": "const a = [1]\n" + strings.Repeat("a.map((x) => ", 60) + "x" + strings.Repeat(")", 60) + "\n",
		"classes.ts":   "class A extends B {}\nclass B extends A {}\nnew A().none()\n",
		"unions.ts":    "type U = { k: 'a'; u: U } | { k: 'b'; u: U } | { k: 'c'; u: U }\ndeclare const u: U\nu" + strings.Repeat(".u", 200) + ".none()\n",
	}
	files := map[string][]byte{}
	for name, src := range sources {
		files[name] = []byte(src)
	}
	p := program(t, files)
	out := resolve(t, p)
	for i := range out {
		if len(out[i].Edges)+len(out[i].Unresolved) == 0 {
			t.Errorf("%s: neither edges nor unresolved references", p.Files[i].Path)
		}
	}
}

// TestBrokenPrograms cuts pieces out of the marked sources: what remains must
// resolve, without an edge out of a broken region.
func TestBrokenPrograms(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(archives, "*.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no archives (%v)", err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range int64(12) {
			r := rand.New(rand.NewSource(seed))
			files := marktest.Files(data)
			paths := make([]string, 0, len(files))
			for path := range files {
				paths = append(paths, path)
			}
			sort.Strings(paths)
			for _, path := range paths {
				if src := files[path]; len(src) > 0 {
					from := r.Intn(len(src))
					to := min(len(src), from+r.Intn(30))
					files[path] = append(append([]byte{}, src[:from]...), src[to:]...)
				}
			}
			p := program(t, files)
			for i, out := range resolve(t, p) {
				for _, e := range out.Edges {
					for _, s := range p.Files[i].Errors {
						if s.Start <= e.Pos && e.Pos < s.End {
							t.Errorf("%s seed %d: %s: edge at %d inside the broken region %v", name, seed, p.Files[i].Path, e.Pos, s)
						}
					}
				}
			}
		}
	}
}
