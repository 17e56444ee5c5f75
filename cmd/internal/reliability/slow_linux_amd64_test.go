package reliability

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestSlowDisk puts a delay before each file of the work tree that is opened:
// the deadlines of questions and builds end them with a word.
func TestSlowDisk(t *testing.T) {
	p := newRepo(t, filepath.Join(t.TempDir(), "r"))
	p.must(t, "index", "-q")
	p.must(t, "git", "config", "codeidx.queryDeadline", "50ms")
	p.must(t, "git", "config", "codeidx.buildDeadline", "50ms")
	for _, tc := range []struct {
		args []string
		says []string
	}{
		{[]string{"callers", "g"}, []string{"could not be verified in time", "--freshness stat"}},
		{[]string{"index"}, []string{"50ms", "codeidx.buildDeadline"}},
		{[]string{"sync"}, []string{"50ms", "codeidx.buildDeadline"}},
	} {
		slept := 0
		tr := &tracer{reads: true, decide: func(c *call) verdict {
			if !strings.HasPrefix(c.path, ".git/") && filepath.Ext(c.path) != "" {
				slept++
				return verdict{delay: 30 * time.Millisecond}
			}
			return nothing()
		}}
		out, status := tr.runIn(t, p, tc.args)
		if slept == 0 {
			t.Fatalf("%s opened no file of the work tree", tc.args)
		}
		if status != 4 {
			t.Errorf("%s: status %d: %s", tc.args, status, out)
		}
		for _, s := range tc.says {
			if !strings.Contains(out, s) {
				t.Errorf("%s does not say %q: %s", tc.args, s, out)
			}
		}
	}
}

// TestReadOnly has every change refused as on a file system that is mounted for
// reading: questions are answered, from the index before where files differ, and
// everything that would write says why it does not.
func TestReadOnly(t *testing.T) {
	p := newRepo(t, filepath.Join(t.TempDir(), "r"))
	p.must(t, "index", "-q")
	p.must(t, "hook", "post-commit")
	p.write(t, "a.py", edited)
	was := p.digest(t)
	for _, tc := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"callers", "g"}, 0, "a.py:2"},
		{[]string{"callers", "g", "--freshness", "stat"}, 0, "a.py:2"},
		{[]string{"status"}, 0, "stale"},
		{[]string{"map"}, 0, "a.py"},
		{[]string{"drift"}, 0, "commit"},
		{[]string{"fsck"}, 0, "sound"},
		{[]string{"sync"}, 4, "read-only"},
		{[]string{"index"}, 4, "read-only"},
		{[]string{"gc"}, 4, "read-only"},
		{[]string{"clear"}, 4, "read-only"},
		{[]string{"callers", "g", "--stale", "sync"}, 4, "read-only"},
		{[]string{"install"}, 4, "read-only"},
	} {
		tr := &tracer{decide: func(c *call) verdict {
			if c.name == "close" || c.name == "fsync" {
				return nothing()
			}
			return verdict{errno: syscall.EROFS}
		}}
		out, status := tr.runIn(t, p, tc.args)
		if status != tc.status || !strings.Contains(out, tc.says) {
			t.Errorf("%s: status %d, want %d and %q: %s", tc.args, status, tc.status, tc.says, out)
		}
	}
	if now := p.digest(t); len(now) != len(was) {
		t.Errorf("%d files, were %d", len(now), len(was))
	}
	p.must(t, "sync", "-q")
}
