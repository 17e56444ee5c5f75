package hooks_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"codeidx/gitstore"
	"codeidx/hooks"
)

// lines returns all lines of the ledger, oldest first.
func (l *ledger) lines() (list []string) {
	l.t.Helper()
	for e, err := range l.store.Ledger(l.binding) {
		if err != nil {
			l.t.Fatal(err)
		}
		list = append([]string{string(e.JSON)}, list...)
	}
	return list
}

// raw moves the spool to the ledger as it is, as a Fold does that an event
// overtakes.
func (l *ledger) raw() {
	l.t.Helper()
	if _, err := l.store.FoldSpool(context.Background(), l.repo().BindingDir(), l.binding); err != nil {
		l.t.Fatal(err)
	}
}

func (l *ledger) appendSpool(line string) {
	l.t.Helper()
	if err := gitstore.AppendSpool(l.repo().BindingDir(), []byte(line)); err != nil {
		l.t.Fatal(err)
	}
}

func TestFoldIsOnceAndForAll(t *testing.T) {
	l := newTree(t).ledger()
	l.commit("one", files{"a.py": "1\n"})
	l.commit("two", files{"b.py": "1\n"})
	res := l.fold()
	if diff := cmp.Diff(hooks.FoldResult{Events: 2, Entries: 2, Lines: 4}, res); diff != "" {
		t.Errorf("first fold (-want +got):\n%s", diff)
	}
	before := l.lines()
	if diff := cmp.Diff(hooks.FoldResult{}, l.fold()); diff != "" {
		t.Errorf("second fold (-want +got):\n%s", diff)
	}
	l.commit("three", files{"c.py": "1\n"})
	l.fold()
	after := l.lines()
	if len(after) != 6 {
		t.Fatalf("%d lines, want 6", len(after))
	}
	if diff := cmp.Diff(before, after[:len(before)]); diff != "" {
		t.Errorf("the ledger was rewritten (-want +got):\n%s", diff)
	}
}

func TestEventThatOvertakesAFold(t *testing.T) {
	l := newTree(t).ledger()
	l.commit("one", files{"a.py": "1\n"})
	l.fold()
	l.commit("two", files{"b.py": "1\n"})
	l.raw()
	l.commit("three", files{"c.py": "1\n"})
	want := "commit\n  add a.py\ncommit\n  add b.py\ncommit\n  add c.py\n"
	if diff := cmp.Diff(want, l.describe(l.read(hooks.Filter{}))); diff != "" {
		t.Errorf("before the fold (-want +got):\n%s", diff)
	}
	if res := l.fold(); res.Events != 2 {
		t.Errorf("fold worked out %d events, want 2", res.Events)
	}
	if diff := cmp.Diff(want, l.describe(l.read(hooks.Filter{}))); diff != "" {
		t.Errorf("after the fold (-want +got):\n%s", diff)
	}
	if res := l.fold(); res.Events != 0 {
		t.Errorf("another fold worked out %d events", res.Events)
	}
}

// TestKilledFold cuts a Fold off after each of the lines that it appends.
func TestKilledFold(t *testing.T) {
	l := newTree(t).ledger()
	const n = 700
	l.commitMany(n)
	l.write(files{"a.py": "1\n"})
	l.git("add", "a.py")
	l.git("commit", "-q", "-m", "one")
	events, _, err := gitstore.ReadSpool(l.repo().BindingDir())
	if err != nil || len(events) != 2 {
		t.Fatalf("%d events, %v", len(events), err)
	}
	l.fold()
	want := l.describe(l.read(hooks.Filter{}))
	if got := strings.Count(want, "\n"); got != n+3 {
		t.Fatalf("%d lines", got)
	}
	appended := l.lines()[2:]
	if len(appended) < 4 {
		t.Fatalf("all of it took %d lines; the large event should take several", len(appended))
	}
	for cut := range appended {
		for _, folded := range []bool{false, true} {
			l.dropLedger()
			for _, e := range events {
				l.appendSpool(string(e))
			}
			for _, line := range appended[:cut] {
				l.appendSpool(line)
			}
			if folded {
				l.raw()
			}
			l.fold()
			d := l.read(hooks.Filter{})
			if got := l.describe(d); got != want || d.Entries != n+1 {
				t.Fatalf("cut at %d, folded %v: %d entries; (-want +got):\n%s", cut, folded, d.Entries, cmp.Diff(want, got))
			}
		}
	}
}

// commitMany commits n files with long paths that are not in the work tree.
func (l *ledger) commitMany(n int) {
	l.t.Helper()
	blob := strings.TrimSpace(l.git("hash-object", "-w", "--stdin"))
	folder := strings.Repeat(strings.Repeat("d", 200)+"/", 9)
	var index strings.Builder
	for i := range n {
		fmt.Fprintf(&index, "100644 %s\t%s%04d.py\n", blob, folder, i)
	}
	if _, err := l.repo().Run(context.Background(), strings.NewReader(index.String()), "update-index", "--add", "--index-info"); err != nil {
		l.t.Fatal(err)
	}
	l.git("commit", "-q", "-m", "many")
}

func (l *ledger) dropLedger() {
	l.t.Helper()
	if err := os.Remove(filepath.Join(l.store.Dir(), "refs", "codeidx", l.binding, "ledger")); err != nil {
		l.t.Fatal(err)
	}
}

