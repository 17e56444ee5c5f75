package reliability

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var stressFor = flag.Duration("stress", 4*time.Second, "how long everything runs at once")

// crowd is what runs at once on one repository, and what it counts.
type crowd struct {
	until  time.Time
	counts map[string]*atomic.Int64
	hooks  atomic.Int64
	locks  map[string]*sync.Mutex // of each work tree's a.py, which no two edit at once
}

// TestTogether has several processes of every command at once on a work tree and
// one linked to it, while others are killed. Every answer belongs to one state of
// the files; nobody meets a missing object; in the end nothing is damaged and
// each recorded event is in the ledger once.
func TestTogether(t *testing.T) {
	main := newRepo(t, filepath.Join(t.TempDir(), "main"))
	linked := main.at(filepath.Join(t.TempDir(), "linked"))
	main.must(t, "git", "worktree", "add", "-q", linked.dir)
	main.must(t, "index", "-q")
	linked.must(t, "index", "-q")
	jobs := map[string]func(*crowd, *testing.T, *place) bool{
		"sync": (*crowd).sync, "index": (*crowd).index, "query": (*crowd).query, "query --stale sync": (*crowd).query, "query, stat": (*crowd).query,
		"gc": (*crowd).gc, "hook": (*crowd).hook, "drift": (*crowd).drift, "mcp": (*crowd).mcp, "fsck": (*crowd).fsck, "killed build": (*crowd).killed, "git gc on the store": (*crowd).gitGC,
	}
	flags := map[string][]string{"query --stale sync": {"--stale", "sync"}, "query, stat": {"--freshness", "stat"}}
	c := &crowd{until: time.Now().Add(*stressFor), counts: map[string]*atomic.Int64{}, locks: map[string]*sync.Mutex{main.dir: {}, linked.dir: {}}}
	var wg sync.WaitGroup
	for name, job := range jobs {
		c.counts[name] = &atomic.Int64{}
		for _, p := range []*place{main, linked} {
			q := p.at(p.dir)
			q.flags = flags[name]
			wg.Go(func() {
				for time.Now().Before(c.until) && !t.Failed() {
					if job(c, t, q) {
						c.counts[name].Add(1)
					}
				}
			})
		}
	}
	wg.Wait()
	if t.Failed() {
		return
	}
	var events []string
	for _, p := range []*place{main, linked} {
		p.must(t, "sync", "-q")
		p.must(t, "verify", "-q")
		if a, status := p.ask(t); status != 0 || a.Freshness != "fresh" || !p.possible(a.lines()) {
			t.Errorf("in the end: %d, %s, %v", status, a.Freshness, a.lines())
		}
	}
	events = main.events(t)
	if n := len(events); n != int(c.hooks.Load()) || n != len(slices.Compact(events)) {
		t.Errorf("%d events were recorded, %d are in the ledgers", c.hooks.Load(), n)
	}
	main.must(t, "gc", "-q")
	main.must(t, "fsck", "-q")
	main.must(t, "git", "--git-dir="+store, "fsck", "--full", "--strict")
	rows := counts.table(fmt.Sprintf("Together, for %v", *stressFor), "command", "runs that ended well")
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for n := range c.counts {
			if !yield(n) {
				return
			}
		}
	}) {
		rows.add(name, c.counts[name].Load())
	}
}

// possible says whether an answer fits one of the states that the editors make.
func (p *place) possible(lines []int) bool {
	return slices.Equal(lines, before) || slices.Equal(lines, behind)
}

// ended checks how a command ended: well, or with a word that somebody else is at
// work (busy) or that the files moved (changed).
func ended(t *testing.T, p *place, args ...string) (out string, ok bool) {
	out, errs, status := p.run(args...)
	said := out + errs
	busy := strings.Contains(said, "workspace_busy") || strings.Contains(said, "is held by") || strings.Contains(said, "another build was first") ||
		strings.Contains(said, "changed while it was captured")
	switch {
	case status == 0:
		return out, true
	case status == 4 && busy, status == 3:
	default:
		t.Errorf("%s in %s: status %d: %s%s", args, filepath.Base(p.dir), status, out, errs)
	}
	return out, false
}

