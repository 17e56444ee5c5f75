package hooks_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeidx/gitstore"
	"codeidx/hooks"
)

const work = `    a = x + 1
    b = a * 2
    c = b - 3
`

// TestMeaning commits a change and says what it means.
func TestMeaning(t *testing.T) {
	tests := []struct {
		name     string
		old, new files
		want     string
	}{
		{"body", files{"a.py": "def f(x):\n    return 1\n"}, files{"a.py": "def f(x):\n    return 2\n"}, "a.py \n  ~ function f: body \n"},
		{"signature", files{"a.py": "def f(x):\n    return 1\n", "b.py": "from a import f\n\ndef g():\n    return f(1)\n"},
			files{"a.py": "def f(x, y):\n    return 1\n"}, "a.py \n  ~ function f: signature \n  2 edges\n"},
		{"both", files{"a.go": "package a\n\nfunc F(x int) int { return 1 }\n"}, files{"a.go": "package a\n\nfunc F(\n\tx, y int,\n) int { return 2 }\n"},
			"a.go \n  ~ function F: signature body \n"},
		{"layout of the head is no change", files{"a.py": "def f(x, y):\n    return 1\n"}, files{"a.py": "# new\n\n\ndef f(x,\n      y,\n      ):\n    return 1\n"}, ""},
		{"a changed method does not change its class", files{"a.py": "class C:\n    def m(self):\n        return 1\n    def n(self):\n        return 1\n"},
			files{"a.py": "class C:\n    def m(self):\n        return 2\n    def n(self):\n        return 1\n"}, "a.py \n  ~ method C.m: body \n"},
		{"added and removed", files{"a.py": "def f():\n    return 1\n", "b.py": "from a import f\n\nf()\n"}, files{"a.py": "def g():\n    return 2\n"},
			"a.py \n  + function g\n  - function f\n  2 edges\n"},
		{"moved to another file", files{"a.py": "def f(x):\n" + work + "    return c\n\ndef g():\n    pass\n"}, files{"a.py": "def g():\n    pass\n", "b.py": "def f(x):\n" + work + "    return c\n"},
			"b.py \n  ~ function f: moved a.py\n"},
		{"renamed", files{"a.py": "def f(x):\n" + work + "    return c\n"}, files{"a.py": "def g(x):\n" + work + "    return c\n"}, "a.py \n  ~ function g: renamed f\n"},
		{"extracted", files{"a.py": "def f(x):\n" + work + "    return c\n"}, files{"a.py": "def h(x):\n" + work + "    return c, 1\n\ndef f(x):\n    return h(x)[0]\n"},
			"a.py \n  + function h\n  ~ function f: body \n3 lines: a.py f -> a.py h\n"},
		{"inlined from another file", files{"a.py": "def h(x):\n" + work + "    return c, 1\n", "b.py": "def f(x):\n    return 1\n"},
			files{"a.py": "", "b.py": "def f(x):\n    # here\n" + work + "    return c\n"},
			"a.py \n  - function h\nb.py \n  ~ function f: body \n3 lines: a.py h -> b.py f\n"},
		{"two lines are no boundary", files{"a.py": "def f(x):\n    a = x\n    b = a\n    return b\n"}, files{"a.py": "def h(x):\n    a = x\n    b = a\n    return 7\n\ndef f(x):\n    return h(x)\n"},
			"a.py \n  + function h\n  ~ function f: body \n"},
		{"lines that stay are no boundary", files{"a.py": "def f(x):\n" + work + "    return c\n"}, files{"a.py": "def f(x):\n" + work + "    return c\n\ndef g(x):\n" + work + "    return c * 2\n"},
			"a.py \n  + function g\n"},
		{"renamed file", files{"a.py": "def f():\n    return 1\n", "b.py": "from a import f\n\nf()\n"}, files{"a.py": "", "c.py": "def f():\n    return 1\n"},
			"c.py \n  3 edges\n"},
		{"deleted file", files{"a.py": "def f():\n    return 1\n", "b.py": "x = 1\n"}, files{"a.py": ""}, "a.py \n  - function f\n"},
		{"no source", files{"a.py": "x = 1\n", "t.txt": "1\n"}, files{"t.txt": "2\n"}, ""},
		{"a secret is not read", files{"a.py": "x = 1\n"}, files{".env.py": "KEY = 1\n", "id_rsa": "KEY\n"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newTree(t).ledger()
			l.commit("old", tt.old)
			l.reindex()
			l.commit("new", tt.new)
			l.explain()
			got := l.newest()
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("meaning (-want +got):\n%s", diff)
			}
			before := len(l.lines())
			l.explain()
			if after := len(l.lines()); after != before {
				t.Errorf("explaining again wrote %d lines", after-before)
			}
		})
	}
}

