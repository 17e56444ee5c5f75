package mcp

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"codeidx/gitstore"
)

// A witness is a repository whose code carries a number: after edit n, the one
// caller of total is caller_n. No answer may show another number without
// saying that it is old.
type witness struct {
	*process
	dir string
}

func witnessed(t *testing.T, change func(*exec.Cmd), args ...string) *witness {
	t.Helper()
	t.Parallel()
	w := &witness{dir: makeRepo(t, map[string]string{"lib.py": "def total(x):\n    return x\n", "use.py": use(0)})}
	w.process = serveProgram(t, w.dir, change, args...)
	w.handshake("2025-11-25")
	w.mustShow(0)
	return w
}

func use(n int) string {
	return fmt.Sprintf("from lib import total\n\n\ndef caller_%d():\n    return total(%d)\n", n, n)
}

func (w *witness) edit(n int) { write(w.t, w.dir, "use.py", use(n)) }

func (w *witness) store() string { return filepath.Join(w.dir, ".git/codeidx") }

var askCallers = m{"symbol": "total", "kind": "callers"}

// mustShow wants a fresh answer with the present number.
func (w *witness) mustShow(n int) {
	w.t.Helper()
	doc := w.ok("relations", askCallers)
	if doc["freshness"] != "fresh" || doc["total"] != 1.0 || !has(doc, fmt.Sprintf(`"in":"caller_%d"`, n)) {
		w.t.Errorf("want caller_%d: %v", n, doc)
	}
}

// mustBeMarked wants the answer of an old index that says so, and why.
func (w *witness) mustBeMarked(why string) {
	w.t.Helper()
	doc := w.ok("relations", askCallers)
	reason, _ := doc["not_synced"].(string)
	if doc["freshness"] != "stale" || doc["complete"] != false || !has(doc, `"stale":true`) || !has(doc, "use.py (modified)") || !strings.Contains(reason, why) {
		w.t.Errorf("want a marked answer, not synced for %q: %v", why, doc)
	}
	doc = w.ok("symbols", m{"query": "nowhere_at_all"})
	if s, _ := doc["summary"].(string); doc["not_synced"] == nil || !strings.Contains(s, "files differ from the index") {
		w.t.Errorf("an empty answer of an old index: %v", doc)
	}
}

// isTruthful says whether an answer shows number n, is marked, or is an error.
func isTruthful(doc map[string]any, isError bool, n int) bool {
	return isError || doc["freshness"] != "fresh" || has(doc, fmt.Sprintf(`"in":"caller_%d"`, n))
}

// Cleaning up by git, of the person's repository and of the store.
func TestSurvivesGitGC(t *testing.T) {
	w := witnessed(t, nil)
	for n := 1; n <= 3; n++ {
		w.edit(n)
		w.mustShow(n)
		git(t, w.dir, "gc", "-q", "--prune=now")
		w.mustShow(n)
		git(t, w.dir, "--git-dir="+w.store(), "gc", "-q", "--prune=now")
		w.mustShow(n)
		codeidx(t, w.dir, "gc", "-q")
		w.mustShow(n)
	}
	codeidx(t, w.dir, "fsck", "-q")
}

func TestSurvivesBranchSwitches(t *testing.T) {
	w := witnessed(t, nil)
	for n := 1; n <= 3; n++ {
		git(t, w.dir, "switch", "-q", "-c", fmt.Sprintf("b%d", n))
		w.edit(n)
		git(t, w.dir, "commit", "-qam", "edit")
		w.mustShow(n)
	}
	for _, n := range []int{1, 3, 2} {
		git(t, w.dir, "switch", "-q", fmt.Sprintf("b%d", n))
		w.mustShow(n)
	}
	git(t, w.dir, "switch", "-q", "main")
	w.mustShow(0)
	git(t, w.dir, "branch", "-qD", "b1", "b2", "b3")
	git(t, w.dir, "reflog", "expire", "--expire=now", "--all")
	git(t, w.dir, "gc", "-q", "--prune=now")
	w.mustShow(0)
}

// The folder of the server goes and comes back, as a clone anew.
func TestSurvivesWorkTreeMadeAnew(t *testing.T) {
	w := witnessed(t, nil)
	removeTree(t, w.dir)
	doc, isError := w.call("relations", askCallers)
	if e, _ := doc["error"].(map[string]any); !isError || e["code"] == "failed" {
		t.Errorf("without a work tree: %v", doc)
	}
	write(t, w.dir, "lib.py", "def total(x):\n    return x\n")
	w.edit(7)
	git(t, w.dir, "init", "-q", "-b", "main")
	git(t, w.dir, "add", "-A")
	w.mustShow(7)
}

// A linked work tree that goes and comes back, asked for by argument.
func TestSurvivesLinkedWorkTreeMadeAnew(t *testing.T) {
	w := witnessed(t, nil)
	tree := filepath.Join(t.TempDir(), "tree")
	for n := 1; n <= 2; n++ {
		git(t, w.dir, "worktree", "add", "-q", "--detach", tree)
		write(t, tree, "use.py", use(n))
		doc := w.ok("relations", m{"symbol": "total", "kind": "callers", "repo": tree})
		if doc["freshness"] != "fresh" || doc["repo"] == w.dir || !has(doc, fmt.Sprintf(`"in":"caller_%d"`, n)) {
			t.Errorf("want caller_%d: %v", n, doc)
		}
		git(t, w.dir, "worktree", "remove", "--force", tree)
		w.fails("relations", m{"symbol": "total", "kind": "callers", "repo": tree}, "invalid_request")
		w.mustShow(0)
	}
}

