package hooks

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"codeidx/gitstore"
)

// FoldResult counts what Fold did.
type FoldResult struct {
	Events  int // whose changes were worked out
	Entries int // of these changes
	Lines   int // that came into the ledger
	Torn    []gitstore.TornLine
}

// Fold works out what the recorded events changed and moves everything that waits
// in the work tree's spool to its ledger. It is safe to be run by several processes
// and to be killed (see the package comment), and does next to nothing where
// nothing waits. It must run before a new generation is published, so that entries
// name the index that they made stale. Torn lines are named in the log of failures, too.
func Fold(ctx context.Context, repo *gitstore.Repo, store *gitstore.Store, binding string) (FoldResult, error) {
	res, err := fold(ctx, repo, store, binding)
	if err != nil {
		return res, fmt.Errorf("fold events: %w", err)
	}
	return res, nil
}

func fold(ctx context.Context, repo *gitstore.Repo, store *gitstore.Store, binding string) (res FoldResult, err error) {
	j, err := openJournal(repo, store, binding)
	if err != nil {
		return res, err
	}
	events, err := j.unexpanded()
	if err != nil {
		return res, err
	}
	if events = settledEvents(events, rebasing(repo.GitDir)); len(events) > 0 {
		if err := j.expand(ctx, repo, events, &res); err != nil {
			return res, err
		}
	} else if len(j.spool)+len(j.torn) == 0 {
		return res, nil
	}
	folded, err := store.FoldSpool(ctx, repo.BindingDir(), binding)
	res.Lines, res.Torn = folded.Entries, folded.Torn
	for _, t := range folded.Torn {
		message := fmt.Sprintf("line %d of the spool is lost: %s", t.Number, t.Reason)
		err = errors.Join(err, appendLog(repo.BindingDir(), time.Now(), message))
	}
	return res, err
}

// unexpanded returns the events whose changes are not worked out yet, oldest
// first: all behind the newest one that has its changes.
func (j *journal) unexpanded() ([]*Event, error) {
	done := map[string]bool{}
	var events []*Event
	for r, err := range j.lines() {
		switch {
		case err != nil:
			return nil, err
		case r.changes != nil:
			done[r.changes.Of] = done[r.changes.Of] || r.changes.Last
		case r.event == nil:
		case done[r.event.ID] && r.event.Event == Scan: // it wrote its changes itself, whatever waits before it
		case done[r.event.ID]:
			slices.Reverse(events)
			return events, nil
		default:
			events = append(events, r.event)
		}
	}
	slices.Reverse(events)
	return events, nil
}

// expand appends the changes of events to the spool.
func (j *journal) expand(ctx context.Context, repo *gitstore.Repo, events []*Event, res *FoldResult) error {
	x, err := j.expansion(repo, events)
	if err != nil {
		return err
	}
	list, err := x.expand(ctx, events)
	if err != nil {
		return err
	}
	for _, c := range list {
		lines, err := c.lines()
		if err != nil {
			return err
		}
		for _, line := range lines {
			if err := gitstore.AppendSpool(repo.BindingDir(), line); err != nil {
				return err
			}
		}
		res.Events++
		res.Entries += len(c.Entries)
	}
	return nil
}

// expansion begins the work on events under the index that serves, with the
// newest entry of each path. What a killed or another Fold wrote of these very
// events does not count: the same lines must come out.
func (j *journal) expansion(repo *gitstore.Repo, events []*Event) (*expansion, error) {
	idx, err := serving(j.store, j.binding)
	if err != nil {
		return nil, err
	}
	x := &expansion{repo: repo, index: idx, newest: map[string]Entry{}}
	own := make(map[string]bool, len(events))
	for _, e := range events {
		own[e.ID] = true
	}
	for r, err := range j.lines() {
		if err != nil {
			return nil, err
		}
		c := r.changes
		if c == nil || len(c.Entries) == 0 || own[c.Of] {
			continue
		}
		if c.Generation != idx.name() {
			break
		}
		for _, e := range slices.Backward(c.Entries) {
			if _, ok := x.newest[e.Path]; !ok {
				x.newest[e.Path] = e
			}
			if _, ok := x.newest[e.OldPath]; !ok && e.OldPath != "" {
				x.newest[e.OldPath] = e.leaving()
			}
		}
	}
	return x, nil
}
