package gitstore_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codeidx/gitstore"
	"codeidx/gitstore/gitstoretest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// closedStore returns the directory of a store with two generations of a
// binding and a ledger, all files closed.
func closedStore(t *testing.T) (dir string, previous, current content) {
	dir = filepath.Join(t.TempDir(), "codeidx")
	s := gitstoretest.Open(t, dir, gitstore.Options{Create: true})
	previous, current = numbered(0, 20), numbered(10, 20)
	gitstoretest.Publish(t, s, gitstore.Current, previous)
	gitstoretest.Publish(t, s, gitstore.Current, current)
	foldEntries(t, s, filepath.Join(t.TempDir(), "binding"), 0, 2)
	s.Close()
	return dir, previous, current
}

func storeFiles(t *testing.T, dir string, under ...string) (files []string) {
	for _, u := range under {
		err := filepath.WalkDir(filepath.Join(dir, u), func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(files) == 0 {
		t.Fatal("no files")
	}
	return files
}

// TestDamage flips bits, cuts files short and removes them. The store may say
// that it is damaged or fall back; it may not give wrong bytes or panic, Fsck
// must see it, and building anew must mend it.
func TestDamage(t *testing.T) {
	dir, previous, current := closedStore(t)
	files := storeFiles(t, dir, "objects", "refs")
	rapid.Check(t, func(rt *rapid.T) {
		path := rapid.SampledFrom(files).Draw(rt, "file")
		intact, err := os.ReadFile(path)
		if err != nil {
			rt.Fatal(err)
		}
		defer os.WriteFile(path, intact, 0o600)
		b := append([]byte(nil), intact...)
		switch rapid.SampledFrom([]string{"flip", "cut", "remove", "zeros"}).Draw(rt, "how") {
		case "flip":
			b[rapid.IntRange(0, len(b)-1).Draw(rt, "at")] ^= 1 << rapid.IntRange(0, 7).Draw(rt, "bit")
		case "cut":
			b = b[:rapid.IntRange(0, len(b)-1).Draw(rt, "length")]
		case "zeros":
			clear(b[rapid.IntRange(0, len(b)-1).Draw(rt, "from"):])
		}
		if err := os.WriteFile(path, b, 0o600); err != nil {
			rt.Fatal(err)
		}
		// A ref without its end of line is still that ref.
		checkDamaged(rt, dir, strings.TrimSpace(string(b)) != strings.TrimSpace(string(intact)), previous, current)
	})
}

func checkDamaged(t *rapid.T, dir string, damaged bool, previous, current content) {
	s, err := gitstore.Open(context.Background(), dir, gitstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, ref := range []gitstore.RefName{gitstore.Current, gitstore.Previous, gitstore.Live} {
		g, err := s.Generation(gitstoretest.Binding, ref)
		if err != nil {
			if !errors.Is(err, gitstore.ErrCorrupt) && !errors.Is(err, gitstore.ErrNoGeneration) {
				t.Errorf("open %s: %v", ref, err)
			}
			continue
		}
		want := current
		if g.Ref == gitstore.Previous {
			want = previous
		}
		got, err := gitstoretest.Read(g)
		if err == nil {
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s gives wrong bytes (-want +got):\n%s", ref, diff)
			}
		} else if !errors.Is(err, gitstore.ErrCorrupt) {
			t.Errorf("read %s: %v", ref, err)
		}
	}
	n := 0
	for _, err := range s.Ledger(gitstoretest.Binding) {
		if err != nil && !errors.Is(err, gitstore.ErrCorrupt) {
			t.Errorf("ledger: %v", err)
		}
		n++
	}
	if n > 2 {
		t.Errorf("ledger of %d entries", n)
	}
	findings, err := s.Fsck(context.Background())
	if err != nil {
		t.Error(err)
	}
	if damaged && len(findings) == 0 {
		t.Error("fsck sees nothing")
	}
}

// TestMend damages each pack in turn, then publishes the same content again.
func TestMend(t *testing.T) {
	dir, _, current := closedStore(t)
	for _, path := range storeFiles(t, dir, "objects/pack") {
		if filepath.Ext(path) != ".pack" {
			continue
		}
		intact, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		root := filepath.Join(t.TempDir(), "codeidx")
		if err := os.CopyFS(root, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		b := append([]byte(nil), intact...)
		for i := 12; i < len(b)-20; i += 97 {
			b[i] ^= 0x10
		}
		if err := os.WriteFile(filepath.Join(root, "objects", "pack", filepath.Base(path)), b, 0o600); err != nil {
			t.Fatal(err)
		}
		s := gitstoretest.Open(t, root, gitstore.Options{})
		gitstoretest.Publish(t, s, gitstore.Current, current)
		wantContent(t, s, gitstore.Current, current)
		wantContent(t, s, gitstore.Live, current)
		s.Close()
	}
}

// TestFallback says which generation answers when the newest is damaged.
func TestFallback(t *testing.T) {
	dir, previous, _ := closedStore(t)
	s := gitstoretest.Open(t, dir, gitstore.Options{})
	ref := filepath.Join(dir, "refs", "codeidx", gitstoretest.Binding, "current")
	for name, text := range map[string]string{"empty": "", "no id": "xyz\n", "no object": strings.Repeat("1", 40) + "\n"} {
		if err := os.WriteFile(ref, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		g, err := s.Generation(gitstoretest.Binding, gitstore.Current)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if g.Ref != gitstore.Previous || !errors.Is(g.Fallback, gitstore.ErrCorrupt) {
			t.Errorf("%s: serves %s, fallback %v", name, g.Ref, g.Fallback)
		}
		got, err := gitstoretest.Read(g)
		if diff := cmp.Diff(previous, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
	// The damage is gone with the next publication.
	next := numbered(50, 3)
	gitstoretest.Publish(t, s, gitstore.Current, next)
	wantContent(t, s, gitstore.Current, next)
	wantContent(t, s, gitstore.Previous, previous)
}