// The store goes while calls are under way; the next one builds it anew.
func TestSurvivesStoreRemovedUnderCalls(t *testing.T) {
	w := witnessed(t, nil)
	const calls = 24
	go func() {
		for i := range calls {
			io.WriteString(w.in, fmt.Sprintf(`{"jsonrpc":"2.0","id":"s%d","method":"tools/call","params":{"name":"relations","arguments":{"symbol":"total","kind":"callers"}}}`+"\n", i))
		}
	}()
	for i := range calls {
		got := w.receive()
		if doc, isError := decodeResult(t, got.Result); !isTruthful(doc, isError, 0) {
			t.Errorf("answer %d: %v", i, doc)
		}
		if i%8 == 4 {
			if err := os.RemoveAll(w.store()); err != nil && !strings.Contains(err.Error(), "not empty") {
				t.Fatal(err)
			}
		}
	}
	w.edit(1)
	w.mustShow(1)
	codeidx(t, w.dir, "fsck", "-q")
}

// Another process indexes the same work tree all the time.
func TestSurvivesOtherBuilders(t *testing.T) {
	w := witnessed(t, nil)
	stop := make(chan struct{})
	var others sync.WaitGroup
	for _, verb := range []string{"index", "sync"} {
		others.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if out, err := program(t, w.dir, verb, "-q").CombinedOutput(); err != nil && !strings.Contains(string(out), "changed while it was captured") {
					t.Errorf("git codeidx %s: %v\n%s", verb, err, out)
				}
			}
		})
	}
	for n := 1; n <= 8; n++ {
		w.edit(n)
		if doc, isError := w.call("relations", askCallers); isError || !isTruthful(doc, isError, n) {
			t.Errorf("want caller_%d: %v", n, doc)
		}
	}
	close(stop)
	others.Wait()
	w.mustShow(8)
	codeidx(t, w.dir, "fsck", "-q")
}

// Another builder holds the lock for longer than we wait: the old index
// answers, marked, and the session goes on when it is free.
func TestSurvivesHeldBuildLock(t *testing.T) {
	w := witnessed(t, nil)
	git(t, w.dir, "config", "codeidx.lockWait", "50ms")
	lock := lockBuild(t, w.dir)
	w.edit(1)
	w.mustBeMarked("locked")
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	w.mustShow(1)
}

func lockBuild(t *testing.T, dir string) *gitstore.Lock {
	t.Helper()
	repo, err := gitstore.Discover(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	binding, err := repo.BindingID(false)
	if err != nil {
		t.Fatal(err)
	}
	store, err := gitstore.Open(context.Background(), repo.StoreDir(), gitstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	lock, err := store.LockBuild(context.Background(), binding, nil)
	if err != nil {
		t.Fatal(err)
	}
	return lock
}

// Sandboxes mount the git directory read-only: what is indexed answers, and an
// edit makes it say that it is old.
func TestSurvivesReadOnlyStore(t *testing.T) {
	var home string
	w := witnessed(t, func(cmd *exec.Cmd) {
		if os.Getuid() != 0 {
			return
		}
		// Nothing is read-only for root, so the server runs as somebody else.
		home = t.TempDir()
		config := filepath.Join(home, "config")
		if err := os.WriteFile(config, []byte("[safe]\n\tdirectory = *\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		reachable(t, home)
		reachable(t, cmd.Dir)
		reachable(t, cmd.Path)
		everyMode(t, cmd.Dir, 0o777)
		cmd.Env = append(cmd.Env, "GIT_CONFIG_GLOBAL="+config, "HOME="+home)
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	})
	everyMode(t, filepath.Join(w.dir, ".git"), 0o555)
	t.Cleanup(func() { everyMode(t, filepath.Join(w.dir, ".git"), 0o777) })
	w.mustShow(0)
	w.edit(1)
	w.mustBeMarked("permission denied")
	w.fails("sync", m{}, "read_only")
	everyMode(t, filepath.Join(w.dir, ".git"), 0o777)
	w.mustShow(1)
}

// reachable lets others pass through the folders above a path.
func reachable(t *testing.T, path string) {
	t.Helper()
	for p := path; p != filepath.Dir(p) && p != os.TempDir(); p = filepath.Dir(p) {
		if info, err := os.Stat(p); err != nil || os.Chmod(p, info.Mode().Perm()|0o055) != nil {
			t.Skipf("%s cannot be opened to another user", p)
		}
	}
}

// everyMode gives all folders below a path a mode, and files without its
// execute bits.
func everyMode(t *testing.T, top string, mode os.FileMode) {
	t.Helper()
	err := filepath.WalkDir(top, func(p string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.Chmod(p, mode)
		}
		return os.Chmod(p, mode&^0o111)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A store of a newer version is refused by every tool and left untouched.
func TestNewerStoreIsLeftAlone(t *testing.T) {
	w := witnessed(t, nil)
	format := filepath.Join(w.store(), "format")
	old, err := os.ReadFile(format)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(format, []byte("99\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	before := sizeOf(t, w.store())
	w.edit(1)
	for _, tool := range []string{"relations", "sync", "status", "changes"} {
		args := m{}
		if tool == "relations" {
			args = askCallers
		}
		doc, isError := w.call(tool, args)
		if e, _ := doc["error"].(map[string]any); !isError || !strings.Contains(fmt.Sprint(e["message"]), "newer version") {
			t.Errorf("%s: %v", tool, doc)
		}
	}
	if after := sizeOf(t, w.store()); after != before {
		t.Errorf("the store had %d bytes and has %d", before, after)
	}
	if err := os.WriteFile(format, old, 0o644); err != nil {
		t.Fatal(err)
	}
	w.mustShow(1)
}
