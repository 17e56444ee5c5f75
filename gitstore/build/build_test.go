package build

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"codeidx/facts/worker"
	"codeidx/gitstore"
	"codeidx/graph/resolvers"
)

// This test binary is its own worker process.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == worker.Verb {
		os.Exit(worker.Main(os.Stdin, os.Stdout))
	}
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "GIT_") {
			os.Unsetenv(name)
		}
	}
	os.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	os.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	os.Exit(m.Run())
}

// tree is a work tree under test with its store.
type tree struct {
	t     testing.TB
	dir   string
	store *gitstore.Store
	*Builder
}

func newTree(t testing.TB, files map[string]string) *tree {
	t.Helper()
	tr := &tree{t: t, dir: t.TempDir()}
	tr.git("init", "-q")
	for p, s := range files {
		tr.write(p, s)
	}
	tr.git("add", "-A")
	ctx := context.Background()
	repo, err := gitstore.Discover(ctx, tr.dir)
	if err != nil {
		t.Fatal(err)
	}
	binding, err := repo.BindingID(true)
	if err != nil {
		t.Fatal(err)
	}
	if tr.store, err = gitstore.Open(ctx, repo.StoreDir(), gitstore.Options{Create: true}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tr.close)
	cfg := gitstore.DefaultConfig()
	tr.Builder = &Builder{
		Repo: repo, Config: &cfg, Store: tr.store, Binding: binding, Resolvers: resolvers.All(),
		Command: func() *exec.Cmd { return exec.Command(os.Args[0], worker.Verb) },
	}
	return tr
}

// close checks the store before it goes.
func (tr *tree) close() {
	findings, err := tr.store.Fsck(context.Background())
	if err != nil {
		tr.t.Error(err)
	}
	for _, f := range findings {
		if f.Severity == gitstore.Damage {
			tr.t.Error(f)
		}
	}
	tr.store.Close()
}

func (tr *tree) git(args ...string) {
	tr.t.Helper()
	c := exec.Command("git", args...)
	c.Dir = tr.dir
	if out, err := c.CombinedOutput(); err != nil {
		tr.t.Fatalf("git %s: %v: %s", args, err, out)
	}
}

func (tr *tree) write(path, text string) {
	tr.t.Helper()
	p := filepath.Join(tr.dir, path)
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		tr.t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
		tr.t.Fatal(err)
	}
}

func (tr *tree) index() *Result {
	tr.t.Helper()
	res, err := tr.Index(context.Background())
	if err != nil {
		tr.t.Fatal(err)
	}
	return res
}

func (tr *tree) sync() *Result {
	tr.t.Helper()
	res, err := tr.Sync(context.Background(), gitstore.Current)
	if err != nil {
		tr.t.Fatal(err)
	}
	return res
}

// mustVerify fails where the generation that serves differs from a rebuild.
func (tr *tree) mustVerify() {
	tr.t.Helper()
	v, err := tr.Verify(context.Background())
	if err != nil {
		tr.t.Fatal(err)
	}
	if v.Stale || len(v.Differs) > 0 {
		tr.t.Fatalf("index differs from a rebuild: stale %v, %q", v.Stale, v.Differs)
	}
}

// rawDigests is the content of a generation, free of how it is compressed.
func (tr *tree) rawDigests() map[string][]gitstore.Digest {
	tr.t.Helper()
	g, err := tr.store.Generation(tr.Binding, gitstore.Live)
	if err != nil {
		tr.t.Fatal(err)
	}
	out := map[string][]gitstore.Digest{"manifest": {g.Manifest}}
	for name, blocks := range g.Sections {
		for i := range blocks {
			out[name] = append(out[name], blocks[i].Blob.Digest)
		}
	}
	return out
}

var small = map[string]string{
	"go.mod":         "module example.com/m\n\ngo 1.22\n",
	"a/a.go":         "package a\n\n// Open opens.\nfunc Open() *File { return &File{} }\n\ntype File struct{ name string }\n\nfunc (f *File) Close() error { return nil }\n",
	"main.go":        "package main\n\nimport \"example.com/m/a\"\n\nfunc main() {\n\tf := a.Open()\n\tf.Close()\n}\n",
	"py/__init__.py": "",
	"py/core.py":     "class Base:\n    def run(self):\n        return self.step()\n\n    def step(self):\n        return 1\n",
	"py/more.py":     "from .core import Base\n\n\nclass More(Base):\n    def step(self):\n        return 2\n\n\ndef use():\n    return More().run()\n",
	"notes.txt":      "nothing to index\n",
}

func TestSameBytesSameGeneration(t *testing.T) {
	one := newTree(t, small)
	one.Config.Workers = 1
	one.index()
	many := newTree(t, small)
	many.Config.Workers = 4
	many.index()
	a, b := one.rawDigests(), many.rawDigests()
	if !maps.EqualFunc(a, b, slices.Equal[[]gitstore.Digest]) {
		t.Fatalf("one worker and four give different generations:\n%v\n%v", a, b)
	}
}

func TestSyncWithoutChange(t *testing.T) {
	tr := newTree(t, small)
	first := tr.index()
	if first.Parsed != 5 || first.Reused != 0 {
		t.Fatalf("parsed %d, reused %d", first.Parsed, first.Reused)
	}
	if res := tr.sync(); !res.Unchanged || res.Manifest != first.Manifest {
		t.Fatalf("sync of an unchanged tree: %+v", res)
	}
}

