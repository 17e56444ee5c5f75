//go:build linux

package gitstore

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"
)

// swapper exchanges pairs of paths in turn, as fast as it can, until it is told to
// stop. Each exchange is one step: both names are there at any moment.
func swapper(t *testing.T, dir string, pairs ...[2]string) (swaps *atomic.Int64) {
	t.Helper()
	swaps = new(atomic.Int64)
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			for _, p := range pairs {
				err := unix.Renameat2(unix.AT_FDCWD, filepath.Join(dir, p[0]), unix.AT_FDCWD, filepath.Join(dir, p[1]), unix.RENAME_EXCHANGE)
				if err != nil {
					t.Errorf("exchange %s and %s: %v", p[0], p[1], err)
					return
				}
			}
			swaps.Add(1)
			select {
			case <-stop:
				return
			default:
			}
		}
	}()
	t.Cleanup(func() { close(stop); <-done })
	return swaps
}

// Folders, folders above and files turn into links and pipes, and back, all the
// time that the tree is captured and checked: no byte from outside is read, and
// nothing waits.
func TestSwappedWhileCaptured(t *testing.T) {
	for _, how := range []string{"one call", "walk"} {
		t.Run(how, func(t *testing.T) {
			forceWalk(t, how == "walk")
			w := newTree(t)
			for _, n := range []string{"m/b.go", "n/o/p/c.go", "f.go", "g.go", "still.go"} {
				w.write(n, "package mine\n")
			}
			w.git("add", "-A")
			for _, n := range []string{"b.go", "o/p/c.go", "f.go", "p/c.go"} {
				w.write(filepath.Join("../outside", n), "package stolen\n")
			}
			outside := filepath.Join(filepath.Dir(w.dir), "outside")
			w.link(outside, "m.evil")
			w.link(filepath.Join(outside, "o"), "n/o.evil")
			w.link(outside, "n.evil")
			w.link(filepath.Join(outside, "f.go"), "f.evil")
			if err := unix.Mkfifo(w.path("g.evil"), 0o600); err != nil {
				t.Fatal(err)
			}
			r := w.discover()
			swaps := swapper(t, w.dir, [2]string{"m", "m.evil"}, [2]string{"n/o", "n/o.evil"}, [2]string{"f.go", "f.evil"},
				[2]string{"g.go", "g.evil"})
			met := map[Reason]int{}
			for range 300 {
				s, err := Capture(context.Background(), r, testPolicy(), func(f File, data []byte) error {
					if bytes.Contains(data, []byte("stolen")) {
						t.Errorf("%s left the tree", f.Path)
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
				if _, err := Check(context.Background(), r, testPolicy(), s, FreshnessStrict); err != nil {
					t.Fatal(err)
				}
				for p, reason := range reasons(s) {
					if met[reason]++; p == "still.go" {
						t.Errorf("%s is omitted: %s", p, reason)
					}
				}
				if data, err := r.ReadFile("m/b.go", 100); err == nil && bytes.Contains(data, []byte("stolen")) {
					t.Error("ReadFile left the tree")
				}
			}
			if met[EscapesTree] == 0 || met[Symlink] == 0 || met[NotRegular] == 0 || swaps.Load() < 100 {
				t.Errorf("%d swaps, and only these were met: %v", swaps.Load(), met)
			}
		})
	}
}

// A device stands where a file was: it is not read, however long it could be.
func TestDevices(t *testing.T) {
	w := newTree(t)
	for _, n := range []string{"zero.go", "random.py", "disk.go", "a.go"} {
		w.write(n, "x")
	}
	w.git("add", "-A")
	for n, dev := range map[string]uint64{"zero.go": unix.Mkdev(1, 5), "random.py": unix.Mkdev(1, 8), "disk.go": unix.Mkdev(7, 200)} {
		mode := uint32(unix.S_IFCHR | 0o666)
		if n == "disk.go" {
			mode = unix.S_IFBLK | 0o666
		}
		w.remove(n)
		if err := unix.Mknod(w.path(n), mode, int(dev)); err != nil {
			t.Skipf("devices cannot be made here: %v", err)
		}
	}
	got := reasons(w.capture(testPolicy()))
	for _, n := range []string{"zero.go", "random.py", "disk.go"} {
		if got[n] != NotRegular {
			t.Errorf("%s: %q", n, got[n])
		}
	}
}

// Folders nested deeper than any path can say hide nothing beside them, and what
// is as deep as paths go is read. (5,000 folders do the same, in a minute.)
func TestDeepFolders(t *testing.T) {
	if testing.Short() {
		t.Skip("git takes seconds for a path of 4,096 bytes")
	}
	w := newTree(t)
	w.write("a.go", "package a\n")
	deepest := strings.Repeat(strings.Repeat("d", 199)+"/", (unix.PathMax-len(w.dir))/200-1) + "x.go"
	w.write(deepest, "package x\n")
	w.git("add", "-A")
	dir, err := unix.Open(w.dir, unix.O_DIRECTORY|unix.O_RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	for range unix.PathMax/2 + 50 {
		if err := unix.Mkdirat(dir, "e", 0o777); err != nil {
			t.Fatal(err)
		}
		next, err := unix.Openat(dir, "e", unix.O_DIRECTORY|unix.O_RDONLY, 0)
		unix.Close(dir)
		if err != nil {
			t.Fatal(err)
		}
		dir = next
	}
	defer unix.Close(dir)
	file, err := unix.Openat(dir, "y.go", unix.O_CREAT|unix.O_WRONLY, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	unix.Close(file)
	p := testPolicy()
	p.IncludeUntracked = true
	s := w.capture(p)
	if s.FindFile("a.go") == nil || s.FindFile(deepest) == nil {
		t.Errorf("included are only %d files", len(s.Files))
	}
}

// Longer paths than any system call takes are in an index that somebody made: they
// are named, and nothing else is lost.
func TestEndlessPath(t *testing.T) {
	w := newTree(t)
	w.write("a.go", "package a\n")
	w.git("add", "-A")
	blob := strings.TrimSpace(w.git("rev-parse", ":a.go"))
	long := "b/" + strings.Repeat("component/", 2000) + "x.go"
	w.gitIn("100644 "+blob+"\t"+long+"\n", "update-index", "--add", "--index-info")
	s := w.capture(testPolicy())
	if s.FindFile("a.go") == nil || reasons(s)[long] != Unreadable {
		t.Errorf("%v; the long path is %q", included(s), reasons(s)[long])
	}
}

// Pipes in place of the files that git reads itself are waited for by nobody.
func TestPipesForGitsOwnFiles(t *testing.T) {
	for _, name := range []string{".gitattributes", "d/.gitattributes", "d/e/.gitattributes"} {
		t.Run(name, func(t *testing.T) {
			w := newTree(t)
			w.write("d/e/a.go", "package a\n")
			w.write("d/gen.py", "x = 1\n")
			w.write(".git/info/attributes", "gen.py linguist-generated\n")
			if name == ".gitattributes" {
				w.write(name, "* text\n")
			}
			w.git("add", "-A")
			w.remove(name)
			if err := unix.Mkfifo(w.path(name), 0o600); err != nil {
				t.Fatal(err)
			}
			s := w.capture(testPolicy())
			if s.FindFile("d/e/a.go") == nil || reasons(s)["d/gen.py"] != Generated {
				t.Errorf("included are %v, omitted %v", included(s), reasons(s))
			}
		})
	}
	for _, name := range []string{".git/index", ".git/info/attributes"} {
		t.Run(name, func(t *testing.T) {
			w := newTree(t)
			w.write("a.go", "package a\n")
			w.write(".git/info/attributes", "")
			w.git("add", "-A")
			r := w.discover()
			w.remove(name)
			if err := unix.Mkfifo(w.path(name), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := Capture(context.Background(), r, testPolicy(), nil); err == nil || !strings.Contains(err.Error(), "not a regular file") {
				t.Errorf("capture: %v", err)
			}
		})
	}
}

// A hard link has no target: a secret under an innocent name is a source.
func TestHardLinkIsItsName(t *testing.T) {
	w := newTree(t)
	w.write(".env", "x = 1\n")
	if err := os.Link(w.path(".env"), w.path("innocent.py")); err != nil {
		t.Fatal(err)
	}
	w.git("add", "-f", "-A")
	s := w.capture(testPolicy())
	if s.FindFile("innocent.py") == nil || reasons(s)[".env"] != Secret {
		t.Errorf("included are %v, omitted %v", included(s), reasons(s))
	}
}
