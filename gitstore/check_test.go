package gitstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func diffOf(modified, added, deleted []string) *Diff {
	return &Diff{Modified: modified, Added: added, Deleted: deleted}
}

func compareDiff(t *testing.T, name string, want, got *Diff) {
	t.Helper()
	ignore := cmpopts.IgnoreFields(Diff{}, "Seen", "Omissions")
	if d := cmp.Diff(want, got, ignore, cmpopts.EquateEmpty()); d != "" {
		t.Errorf("%s (-want +got):\n%s", name, d)
	}
}

func TestCheckSees(t *testing.T) {
	attr := "gen.go linguist-generated\n"
	bundle := strings.Repeat("a=b;", 3000)
	tests := []struct {
		name      string
		change    func(w *testTree)
		want      *Diff
		omissions []string
	}{
		{name: "nothing", change: func(*testTree) {}, want: &Diff{}},
		{name: "same bytes written again", change: func(w *testTree) { w.write("a.go", "package a\n") }, want: &Diff{}},
		{name: "same size", change: func(w *testTree) { w.write("a.go", "package b\n") }, want: diffOf([]string{"a.go"}, nil, nil)},
		{name: "mode", change: func(w *testTree) { _ = os.Chmod(w.path("a.go"), 0o755) }, want: diffOf([]string{"a.go"}, nil, nil)},
		{name: "too large now", change: func(w *testTree) { w.write("a.go", strings.Repeat("x", 30<<10)) }, want: diffOf([]string{"a.go"}, nil, nil)},
		{name: "removed", change: func(w *testTree) { w.remove("d/b.go") }, want: diffOf(nil, nil, []string{"d/b.go"})},
		{name: "untracked now", change: func(w *testTree) { w.git("rm", "-q", "--cached", "d/b.go") }, want: diffOf(nil, nil, []string{"d/b.go"})},
		{name: "renamed", change: func(w *testTree) { w.git("mv", "a.go", "z.go") }, want: diffOf(nil, []string{"z.go"}, []string{"a.go"})},
		{name: "link now", change: func(w *testTree) { w.remove("a.go"); w.link("d/b.go", "a.go") }, want: diffOf(nil, nil, []string{"a.go"})},
		{name: "commit", change: func(w *testTree) { w.git("commit", "-q", "-m", "x") }, want: &Diff{}},
		{name: "tracked now", change: func(w *testTree) { w.git("add", "new.go") }, want: diffOf(nil, []string{"new.go"}, nil)},
		{name: "read me", change: func(w *testTree) { w.write("README.md", "new") }, want: &Diff{}},
		{name: "generated no more", change: func(w *testTree) { w.write("mark.go", "package a\n") }, want: diffOf(nil, []string{"mark.go"}, nil)},
		{
			name: "generated again", change: func(w *testTree) { w.write("mark.go", generatedGo+"\n") }, want: &Diff{},
			omissions: []string{"mark.go"},
		},
		{
			name: "minified instead", change: func(w *testTree) { w.write("mark.go", bundle) }, want: &Diff{},
			omissions: []string{"mark.go"},
		},
		{name: "small enough", change: func(w *testTree) { w.write("big.go", "package a\n") }, want: diffOf(nil, []string{"big.go"}, nil)},
		{name: "a shebang", change: func(w *testTree) { w.write("script", "#!/usr/bin/python\n") }, want: diffOf(nil, []string{"script"}, nil)},
		{name: "no shebang", change: func(w *testTree) { w.write("tool", "text") }, want: diffOf([]string{"tool"}, nil, nil)},
		{
			name: "attribute gone", change: func(w *testTree) { w.write(".gitattributes", "") }, want: diffOf(nil, []string{"gen.go"}, nil),
		},
		{
			name: "attribute new", change: func(w *testTree) { w.write(".gitattributes", attr+"a.go linguist-generated\n") },
			want: diffOf(nil, nil, []string{"a.go"}),
		},
		{
			name: "attribute of a new file", want: diffOf(nil, []string{"new.go"}, nil), omissions: []string{"d/gen.go"},
			change: func(w *testTree) { w.write("d/gen.go", "package d\n"); w.git("add", "d/gen.go", "new.go") },
		},
		{
			name: "attribute in info", change: func(w *testTree) { w.write(".git/info/attributes", "/a.go -codeidx\n") },
			want: diffOf(nil, nil, []string{"a.go"}),
		},
		{
			name: "proven vendor tree", change: func(w *testTree) { w.write("vendor/modules.txt", "#"); w.git("add", "vendor/modules.txt") },
			want: diffOf(nil, nil, []string{"vendor/v.go"}), omissions: []string{"vendor/modules.txt"},
		},
		{
			name: "conflict", want: diffOf(nil, nil, []string{"a.go"}),
			change: func(w *testTree) {
				blob := strings.TrimSpace(w.git("rev-parse", ":a.go"))
				w.gitIn("0 "+blob+"\ta.go\n100644 "+blob+" 2\ta.go\n", "update-index", "--index-info")
			},
		},
		{name: "link for its folder", change: func(w *testTree) { w.git("mv", "d", "e"); w.link("e", "d") },
			want: diffOf(nil, []string{"e/b.go"}, []string{"d/b.go"})},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newTree(t)
			for _, n := range []string{"a.go", "d/b.go", "gen.go", "vendor/v.go"} {
				w.write(n, "package a\n")
			}
			w.write("mark.go", generatedGo)
			w.write("big.go", strings.Repeat("x", 30<<10))
			w.write("tool", "#!/usr/bin/python\n")
			w.write("script", "text")
			w.write(".gitattributes", attr)
			w.write("README.md", "old")
			w.git("add", "-A")
			w.write("new.go", "package a\n")
			p := testPolicy()
			p.MaxFileSize = 20 << 10
			before := w.capture(p)
			first := w.check(p, before, FreshnessStrict)
			if !first.Clean() {
				t.Fatalf("not clean before the change: %+v", first)
			}
			tt.change(w)
			after := w.check(p, before, FreshnessStrict)
			compareDiff(t, "strict", tt.want, after)
			if len(tt.omissions) > 0 && !cmp.Equal(tt.omissions, after.Omissions) {
				t.Errorf("omissions %q, want %q", after.Omissions, tt.omissions)
			}
			compareDiff(t, "stat", tt.want, w.check(p, before, FreshnessStat))
			again, err := CheckAgain(context.Background(), w.discover(), p, first)
			if err != nil {
				t.Fatal(err)
			}
			compareDiff(t, "second check", tt.want, again)
			settled, err := CheckAgain(context.Background(), w.discover(), p, after)
			if err != nil || !settled.Clean() {
				t.Errorf("second check of a quiet tree: %+v, %v", settled, err)
			}
		})
	}
}

