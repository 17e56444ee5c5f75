//go:build linux || darwin

package gitstore

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// openCases are paths in a tree and what opening them says; "" opens.
func openCases(t *testing.T) (root int, cases map[string]Reason) {
	t.Helper()
	dir := t.TempDir()
	w := &testTree{t: t, dir: filepath.Join(dir, "w")}
	outside := filepath.Join(dir, "out")
	w.write("../out/x/a.go", "stolen")
	w.write("a.go", "1")
	w.write("d/e/f/b.go", "2")
	w.write("d/e/c.go", "3")
	w.link("a.go", "ln.go")
	w.link("nowhere", "dangling.go")
	w.link("d", "lnd")
	w.link(outside, "lno")
	w.link(filepath.Join(outside, "x"), "d/lnx")
	if err := unix.Mkfifo(w.path("fifo"), 0o666); err != nil {
		t.Fatal(err)
	}
	root, err := openRoot(w.dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeHandle(root) })
	return root, map[string]Reason{
		"a.go": "", "d/e/f/b.go": "", "d/e/c.go": "", "ln.go": Symlink, "dangling.go": Symlink, "lnd/e/c.go": EscapesTree,
		"lno/x/a.go": EscapesTree, "d/lnx/a.go": EscapesTree, "fifo": NotRegular, "d": NotRegular, "d/e": NotRegular,
		"a.go/b": Missing, "none": Missing, "none/b": Missing, "d/none/b": Missing,
		"../out/x/a.go": EscapesTree, "d/../../out/x/a.go": EscapesTree,
	}
}

func TestOpener(t *testing.T) {
	for _, how := range []string{"one call", "walk"} {
		t.Run(how, func(t *testing.T) {
			forceWalk(t, how == "walk")
			root, cases := openCases(t)
			o := newOpener(root)
			defer o.close()
			for path, want := range cases {
				if how == "walk" && pathDanger(path) != "" {
					continue // enumeration keeps ".." from the opener
				}
				fd, _, err := o.open(path)
				reason, fail := reasonOf(err)
				if err == nil {
					closeHandle(fd)
				}
				if fail != nil || reason != want {
					t.Errorf("%s: %q, %v; want %q", path, reason, fail, want)
				}
			}
		})
	}
}

// TestOpenerLeaksNothing counts handles around many paths.
func TestOpenerLeaksNothing(t *testing.T) {
	for _, how := range []string{"one call", "walk"} {
		forceWalk(t, how == "walk")
		root, cases := openCases(t)
		before := openHandles(t)
		o := newOpener(root)
		for range 3 {
			for path := range cases {
				if fd, _, err := o.open(path); err == nil {
					closeHandle(fd)
				}
				_, _ = o.stat(path)
			}
		}
		o.close()
		if after := openHandles(t); after != before {
			t.Errorf("%s: %d handles before, %d after", how, before, after)
		}
	}
}

func openHandles(t *testing.T) int {
	t.Helper()
	list, err := os.ReadDir("/dev/fd")
	if err != nil {
		t.Skip("handles cannot be counted here")
	}
	return len(list)
}

func TestReadAllLimits(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a"), make([]byte, 100), 0o666); err != nil {
		t.Fatal(err)
	}
	root, err := openRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer closeHandle(root)
	for _, tt := range []struct {
		said, limit int64 // what stat said is not always true
		want        Reason
	}{{100, 100, ""}, {10, 100, ""}, {1000, 1000, ""}, {100, 99, TooLarge}, {10, 99, TooLarge}, {0, 100, ""}} {
		fd, err := openFile(root, "a")
		if err != nil {
			t.Fatal(err)
		}
		data, err := readAll(fd, tt.said, tt.limit)
		if reason, fail := reasonOf(err); fail != nil || reason != tt.want || tt.want == "" && len(data) != 100 {
			t.Errorf("said %d, limit %d: %d bytes, %q, %v", tt.said, tt.limit, len(data), reason, fail)
		}
		closeHandle(fd)
	}
}
