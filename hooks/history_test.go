package hooks_test

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"codeidx/gitstore"
	"codeidx/hooks"
)

// ends is how the ledger leaves paths: git's id of the bytes and their SHA-256,
// as far as it knows them; both "" for a path that is gone.
type ends map[string][2]string

// ends follows what was recorded, oldest first.
func (l *ledger) ends(generation string) ends {
	l.t.Helper()
	m := ends{}
	for _, s := range slices.Backward(l.read(hooks.Filter{}).Steps) {
		if s.Generation != generation {
			continue
		}
		for _, e := range s.Entries {
			if e.OldPath != "" {
				m[e.OldPath] = [2]string{}
			}
			m[e.Path] = [2]string{e.NewBlob, e.NewSHA256}
		}
	}
	return m
}

// manifest is what an index has: by path, SHA-256 and git's id of the bytes.
func (l *ledger) manifest(ref gitstore.RefName) (string, map[string][2]string) {
	l.t.Helper()
	g, err := l.store.Generation(l.binding, ref)
	if err != nil {
		l.t.Fatal(err)
	}
	m := map[string][2]string{}
	err = g.EachEntry(func(e *gitstore.Entry) {
		var src []byte
		if e.Size > 0 {
			var err error
			if src, err = g.Get(e.Source); err != nil {
				l.t.Error(err)
			}
		}
		text := append(fmt.Appendf(nil, "blob %d\x00", len(src)), src...)
		id := sha1.Sum(text)
		blob := hex.EncodeToString(id[:])
		if l.repo().Format != gitstore.SHA1 {
			long := sha256.Sum256(text)
			blob = hex.EncodeToString(long[:])
		}
		m[e.Path] = [2]string{blob, e.SHA256.String()}
	})
	if err != nil {
		l.t.Fatal(err)
	}
	return g.Manifest.String(), m
}

// TestLedgerExplainsEverything makes random histories of edits and git commands:
// between two indexes, the hooks and one scan explain every file that differs, and
// claim no other.
func TestLedgerExplainsEverything(t *testing.T) {
	if f := flag.Lookup("rapid.checks"); f.Value.String() == f.DefValue { // a history takes a third of a second
		if err := f.Value.Set("25"); err != nil {
			t.Fatal(err)
		}
		defer f.Value.Set(f.DefValue)
	}
	rapid.Check(t, func(rt *rapid.T) {
		dir := t.TempDir()
		l := newTreeIn(t, dir, "--object-format="+rapid.SampledFrom([]string{"sha1", "sha256"}).Draw(rt, "format")).ledger()
		l.commit("zero", files{"a.py": "x = 0\n", "b.py": "y = 0\n"})
		l.reindex()
		h := &history{l: l, rt: rt}
		for range rapid.IntRange(1, 8).Draw(rt, "commands") {
			h.step()
		}
		l.scan()
		generation, was := l.manifest(gitstore.Current)
		told := l.ends(generation)
		l.reindex()
		_, is := l.manifest(gitstore.Current)
		for path := range union(was, is) {
			end, ok := told[path]
			switch now, there := is[path]; {
			case !ok && was[path] != now:
				rt.Fatalf("%v\n%s differs and nothing is recorded", h.done, path)
			case ok && there && end[0] != now[0] && end[1] != now[1]:
				rt.Fatalf("%v\n%s is %v, recorded is %v", h.done, path, now, end)
			case ok && !there && end != [2]string{}:
				rt.Fatalf("%v\n%s is gone, recorded is %v", h.done, path, end)
			}
		}
	})
}

func union(a, b map[string][2]string) map[string][2]string {
	m := maps.Clone(a)
	maps.Copy(m, b)
	return m
}

// history runs random commands. Git refuses some of them.
type history struct {
	l    *ledger
	rt   *rapid.T
	n    int
	done []string
}

func (h *history) git(args ...string) {
	_, err := h.l.try(args...)
	h.done = append(h.done, fmt.Sprint(args, " ", err))
}

