package reliability

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// region is a range of bytes of one file of the store or of the binding.
type region struct {
	class    string // what the bytes are
	file     string // from the top of the work tree
	from, to int64
	// lost says that it is the only copy of something that was recorded, which
	// nothing can bring back.
	lost bool
}

// harms are the ways in which the bytes of a region are spoilt.
var harms = map[string]func(b []byte, r *region) []byte{
	"flip": func(b []byte, r *region) []byte { b[(r.from+r.to)/2] ^= 0x20; return b },
	"zero": func(b []byte, r *region) []byte { clear(b[r.from:r.to]); return b },
	"cut":  func(b []byte, r *region) []byte { return b[:r.from] },
}

// recordedBase makes a repository with two generations, a ledger of two events,
// and every other file that a work tree has.
func recordedBase(t *testing.T) *place {
	t.Helper()
	p := newRepo(t, filepath.Join(t.TempDir(), "r"))
	p.must(t, "index", "-q")
	p.must(t, "hook", "post-commit")
	p.must(t, "drift")
	p.write(t, "a.py", edited)
	p.must(t, "git", "commit", "-qam", "second")
	p.must(t, "hook", "post-commit")
	p.must(t, "sync", "-q")
	p.must(t, "callers", "g")
	return p
}

// questions are asked of a damaged index; together they read every section.
var questions = [][]string{
	{"callers", "g", "--json"}, {"explore", "once", "--json"}, {"edges", "--json"}, {"diagnostics", "--json"},
	{"read", "a.py:1-6", "--json"}, {"symbols", "User", "--json"}, {"map", "--json"},
}

// reply is what a question gave.
type reply struct {
	out, errs string
	status    int
}

// limits of one question about a damaged store.
const (
	questionTime   = 60 * time.Second
	questionMemory = 300 << 10 // KiB
)

func (p *place) question(t *testing.T, args []string) (r reply) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), questionTime)
	defer cancel()
	c := p.command(args...)
	var out, errs strings.Builder
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	stop := context.AfterFunc(ctx, func() { c.Process.Kill() })
	defer stop()
	_ = c.Wait()
	if ctx.Err() != nil {
		t.Errorf("%s: no answer within %v", args, questionTime)
	}
	if use, ok := c.ProcessState.SysUsage().(*syscall.Rusage); ok && use.Maxrss > questionMemory {
		t.Errorf("%s: %d MiB of memory", args, use.Maxrss>>10)
	}
	return reply{out.String(), errs.String(), c.ProcessState.ExitCode()}
}

