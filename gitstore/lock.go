package gitstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// ErrLocked is returned when a lock was still held when the context ended.
var ErrLocked = errors.New("locked")

// Holder says who holds a lock, as far as that is known: it is written for
// people and decides nothing.
type Holder struct {
	PID     int
	Since   time.Time
	Purpose string
}

// String returns a phrase for a message.
func (h Holder) String() string {
	if h.PID == 0 {
		return "another process"
	}
	return fmt.Sprintf("process %d (%s, since %s)", h.PID, h.Purpose, h.Since.Format(time.RFC3339))
}

// Lock is a held lock of the operating system on a file of the store. It ends
// with the process that holds it, however that ends.
type Lock struct {
	f         *os.File // nil where a reader needs none
	exclusive bool
}

// lockRequest is what acquireLock needs to know.
type lockRequest struct {
	path      string
	exclusive bool
	purpose   string
	onWait    func(Holder) // called once when waiting starts; may be nil
	noWait    bool
}

// Waiting for a lock polls: a blocking lock could not be given up when the
// context ends.
const (
	firstLockPoll = time.Millisecond
	lastLockPoll  = 50 * time.Millisecond
)

func acquireLock(ctx context.Context, r lockRequest) (*Lock, error) {
	f, err := openLockFile(r.path)
	if isReadOnly(err) && !r.exclusive {
		if f, err = os.Open(r.path); err != nil {
			return &Lock{}, nil // where nothing can be written, nothing is taken from a reader
		}
	}
	if err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	if err := waitFlock(ctx, f, r); err != nil {
		f.Close()
		return nil, err
	}
	l := &Lock{f: f, exclusive: r.exclusive}
	if r.exclusive {
		l.note(fmt.Sprintf("%d %d %s", os.Getpid(), time.Now().Unix(), r.purpose))
	}
	return l, nil
}

func waitFlock(ctx context.Context, f *os.File, r lockRequest) error {
	poll := firstLockPoll
	for first := true; ; first = false {
		err := tryFlock(f, r.exclusive)
		if err == nil || !errors.Is(err, unix.EWOULDBLOCK) {
			return err
		}
		if r.noWait {
			return fmt.Errorf("%w: %s", ErrLocked, filepath.Base(r.path))
		}
		if first && r.onWait != nil {
			r.onWait(lockHolder(f))
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: %s is held by %v: %w", ErrLocked, filepath.Base(r.path), lockHolder(f), ctx.Err())
		case <-time.After(poll):
		}
		poll = min(2*poll, lastLockPoll)
	}
}

// tryFlock takes the lock or fails with EWOULDBLOCK.
func tryFlock(f *os.File, exclusive bool) error { return flock(f, exclusive, unix.LOCK_NB) }

// waitFlockShort takes a lock that nobody holds for longer than a write takes.
func waitFlockShort(f *os.File, exclusive bool) error { return flock(f, exclusive, 0) }

func flock(f *os.File, exclusive bool, flags int) error {
	how := unix.LOCK_SH
	if exclusive {
		how = unix.LOCK_EX
	}
	for {
		err := unix.Flock(int(f.Fd()), how|flags)
		if !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// note replaces what the lock file says. Failing to is no reason to fail: a
// full disk must not keep gc from freeing it.
func (l *Lock) note(text string) {
	if l.f.Truncate(0) == nil {
		l.f.WriteAt([]byte(text), 0)
	}
}

func lockNote(f *os.File) string {
	b := make([]byte, 512)
	n, _ := f.ReadAt(b, 0)
	return string(b[:n])
}

func lockHolder(f *os.File) (h Holder) {
	var since int64
	note := lockNote(f)
	if n, _ := fmt.Sscanf(note, "%d %d", &h.PID, &since); n < 2 {
		return Holder{}
	}
	h.Since = time.Unix(since, 0)
	if parts := strings.SplitN(note, " ", 3); len(parts) == 3 {
		h.Purpose = parts[2]
	}
	return h
}

// Unlock releases the lock.
func (l *Lock) Unlock() error {
	if l.f == nil {
		return nil
	}
	if l.exclusive {
		l.note("")
	}
	return l.f.Close()
}
