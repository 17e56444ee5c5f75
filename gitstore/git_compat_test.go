package gitstore_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codeidx/gitstore"
	"codeidx/gitstore/gitstoretest"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/storage/filesystem"
)

// TestAfterGit has git work on the store in every way that people do, and then
// reads and publishes as if nothing had happened.
func TestAfterGit(t *testing.T) {
	for _, tc := range []struct {
		name   string
		args   []string
		deltas bool // git must have stored some objects as deltas
	}{
		{"gc", []string{"gc", "--prune=now"}, false},
		{"aggressive gc", []string{"-c", "core.compression=9", "-c", "pack.compression=9", "-c", "pack.window=10", "gc", "--aggressive", "--prune=now"}, true},
		{"repack with deltas", []string{"-c", "pack.compression=9", "repack", "-adf", "--window=50", "--depth=50"}, true},
		{"pack refs", []string{"pack-refs", "--all", "--prune"}, false},
		{"multi-pack index", []string{"-c", "core.multiPackIndex=true", "multi-pack-index", "write"}, false},
		{"commit graph", []string{"-c", "core.commitGraph=true", "commit-graph", "write", "--reachable"}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := gitstoretest.NewStore(t)
			spool := filepath.Join(t.TempDir(), "binding")
			old, cur, next := numbered(0, 300), numbered(1, 300), numbered(2, 300)
			gitstoretest.Publish(t, s, gitstore.Current, old)
			gitstoretest.Publish(t, s, gitstore.Current, cur)
			foldEntries(t, s, spool, 0, 3)

			gitstoretest.Git(t, s.Dir(), tc.args...)
			if got := strings.Contains(verifyPacks(t, s.Dir()), "chain length"); got != tc.deltas {
				t.Errorf("git stored deltas: %v, want %v", got, tc.deltas)
			}
			for _, reader := range []*gitstore.Store{s, gitstoretest.Open(t, s.Dir(), gitstore.Options{})} {
				wantContent(t, reader, gitstore.Current, cur)
				wantContent(t, reader, gitstore.Previous, old)
				wantEntries(t, reader, spool, 3)
				reader.Close()
			}
			gitstoretest.Check(t, s.Dir())
			s = gitstoretest.Open(t, s.Dir(), gitstore.Options{Exclusive: true})
			gitstoretest.Publish(t, s, gitstore.Current, next)
			if _, err := s.GC(t.Context(), gitstore.GCOptions{}); err != nil {
				t.Errorf("gc: %v", err)
			}
			wantContent(t, s, gitstore.Current, next)
			wantContent(t, s, gitstore.Previous, cur)
			wantEntries(t, s, spool, 3)
			if _, err := s.GenerationOf(old.Manifest()); !errors.Is(err, gitstore.ErrNoGeneration) {
				t.Errorf("after gc, the oldest generation: %v", err)
			}
			s.Close()
			refs := gitstoretest.Git(t, s.Dir(), "for-each-ref", "--format=%(refname)")
			if got := strings.Count(refs, "\n"); got != 6 {
				t.Errorf("%d refs are left:\n%s", got, refs)
			}
		})
	}
}

func verifyPacks(t *testing.T, dir string) (out string) {
	packs, err := filepath.Glob(filepath.Join(dir, "objects", "pack", "*.idx"))
	if err != nil || len(packs) == 0 {
		t.Fatalf("no packs, %v", err)
	}
	for _, p := range packs {
		out += gitstoretest.Git(t, dir, "verify-pack", "-s", p)
	}
	return out
}

// TestGoGitReads has another implementation of git read a generation.
func TestGoGitReads(t *testing.T) {
	s := gitstoretest.NewStore(t)
	pub := gitstoretest.Publish(t, s, gitstore.Current, numbered(0, 300))
	store := filesystem.NewStorage(osfs.New(s.Dir()), cache.NewObjectLRUDefault())
	c, err := object.GetCommit(store, plumbing.Hash(pub.Commit))
	if err != nil {
		t.Fatal(err)
	}
	files, err := c.Files()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	err = files.ForEach(func(f *object.File) error {
		n++
		_, err := f.Contents()
		return err
	})
	if n != 301 || err != nil {
		t.Errorf("go-git sees %d files, %v", n, err)
	}
}

// TestStoreIsPrivate looks at the modes of all files.
func TestStoreIsPrivate(t *testing.T) {
	dir, _, _ := closedStore(t)
	for _, path := range storeFiles(t, dir, ".") {
		st, err := os.Stat(path)
		if err != nil || st.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", path, st.Mode(), err)
		}
		st, err = os.Stat(filepath.Dir(path))
		if err != nil || st.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v, %v", filepath.Dir(path), st.Mode(), err)
		}
	}
}
