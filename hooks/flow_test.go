package hooks_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeidx/hooks"
)

type files = map[string]string

// TestFlows runs git commands and says what they leave in the spool.
func TestFlows(t *testing.T) {
	type test struct {
		name string
		do   func(w *tree)
		want string
	}
	tests := []test{
		{"nothing", func(*tree) {}, ""},
		{"first commit", func(w *tree) { w.commit("one", files{"a.py": "1\n", "d/ü b.py": "2\n"}) }, `
commit
  add a.py
  add d/ü b.py
`},
		{"every kind", func(w *tree) {
			w.commit("one", files{"mod.py": "1\n", "del.py": "2\n", "from.py": "3\n", "mode.sh": "4\n"})
			w.write(files{"mod.py": "5\n", "del.py": "", "new.py": "6\n"})
			w.git("mv", "from.py", "to.py")
			if err := os.Chmod(filepath.Join(w.dir, "mode.sh"), 0o755); err != nil {
				w.t.Fatal(err)
			}
			w.commit("two", nil)
		}, `
commit
  add del.py
  add from.py
  add mod.py
  add mode.sh
commit
  delete del.py
  modify mod.py
  modify mode.sh
  add new.py
  rename to.py from from.py
`},
		{"amend", func(w *tree) {
			w.commit("one", files{"a.py": "1\n"})
			w.git("commit", "-q", "--amend", "-m", "message alone")
			w.write(files{"a.py": "2\n"})
			w.git("commit", "-q", "-a", "--amend", "-m", "content")
		}, `
commit
  add a.py
commit (amended; told by the rewriting)
rewrite (no file differs)
commit (amended; told by the rewriting)
rewrite
  modify a.py
`},
		{"branches", func(w *tree) {
			w.commit("one", files{"a.py": "1\n"})
			w.git("checkout", "-q", "-b", "side")
			w.commit("two", files{"a.py": "2\n", "b.py": "1\n"})
			w.git("checkout", "-q", "main")
			w.git("switch", "-q", "side")
			w.git("checkout", "-q", "--detach", "main")
		}, `
commit
  add a.py
checkout branch (the same commit)
commit
  modify a.py
  add b.py
checkout branch
  modify a.py
  delete b.py
checkout branch
  modify a.py
  add b.py
checkout branch
  modify a.py
  delete b.py
`},
		{"paths", func(w *tree) {
			w.commit("one", files{"a.py": "1\n"})
			w.write(files{"a.py": "2\n"})
			w.git("checkout", "-q", "--", "a.py")
		}, `
commit
  add a.py
checkout (files were checked out; git does not say which)
`},
		{"orphan", func(w *tree) {
			w.commit("one", files{"a.py": "1\n"})
			w.git("checkout", "-q", "--orphan", "new")
		}, `
commit
  add a.py
checkout branch (the same commit)
`},
		{"merge", func(w *tree) {
			w.commit("one", files{"a.py": "1\n"})
			w.git("checkout", "-q", "-b", "side")
			w.commit("side", files{"s.py": "1\n"})
			w.git("checkout", "-q", "main")
			w.commit("main", files{"m.py": "1\n"})
			w.git("merge", "-q", "--no-commit", "side")
			w.commit("merge", nil)
		}, `
commit
  add a.py
checkout branch (the same commit)
commit
  add s.py
checkout branch
  delete s.py
commit
  add m.py
commit
  add s.py
`},
		{"rebase", func(w *tree) {
			w.commit("one", files{"a.py": "1\n"})
			w.git("checkout", "-q", "-b", "side")
			w.commit("side", files{"s.py": "1\n"})
			w.git("checkout", "-q", "main")
			w.commit("main", files{"m.py": "1\n"})
			w.git("rebase", "-q", "main", "side")
		}, `
commit
  add a.py
checkout branch (the same commit)
commit
  add s.py
checkout branch
  delete s.py
commit
  add m.py
checkout rebase branch (a step of a rebase; told at its end)
commit rebase (a step of a rebase; told at its end)
rewrite rebase
  add s.py
`},
		{"rebase of the other kind", func(w *tree) {
			w.diverge()
			w.git("rebase", "-q", "--apply", "main", "side")
		}, diverged + `
checkout branch (a step of a rebase; told at its end)
rewrite rebase
  add s.py
`},
		{"interactive rebase", func(w *tree) {
			w.diverge()
			w.git("checkout", "-q", "side")
			w.commit("more", files{"s.py": "22\n"})
			w.commit("fixup! side", files{"t.py": "4\n"})
			w.git("rebase", "-q", "-i", "--autosquash", "main")
		}, diverged + `
checkout branch
  delete m.py
  add s.py
commit
  modify s.py
commit
  add t.py
checkout rebase branch (a step of a rebase; told at its end)
commit rebase (a step of a rebase; told at its end)
commit rebase (a step of a rebase; told at its end)
rewrite rebase (a step of a rebase; told at its end)
commit rebase (a step of a rebase; told at its end)
rewrite rebase
  add m.py
`},
		{"rebase without anything to replay", func(w *tree) {
			w.commit("one", files{"a.py": "1\n"})
			w.git("branch", "side")
			w.commit("main", files{"m.py": "1\n"})
			w.git("checkout", "-q", "side")
			w.git("rebase", "-q", "main")
		}, `
commit
  add a.py
commit
  add m.py
checkout branch
  delete m.py
checkout rebase branch
  add m.py
`},
		{"fast-forward", func(w *tree) {
			w.commit("one", files{"a.py": "1\n"})
			w.git("checkout", "-q", "-b", "side")
			w.commit("two", files{"a.py": "2\n"})
			w.commit("three", files{"b.py": "2\n"})
			w.git("checkout", "-q", "main")
			w.git("pull", "-q", "--ff-only", ".", "side")
		}, `
commit
  add a.py
checkout branch (the same commit)
commit
  modify a.py
commit
  add b.py
checkout branch
  modify a.py
  delete b.py
merge
  modify a.py
  add b.py
`},
		{"clean merge", func(w *tree) {
			w.diverge()
			w.git("merge", "-q", "--no-edit", "side")
		}, diverged + `
merge
  add s.py
`},
		{"squash", func(w *tree) {
			w.diverge()
			w.git("merge", "-q", "--squash", "side")
		}, diverged + `
merge (a squash; nothing is committed yet)
`},
		{"revert and cherry-pick", func(w *tree) {
			w.commit("one", files{"a.py": "1\n"})
			w.commit("two", files{"a.py": "2\n"})
			w.git("revert", "--no-edit", "HEAD")
			w.git("cherry-pick", "HEAD~1")
		}, `
commit
  add a.py
commit
  modify a.py
commit
  modify a.py
commit
  modify a.py
`},
		{"submodules are no files", func(w *tree) {
			w.commit("one", files{"a.py": "1\n"})
			head := strings.TrimSpace(w.git("rev-parse", "HEAD"))
			w.git("update-index", "--add", "--cacheinfo", "160000,"+head+",sub")
			w.git("commit", "-q", "-m", "sub")
		}, `
commit
  add a.py
commit (no file differs)
`},
	}
	run := func(tt test, format string) {
		t.Run(format+" "+tt.name, func(t *testing.T) {
			w := newTree(t, "--object-format="+format)
			tt.do(w)
			want := strings.TrimPrefix(tt.want, "\n")
			if diff := cmp.Diff(want, w.recorded()); diff != "" {
				t.Errorf("recorded (-want +got):\n%s", diff)
			}
			l := w.ledger()
			l.fold()
			if diff := cmp.Diff(want, w.describe(l.read(hooks.Filter{}))); diff != "" {
				t.Errorf("in the ledger (-want +got):\n%s", diff)
			}
			if failures, err := hooks.ReadLog(w.repo().BindingDir()); err != nil || failures != nil {
				t.Errorf("failures %v, %v", failures, err)
			}
		})
	}
	for _, tt := range tests {
		run(tt, "sha1")
		if tt.name == "every kind" || tt.name == "branches" {
			run(tt, "sha256")
		}
	}
}

