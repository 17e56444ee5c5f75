package gitstore

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// readIndexFile parses the index in-process, without the way out through git.
func readIndexFile(t testing.TB, r *Repo) ([]IndexEntry, error) {
	t.Helper()
	data, err := os.ReadFile(r.indexFile)
	if err != nil {
		t.Fatal(err)
	}
	return parseIndex(data, r.Format)
}

// lsFiles is the truth: the lines of `git ls-files -s -t -z`.
func lsFiles(entries []IndexEntry) string {
	var b strings.Builder
	for _, e := range entries {
		tag := "H"
		switch {
		case e.SkipWorktree:
			tag = "S"
		case e.Stage > 0:
			tag = "M"
		}
		fmt.Fprintf(&b, "%s %06o %s %d\t%s\x00", tag, e.Mode, e.ID, e.Stage, e.Path)
	}
	return b.String()
}

func TestIndexShapes(t *testing.T) {
	conflict := func(w *testTree) {
		w.write("a.py", "1\n")
		w.write("b/c.py", "1\n")
		w.commit()
		w.git("checkout", "-q", "-b", "side")
		w.write("a.py", "2\n")
		w.commit()
		w.git("checkout", "-q", "-")
		w.write("a.py", "3\n")
		w.commit()
		w.git("update-index", "--index-info") // no input: the index stays
		w.gitFails("merge", "side")
	}
	files := func(w *testTree) {
		for _, n := range []string{"a.go", "a/b.go", "a.b/c", "z/y/x/w.go", "new\nline.go", `quo"te\.py`, "\xff\xfe.go", "ü.go"} {
			w.write(n, n)
		}
		w.link("a.go", "ln")
		w.commit()
	}
	tests := []struct {
		name    string
		init    []string
		make    func(w *testTree)
		byGit   bool // the parser must leave it to git
		version byte
	}{
		{name: "plain", make: files, version: 2},
		{name: "sha256", init: []string{"--object-format=sha256"}, make: files, version: 2},
		{name: "sha256 v4", init: []string{"--object-format=sha256"}, version: 4, make: func(w *testTree) {
			files(w)
			w.git("update-index", "--index-version", "4")
		}},
		{name: "v4", version: 4, make: func(w *testTree) { files(w); w.git("update-index", "--index-version", "4") }},
		{name: "conflict", make: conflict, version: 2},
		{name: "conflict v4", version: 4, make: func(w *testTree) { conflict(w); w.git("update-index", "--index-version", "4") }},
		{name: "skip-worktree", version: 3, make: func(w *testTree) {
			files(w)
			w.git("update-index", "--skip-worktree", "a.go", "ü.go")
		}},
		{name: "assume-unchanged", version: 2, make: func(w *testTree) { files(w); w.git("update-index", "--assume-unchanged", "a.go") }},
		{name: "intent-to-add", version: 3, make: func(w *testTree) { files(w); w.write("later.go", "x"); w.git("add", "-N", "later.go") }},
		{name: "submodule", version: 2, make: func(w *testTree) {
			files(w)
			w.git("update-index", "--add", "--cacheinfo", "160000,"+strings.Repeat("1", 40)+",sub")
		}},
		{name: "long names", version: 4, make: func(w *testTree) {
			var in strings.Builder
			for _, n := range []int{0xffe, 0xfff, 0x1000, 0x2345} {
				name := strings.Repeat("d/", n/2) + strings.Repeat("x", n%2+1)
				fmt.Fprintf(&in, "100644 %s 0\t%s\x00", strings.Repeat("2", 40), name)
			}
			w.gitIn(in.String(), "update-index", "-z", "--index-info")
			w.git("update-index", "--index-version", "4")
		}},
		{name: "untracked cache", version: 2, make: func(w *testTree) { files(w); w.git("update-index", "--force-untracked-cache") }},
		{name: "threads", version: 2, make: func(w *testTree) {
			w.git("config", "index.threads", "2")
			w.git("config", "index.recordEndOfIndexEntries", "true")
			files(w)
		}},
		{name: "empty", version: 2, make: func(w *testTree) { files(w); w.git("rm", "-q", "-r", "--cached", ".") }},
		{name: "split", byGit: true, make: func(w *testTree) { files(w); w.git("update-index", "--split-index") }},
		{name: "sparse", byGit: true, make: func(w *testTree) {
			for _, n := range []string{"in/a.go", "out/b.go", "out/deep/c.go", "top.go"} {
				w.write(n, n)
			}
			w.commit()
			w.git("sparse-checkout", "set", "--cone", "--sparse-index", "in")
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newTree(t, tt.init...)
			tt.make(w)
			r := w.discover()
			want := w.git("ls-files", "-s", "-t", "-z")
			got, err := r.Index(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, lsFiles(got)); d != "" {
				t.Errorf("Index differs from git (-git +ours):\n%s", d)
			}
			parsed, err := readIndexFile(t, r)
			if tt.byGit {
				if !errors.Is(err, errIndexShape) {
					t.Errorf("parseIndex: %v, want errIndexShape", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, lsFiles(parsed)); d != "" {
				t.Errorf("parseIndex differs from git (-git +ours):\n%s", d)
			}
			if data, _ := os.ReadFile(r.indexFile); data[7] != tt.version {
				t.Errorf("git wrote version %d, the test means %d", data[7], tt.version)
			}
		})
	}
}

func TestIntentToAdd(t *testing.T) {
	w := newTree(t)
	w.write("a.go", "x")
	w.git("add", "-N", "a.go")
	got, err := readIndexFile(t, w.discover())
	if err != nil || len(got) != 1 || !got[0].IntentToAdd {
		t.Fatalf("got %+v, %v", got, err)
	}
}

func TestIndexFileFromEnvironment(t *testing.T) {
	w := newTree(t)
	w.write("a.go", "x")
	w.write("sub/b.go", "x")
	w.git("add", "a.go")
	t.Setenv("GIT_INDEX_FILE", ".git/other")
	w.git("add", "sub/b.go")
	for _, dir := range []string{w.dir, w.path("sub")} {
		r, err := Discover(context.Background(), dir)
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.Index(context.Background())
		if err != nil || len(got) != 1 || got[0].Path != "sub/b.go" {
			t.Errorf("in %s: %+v, %v", dir, got, err)
		}
		byGit, err := r.indexByGit(context.Background())
		if err != nil || lsFiles(byGit) != lsFiles(got) {
			t.Errorf("in %s: git says %+v, %v", dir, byGit, err)
		}
	}
}

// TestIndexRandom lets git write random indexes, in every version, with random
// flags and conflicts, and reads them.
func TestIndexRandom(t *testing.T) {
	w := newTree(t)
	name := rapid.StringMatching(`[a-c.\-\x{80}\x{fc}"\n ]{1,9}`)
	rapid.Check(t, func(rt *rapid.T) {
		paths := rapid.SliceOfNDistinct(rapid.Custom(func(rt *rapid.T) string {
			parts := rapid.SliceOfN(name, 1, 4).Draw(rt, "parts")
			return strings.Join(parts, "/")
		}), 1, 40, rapid.ID[string]).Draw(rt, "paths")
		paths = slices.DeleteFunc(paths, func(p string) bool { return pathDanger(p) != "" })
		if err := os.RemoveAll(w.path(".git/index")); err != nil {
			rt.Fatal(err)
		}
		var in strings.Builder
		for _, p := range paths {
			mode := rapid.SampledFrom([]string{"100644", "100755", "120000", "160000"}).Draw(rt, "mode")
			for _, stage := range rapid.SampledFrom([][]int{{0}, {0}, {0}, {1, 2, 3}, {2, 3}, {1}}).Draw(rt, "stages") {
				fmt.Fprintf(&in, "%s %040x %d\t%s\x00", mode, rapid.Uint64Min(1).Draw(rt, "id"), stage, p)
			}
		}
		w.gitIn(in.String(), "update-index", "-z", "--index-info")
		r := w.discover()
		skip := w.mergedPaths(r)
		if len(skip) > 0 {
			skip = rapid.SliceOf(rapid.SampledFrom(skip)).Draw(rt, "skip")
			w.gitIn(strings.Join(skip, "\x00"), "update-index", "-z", "--skip-worktree", "--stdin")
		}
		if rapid.Bool().Draw(rt, "v4") {
			w.git("update-index", "--index-version", "4")
		}
		if _, err := os.Stat(r.indexFile); err != nil {
			rt.Skip("nothing was added")
		}
		got, err := readIndexFile(t, r)
		if err != nil {
			rt.Fatal(err)
		}
		if d := cmp.Diff(w.git("ls-files", "-s", "-t", "-z"), lsFiles(got)); d != "" {
			rt.Fatalf("differs from git (-git +ours):\n%s", d)
		}
	})
}

// mergedPaths lists what git has at stage 0.
func (w *testTree) mergedPaths(r *Repo) []string {
	entries, err := r.indexByGit(context.Background())
	if err != nil {
		w.t.Fatal(err)
	}
	var paths []string
	for _, e := range entries {
		if e.Stage == 0 {
			paths = append(paths, e.Path)
		}
	}
	return paths
}

func FuzzParseIndex(f *testing.F) {
	w := newTree(f)
	for _, version := range []string{"2", "4"} {
		for _, n := range []string{"a.go", "a/b.go", "a/bc.go"} {
			w.write(n, n)
		}
		w.git("add", "-A")
		w.git("update-index", "--index-version", version, "--skip-worktree", "a.go")
		data, err := os.ReadFile(w.path(".git/index"))
		if err != nil {
			f.Fatal(err)
		}
		// Zeros for the checksum let changed bytes through to the parser.
		copy(data[len(data)-20:], make([]byte, 20))
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := parseIndex(data, SHA1)
		if err != nil && !errors.Is(err, errIndexShape) {
			t.Fatalf("unexpected error %v", err)
		}
		if err != nil {
			return
		}
		for i := range entries {
			if e := &entries[i]; e.Path == "" || len(e.ID) != 20 || i > 0 && !entryLess(&entries[i-1], e) {
				t.Fatalf("accepted bad entry %d: %+v", i, e)
			}
		}
	})
}

func TestIndexDamaged(t *testing.T) {
	w := newTree(t)
	w.write("a.go", "a")
	w.write("b.go", "b")
	w.git("add", "-A")
	data, err := os.ReadFile(w.path(".git/index"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range data {
		broken := slices.Clone(data)
		broken[i] ^= 0x21
		if got, err := parseIndex(broken, SHA1); !errors.Is(err, errIndexShape) {
			t.Errorf("byte %d flipped: %+v, %v", i, got, err)
		}
		if got, err := parseIndex(data[:i], SHA1); !errors.Is(err, errIndexShape) {
			t.Errorf("cut at %d: %+v, %v", i, got, err)
		}
	}
}

func BenchmarkParseIndex(b *testing.B) {
	w := newTree(b)
	var in strings.Builder
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range 50_000 {
		fmt.Fprintf(&in, "100644 %020x%020x 0\tdir%d/sub%d/file_%d.go\x00", rnd.Uint64(), rnd.Uint64(), i%40, i%400, i)
	}
	w.gitIn(in.String(), "update-index", "-z", "--index-info")
	r := w.discover()
	for _, version := range []string{"2", "4"} {
		w.git("update-index", "--index-version", version)
		data, err := os.ReadFile(r.indexFile)
		if err != nil {
			b.Fatal(err)
		}
		b.Run("v"+version, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := parseIndex(data, SHA1); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("git", func(b *testing.B) {
		for b.Loop() {
			if _, err := r.indexByGit(context.Background()); err != nil {
				b.Fatal(err)
			}
		}
	})
}