func TestCheckUntracked(t *testing.T) {
	w := newTree(t)
	w.write("a.go", "package a\n")
	w.commit()
	w.write("b.go", "package a\n")
	w.write("c.go", "package a\n")
	p := testPolicy()
	p.IncludeUntracked = true
	before := w.capture(p)
	w.write(".gitignore", "b.go\n")
	w.write("d.go", "package a\n")
	w.git("add", "c.go")
	compareDiff(t, "ignored and new", diffOf(nil, []string{"d.go"}, []string{"b.go"}), w.check(p, before, FreshnessStrict))
}

// TestCheckRacy writes within the clock tick of the file system: stat sees
// nothing, and the file must be hashed because it is too young to trust.
func TestCheckRacy(t *testing.T) {
	w := newTree(t)
	w.write("a.go", "package a\n")
	w.git("add", "-A")
	p := testPolicy()
	before := w.capture(p)
	w.write("a.go", "package b\n")
	s := *before
	s.Files = slices.Clone(before.Files)
	key, err := statOf(w, "a.go")
	if err != nil {
		t.Fatal(err)
	}
	s.Files[0].Stat = key
	compareDiff(t, "young", diffOf([]string{"a.go"}, nil, nil), w.check(p, &s, FreshnessStat))
	// Had the bytes been read long after the last change, stat would be proof.
	s.SeenAt = time.Now().Add(time.Hour).UnixNano()
	compareDiff(t, "old", &Diff{}, w.check(p, &s, FreshnessStat))
	// Without a stat there is nothing to trust.
	s.Files[0].Stat = StatKey{}
	compareDiff(t, "no stat", diffOf([]string{"a.go"}, nil, nil), w.check(p, &s, FreshnessStat))
}

