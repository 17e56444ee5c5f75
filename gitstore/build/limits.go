package build

import (
	"fmt"
	"time"

	"codeidx/gitstore"
)

// SpaceError says that there is no room for a build.
type SpaceError struct {
	Need  int64  // bytes: of a build on the disk, or of the store with the build
	Free  int64  // bytes: left on the disk, or allowed for the store
	Limit string // "disk", or the configuration key that bounds the store
}

func (e *SpaceError) Error() string {
	if e.Limit != limitDisk {
		return fmt.Sprintf("with this build the store would have %d KiB, %s allows %d KiB", (e.Need+1<<10-1)>>10, e.Limit, e.Free>>10)
	}
	return fmt.Sprintf("a build needs about %d MiB, %d MiB are left (%s)", (e.Need+1<<20-1)>>20, e.Free>>20, e.Limit)
}

const limitDisk = "disk"

// DeadlineError says that a build took longer than it may.
type DeadlineError struct{ Limit time.Duration }

func (e *DeadlineError) Error() string {
	return fmt.Sprintf("the build took longer than %v (codeidx.buildDeadline)", e.Limit)
}

// A generation takes about as much as its source, compressed and together with
// its tables; leastRoom is for the smallest.
const leastRoom = 4 << 20

// checkRoom refuses a build that the disk or the store's budget cannot hold, as
// far as the generation before it tells its size. What it does not foresee
// fails when it is written, and the generation before stays.
func (b *Builder) checkRoom(prior *earlier) error {
	need := int64(leastRoom)
	if prior.serving != nil {
		_ = prior.serving.EachEntry(func(e *gitstore.Entry) { need += e.Size })
	}
	free, err := gitstore.FreeSpace(b.Store.Dir())
	if err == nil && free < need {
		return &SpaceError{need, free, limitDisk}
	}
	return nil
}

// checkBudget refuses to publish what would take the store over its budget.
// Nothing is deleted to make room.
func (b *Builder) checkBudget(w *gitstore.Writer) error {
	size, err := b.Store.Size()
	if err != nil {
		return err
	}
	if size > b.Config.MaxStore {
		return &SpaceError{size, b.Config.MaxStore, "codeidx.maxStore"}
	}
	return nil
}
