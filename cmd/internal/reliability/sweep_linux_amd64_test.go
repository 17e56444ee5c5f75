package reliability

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// mode is a way in which a disk or a process fails at the n-th call.
type mode struct {
	name string
	at   func(c *call, n int) verdict
	// applies says whether failing at a call is another case than failing at
	// the one behind it; nil is always.
	applies func(c *call) bool
}

func nothing() verdict { return verdict{} }

var modes = []mode{
	{"EIO once", func(c *call, n int) verdict {
		if c.n == n {
			return verdict{errno: syscall.EIO}
		}
		return nothing()
	}, nil},
	{"disk full", func(c *call, n int) verdict {
		if c.n >= n && c.grows() {
			return verdict{errno: syscall.ENOSPC}
		}
		return nothing()
	}, (*call).grows},
	{"short write", func(c *call, n int) verdict {
		switch {
		case c.n == n && c.writes():
			return verdict{half: true}
		case c.n > n && c.grows():
			return verdict{errno: syscall.ENOSPC}
		}
		return nothing()
	}, (*call).writes},
	{"read-only", func(c *call, n int) verdict {
		if c.n >= n && c.name != "close" && c.name != "fsync" {
			return verdict{errno: syscall.EROFS}
		}
		return nothing()
	}, func(c *call) bool { return c.name == "rename" }},
	{"killed", func(c *call, n int) verdict { return verdict{kill: c.n == n} }, nil},
	{"killed in a write", func(c *call, n int) verdict { return verdict{kill: c.n == n, half: c.n == n && c.writes()} }, (*call).writes},
}

// operation is a command that changes something, and what must hold afterwards
// however it ended.
type operation struct {
	name    string
	prepare [][]string // commands that make the state before it; "edit" edits a.py
	run     []string
	// events is the number of hook events that the ledger must have in the end,
	// each once; the command itself may add some.
	events, mayAdd int
	// touches says that it changes files of the user: hooks or agents.
	touches bool
	undo    []string // takes that back, and leaves not a trace
}

var operations = []operation{
	{name: "index", run: []string{"index"}},
	{name: "index again", prepare: [][]string{{"index"}, {"edit"}}, run: []string{"index"}},
	{name: "sync", prepare: [][]string{{"index"}, {"edit"}}, run: []string{"sync"}},
	{name: "sync that folds packs", prepare: [][]string{{"packs"}, {"edit"}}, run: []string{"sync"}},
	{name: "query", prepare: [][]string{{"index"}, {"edit"}, {"hook", "post-commit"}}, run: []string{"callers", "g"}, events: 1},
	{name: "query that syncs", prepare: [][]string{{"index"}, {"edit"}}, run: []string{"callers", "g", "--stale", "sync"}},
	{name: "hook", prepare: [][]string{{"index"}, {"hook", "post-commit"}}, run: []string{"hook", "post-commit"}, events: 1, mayAdd: 1},
	{name: "ledger", prepare: [][]string{{"index"}, {"hook", "post-commit"}, {"drift"}, {"edit"}, {"git", "commit", "-qam", "second"}, {"hook", "post-commit"}},
		run: []string{"drift"}, events: 2},
	{name: "drift --scan", prepare: [][]string{{"index"}, {"hook", "post-commit"}, {"edit"}}, run: []string{"drift", "--scan"}, events: 1},
	{name: "gc", prepare: [][]string{{"index"}, {"hook", "post-commit"}, {"drift"}, {"edit"}, {"sync"}, {"index"}}, run: []string{"gc"}, events: 1},
	{name: "clear", prepare: [][]string{{"index"}, {"hook", "post-commit"}, {"drift"}}, run: []string{"clear"}, events: 1},
	{name: "clear --ledger", prepare: [][]string{{"index"}, {"hook", "post-commit"}, {"drift"}}, run: []string{"clear", "--ledger"}, mayAdd: 1},
	{name: "install", prepare: [][]string{{"index"}, {"foreign"}}, run: []string{"install"}, touches: true, undo: []string{"uninstall"}},
	{name: "uninstall", prepare: [][]string{{"index"}, {"foreign"}, {"install"}}, run: []string{"uninstall"}, touches: true, undo: []string{"uninstall"}},
	{name: "agents install", prepare: [][]string{{"index"}, {"clients"}}, run: []string{"agents", "install", "--client", "all", "--instructions"}, touches: true, undo: []string{"agents", "uninstall"}},
	{name: "agents uninstall", prepare: [][]string{{"index"}, {"clients"}, {"agents", "install", "--client", "all", "--instructions"}}, run: []string{"agents", "uninstall"},
		touches: true, undo: []string{"agents", "uninstall"}},
}