func statOf(w *testTree, name string) (StatKey, error) {
	root, err := openRoot(w.dir)
	if err != nil {
		return StatKey{}, err
	}
	defer closeHandle(root)
	o := newOpener(root)
	defer o.close()
	return o.stat(name)
}

// TestCheckNeedsNoGit takes git away once the repository is known: a check of
// tracked files reads the index itself and remembers what attributes said.
func TestCheckNeedsNoGit(t *testing.T) {
	w := newTree(t)
	w.write("a.go", "package a\n")
	w.write("gen.go", "package a\n")
	w.write("mark.go", generatedGo)
	w.write("bin.go", "\x00")
	w.write(".gitattributes", "gen.go linguist-generated\n")
	w.git("add", "-A")
	r, p := w.discover(), testPolicy()
	s := w.capture(p)
	t.Setenv("PATH", "")
	d, err := Check(context.Background(), r, p, s, FreshnessStrict)
	if err != nil || !d.Clean() || len(d.Omissions) > 0 {
		t.Fatalf("%+v, %v", d, err)
	}
	if d, err = CheckAgain(context.Background(), r, p, d); err != nil || !d.Clean() {
		t.Fatalf("second: %+v, %v", d, err)
	}
}

func TestCheckDeadline(t *testing.T) {
	w := newTree(t)
	w.write("a.go", "package a\n")
	w.git("add", "-A")
	p := testPolicy()
	s := w.capture(p)
	ctx, cancel := context.WithDeadline(context.Background(), time.Now().Add(-time.Second))
	defer cancel()
	if _, err := Check(ctx, w.discover(), p, s, FreshnessStrict); !errors.Is(err, ErrVerificationTimeout) {
		t.Errorf("got %v", err)
	}
}

// TestCheckIsCapture edits at random: what a check reports is what two captures
// differ in, and what it saw is what the second captured.
func TestCheckIsCapture(t *testing.T) {
	w := newTree(t)
	names := []string{"a.go", "d/b.go", "d/e/c.py", "f", "g.js", "vendor/modules.txt", "vendor/x.go", "big.go", "d/.gitattributes"}
	bodies := []string{
		"package a\n", "package b\n", generatedGo, "a\x00", "\xff", "#!/usr/bin/python\n", strings.Repeat("x", 30<<10),
		strings.Repeat("a=b;", 3000), "*.go linguist-generated\n", "",
	}
	edit := func(rt *rapid.T) {
		n := rapid.SampledFrom(names).Draw(rt, "name")
		switch rapid.IntRange(0, 5).Draw(rt, "edit") {
		case 0:
			w.remove(n)
		case 1:
			w.remove(n)
			w.write("target", "package t\n")
			w.write(n, "")
			w.remove(n)
			w.link(w.path("target"), n)
		case 2:
			w.git("rm", "-q", "-f", "--cached", "--ignore-unmatch", n)
		case 3:
			w.git("add", "-A")
		default:
			w.remove(n)
			w.write(n, rapid.SampledFrom(bodies).Draw(rt, "body"))
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		p := testPolicy()
		p.MaxFileSize = 20 << 10
		p.IncludeUntracked = rapid.Bool().Draw(rt, "untracked")
		for range rapid.IntRange(0, 4).Draw(rt, "before") {
			edit(rt)
		}
		before := w.capture(p)
		for range rapid.IntRange(0, 4).Draw(rt, "edits") {
			edit(rt)
		}
		after := w.capture(p)
		how := rapid.SampledFrom([]Freshness{FreshnessStrict, FreshnessStat}).Draw(rt, "how")
		got := w.check(p, before, how)
		want := compareSnapshots(before, after)
		ignore := cmpopts.IgnoreFields(Diff{}, "Seen", "Omissions")
		if d := cmp.Diff(want, got, ignore, cmpopts.EquateEmpty()); d != "" {
			rt.Fatalf("(-captures +check):\n%s\nbefore %q\nafter %q", d, describe(before), describe(after))
		}
		if got.Clean() && !cmp.Equal(describe(after), describe(got.Seen)) {
			rt.Fatalf("seen differs:\n%s\nbefore %q", cmp.Diff(describe(after), describe(got.Seen)), describe(before))
		}
		if how == FreshnessStrict {
			recaptured(rt, w, p, before, got, after)
		}
	})
}

