package install

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"codeidx/gitstore"
)

// tree is a real repository, alone with its own configuration.
type tree struct {
	t   *testing.T
	dir string
}

func newTree(t *testing.T) *tree {
	t.Helper()
	for _, e := range os.Environ() {
		if name, _, _ := strings.Cut(e, "="); strings.HasPrefix(name, "GIT_") {
			t.Setenv(name, "")
			os.Unsetenv(name)
		}
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &tree{t, filepath.Join(dir, "w")}
	if err := os.Mkdir(w.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	w.git("init", "-q", "--template=")
	w.git("config", "user.name", "A U Thor")
	w.git("config", "user.email", "a@example.org")
	return w
}

// run runs git and returns its output, both streams, and its exit status.
func (w *tree) run(args ...string) (string, int) {
	w.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = w.dir
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		w.t.Fatalf("git %q: %v", args, err)
	}
	return out.String(), cmd.ProcessState.ExitCode()
}

func (w *tree) git(args ...string) string {
	w.t.Helper()
	out, status := w.run(args...)
	if status != 0 {
		w.t.Fatalf("git %q: status %d\n%s", args, status, out)
	}
	return out
}

func (w *tree) commit() string {
	w.t.Helper()
	return w.git("commit", "-q", "--allow-empty", "-m", "x")
}

func (w *tree) repo() *gitstore.Repo {
	w.t.Helper()
	r, err := gitstore.Discover(context.Background(), w.dir)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

func (w *tree) hook(event string) string { return filepath.Join(w.dir, ".git", "hooks", event) }

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// program makes a script that appends its arguments to the file "calls" beside
// it and then does what more says.
func program(t *testing.T, path, more string) string {
	t.Helper()
	write(t, path, "#!/bin/sh\necho \"$*\" >>\"${0%/*}/calls\"\n"+more+"\n", 0o755)
	return path
}

func calls(t *testing.T, exe string) []string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(filepath.Dir(exe), "calls"))
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
}

func mustInstall(t *testing.T, w *tree, exe string) []Hook {
	t.Helper()
	list, err := Install(context.Background(), w.repo(), exe)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func mustUninstall(t *testing.T, w *tree) []Hook {
	t.Helper()
	list, err := Uninstall(context.Background(), w.repo())
	if err != nil {
		t.Fatal(err)
	}
	return list
}
