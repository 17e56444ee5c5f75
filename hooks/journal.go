package hooks

import (
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"time"

	"codeidx/gitstore"
)

// journalLine is one line of the journal: one of the pointers is set.
type journalLine struct {
	event   *Event
	changes *Changes
	meaning *Meaning
	ack     *Ack
	report  *Report
	folded  time.Time // when it came into the ledger, zero in the spool
}

// eventTime reads a time of the ledger; one that is none is very long ago.
func eventTime(text string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return time.Time{}
	}
	return t
}

// journal reads a binding's spool and then its ledger: all lines, newest first.
// The spool is read first, so that what is being folded is met twice rather than
// never; what was met is passed over.
type journal struct {
	spool   []json.RawMessage
	torn    []gitstore.TornLine
	store   *gitstore.Store // nil where there is none
	binding string
}

func openJournal(repo *gitstore.Repo, store *gitstore.Store, binding string) (*journal, error) {
	spool, torn, err := gitstore.ReadSpool(repo.BindingDir())
	if err != nil {
		return nil, err
	}
	if binding == "" {
		store = nil
	}
	return &journal{spool: spool, torn: torn, store: store, binding: binding}, nil
}

// lines yields the lines that this version knows. An error ends it.
func (j *journal) lines() iter.Seq2[*journalLine, error] {
	return func(yield func(*journalLine, error) bool) {
		seen := map[string]bool{}
		pass := func(line []byte, folded time.Time) bool {
			r, id, err := parseLine(line)
			if err != nil {
				return yield(nil, err)
			}
			if r == nil || seen[id] {
				return true
			}
			seen[id], r.folded = true, folded
			return yield(r, nil)
		}
		for _, line := range slices.Backward(j.spool) {
			if !pass(line, time.Time{}) {
				return
			}
		}
		if j.store == nil {
			return
		}
		for e, err := range j.store.Ledger(j.binding) {
			if err != nil {
				yield(nil, err)
				return
			}
			if !pass(e.JSON, e.Time) {
				return
			}
		}
	}
}

// parseLine decodes a line and returns it with its id, nil for one of a schema
// that this version does not know.
func parseLine(line []byte) (*journalLine, string, error) {
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(line, &head); err != nil {
		return nil, "", nil // no object: not ours
	}
	r := &journalLine{}
	var to any
	var id *string
	switch head.Schema {
	case eventSchema:
		r.event = &Event{}
		to, id = r.event, &r.event.ID
	case changesSchema:
		r.changes = &Changes{}
		to, id = r.changes, &r.changes.ID
	case meaningSchema:
		r.meaning = &Meaning{}
		to, id = r.meaning, &r.meaning.ID
	case ackSchema:
		r.ack = &Ack{}
		to, id = r.ack, &r.ack.ID
	case reportSchema:
		r.report = &Report{}
		to, id = r.report, &r.report.ID
	default:
		return nil, "", nil
	}
	if err := json.Unmarshal(line, to); err != nil {
		return nil, "", fmt.Errorf("read ledger: %w", err)
	}
	return r, *id, nil
}
