// Package gitstoretest helps tests that work with a private store. Every store
// that it makes is checked when its test ends, by Fsck and by git itself.
package gitstoretest

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"codeidx/gitstore"
	"codeidx/gitstore/internal/fault"
)

// Binding is the binding id that helpers publish for.
const Binding = "00112233445566aa"

// NewStore returns a new store. When the test ends it must be whole.
func NewStore(t testing.TB) *gitstore.Store {
	t.Helper()
	return Open(t, NewDir(t), gitstore.Options{})
}

// NewDir returns the directory of a new store that nobody has open. When the test
// ends it must be whole.
func NewDir(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "codeidx")
	Open(t, dir, gitstore.Options{Create: true}).Close()
	t.Cleanup(func() { Check(t, dir) })
	return dir
}

// Open opens the store in dir and closes it when the test ends, if it is still
// open then.
func Open(t testing.TB, dir string, o gitstore.Options) *gitstore.Store {
	t.Helper()
	s, err := gitstore.Open(context.Background(), dir, o)
	if err != nil {
		t.Fatalf("open store: %v", err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// Check fails the test if Fsck finds damage in the store in dir, or git does.
func Check(t testing.TB, dir string) {
	t.Helper()
	s, err := gitstore.Open(context.Background(), dir, gitstore.Options{})
	if err != nil {
		t.Fatalf("open store to check it: %v", err)
	}
	defer s.Close()
	findings, err := s.Fsck(context.Background())
	if err != nil {
		t.Fatalf("fsck: %v", err)
	}
	for _, f := range findings {
		if f.Severity == gitstore.Damage {
			t.Errorf("fsck: %v", f)
		}
	}
	Git(t, dir, "fsck", "--full", "--strict")
}

// Git runs git on the store in dir and returns its standard output. It fails the
// test if git does, or if `git fsck` says anything but that objects are unused.
func Git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"--git-dir=" + dir}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %v: %v\n%s%s", args, err, out, stderr.Bytes())
	}
	if args[0] == "fsck" {
		for line := range bytes.Lines(append(out, stderr.Bytes()...)) {
			if !bytes.HasPrefix(line, []byte("dangling ")) && !bytes.HasPrefix(line, []byte("notice: ")) {
				t.Errorf("git fsck: %s", line)
			}
		}
	}
	return string(out)
}

// SetFault makes each change that the store wants to make on disk fail with what
// f returns, until the test ends. Returning Short has half of a write done;
// returning Skip for a "sync" takes it as done.
func SetFault(t testing.TB, f func(op, path string) error) (restore func()) {
	restore = fault.Set(func(op fault.Op, path string) error { return f(string(op), path) })
	t.Cleanup(restore)
	return restore
}

// What a fault may return besides errors of its own.
var (
	Short = fault.ErrShort
	Skip  = fault.ErrSkip
)