// step runs one command of a preparation, or does what has no command.
func (p *place) step(t *testing.T, args []string) {
	t.Helper()
	switch args[0] {
	case "edit":
		p.write(t, "a.py", edited)
	case "packs": // as many as are kept before some are folded
		for i := range 8 {
			p.write(t, "a.py", small["a.py"]+strings.Repeat("\n", i))
			p.must(t, "index", "-q")
		}
		p.write(t, "a.py", small["a.py"])
		p.must(t, "sync", "-q")
	case "foreign": // a hook of the user's own
		p.write(t, ".git/hooks/post-commit", "#!/bin/sh\necho mine\n")
		p.must(t, "git", "config", "core.fileMode", "true")
		if err := syscall.Chmod(p.dir+"/.git/hooks/post-commit", 0o755); err != nil {
			t.Fatal(err)
		}
	case "clients":
		p.write(t, ".mcp.json", "{\n  \"mcpServers\": {\"other\": {\"command\": \"other\"}}\n}\n")
		p.write(t, "AGENTS.md", "# Rules\n\nBe kind.\n")
	default:
		p.must(t, args...)
	}
}

// points lists the calls at which a mode is tried.
func points(m *mode, calls []call) (list []int) {
	for i := range calls {
		if m.applies == nil || m.applies(&calls[i]) {
			list = append(list, i)
		}
	}
	return list
}

// TestFaults numbers the calls by which each command changes the disk, and lets
// each fail in each way. Afterwards the index before answers, or the new one;
// fsck finds no damage; sync makes the index whole; the ledger has every entry
// once; and what is the user's is as it was, byte for byte.
func TestFaults(t *testing.T) {
	columns := []string{"command", "calls"}
	for _, m := range modes {
		columns = append(columns, m.name)
	}
	rows := counts.table("Faults, "+density(), columns...)
	for _, op := range operations {
		t.Run(op.name, func(t *testing.T) {
			base := newRepo(t, t.TempDir()+"/r")
			clean := base.digest(t)
			for _, args := range op.prepare {
				base.step(t, args)
				if !op.touches || args[0] == "clients" || args[0] == "foreign" {
					clean = base.digest(t)
				}
			}
			whole := tracer{decide: func(*call) verdict { return nothing() }}
			if out, status := whole.runIn(t, base.copyOf(t), op.run); status != 0 {
				t.Fatalf("unharmed: status %d: %s", status, out)
			}
			total, cells := 0, []any{op.name, len(whole.calls)}
			for k, m := range modes {
				visited := 0
				for i, n := range points(&m, whole.calls) {
					if i%*every != k%*every {
						continue
					}
					if sweepOne(t, &op, base, clean, m, n) {
						visited++
					}
					if t.Failed() {
						t.FailNow()
					}
				}
				total += visited
				cells = append(cells, visited)
			}
			if total == 0 {
				t.Error("no call failed")
			}
			rows.add(cells...)
		})
	}
}