// essence drops what may differ between two right answers.
func essence(t *testing.T, doc string) string {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal([]byte(doc), &m); err != nil {
		return doc
	}
	if fp, _ := m["fingerprint"].(string); len(fp) > 12 { // ids of symbols begin with a part of it
		doc = strings.ReplaceAll(doc, ":"+fp[:12]+":", ":")
		if err := json.Unmarshal([]byte(doc), &m); err != nil {
			t.Fatal(err)
		}
	}
	for _, k := range []string{"checked_at", "binding", "fingerprint", "notes", "drift", "capability", "freshness_mode", "stale_warnings"} {
		delete(m, k)
	}
	b, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// tally counts what became of one class of bytes.
type tally struct{ spoilt, right, before, named, seen, sync, index int }

// TestCorruption spoils every class of bytes that is kept. No answer is wrong:
// it is the right one, that of the index before, which says that it is stale, or
// a named error; fsck names what it cannot read; index makes everything whole
// again, and the ledger loses no more than was spoilt.
func TestCorruption(t *testing.T) {
	base := recordedBase(t)
	right := map[string]string{}
	for _, q := range questions {
		right[q[0]] = essence(t, base.must(t, q...))
	}
	base.must(t, "hook", "post-commit") // waits in the spool
	tallies := map[string]*tally{}
	var order []string
	n, wrong := 0, 0
	for _, r := range regions(t, base) {
		if tallies[r.class] == nil { // a sample visits the first of each class, too
			tallies[r.class] = &tally{}
			order = append(order, r.class)
			n = 0
		}
		for _, how := range []string{"flip", "zero", "cut"} {
			if n++; (n-1)%*every != 0 {
				continue
			}
			p, at := base.copyOf(t), r // harm finds out where in packed refs it is
			if !p.harm(t, &at, how) {
				continue
			}
			d := &damage{place: p, region: at, how: how, right: right, tally: tallies[r.class]}
			if d.check(t); d.wrong {
				wrong++
			}
			if wrong >= tellWrong {
				t.Fatalf("%d of them are enough", wrong)
			}
		}
	}
	rows := counts.table("Corruption, "+density(), "bytes of", "spoilt", "answers right", "of the index before", "named errors", "seen by fsck", "healed by sync", "by index")
	for _, class := range order {
		c := tallies[class]
		rows.add(class, c.spoilt, c.right, c.before, c.named, c.seen, c.sync, c.index)
	}
}

// tellWrong is how many damages that were not survived are told before the sweep ends.
const tellWrong = 6

// damage is one harm that was done.
type damage struct {
	*place
	region
	how   string
	right map[string]string // answers before it
	*tally
	wrong bool // a check failed
}

func (d *damage) fail(t *testing.T, format string, args ...any) {
	t.Helper()
	d.wrong = true
	t.Errorf("%s, %s %d-%d, %s: %s", d.class, d.file, d.from, d.to, d.how, fmt.Sprintf(format, args...))
}

func (d *damage) check(t *testing.T) {
	t.Helper()
	d.spoilt++
	failed := false
	for _, q := range questions {
		switch a := d.question(t, q); {
		case a.status == 0 && essence(t, a.out) == d.right[q[0]]:
			d.tally.right++
			continue
		case a.status == 0 && strings.Contains(a.out, `"freshness":"stale"`) && strings.Contains(a.out, `"complete":false`):
			d.before++
		case a.status == 4 && strings.Contains(a.out, `"hint":"`), a.status == 128 && strings.Contains(a.out, "remove it to start anew"):
			d.named++
		default:
			d.fail(t, "%s: status %d: %s%s\n%s", q, a.status, a.out, a.errs, cmp.Diff(d.right[q[0]], essence(t, a.out)))
		}
		failed = true
	}
	fsck := d.question(t, []string{"fsck"})
	switch {
	case fsck.status == 1:
		d.seen++
		if !strings.Contains(fsck.out, "git codeidx") {
			d.fail(t, "fsck does not say how to go on: %s", fsck.out)
		}
	case fsck.status == 0 && failed:
		d.fail(t, "fsck finds nothing wrong: %s%s", fsck.out, fsck.errs)
	}
	d.heal(t)
}

// heal brings everything up to date as fsck and the errors advise.
func (d *damage) heal(t *testing.T) {
	t.Helper()
	if d.class == "binding" || d.class == "config, HEAD" {
		if err := os.Remove(filepath.Join(d.dir, d.file)); err != nil {
			t.Fatal(err)
		}
	}
	if out, errs, status := d.run("sync"); status != 0 && status != 4 {
		d.fail(t, "sync: %d: %s%s", status, out, errs)
	}
	if d.answersRight(t) {
		d.sync++
	} else {
		if out, errs, status := d.run("index"); status != 0 {
			d.fail(t, "index: %d: %s%s", status, out, errs)
		}
		if !d.answersRight(t) {
			d.fail(t, "index does not heal it")
		}
		d.index++
	}
	if out, errs, status := d.run("verify"); status != 0 {
		d.fail(t, "verify: %d: %s%s", status, out, errs)
	}
	out, errs, status := d.run("fsck")
	if status != 0 && !d.lost {
		_, _, _ = d.run("index")
		_, _, _ = d.run("gc")
		if out, errs, status = d.run("fsck"); status != 0 {
			d.fail(t, "fsck afterwards: %s%s", out, errs)
		}
	}
	if status != 0 { // of the ledger, as it says
		if out, errs, status := d.run("clear", "--ledger"); status != 0 {
			d.fail(t, "clear --ledger: %d: %s%s", status, out, errs)
		}
		if out, errs, status := d.run("sync"); status != 0 {
			d.fail(t, "sync after it: %d: %s%s", status, out, errs)
		}
		if out, errs, status := d.run("fsck"); status != 0 {
			d.fail(t, "fsck after it: %s%s", out, errs)
		}
		return
	}
	if n := len(d.events(t)); n != recordedEvents && !d.lost {
		d.fail(t, "%d events in the ledger instead of %d", n, recordedEvents)
	}
}

// recordedEvents are those of recordedBase and one that waits in the spool.
const recordedEvents = 3

func (d *damage) answersRight(t *testing.T) bool {
	t.Helper()
	for _, q := range questions {
		if a := d.question(t, q); a.status != 0 || essence(t, a.out) != d.right[q[0]] {
			return false
		}
	}
	return true
}

// harm spoils a region; false where that changes nothing.
func (p *place) harm(t *testing.T, r *region, how string) bool {
	t.Helper()
	if r.class == "packed refs" { // they come of git's own tidying up
		p.must(t, "git", "--git-dir=.git/codeidx", "pack-refs", "--all")
	}
	path := filepath.Join(p.dir, r.file)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if r.class == "packed refs" {
		r.from, r.to = r.from*int64(len(b))/100, r.to*int64(len(b))/100
	}
	spoilt := harms[how](slices.Clone(b), r)
	if string(spoilt) == string(b) {
		return false
	}
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, spoilt, 0o600); err != nil {
		t.Fatal(err)
	}
	return true
}
