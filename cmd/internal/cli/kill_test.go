package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// binary returns this test binary under the name by which it is git-codeidx.
func binary(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "git-codeidx")
	if err := os.Symlink(self, link); err != nil {
		t.Fatal(err)
	}
	return link
}

// busyRepo is a repository that takes a moment to index.
func busyRepo(t *testing.T) string {
	dir := goldenRepo(t)
	for i := range 120 {
		text := strings.Repeat(fmt.Sprintf("def f%d(x):\n    return f%d(x)\n\n\n", i, (i+1)%120), 40)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("m%03d.py", i)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("git", "-C", dir, "add", "-A").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return dir
}

// Killed at any moment, a build leaves the generation before it serving, a
// store without damage and nothing in the way of the next build.
func TestKill(t *testing.T) {
	exe, dir := binary(t), busyRepo(t)
	command := func(args ...string) *exec.Cmd {
		c := exec.Command(exe, args...)
		c.Dir = dir
		return c
	}
	must := func(args ...string) string {
		t.Helper()
		out, err := command(args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v: %s", args, err, out)
		}
		return string(out)
	}
	start := time.Now()
	must("index", "-q")
	whole := time.Since(start)
	killed := 0
	for i := range 12 {
		if err := os.WriteFile(filepath.Join(dir, "m000.py"), fmt.Appendf(nil, "def g%d(): pass\n", i), 0o644); err != nil {
			t.Fatal(err)
		}
		c := command("index", "-q")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(whole * time.Duration(i+1) / 13)
		c.Process.Kill()
		if c.Wait() != nil {
			killed++
		}
		if out := must("symbols", "f7"); !strings.Contains(out, "m007.py:1 ") {
			t.Fatalf("after kill %d: %s", i, out)
		}
		must("fsck", "-q")
	}
	if killed == 0 {
		t.Fatal("no build was killed")
	}
	must("sync", "-q")
	must("verify", "-q")
}

// Ctrl-C ends a build with one line and leaves nothing behind.
func TestInterrupt(t *testing.T) {
	exe, dir := binary(t), busyRepo(t)
	c := exec.Command(exe, "index")
	c.Dir = dir
	var errs bytes.Buffer
	c.Stderr = &errs
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	packs := filepath.Join(dir, ".git", "codeidx", "objects", "pack")
	for range 1000 { // until the build has begun
		if _, err := os.Stat(packs); err == nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if err := c.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	err := c.Wait()
	if err == nil {
		t.Skip("the build was faster than the signal")
	}
	if c.ProcessState.ExitCode() != 130 || !strings.HasPrefix(errs.String(), "codeidx: interrupted") {
		t.Fatalf("%v: %s", err, errs.String())
	}
	left, err := filepath.Glob(filepath.Join(packs, "*"))
	if err != nil || len(left) > 0 {
		t.Fatalf("left behind: %v %v", left, err)
	}
}

// A second builder waits for the first one and then has nothing to do.
func TestSecondBuilder(t *testing.T) {
	exe, dir := binary(t), busyRepo(t)
	outs := make(chan string, 2)
	for range 2 {
		go func() {
			c := exec.Command(exe, "sync")
			c.Dir = dir
			out, err := c.CombinedOutput()
			outs <- fmt.Sprintf("%v: %s", err, out)
		}()
	}
	all := <-outs + <-outs
	if !strings.Contains(all, "up to date") || strings.Count(all, "<nil>") != 2 {
		t.Fatal(all)
	}
}
