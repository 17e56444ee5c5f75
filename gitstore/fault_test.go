package gitstore_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"codeidx/gitstore"
	"codeidx/gitstore/gitstoretest"

	"github.com/google/go-cmp/cmp"
)

// faultMode is a way in which the n-th change of the disk goes wrong.
type faultMode struct {
	name string
	// at returns what happens at change number i when n is the one to fail.
	at func(i, n int, op string) error
}

var faultModes = []faultMode{
	{"disk full", func(i, n int, _ string) error {
		if i == n {
			return syscall.ENOSPC
		}
		return nil
	}},
	{"short write", func(i, n int, op string) error {
		switch {
		case i == n && op == "write":
			return gitstoretest.Short
		case i == n:
			return syscall.EIO
		}
		return nil
	}},
	// From a moment on nothing is done any more, not even tidying up.
	{"killed", func(i, n int, op string) error {
		switch {
		case i == n && op == "write":
			return gitstoretest.Short
		case i >= n:
			return errors.New("killed")
		}
		return nil
	}},
}

var faultOld, faultNew, faultNext = numbered(0, 4), numbered(2, 4), numbered(3, 4)

// faultOperation is something that changes a store, and what must be true
// however it ended.
type faultOperation struct {
	name    string
	prepare func(t *testing.T, s *gitstore.Store, spool string)
	options gitstore.Options
	run     func(s *gitstore.Store, spool string) error
	check   func(t *testing.T, s *gitstore.Store, spool string, err error)
}

func publishOld(t *testing.T, s *gitstore.Store, _ string) {
	gitstoretest.Publish(t, s, gitstore.Current, faultOld)
}

var faultOperations = []faultOperation{
	{
		name:    "publish",
		prepare: publishOld,
		run: func(s *gitstore.Store, _ string) error {
			_, err := gitstoretest.TryPublish(s, gitstoretest.Binding, gitstore.Current, faultNew)
			return err
		},
		check: func(t *testing.T, s *gitstore.Store, _ string, err error) {
			if err == nil {
				wantContent(t, s, gitstore.Current, faultNew)
				wantContent(t, s, gitstore.Previous, faultOld)
				wantContent(t, s, gitstore.Live, faultNew)
			} else {
				wantContent(t, s, gitstore.Current, faultOld)
			}
		},
	},
	{
		name: "publish that folds",
		prepare: func(t *testing.T, s *gitstore.Store, _ string) {
			for i := range 8 {
				gitstoretest.Publish(t, s, gitstore.Current, numbered(i, 4))
			}
			gitstoretest.Publish(t, s, gitstore.Current, faultOld)
		},
		run: func(s *gitstore.Store, _ string) error {
			_, err := gitstoretest.TryPublish(s, gitstoretest.Binding, gitstore.Current, numbered(100, 4))
			return err
		},
		check: func(t *testing.T, s *gitstore.Store, _ string, err error) {
			if err == nil {
				wantContent(t, s, gitstore.Previous, faultOld)
			} else {
				wantContent(t, s, gitstore.Current, faultOld)
			}
		},
	},
	{
		name: "gc",
		prepare: func(t *testing.T, s *gitstore.Store, spool string) {
			gitstoretest.Publish(t, s, gitstore.Live, faultNext)
			gitstoretest.Publish(t, s, gitstore.Current, faultNew)
			publishOld(t, s, spool)
			foldEntries(t, s, spool, 0, 3)
		},
		options: gitstore.Options{Exclusive: true},
		run: func(s *gitstore.Store, _ string) error {
			_, err := s.GC(context.Background(), gitstore.GCOptions{})
			return err
		},
		check: func(t *testing.T, s *gitstore.Store, spool string, _ error) {
			wantContent(t, s, gitstore.Current, faultOld)
			wantContent(t, s, gitstore.Previous, faultNew)
			wantEntries(t, s, spool, 3)
		},
	},
	{
		name: "fold spool",
		prepare: func(t *testing.T, s *gitstore.Store, spool string) {
			publishOld(t, s, spool)
			foldEntries(t, s, spool, 0, 2)
			appendEntries(t, spool, 2, 5)
		},
		run: func(s *gitstore.Store, spool string) error {
			_, err := s.FoldSpool(context.Background(), spool, gitstoretest.Binding)
			return err
		},
		check: func(t *testing.T, s *gitstore.Store, spool string, _ error) {
			wantContent(t, s, gitstore.Current, faultOld)
			if _, err := s.FoldSpool(context.Background(), spool, gitstoretest.Binding); err != nil {
				t.Errorf("fold again: %v", err)
			}
			wantEntries(t, s, spool, 5)
		},
	},
	{
		name: "append to spool",
		prepare: func(t *testing.T, s *gitstore.Store, spool string) {
			publishOld(t, s, spool)
			appendEntries(t, spool, 0, 1)
		},
		run: func(_ *gitstore.Store, spool string) error { return gitstore.AppendSpool(spool, []byte(entry(1))) },
		check: func(t *testing.T, s *gitstore.Store, spool string, err error) {
			wantContent(t, s, gitstore.Current, faultOld)
			if err != nil {
				appendEntries(t, spool, 1, 2)
			}
			appendEntries(t, spool, 2, 3)
			if _, err := s.FoldSpool(context.Background(), spool, gitstoretest.Binding); err != nil {
				t.Error(err)
			}
			wantEntries(t, s, spool, 3)
		},
	},
}

