package gitstore_test

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"codeidx/gitstore"
	"codeidx/gitstore/gitstoretest"
)

func TestBuildLock(t *testing.T) {
	s := gitstoretest.NewStore(t)
	lock, err := s.LockBuild(t.Context(), gitstoretest.Binding, nil)
	if err != nil {
		t.Fatal(err)
	}
	// Another binding is not held up.
	other, err := s.LockBuild(t.Context(), "ffffffffffffffff", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Unlock(); err != nil {
		t.Error(err)
	}
	// The second builder of this one waits, is told so, and gives up with its context.
	ctx, cancel := context.WithCancel(t.Context())
	var told gitstore.Holder
	_, err = s.LockBuild(ctx, gitstoretest.Binding, func(h gitstore.Holder) { told = h; cancel() })
	if !errors.Is(err, gitstore.ErrLocked) || !errors.Is(err, context.Canceled) {
		t.Errorf("second builder: %v", err)
	}
	if told.PID != os.Getpid() || told.Purpose == "" {
		t.Errorf("holder is %+v", told)
	}
	// It goes on when the first is done.
	go func() {
		time.Sleep(10 * time.Millisecond)
		lock.Unlock()
	}()
	second, err := s.LockBuild(t.Context(), gitstoretest.Binding, nil)
	if err != nil {
		t.Fatal(err)
	}
	second.Unlock()
}

func TestExclusiveWaitsForReaders(t *testing.T) {
	s := gitstoretest.NewStore(t)
	waits := make(chan gitstore.Holder, 1)
	done := make(chan error, 1)
	go func() {
		x, err := gitstore.Open(t.Context(), s.Dir(), gitstore.Options{Exclusive: true, OnWait: func(h gitstore.Holder) { waits <- h }})
		if err == nil {
			err = x.Close()
		}
		done <- err
	}()
	<-waits
	select {
	case err := <-done:
		t.Fatalf("opened exclusively beside a reader: %v", err)
	default:
	}
	s.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if _, err := gitstoretest.Open(t, s.Dir(), gitstore.Options{}).GC(t.Context(), gitstore.GCOptions{}); err == nil {
		t.Error("gc runs on a shared store")
	}
}

// TestLockDiesWithHolder has another process take the locks and be killed.
func TestLockDiesWithHolder(t *testing.T) {
	dir := os.Getenv("GITSTORE_TEST_HOLD")
	if dir != "" {
		s := gitstoretest.Open(t, dir, gitstore.Options{Exclusive: true})
		if _, err := s.LockBuild(t.Context(), gitstoretest.Binding, nil); err != nil {
			t.Fatal(err)
		}
		w, err := s.NewWriter()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Put([]byte("never published")); err != nil {
			t.Fatal(err)
		}
		os.Stdout.WriteString("held\n")
		time.Sleep(time.Minute)
	}
	dir = filepath.Join(t.TempDir(), "codeidx")
	gitstoretest.Open(t, dir, gitstore.Options{Create: true}).Close()
	cmd := exec.Command(os.Args[0], "-test.run=^TestLockDiesWithHolder$")
	cmd.Env = append(os.Environ(), "GITSTORE_TEST_HOLD="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if said, err := io.ReadAll(io.LimitReader(out, 5)); string(said) != "held\n" {
		t.Fatalf("the other process said %q, %v", said, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := gitstore.Open(ctx, dir, gitstore.Options{}); !errors.Is(err, gitstore.ErrLocked) {
		t.Errorf("while it is held: %v", err)
	}
	cmd.Process.Kill()
	cmd.Wait()
	s := gitstoretest.Open(t, dir, gitstore.Options{})
	lock, err := s.LockBuild(t.Context(), gitstoretest.Binding, nil)
	if err != nil {
		t.Fatal(err)
	}
	lock.Unlock()
	gitstoretest.Publish(t, s, gitstore.Current, numbered(0, 3))
	s.Close()
	gitstoretest.Check(t, dir)
}