func (h *history) step() {
	h.n++
	path := rapid.SampledFrom([]string{"a.py", "b.py", "c.py", "d/e.py"}).Draw(h.rt, "path")
	other := rapid.SampledFrom([]string{"a.py", "b.py", "c.py", "d/e.py"}).Draw(h.rt, "other")
	text := fmt.Sprintf("x = %d\n", rapid.IntRange(0, 3).Draw(h.rt, "text"))
	switch command := rapid.SampledFrom([]string{
		"edit", "edit", "commit", "commit", "amend", "rm", "mv", "reset", "stash", "pop", "branch", "switch", "merge", "rebase", "apply", "pick", "revert", "restore", "abort", "fold", "scan",
	}).Draw(h.rt, "command"); command {
	case "edit":
		h.l.write(files{path: text})
		h.git("add", "-A")
	case "commit":
		h.git("commit", "-q", "-a", "-m", fmt.Sprint(h.n))
	case "amend":
		h.git("commit", "-q", "-a", "--amend", "-m", fmt.Sprint(h.n))
	case "rm":
		h.git("rm", "-q", "-f", path)
	case "mv":
		h.git("mv", path, other)
	case "reset":
		h.git("reset", "-q", "--hard", rapid.SampledFrom([]string{"HEAD", "HEAD~1", "ORIG_HEAD"}).Draw(h.rt, "to"))
	case "stash":
		h.git("stash", "-q")
	case "pop":
		h.git("stash", "pop", "-q")
	case "branch":
		h.git("checkout", "-q", "-b", fmt.Sprint("side", h.n))
	case "switch":
		h.git("checkout", "-q", rapid.SampledFrom([]string{"main", "-", "HEAD~1"}).Draw(h.rt, "branch"))
	case "merge":
		h.git("merge", "-q", "--no-edit", "main")
	case "rebase":
		h.git("rebase", "-q", "main")
	case "apply":
		h.git("rebase", "-q", "--apply", "main")
	case "pick":
		h.git("cherry-pick", "main")
	case "revert":
		h.git("revert", "--no-edit", "HEAD")
	case "restore":
		h.git("checkout", "-q", "HEAD", "--", path)
	case "abort":
		h.git("rebase", "--abort")
		h.git("merge", "--abort")
	case "fold":
		h.l.explain()
	case "scan":
		h.l.scan()
	}
}

// TestKilled kills processes while they bring the ledger up to date: no event is
// lost, none counts twice, and the store stays whole.
func TestKilled(t *testing.T) {
	l := newTree(t).ledger()
	l.commit("zero", files{"a.py": "x = 0\n"})
	l.reindex()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const rounds = 12
	for i := 1; i <= rounds; i++ {
		l.commit(fmt.Sprint("commit ", i), files{"a.py": fmt.Sprintf("x = %d\n", i)})
		l.write(files{"b.py": fmt.Sprintf("y = %d\n", i)})
		cmd := exec.Command(exe, bringUpVerb, l.dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rand.IntN(60)) * time.Millisecond)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	l.explain()
	seen := map[string]int{}
	for _, s := range l.read(hooks.Filter{}).Steps {
		if s.Event.Event == hooks.PostCommit {
			seen[s.New]++
			for _, e := range s.Entries {
				seen[e.ID]++
			}
			if s.Meaning == nil && s.Generation != "" {
				t.Errorf("event %s has no meaning", s.ID)
			}
		}
	}
	for id, n := range seen {
		if n != 1 {
			t.Errorf("%s is there %d times", id, n)
		}
	}
	if commits := len(strings.Fields(l.git("rev-list", "HEAD"))); commits != rounds+1 {
		t.Errorf("%d commits", commits)
	}
	for commit := range strings.FieldsSeq(l.git("rev-list", "HEAD")) {
		if seen[commit] != 1 {
			t.Errorf("commit %s is recorded %d times", commit, seen[commit])
		}
	}
}

// TestWritersAtOnce lets hooks, folds, scans and acknowledgements of two work
// trees write together.
func TestWritersAtOnce(t *testing.T) {
	l := newTree(t).ledger()
	l.commit("zero", files{"a.py": "x = 0\n"})
	l.reindex()
	linked := &tree{t, filepath.Join(filepath.Dir(l.dir), "linked")}
	l.git("worktree", "add", "-q", linked.dir)
	other := linked.ledger()
	other.reindex()
	var wait sync.WaitGroup
	errs := make(chan error, 100)
	const n = 6
	for _, w := range []*ledger{l, other} {
		wait.Go(func() {
			for i := range n {
				path := filepath.Join(w.dir, "c.py")
				err := os.WriteFile(path, fmt.Appendf(nil, "c = %d\n", i), 0o666)
				for _, args := range [][]string{{"add", "c.py"}, {"commit", "-q", "-m", "x"}} {
					if out, gitErr := w.try(args...); gitErr != nil {
						err = errors.Join(err, fmt.Errorf("git %q: %w\n%s", args, gitErr, out))
					}
				}
				errs <- err
			}
		})
		for range 2 {
			wait.Go(func() {
				for range 4 {
					repo, err := gitstore.Discover(context.Background(), w.dir)
					if err == nil {
						_, err = hooks.Fold(context.Background(), repo, w.store, w.binding)
					}
					if err == nil {
						_, err = newAnalyst(repo, w.store, w.binding).Scan(context.Background())
					}
					errs <- err
				}
			})
		}
	}
	wait.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			t.Error(err)
		}
	}
	for _, w := range []*ledger{l, other} {
		w.explain()
		var commits []string
		for _, s := range w.read(hooks.Filter{}).Steps {
			if s.Event.Event == hooks.PostCommit {
				commits = append(commits, s.New)
			}
		}
		want := strings.Fields(w.git("rev-list", "-n", fmt.Sprint(n), "HEAD"))
		if diff := cmp.Diff(want, commits[:min(n, len(commits))]); diff != "" {
			t.Errorf("commits recorded of %s (-want +got):\n%s", w.dir, diff)
		}
	}
}