// TestFaults lets every change that an operation makes on disk fail in turn.
// Afterwards the store must be whole, answer, and take the next generation.
func TestFaults(t *testing.T) {
	for _, op := range faultOperations {
		base := filepath.Join(t.TempDir(), "base")
		s := gitstoretest.Open(t, filepath.Join(base, "codeidx"), gitstore.Options{Create: true})
		op.prepare(t, s, filepath.Join(base, "binding"))
		s.Close()
		for _, mode := range faultModes {
			t.Run(op.name+"/"+mode.name, func(t *testing.T) {
				n, step := 0, 1
				if testing.Short() {
					step = 5
				}
				for ; sweepOne(t, op, mode, base, n); n += step {
					if t.Failed() {
						t.Fatalf("at change %d", n)
					}
				}
				if n < 2 {
					t.Errorf("only %d changes were seen", n)
				}
			})
		}
	}
}

// sweepOne runs an operation whose n-th change fails; false if it makes fewer.
func sweepOne(t *testing.T, op faultOperation, mode faultMode, base string, n int) (fired bool) {
	root := t.TempDir()
	if err := os.CopyFS(root, os.DirFS(base)); err != nil {
		t.Fatal(err)
	}
	dir, spool := filepath.Join(root, "codeidx"), filepath.Join(root, "binding")
	s := gitstoretest.Open(t, dir, op.options)
	i, over := 0, false
	gitstoretest.SetFault(t, func(what, _ string) error {
		var err error
		if !over {
			err = mode.at(i, n, what)
			fired = fired || err != nil
			i++
		}
		if err == nil && what == "sync" {
			return gitstoretest.Skip
		}
		return err
	})
	err := op.run(s, spool)
	over = true
	s.Close()

	gitstoretest.Check(t, dir)
	ageLocks(t, dir)
	s = gitstoretest.Open(t, dir, gitstore.Options{})
	op.check(t, s, spool, err)
	if _, err := gitstoretest.TryPublish(s, gitstoretest.Binding, gitstore.Current, faultNext); err != nil {
		t.Errorf("next publication: %v", err)
	}
	wantContent(t, s, gitstore.Current, faultNext)
	s.Close()
	s = gitstoretest.Open(t, dir, gitstore.Options{Exclusive: true})
	if _, err := s.GC(context.Background(), gitstore.GCOptions{}); err != nil {
		t.Errorf("gc: %v", err)
	}
	wantContent(t, s, gitstore.Current, faultNext)
	if findings, err := s.Fsck(context.Background()); len(findings) > 0 || err != nil {
		t.Errorf("after gc: %v, %v", findings, err)
	}
	s.Close()
	return fired
}

// ageLocks makes the lock files that a killed process left look as old as they
// are when somebody minds.
func ageLocks(t *testing.T, dir string) {
	old := time.Now().Add(-time.Minute)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".lock" {
			return err
		}
		return os.Chtimes(path, old, old)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func entry(n int) string { return fmt.Sprintf(`{"n":%d}`, n) }

func appendEntries(t testing.TB, spool string, from, to int) {
	t.Helper()
	for i := from; i < to; i++ {
		if err := gitstore.AppendSpool(spool, []byte(entry(i))); err != nil {
			t.Fatal(err)
		}
	}
}

func foldEntries(t testing.TB, s *gitstore.Store, spool string, from, to int) {
	t.Helper()
	for i := from; i < to; i++ {
		appendEntries(t, spool, i, i+1)
		if _, err := s.FoldSpool(context.Background(), spool, gitstoretest.Binding); err != nil {
			t.Fatal(err)
		}
	}
}

// wantEntries fails the test unless the ledger has the entries 0 to n-1, newest
// first.
func wantEntries(t testing.TB, s *gitstore.Store, spool string, n int) {
	t.Helper()
	var got, want []string
	for e, err := range s.Ledger(gitstoretest.Binding) {
		if err != nil {
			t.Fatalf("ledger: %v", err)
		}
		got = append(got, string(e.JSON))
	}
	for i := n - 1; i >= 0; i-- {
		want = append(want, entry(i))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ledger (-want +got):\n%s", diff)
	}
	if left, torn, err := gitstore.ReadSpool(spool); len(left)+len(torn) > 0 || err != nil {
		t.Errorf("spool still has %d entries, %d torn lines, %v", len(left), len(torn), err)
	}
}