// sweepOne lets the n-th call fail in a copy of base. ok is false where the
// command makes fewer calls.
func sweepOne(t *testing.T, op *operation, base *place, clean map[string]string, m mode, n int) (ok bool) {
	t.Helper()
	p := base.copyOf(t)
	tr := &tracer{decide: func(c *call) verdict { return m.at(c, n) }}
	was := p.digest(t)
	out, status := tr.runIn(t, p, op.run)
	if len(tr.calls) <= n {
		return false
	}
	fail := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s at call %d (%s %s), status %d: %s\n%s", m.name, n, tr.calls[n].name, tr.calls[n].path, status, fmt.Sprintf(format, args...), out)
	}
	if status > 5 && status != 128 {
		fail("not an exit status of ours")
	}
	if strings.Contains(out, "panic:") || strings.Contains(out, "goroutine ") {
		fail("panic")
	}
	if !op.touches {
		if d := cmp.Diff(was, p.digest(t)); d != "" {
			fail("the user's repository changed (-was +is):\n%s", d)
		}
	}
	p.checkAfter(t, op, fail)
	if op.touches {
		for _, again := range [][]string{op.run, op.undo} {
			if o, e, status := p.run(again...); status != 0 {
				fail("%s afterwards: %d: %s%s", again, status, o, e)
			}
		}
		if d := cmp.Diff(clean, p.digest(t)); d != "" {
			fail("%s leaves a trace (-was +is):\n%s", op.undo, d)
		}
	}
	return true
}

// runIn runs git-codeidx in a place, with the tracer between it and that place.
func (tr *tracer) runIn(t *testing.T, p *place, args []string) (out string, status int) {
	t.Helper()
	tr.root = p.dir
	return tr.run(t, p.dir, p.env, append([]string{p.exe}, args...)...)
}

// checkAfter looks at the index and the ledger, brings them up to date and looks
// again.
func (p *place) checkAfter(t *testing.T, op *operation, fail func(string, ...any)) {
	t.Helper()
	hasIndex := len(op.prepare) > 0 && !strings.HasPrefix(op.name, "clear")
	a, status := p.ask(t)
	switch {
	case status == 4 && a.Code == "index_missing" && !hasIndex:
	case status != 0:
		fail("no answer: %d %s", status, a.Message)
	case a.Freshness == "fresh" && !slices.Equal(a.lines(), p.callers(t)):
		fail("callers of g in lines %v", a.lines())
	case a.Freshness != "fresh" && (!slices.Equal(a.lines(), before) || a.Complete):
		fail("a stale answer: lines %v, complete %v", a.lines(), a.Complete)
	}
	if status == 0 {
		if o, e, status := p.run("fsck"); status != 0 {
			fail("fsck: %s%s", o, e)
		}
	}
	if o, e, status := p.run("sync"); status != 0 {
		fail("the next sync: %d: %s%s", status, o, e)
	}
	if a, status = p.ask(t); status != 0 || a.Freshness != "fresh" || !slices.Equal(a.lines(), p.callers(t)) {
		fail("after sync: %d, %s, lines %v", status, a.Freshness, a.lines())
	}
	if o, e, status := p.run("fsck"); status != 0 {
		fail("fsck after sync: %s%s", o, e)
	}
	if o, e, status := p.run("gc"); status != 0 {
		fail("gc: %s%s", o, e)
	}
	if o, e, status := p.run("drift"); status != 0 || strings.Contains(e, "could not") {
		fail("drift: %d: %s%s", status, o, e)
	}
	events := p.events(t)
	if n := len(events); n < op.events || n > op.events+op.mayAdd || n != len(slices.Compact(events)) {
		fail("%d events in the ledger instead of %d, at most %d more: %s", n, op.events, op.mayAdd, events)
	}
	for _, pattern := range leftovers {
		if left := p.glob(t, pattern); len(left) > 0 {
			fail("left after gc: %v", left)
		}
	}
}

// leftovers are what a killed process may leave in the store and gc removes.
var leftovers = []string{"objects/pack/tmp_*", "objects/pack/*.tmp-*", "refs/codeidx/*/*.lock", "*.tmp-*", "spool.*"}

// callers returns the lines that call g in the work tree as it is.
func (p *place) callers(t *testing.T) []int {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(p.dir, "a.py"))
	if err != nil {
		t.Fatal(err)
	}
	if string(b) == edited {
		return behind
	}
	return before
}