// Going back to earlier bytes finds the generation again without a build.
func TestSwitchBack(t *testing.T) {
	tr := newTree(t, small)
	first := tr.index()
	tr.write("main.go", "package main\n\nfunc main() {}\n")
	if res := tr.sync(); res.Parsed != 1 || res.Reused != 4 {
		t.Fatalf("parsed %d, reused %d", res.Parsed, res.Reused)
	}
	tr.mustVerify()
	tr.write("main.go", small["main.go"])
	res := tr.sync()
	if !res.Known || res.Commit != first.Commit {
		t.Fatalf("switching back built again: %+v", res)
	}
	tr.mustVerify()
}

func TestUnchangedBlocksAreShared(t *testing.T) {
	files := maps.Clone(small)
	for i := range 300 {
		files[fmt.Sprintf("gen/g%03d.py", i)] = fmt.Sprintf("def f%03d(x):\n    %q\n    return f%03d(x)\n", i, strings.Repeat("word ", 60), (i+1)%300)
	}
	tr := newTree(t, files)
	tr.index()
	tr.write("gen/g150.py", "\n\n"+files["gen/g150.py"])
	res := tr.sync()
	tr.mustVerify()
	if res.Stats.NewBytes > res.Stats.RawBytes/3 {
		t.Fatalf("a moved line wrote %d of %d bytes again", res.Stats.NewBytes, res.Stats.RawBytes)
	}
}

// edit is one random change of a work tree.
func edit(t *rapid.T, tr *tree, n int) {
	paths := []string{"p/__init__.py", "p/a.py", "p/b.py", "q/c.py", "x/x.go", "y/y.go", "y/y_test.go"}
	path := rapid.SampledFrom(paths).Draw(t, fmt.Sprintf("path%d", n))
	switch rapid.IntRange(0, 5).Draw(t, fmt.Sprintf("change%d", n)) {
	case 0:
		os.Remove(filepath.Join(tr.dir, path))
	case 1:
		to := rapid.SampledFrom(paths).Draw(t, fmt.Sprintf("to%d", n))
		if b, err := os.ReadFile(filepath.Join(tr.dir, path)); err == nil && filepath.Ext(path) == filepath.Ext(to) {
			os.Remove(filepath.Join(tr.dir, path))
			tr.write(to, string(b))
		}
	default:
		tr.write(path, randomSource(t, path, n))
	}
	tr.git("add", "-A")
}

// randomSource makes a small file whose names collide with other files' names.
func randomSource(t *rapid.T, path string, n int) string {
	name := func(label string) string {
		return rapid.SampledFrom([]string{"Alpha", "Beta", "Gamma"}).Draw(t, fmt.Sprintf("%s%d", label, n))
	}
	a, b, c := name("a"), name("b"), name("c")
	if strings.HasSuffix(path, ".py") {
		imports := rapid.SampledFrom([]string{"from p.a import " + b, "from p import *", "import p.b as m", "from .a import " + b + " as " + c, ""}).Draw(t, fmt.Sprintf("import%d", n))
		return fmt.Sprintf("%s\n\n\nclass %s(%s):\n    def go(self):\n        return self.go2() or %s()\n\n    def go2(self): ...\n\n\ndef %s_f(x: %s):\n    return x.go()\n", imports, a, b, c, a, b)
	}
	pkg := filepath.Base(filepath.Dir(path))
	return fmt.Sprintf("package %s\n\nimport \"example.com/m/x\"\n\ntype %s struct{ x.%s }\n\nfunc (v *%s) Go() { v.%s.Go(); New%s() }\n\nfunc New%s() *%s { return nil }\n", pkg, a, b, a, b, c, a, a)
}

// Whatever was edited, a sync gives what a full rebuild gives.
func TestSyncEqualsRebuild(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		tr := newTree(t, map[string]string{"go.mod": "module example.com/m\n", "x/x.go": "package x\n", "p/__init__.py": ""})
		tr.index()
		for n := range rapid.IntRange(1, 4).Draw(rt, "edits") {
			edit(rt, tr, n)
			tr.sync()
		}
		tr.mustVerify()
	})
}

// BenchmarkIndex indexes the clone that CODEIDX_BENCH_TREE names. Its ratio to
// facts/treesitter's BenchmarkParse over the same clone is what counts.
func BenchmarkIndex(b *testing.B) {
	dir := os.Getenv("CODEIDX_BENCH_TREE")
	if dir == "" {
		b.Skip("CODEIDX_BENCH_TREE names no clone")
	}
	ctx := context.Background()
	repo, err := gitstore.Discover(ctx, dir)
	if err != nil {
		b.Fatal(err)
	}
	cfg := gitstore.DefaultConfig()
	for b.Loop() {
		store, err := gitstore.Open(ctx, b.TempDir(), gitstore.Options{Create: true})
		if err != nil {
			b.Fatal(err)
		}
		builder := &Builder{
			Repo: repo, Config: &cfg, Store: store, Binding: "0123456789abcdef", Resolvers: resolvers.All(),
			Command: func() *exec.Cmd { return exec.Command(os.Args[0], worker.Verb) },
		}
		res, err := builder.Index(ctx)
		if err != nil {
			b.Fatal(err)
		}
		for _, s := range res.Stages {
			b.ReportMetric(float64(s.Took.Milliseconds()), s.Name+"-ms")
		}
		store.Close()
	}
}
