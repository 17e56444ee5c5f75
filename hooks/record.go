package hooks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"codeidx/gitstore"
)

// recordDeadline bounds a hook: git waits for it.
const recordDeadline = 2 * time.Second

// Record notes one call of a git hook in the spool of the work tree of a folder
// ("" is the current one) and is done. Git's environment of the hook must still
// hold. What goes wrong is returned and, where the work tree is known, added to
// the log that ReadLog reads: a hook has nobody to tell.
func Record(ctx context.Context, cwd string, c Call) error {
	ctx, cancel := context.WithTimeout(ctx, recordDeadline)
	defer cancel()
	repo, err := gitstore.Discover(ctx, cwd)
	if err != nil {
		return fmt.Errorf("record %s: %w", c.Name, err)
	}
	if err := record(ctx, repo, c, time.Now()); err != nil {
		err = fmt.Errorf("record %s: %w", c.Name, err)
		return errors.Join(err, appendLog(repo.BindingDir(), time.Now(), err.Error()))
	}
	return nil
}

func record(ctx context.Context, repo *gitstore.Repo, c Call, now time.Time) error {
	e, err := newEvent(ctx, repo, c, now)
	if err != nil {
		return err
	}
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return gitstore.AppendSpool(repo.BindingDir(), line)
}