func TestFoldsAtOnce(t *testing.T) {
	l := newTree(t).ledger()
	for i := range 4 {
		l.commit("x", files{fmt.Sprintf("%d.py", i): "1\n"})
	}
	want := l.recorded()
	repo := l.repo()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if _, err := hooks.Fold(context.Background(), repo, l.store, l.binding); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	d := l.read(hooks.Filter{})
	if diff := cmp.Diff(want, l.describe(d)); diff != "" || d.Entries != 4 {
		t.Errorf("%d entries (-want +got):\n%s", d.Entries, diff)
	}
}

func TestCommitsThatAreGone(t *testing.T) {
	l := newTree(t).ledger()
	l.commit("one", files{"a.py": "1\n"})
	id := strings.Repeat("ab", 20)
	l.appendSpool(`{"schema":"codeidx.event.v1","id":"e1","time":"2030-01-02T03:04:05Z","event":"post-commit","detected_by":"hook:post-commit","new":"` + id + `"}`)
	l.appendSpool(`{"schema":"codeidx.unheard-of.v9","id":"e2"}`)
	l.appendSpool(`[1]`)
	l.commit("two", files{"b.py": "1\n"})
	want := "commit\n  add a.py\ncommit (git no longer has the commits)\ncommit\n  add b.py\n"
	l.fold()
	if diff := cmp.Diff(want, l.describe(l.read(hooks.Filter{}))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTornLinesAreNamed(t *testing.T) {
	l := newTree(t).ledger()
	l.commit("one", files{"a.py": "1\n"})
	path := filepath.Join(l.repo().BindingDir(), "spool")
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("99 0123"); err != nil {
		t.Fatal(err)
	}
	f.Close()
	l.commit("two", files{"b.py": "1\n"})
	want := "commit\n  add a.py\ncommit\n  add b.py\n"
	d := l.read(hooks.Filter{})
	if got := l.describe(d); got != want || len(d.Torn) != 1 || d.Torn[0].Number != 2 {
		t.Errorf("torn %+v, events:\n%s", d.Torn, got)
	}
	if res := l.fold(); len(res.Torn) != 1 {
		t.Errorf("fold met %+v", res.Torn)
	}
	failures, err := hooks.ReadLog(l.repo().BindingDir())
	if err != nil || len(failures) != 1 || !strings.HasPrefix(failures[0].Message, "line 2 of the spool is lost") {
		t.Errorf("failures %+v, %v", failures, err)
	}
}

func TestFilter(t *testing.T) {
	l := newTree(t).ledger()
	var events []hooks.Event
	for i := range 4 {
		l.commit("x", files{fmt.Sprintf("%d.py", i): "1\n"})
		if i == 1 {
			l.fold()
		}
	}
	for i := len(l.read(hooks.Filter{}).Steps) - 1; i >= 0; i-- {
		events = append(events, *l.read(hooks.Filter{}).Steps[i].Event)
	}
	for i, e := range events {
		since, err := time.Parse(time.RFC3339Nano, e.Time)
		if err != nil {
			t.Fatal(err)
		}
		if d := l.read(hooks.Filter{Since: since}); len(d.Steps) != len(events)-i || d.More || *d.Steps[len(d.Steps)-1].Event != e {
			t.Errorf("since event %d: %d events, more %v", i, len(d.Steps), d.More)
		}
		if d := l.read(hooks.Filter{Limit: i + 1}); len(d.Steps) != i+1 || d.More != (i+1 < len(events)) || *d.Steps[0].Event != events[3] {
			t.Errorf("limit %d: %d events, more %v", i+1, len(d.Steps), d.More)
		}
	}
}

// TestLinesAsStored freezes the formats.
func TestLinesAsStored(t *testing.T) {
	t.Setenv("GIT_COMMITTER_DATE", "1700000000 +0000")
	t.Setenv("GIT_AUTHOR_DATE", "1700000000 +0000")
	w := newTree(t)
	t.Setenv("GIT_COMMITTER_DATE", "1700000000 +0000")
	t.Setenv("GIT_AUTHOR_DATE", "1700000000 +0000")
	l := w.ledger()
	l.commit("one", files{"a.py": "1\n"})
	l.fold()
	var got []map[string]any
	for _, line := range l.lines() {
		var v map[string]any
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatal(err)
		}
		got = append(got, v)
	}
	const commit = "COMMIT"
	if len(got) != 2 {
		t.Fatalf("%d lines", len(got))
	}
	event, changes := got[0], got[1]
	if event["new"] != changes["commit"] || event["id"] != changes["of"] || event["time"] != changes["time"] {
		t.Errorf("event %v, changes %v", event, changes)
	}
	if _, err := time.Parse(time.RFC3339Nano, event["time"].(string)); err != nil {
		t.Error(err)
	}
	for _, v := range got {
		for _, key := range []string{"id", "of", "time"} {
			delete(v, key)
		}
	}
	entry := changes["entries"].([]any)[0].(map[string]any)
	delete(entry, "id")
	event["new"], changes["commit"] = commit, commit
	want := []map[string]any{
		{"schema": "codeidx.event.v1", "event": "post-commit", "detected_by": "hook:post-commit", "new": commit},
		{"schema": "codeidx.changes.v1", "detected_by": "hook:post-commit", "commit": commit, "last": true,
			"entries": []any{map[string]any{"path": "a.py", "kind": "add", "new_blob": "d00491fd7e5bb6fa28c517a0bb32b8b506539d4d"}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
