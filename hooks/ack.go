package hooks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"codeidx/gitstore"
)

const ackSchema = "codeidx.ack.v1"

// Ack is a line of the ledger that settles entries: nobody needs to be told of
// them any more.
type Ack struct {
	Schema string   `json:"schema"`
	ID     string   `json:"id"`
	Time   string   `json:"time"`
	Of     []string `json:"of"` // ids of entries, and of events for all of theirs
	Note   string   `json:"note,omitempty"`
}

// ErrNoEntry says that no entry, or more than one, has an id.
var ErrNoEntry = errors.New("no such entry")

// minPrefix is the least length of the beginning of an id that stands for it.
const minPrefix = 6

// Acknowledge settles entries, named by their id or its beginning, or all entries of
// events. It returns the whole ids.
func Acknowledge(ctx context.Context, repo *gitstore.Repo, store *gitstore.Store, binding string, ids []string, note string) ([]string, error) {
	d, err := Read(ctx, repo, store, binding, Filter{})
	if err != nil {
		return nil, fmt.Errorf("acknowledge: %w", err)
	}
	a := Ack{Schema: ackSchema, Time: time.Now().UTC().Format(time.RFC3339Nano), Note: note}
	for _, id := range ids {
		whole, err := d.find(id)
		if err != nil {
			return nil, fmt.Errorf("acknowledge: %w", err)
		}
		a.Of = append(a.Of, whole)
	}
	if a.ID, err = contentID(&a); err != nil {
		return nil, err
	}
	line, err := json.Marshal(&a)
	if err != nil {
		return nil, err
	}
	if err := gitstore.AppendSpool(repo.BindingDir(), line); err != nil {
		return nil, err
	}
	if _, err = store.FoldSpool(ctx, repo.BindingDir(), binding); err != nil {
		return nil, fmt.Errorf("acknowledge: %w", err)
	}
	return a.Of, nil
}

// find returns the id that begins so.
func (d *Drift) find(prefix string) (string, error) {
	if len(prefix) < minPrefix {
		return "", fmt.Errorf("%w: %q is too short, give at least %d digits", ErrNoEntry, prefix, minPrefix)
	}
	found := map[string]bool{}
	match := func(id string) {
		if strings.HasPrefix(id, prefix) {
			found[id] = true
		}
	}
	for i := range d.Steps {
		match(d.Steps[i].ID)
		for _, e := range d.Steps[i].Entries {
			match(e.ID)
		}
		if m := d.Steps[i].Meaning; m != nil {
			for _, b := range m.Boundaries {
				match(b.ID)
			}
		}
	}
	if len(found) != 1 {
		return "", fmt.Errorf("%w: %d begin with %q", ErrNoEntry, len(found), prefix)
	}
	for id := range found {
		return id, nil
	}
	return "", ErrNoEntry
}
