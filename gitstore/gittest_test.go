package gitstore

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// testTree is a real repository in a temporary folder.
type testTree struct {
	t   testing.TB
	dir string
}

// isolate hides the developer's own git configuration and every GIT_* variable
// that a hook around the tests may have set.
func isolate(t testing.TB) {
	t.Helper()
	for _, e := range os.Environ() {
		if name, _, _ := strings.Cut(e, "="); strings.HasPrefix(name, "GIT_") {
			t.Setenv(name, "")
			if err := os.Unsetenv(name); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		t.Setenv("GIT_"+who+"_NAME", "A U Thor")
		t.Setenv("GIT_"+who+"_EMAIL", "a@example.org")
		t.Setenv("GIT_"+who+"_DATE", "1700000000 +0000")
	}
}

// newTree makes an empty repository; options go to git init.
func newTree(t testing.TB, options ...string) *testTree {
	t.Helper()
	isolate(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	tree := &testTree{t: t, dir: filepath.Join(dir, "w")}
	if err := os.Mkdir(tree.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	tree.git(append([]string{"init", "-q", "--template="}, options...)...)
	return tree
}

func (w *testTree) git(args ...string) string { w.t.Helper(); return w.gitIn("", args...) }

func (w *testTree) gitIn(stdin string, args ...string) string {
	w.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = w.dir
	cmd.Stdin = strings.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		w.t.Fatalf("git %q: %v\n%s", args, err, stderr.String())
	}
	return string(out)
}

func (w *testTree) path(name string) string { return filepath.Join(w.dir, name) }

func (w *testTree) write(name, content string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(w.path(name)), 0o777); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(w.path(name), []byte(content), 0o666); err != nil {
		w.t.Fatal(err)
	}
}

func (w *testTree) remove(name string) {
	w.t.Helper()
	if err := os.RemoveAll(w.path(name)); err != nil {
		w.t.Fatal(err)
	}
}

func (w *testTree) link(target, name string) {
	w.t.Helper()
	if err := os.Symlink(target, w.path(name)); err != nil {
		w.t.Fatal(err)
	}
}

func (w *testTree) commit() {
	w.t.Helper()
	w.git("add", "-A")
	w.git("commit", "-q", "--allow-empty", "-m", "x")
}

func (w *testTree) discover() *Repo {
	w.t.Helper()
	r, err := Discover(context.Background(), w.dir)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

// testPolicy includes Go, Python and JavaScript by extension and what has a
// Python shebang.
func testPolicy() Policy {
	c := DefaultConfig()
	p := c.Policy()
	p.Classify = func(name string) (Class, byte) {
		switch path.Ext(name) {
		case ".go":
			return ClassSource, 'g'
		case ".py":
			return ClassSource, 'p'
		case ".js", ".php":
			return ClassSource, 'j'
		case ".mod":
			return ClassConfig, 0
		case "":
			return ClassMaybe, 0
		}
		return ClassNone, 0
	}
	p.ClassifyHead = func(head []byte) (Class, byte) {
		if bytes.HasPrefix(head, []byte("#!/usr/bin/python")) {
			return ClassSource, 'p'
		}
		return ClassNone, 0
	}
	return p
}

func (w *testTree) capture(p Policy) *Snapshot {
	w.t.Helper()
	s, err := Capture(context.Background(), w.discover(), p, func(File, []byte) error { return nil })
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

func (w *testTree) check(p Policy, want *Snapshot, how Freshness) *Diff {
	w.t.Helper()
	d, err := Check(context.Background(), w.discover(), p, want, how)
	if err != nil {
		w.t.Fatal(err)
	}
	return d
}

// describe gives a snapshot in one line a path, for messages and comparison.
func describe(s *Snapshot) []string {
	var lines []string
	for _, f := range s.Files {
		lines = append(lines, fmt.Sprintf("%q %o %d %s", f.Path, f.Mode, f.Size, f.SHA256))
	}
	for _, o := range s.Omitted {
		lines = append(lines, fmt.Sprintf("%q %s", o.Path, o.Reason))
	}
	return lines
}

// gitFails runs a command that must fail.
func (w *testTree) gitFails(args ...string) {
	w.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = w.dir
	if out, err := cmd.CombinedOutput(); err == nil {
		w.t.Fatalf("git %q worked:\n%s", args, out)
	}
}