// diverge makes main and side, with a commit each that the other lacks.
func (w *tree) diverge() {
	w.commit("one", files{"a.py": "1\n"})
	w.git("checkout", "-q", "-b", "side")
	w.commit("side", files{"s.py": "2\n"})
	w.git("checkout", "-q", "main")
	w.commit("main", files{"m.py": "3\n"})
}

const diverged = `
commit
  add a.py
checkout branch (the same commit)
commit
  add s.py
checkout branch
  delete s.py
commit
  add m.py`

// TestRebaseIsOneStory folds in the middle of a rebase that stops.
func TestRebaseIsOneStory(t *testing.T) {
	l := newTree(t).ledger()
	l.diverge()
	l.git("checkout", "-q", "side")
	l.commit("clash", files{"m.py": "5\n"})
	if _, err := l.try("rebase", "main"); err == nil {
		t.Fatal("no conflict")
	}
	l.fold()
	before := strings.TrimPrefix(diverged, "\n") + `
checkout branch
  delete m.py
  add s.py
commit
  add m.py
checkout rebase branch (a step of a rebase; told at its end)
`
	if diff := cmp.Diff(before+"commit rebase (a rebase is under way)\n", l.describe(l.read(hooks.Filter{}))); diff != "" {
		t.Errorf("in the middle (-want +got):\n%s", diff)
	}
	l.write(files{"m.py": "6\n"})
	l.git("add", "m.py")
	l.git("rebase", "--continue")
	l.fold()
	want := before + `commit rebase (a step of a rebase; told at its end)
commit rebase (a step of a rebase; told at its end)
rewrite rebase
  modify m.py
`
	if diff := cmp.Diff(want, l.describe(l.read(hooks.Filter{}))); diff != "" {
		t.Errorf("at the end (-want +got):\n%s", diff)
	}
}

