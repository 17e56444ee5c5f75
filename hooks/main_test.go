package hooks_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"codeidx/facts/worker"
	"codeidx/gitstore"
	"codeidx/gitstore/gitstoretest"
	"codeidx/hooks"
	"codeidx/hooks/install"
)

// TestMain lets the hooks of test repositories call this very binary.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == worker.Verb {
		os.Exit(worker.Main(os.Stdin, os.Stdout))
	}
	if len(os.Args) == 3 && os.Args[1] == bringUpVerb {
		bringUp(os.Args[2])
		return
	}
	if len(os.Args) > 2 && os.Args[1] == "hook" {
		_ = hooks.Record(context.Background(), "", hooks.Call{Name: os.Args[2], Args: os.Args[3:], Stdin: os.Stdin})
		return
	}
	os.Exit(m.Run())
}

// tree is a real repository with our hooks.
type tree struct {
	t   *testing.T
	dir string
}

func newTree(t *testing.T, options ...string) *tree {
	t.Helper()
	return newTreeIn(t, t.TempDir(), options...)
}

func newTreeIn(t *testing.T, folder string, options ...string) *tree {
	t.Helper()
	for _, e := range os.Environ() {
		if name, _, _ := strings.Cut(e, "="); strings.HasPrefix(name, "GIT_") {
			t.Setenv(name, "")
			os.Unsetenv(name)
		}
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	t.Setenv("GIT_EDITOR", "true")
	dir, err := filepath.EvalSymlinks(folder)
	if err != nil {
		t.Fatal(err)
	}
	w := &tree{t, filepath.Join(dir, "w")}
	if err := os.Mkdir(w.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	w.git(append([]string{"init", "-q", "-b", "main", "--template="}, options...)...)
	w.git("config", "user.name", "A U Thor")
	w.git("config", "user.email", "a@example.org")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := install.Install(context.Background(), w.repo(), exe); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *tree) git(args ...string) string {
	w.t.Helper()
	out, err := w.try(args...)
	if err != nil {
		w.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return out
}

// try runs a git command that may fail.
func (w *tree) try(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = w.dir
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}

func (w *tree) repo() *gitstore.Repo {
	w.t.Helper()
	r, err := gitstore.Discover(context.Background(), w.dir)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

// write gives files their content, "" removes one.
func (w *tree) write(files map[string]string) {
	w.t.Helper()
	for name, text := range files {
		path := filepath.Join(w.dir, name)
		if text == "" {
			w.git("rm", "-q", "-f", name)
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			w.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			w.t.Fatal(err)
		}
	}
}

func (w *tree) commit(subject string, files map[string]string) {
	w.t.Helper()
	w.write(files)
	w.git("add", "-A")
	w.git("commit", "-q", "--allow-empty", "-m", subject)
}

// ledger is a binding's store beside its tree.
type ledger struct {
	*tree
	store   *gitstore.Store
	binding string
}

// ledger makes the store, which must be whole when the test ends.
func (w *tree) ledger() *ledger {
	w.t.Helper()
	repo := w.repo()
	binding, err := repo.BindingID(true)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { gitstoretest.Check(w.t, repo.StoreDir()) })
	return &ledger{w, gitstoretest.Open(w.t, repo.StoreDir(), gitstore.Options{Create: true}), binding}
}

func (l *ledger) fold() hooks.FoldResult {
	l.t.Helper()
	res, err := hooks.Fold(context.Background(), l.repo(), l.store, l.binding)
	if err != nil {
		l.t.Fatal(err)
	}
	return res
}

func (l *ledger) read(f hooks.Filter) *hooks.Drift {
	l.t.Helper()
	d, err := hooks.Read(context.Background(), l.repo(), l.store, l.binding, f)
	if err != nil {
		l.t.Fatal(err)
	}
	return d
}

// recorded lists what is recorded of a tree without a store, oldest first.
func (w *tree) recorded() string {
	w.t.Helper()
	d, err := hooks.Read(context.Background(), w.repo(), nil, "", hooks.Filter{})
	if err != nil {
		w.t.Fatal(err)
	}
	return w.describe(d)
}

// describe prints events, oldest first, and their entries.
func (w *tree) describe(d *hooks.Drift) string {
	w.t.Helper()
	var b strings.Builder
	for i := len(d.Steps) - 1; i >= 0; i-- {
		s := &d.Steps[i]
		fmt.Fprint(&b, strings.TrimPrefix(s.DetectedBy, "hook:post-"))
		if s.Rebase {
			b.WriteString(" rebase")
		}
		if s.Branch {
			b.WriteString(" branch")
		}
		if s.Note != "" {
			fmt.Fprintf(&b, " (%s)", s.Note)
		}
		b.WriteByte('\n')
		for _, e := range s.Entries {
			fmt.Fprintf(&b, "  %s %s%s\n", e.Kind, e.Path, map[bool]string{true: " from " + e.OldPath}[e.OldPath != ""])
		}
	}
	return b.String()
}