func TestLargeSwitchHasNoDefinitions(t *testing.T) {
	l := newTree(t).ledger()
	l.commit("one", files{"a.py": "x = 1\n"})
	l.reindex()
	l.commit("two", files{"b.py": "x = 1\n", "c.py": "x = 1\n", "d.txt": "\n"})
	l.fold()
	a := l.analyst()
	a.Config.DriftPaths = 1
	if err := a.Explain(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := l.newest(); got != "2 source files changed, more than 1: definitions were not compared\n" {
		t.Errorf("meaning %q", got)
	}
	if n := len(l.read(hooks.Filter{}).Steps[0].Entries); n != 3 {
		t.Errorf("%d entries, want 3", n)
	}
}

// TestScan finds what fires no hook.
func TestScan(t *testing.T) {
	l := newTree(t, "--object-format=sha256").ledger()
	l.commit("one", files{"a.py": "def f():\n    return 1\n", "b.py": "x = 1\n", "c.py": "y = 22\n"})
	l.commit("two", files{"a.py": "def f():\n    return 2\n"})
	l.reindex()
	if res := l.scan(); res != (hooks.Scanned{}) {
		t.Errorf("a scan of an unchanged tree: %+v", res)
	}
	l.git("reset", "-q", "--hard", "HEAD~1")
	l.git("mv", "c.py", "d.py")
	if err := os.Remove(filepath.Join(l.dir, "b.py")); err != nil {
		t.Fatal(err)
	}
	if res := l.scan(); res.Differs != 3 || res.Entries != 3 {
		t.Errorf("first scan: %+v", res)
	}
	if res := l.scan(); res.Differs != 3 || res.Entries != 0 {
		t.Errorf("second scan: %+v", res)
	}
	want := "scan\n  modify a.py\n  delete b.py\n  rename d.py from c.py\n"
	if got := l.describe(l.read(hooks.Filter{Limit: 1})); got != want {
		t.Errorf("recorded %q, want %q", got, want)
	}
	if diff := cmp.Diff("a.py \n  ~ function f: body \nb.py \n  - variable x\n", l.newest()); diff != "" {
		t.Errorf("meaning (-want +got):\n%s", diff)
	}
	if n, paths := l.pending(); n != 3 || len(paths) != 4 {
		t.Errorf("pending %d, %q", n, paths)
	}
	// What is as indexed again is settled.
	l.git("reset", "-q", "--hard", "ORIG_HEAD")
	if res := l.scan(); res.Differs != 0 || res.Entries == 0 {
		t.Errorf("scan after the return: %+v", res)
	}
	if n, paths := l.pending(); n != 0 {
		t.Errorf("pending %d, %q", n, paths)
	}
}

// TestScanKnowsWhatHooksRecorded: a file that ends as the hooks say is no news.
func TestScanKnowsWhatHooksRecorded(t *testing.T) {
	l := newTree(t).ledger()
	l.commit("one", files{"a.py": "x = 1\n"})
	l.reindex()
	l.commit("two", files{"a.py": "x = 2\n"})
	l.commit("three", files{"a.py": "x = 3\n", "b.py": "y = 1\n"})
	if res := l.scan(); res.Differs != 2 || res.Entries != 0 {
		t.Errorf("scan: %+v", res)
	}
}

func TestScanWithoutIndex(t *testing.T) {
	l := newTree(t).ledger()
	if _, err := l.analyst().Scan(context.Background()); err == nil || !strings.Contains(err.Error(), gitstore.ErrNoGeneration.Error()) {
		t.Errorf("error %v", err)
	}
}

func TestAcknowledge(t *testing.T) {
	l := newTree(t).ledger()
	l.commit("one", files{"a.py": "x = 1\n", "b.py": "x = 1\n"})
	l.reindex()
	l.commit("two", files{"a.py": "x = 2\n", "b.py": "x = 2\n"})
	l.fold()
	entry := l.read(hooks.Filter{Limit: 1}).Steps[0].Entries[0]
	ack := func(ids ...string) error {
		_, err := hooks.Acknowledge(context.Background(), l.repo(), l.store, l.binding, ids, "seen")
		return err
	}
	if err := ack(entry.ID[:8]); err != nil {
		t.Fatal(err)
	}
	if n, paths := l.pending(); n != 1 || fmt.Sprint(paths) != "[b.py]" {
		t.Errorf("pending %d, %q", n, paths)
	}
	d := l.read(hooks.Filter{Limit: 1})
	if !d.Acked[entry.ID] || len(d.Acked) != 1 {
		t.Errorf("acked %v", d.Acked)
	}
	for _, id := range []string{"", "abc", "0123456789abcdef0123456789abcdef"} {
		if err := ack(id); err == nil {
			t.Errorf("%q was settled", id)
		}
	}
	if err := ack(d.Steps[0].ID); err != nil {
		t.Fatal(err)
	}
	if n, paths := l.pending(); n != 0 {
		t.Errorf("pending %d, %q after the event was settled", n, paths)
	}
}

func TestReport(t *testing.T) {
	l := newTree(t).ledger()
	l.commit("one", files{
		"a.py": "def f(x):\n" + work + "    return c\n\ndef gone():\n    pass\n", "b.py": "from a import f, gone\n\ndef g():\n    f(1)\n    gone()\n", "old.py": "q = 5\n",
	})
	l.reindex()
	if _, err := hooks.ReadReport(l.repo(), l.store, l.binding, ""); err != hooks.ErrNoReport {
		t.Errorf("a report of the first index: %v", err)
	}
	l.commit("two", files{"a.py": "def h(x):\n" + work + "    return c, 1\n\ndef f(x, y=0):\n    return h(x)\n", "old.py": "", "new.py": "q = 5\n"})
	res := l.reindex()
	r, err := hooks.ReadReport(l.repo(), l.store, l.binding, res.Manifest.String()[:10])
	if err != nil {
		t.Fatal(err)
	}
	want := hooks.ReportCounts{
		FilesModified: 1, FilesRenamed: 1, Added: 1, Removed: 1, Changed: 1, StaleEdges: 4, Confirmed: 2, Boundaries: 1, Entries: 2,
	}
	if diff := cmp.Diff(want, r.Counts); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	for _, text := range []string{"removed function `gone`", "changed function `f`: signature, body", "3 lines from `f` in `a.py` into `h` in `a.py`", "`g` calls `gone`"} {
		if !strings.Contains(r.Markdown, text) {
			t.Errorf("no %q in\n%s", text, r.Markdown)
		}
	}
	// Nothing changed: no second report; and an automatic build closes nothing.
	n := len(l.lines())
	l.reindex()
	if len(l.lines()) != n {
		t.Error("an unchanged index was reported")
	}
	if _, err := hooks.ReadReport(l.repo(), l.store, l.binding, "ffff"); err != hooks.ErrNoReport {
		t.Errorf("unknown generation: %v", err)
	}
}