func TestLinkedWorkTreeHasItsOwn(t *testing.T) {
	w := newTree(t)
	w.commit("one", files{"a.py": "1\n"})
	linked := &tree{t, filepath.Join(filepath.Dir(w.dir), "linked")}
	w.git("worktree", "add", "-q", linked.dir)
	linked.commit("two", files{"b.py": "1\n"})
	if diff := cmp.Diff("commit\n  add a.py\n", w.recorded()); diff != "" {
		t.Errorf("main work tree (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff("checkout branch (a new work tree)\ncommit\n  add b.py\n", linked.recorded()); diff != "" {
		t.Errorf("linked work tree (-want +got):\n%s", diff)
	}
}

// TestFailureIsQuiet: where nothing can be written git works as without us, and
// the failure can be read afterwards.
func TestFailureIsQuiet(t *testing.T) {
	w := newTree(t)
	spool := filepath.Join(w.repo().BindingDir(), "spool")
	if err := os.MkdirAll(spool, 0o777); err != nil {
		t.Fatal(err)
	}
	w.write(files{"a.py": "1\n"})
	w.git("add", "-A")
	if out := w.git("commit", "-q", "-m", "one") + w.git("checkout", "-q", "-b", "side"); out != "" {
		t.Errorf("git printed %q", out)
	}
	if err := os.Remove(spool); err != nil {
		t.Fatal(err)
	}
	failures, err := hooks.ReadLog(w.repo().BindingDir())
	if err != nil || len(failures) != 2 || !strings.HasPrefix(failures[0].Message, "record post-commit: append to spool") {
		t.Errorf("failures %+v, %v", failures, err)
	}
}

func TestSubjects(t *testing.T) {
	w := newTree(t)
	w.commit("one \x1b[31m line", files{"a.py": "1\n"})
	head := strings.TrimSpace(w.git("rev-parse", "HEAD"))
	got, err := hooks.Subjects(t.Context(), w.repo(), []string{head, strings.Repeat("1", 40), head})
	if diff := cmp.Diff(map[string]string{head: "one \x1b[31m line"}, got); diff != "" || err != nil {
		t.Errorf("subjects (-want +got):\n%s%v", diff, err)
	}
}
