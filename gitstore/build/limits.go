package build

import (
	"fmt"

	"codeidx/gitstore"
)

// SpaceError says that there is no room for a build, and how much it needs.
type SpaceError struct {
	Need, Free int64  // bytes
	Limit      string // "disk", or the configuration key that bounds the store
}

func (e *SpaceError) Error() string {
	return fmt.Sprintf("a build needs about %d MiB, %d MiB are left (%s)", (e.Need+1<<20-1)>>20, e.Free>>20, e.Limit)
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
		return &SpaceError{need, free, "disk"}
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
		return &SpaceError{w.Stats().NewBytes, b.Config.MaxStore - size + w.Stats().NewBytes, "codeidx.maxStore"}
	}
	return nil
}