// recaptured checks that a capture by way of a check is a capture. Nothing is
// written after the check, so its time may be set on until stat is proof.
func recaptured(rt *rapid.T, w *testTree, p Policy, before *Snapshot, first *Diff, after *Snapshot) {
	if rapid.Bool().Draw(rt, "later") {
		first.Seen.SeenAt = time.Now().Add(time.Hour).UnixNano()
	}
	var read sync.Map
	sink := func(f File, data []byte) error { read.Store(f.Path, DigestOf(data)); return nil }
	always := func(path string) bool { return path == "a.go" }
	got, err := Recapture(context.Background(), w.discover(), p, before, first, always, sink)
	if err != nil {
		rt.Fatal(err)
	}
	got.SeenAt = after.SeenAt
	if d := cmp.Diff(after, got, cmpopts.EquateEmpty()); d != "" {
		rt.Fatalf("(-capture +recapture):\n%s\nbefore %q", d, describe(before))
	}
	for i := range after.Files {
		f := &after.Files[i]
		old := before.FindFile(f.Path)
		sum, ok := read.Load(f.Path)
		if must := old == nil || old.SHA256 != f.SHA256 || f.Path == "a.go"; must && !ok {
			rt.Fatalf("%s was not read", f.Path)
		}
		if ok && sum != f.SHA256 {
			rt.Fatalf("%s was handed on with other bytes", f.Path)
		}
	}
}

// compareSnapshots says what a check of the second state against the first has
// to report. A file that was included and whose new bytes keep it out is
// modified: a check judges no bytes that it knows to be changed.
func compareSnapshots(before, after *Snapshot) *Diff {
	d := &Diff{}
	now := reasons(after)
	for i := range before.Files {
		f := &before.Files[i]
		if g := after.FindFile(f.Path); g != nil {
			if g.SHA256 != f.SHA256 || g.Mode != f.Mode {
				d.Modified = append(d.Modified, f.Path)
			}
			continue
		}
		o, _ := slices.BinarySearchFunc(after.Omitted, f.Path, func(o Omission, p string) int { return strings.Compare(o.Path, p) })
		switch reason := now[f.Path]; {
		case reason == TooLarge:
			d.Modified = append(d.Modified, f.Path)
		case reason != "" && after.Omitted[o].SHA256 != Digest{}:
			d.Modified = append(d.Modified, f.Path)
		case reason == Unsupported && !strings.Contains(f.Path, "."): // a shebang that is gone
			d.Modified = append(d.Modified, f.Path)
		default:
			d.Deleted = append(d.Deleted, f.Path)
		}
	}
	for i := range after.Files {
		if before.FindFile(after.Files[i].Path) == nil {
			d.Added = append(d.Added, after.Files[i].Path)
		}
	}
	return d
}

func BenchmarkCheck(b *testing.B) {
	w := newTree(b)
	body := strings.Repeat("func f(x int) int { return x + 1 }\n", 200)
	var size int64
	for i := range 1000 {
		w.write(fmt.Sprintf("d%d/e%d/f%d.go", i%7, i%50, i), body)
		size += int64(len(body))
	}
	w.commit()
	r, p := w.discover(), testPolicy()
	s := w.capture(p)
	first := w.check(p, s, FreshnessStrict)
	b.Run("strict", func(b *testing.B) {
		b.SetBytes(size)
		b.ReportAllocs()
		for b.Loop() {
			if d, err := Check(context.Background(), r, p, s, FreshnessStrict); err != nil || !d.Clean() {
				b.Fatal(d, err)
			}
		}
	})
	b.Run("again", func(b *testing.B) {
		b.ReportAllocs()
		first.Seen.SeenAt = time.Now().Add(time.Hour).UnixNano()
		for b.Loop() {
			if d, err := CheckAgain(context.Background(), r, p, first); err != nil || !d.Clean() {
				b.Fatal(d, err)
			}
		}
	})
}
