package gitstore

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// reclaimFloor is the growth, in bytes, below which no store is worth a
// reclaim of its own accord.
const reclaimFloor = 1 << 20

// reclaimedFile holds the bytes of the store after the last reclaim in decimal.
const reclaimedFile = "reclaimed"

// AutoGC runs GC on the store in dir if the store has more than twice the bytes
// that the last reclaim left, plus 1 MiB, and nobody has it open: it waits for
// no one. Callers run it after they published something and closed the store.
// ran says whether GC ran to its end.
//
// The first call only notes the size, as does one whose GC fails: a damaged
// store is not gone through again after each publication.
func AutoGC(ctx context.Context, dir string, o GCOptions) (st GCStats, ran bool, err error) {
	grown, err := ReclaimDue(dir)
	if err != nil || !grown {
		return st, false, err
	}
	s, err := Open(ctx, dir, Options{Exclusive: true, noWait: true})
	if errors.Is(err, ErrLocked) {
		return st, false, nil
	}
	if err != nil {
		return st, false, err
	}
	defer s.Close()
	// Another process may have been first.
	if grown, err = ReclaimDue(dir); err != nil || !grown {
		return st, false, err
	}
	if st, err = s.GC(ctx, o); err != nil {
		if size, serr := storeSize(dir); serr == nil && ctx.Err() == nil {
			err = errors.Join(err, noteReclaimed(dir, size))
		}
		return st, false, err
	}
	return st, true, nil
}

// ReclaimDue says whether AutoGC would run GC on the store in dir. Where the size after the last one is
// not known, or cannot be right because the store is smaller, it is noted anew.
func ReclaimDue(dir string) (bool, error) {
	size, err := storeSize(dir)
	if err != nil {
		return false, fmt.Errorf("measure store: %w", err)
	}
	left, known := readReclaimed(dir)
	if !known || left > size {
		return false, noteReclaimed(dir, size)
	}
	return size-left > left+reclaimFloor, nil
}

func readReclaimed(dir string) (bytes int64, known bool) {
	b, err := readOwn(filepath.Join(dir, reclaimedFile), maxSmallFile)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64)
	return n, err == nil && n >= 0
}

func noteReclaimed(dir string, bytes int64) error {
	return writeFile(filepath.Join(dir, reclaimedFile), fmt.Appendf(nil, "%d\n", bytes), rebuildable)
}