func (c *crowd) sync(t *testing.T, p *place) bool {
	c.locks[p.dir].Lock()
	text := small["a.py"]
	if rand.IntN(2) == 0 {
		text = edited
	}
	// In one step, as editors do: a half-written file is a state, too.
	err := os.WriteFile(filepath.Join(p.dir, "a.py.new"), []byte(text), 0o644)
	if err == nil {
		err = os.Rename(filepath.Join(p.dir, "a.py.new"), filepath.Join(p.dir, "a.py"))
	}
	c.locks[p.dir].Unlock()
	if err != nil {
		t.Error(err)
	}
	_, ok := ended(t, p, "sync")
	return ok
}

func (c *crowd) index(t *testing.T, p *place) bool { _, ok := ended(t, p, "index"); return ok }
func (c *crowd) gc(t *testing.T, p *place) bool    { _, ok := ended(t, p, "gc"); return ok }
func (c *crowd) drift(t *testing.T, p *place) bool { _, ok := ended(t, p, "drift"); return ok }
func (c *crowd) fsck(t *testing.T, p *place) bool  { _, ok := ended(t, p, "fsck"); return ok }

func (c *crowd) query(t *testing.T, p *place) bool {
	_, ok := ended(t, p, append([]string{"callers", "g"}, p.flags...)...)
	if !ok {
		return false
	}
	a, status := p.ask(t, p.flags...)
	if status != 0 {
		if status != 3 && a.Code != "workspace_busy" {
			t.Errorf("query: %d %s", status, a.Message)
		}
		return false
	}
	if !p.possible(a.lines()) || a.Freshness == "stale" && a.Complete {
		t.Errorf("an answer of no state: lines %v, %s, complete %v", a.lines(), a.Freshness, a.Complete)
	}
	return true
}

func (c *crowd) hook(t *testing.T, p *place) bool {
	_, ok := ended(t, p, "hook", "post-commit")
	if ok {
		c.hooks.Add(1)
	}
	return ok
}

// mcp has one session of an agent: a handshake and a question.
func (c *crowd) mcp(t *testing.T, p *place) bool {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := p.command("mcp")
	cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"relations","arguments":{"symbol":"g","kind":"callers"}}}
`)
	stop := context.AfterFunc(ctx, func() { cmd.Process.Kill() })
	defer stop()
	out, err := cmd.Output()
	answered := strings.Contains(string(out), `"id":2`) && strings.Contains(string(out), "a.py:2")
	busy := strings.Contains(string(out), "workspace_busy") || strings.Contains(string(out), "code_changed")
	if err != nil || !answered && !busy {
		t.Errorf("mcp: %v: %s", err, out)
	}
	return answered
}

// killed starts a build and kills it somewhere, so that it dies with its locks.
func (c *crowd) killed(t *testing.T, p *place) bool {
	cmd := p.command("index")
	if err := cmd.Start(); err != nil {
		t.Error(err)
		return false
	}
	time.Sleep(time.Duration(rand.IntN(int(400 * time.Millisecond))))
	cmd.Process.Kill()
	return cmd.Wait() != nil
}

// gitGC lets git's own tools loose on the store. They do not know our locks and
// may find that a pack has gone meanwhile.
func (c *crowd) gitGC(t *testing.T, p *place) bool {
	dir := strings.TrimSpace(p.must(t, "git", "rev-parse", "--path-format=absolute", "--git-common-dir"))
	verbs := [][]string{{"pack-refs", "--all"}, {"repack", "-q", "-d"}, {"gc", "-q"}}
	_, _, status := p.run(append([]string{"git", "--git-dir=" + filepath.Join(dir, "codeidx")}, verbs[rand.IntN(len(verbs))]...)...)
	time.Sleep(200 * time.Millisecond)
	return status == 0
}
