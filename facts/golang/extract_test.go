//go:build cgo

package golang_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"codeidx/facts"
	"codeidx/facts/factstest"
	"codeidx/facts/golang"
	"codeidx/facts/treesitter"
)

// extractor returns a function that parses and extracts one source.
func extractor(t testing.TB) func(path string, src []byte) (*facts.File, error) {
	t.Helper()
	p, err := treesitter.New("go")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	e := golang.New(p.Grammar())
	return func(path string, src []byte) (*facts.File, error) {
		tree, err := p.Parse(src, 10*time.Second)
		if err != nil {
			return nil, err
		}
		return e.Extract(path, tree)
	}
}

func TestGolden(t *testing.T) {
	factstest.Golden(t, "../../testdata/go/facts/*.txtar", extractor(t))
}

// TestOwnSources extracts the Go files of this project: their facts are valid
// and have no broken region.
func TestOwnSources(t *testing.T) {
	extract := extractor(t)
	files := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.Contains(path, "scratch") {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f, err := extract(path, src)
		if err != nil {
			return err
		}
		files++
		if err := facts.Validate(f); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if f.Partial || len(f.Errors) > 0 {
			t.Errorf("%s: has broken regions %v", path, f.Errors)
		}
		checkBinds(t, f)
		return nil
	})
	if err != nil || files == 0 {
		t.Fatalf("%d files: %v", files, err)
	}
}

// checkBinds verifies what graph/golang relies on: bindings of one name are in
// ascending order of From and start within their scope.
func checkBinds(t *testing.T, f *facts.File) {
	t.Helper()
	last := map[facts.NameID]uint32{}
	for _, b := range f.Binds {
		if b.Scope == 0 {
			continue
		}
		if b.From < last[b.Name] {
			t.Errorf("%s: binding of %s at %d is out of order", f.Path, f.Name(b.Name), b.Pos)
		}
		last[b.Name] = b.From
		if s := f.Scopes[b.Scope].Span; b.From < s.Start || b.From > s.End {
			t.Errorf("%s: binding of %s at %d starts outside of its scope", f.Path, f.Name(b.Name), b.Pos)
		}
	}
}

func FuzzExtract(f *testing.F) {
	seeds, err := filepath.Glob("../../testdata/go/*.txtar")
	if err != nil || len(seeds) == 0 {
		f.Fatalf("no seeds (%v)", err)
	}
	for _, s := range seeds {
		data, err := os.ReadFile(s)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte("package p\nfunc f(a, ) { x := ; y[ }\ntype T["))
	extract := extractor(f)
	f.Fuzz(func(t *testing.T, src []byte) {
		got, err := extract("fuzz.go", src)
		if err != nil {
			t.Skip()
		}
		if err := facts.Validate(got); err != nil {
			t.Fatal(err)
		}
		checkBinds(t, got)
	})
}

func BenchmarkExtract(b *testing.B) {
	dir := os.Getenv("CODEIDX_BENCH_TREE")
	if dir == "" {
		b.Skip("CODEIDX_BENCH_TREE names no tree")
	}
	p, err := treesitter.New("go")
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	e := golang.New(p.Grammar())
	paths, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	for b.Loop() {
		for _, path := range paths {
			src, err := os.ReadFile(path)
			if err != nil {
				b.Fatal(err)
			}
			tree, err := p.Parse(src, time.Second)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(src)))
			if _, err := e.Extract(path, tree); err != nil {
				b.Fatal(err)
			}
		}
	}
}
