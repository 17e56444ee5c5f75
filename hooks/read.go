package hooks

import (
	"context"
	"slices"
	"time"

	"codeidx/gitstore"
)

// Filter selects what Read returns.
type Filter struct {
	Since time.Time // events before it are left out; zero is no bound
	Limit int       // events, newest first; 0 is no bound
}

// Step is one event with what it changed.
type Step struct {
	*Event
	Generation string // manifest digest of the index that served then, "" for none
	Note       string
	Entries    []Entry
	Meaning    *Meaning // nil where it is not worked out
	complete   bool     // all lines of its changes were met
}

// Drift is a part of what is recorded of a work tree.
type Drift struct {
	Steps   []Step          // newest first
	Entries int             // of all Steps
	Acked   map[string]bool // ids of entries and events that somebody settled
	More    bool            // there are further ones that Limit left out
	Torn    []gitstore.TornLine
}

// Read lists what is recorded, the spool included. store may be nil and binding
// "". The changes of events that are not folded yet are worked out, but recorded
// nowhere.
func Read(ctx context.Context, repo *gitstore.Repo, store *gitstore.Store, binding string, f Filter) (*Drift, error) {
	j, err := openJournal(repo, store, binding)
	if err != nil {
		return nil, err
	}
	d := &Drift{Torn: j.torn, Acked: map[string]bool{}}
	waiting, err := j.collect(f, d)
	if err != nil {
		return nil, err
	}
	if err := j.workOut(ctx, repo, d, waiting); err != nil {
		return nil, err
	}
	for i := range d.Steps {
		d.Entries += len(d.Steps[i].Entries)
	}
	return d, nil
}

// collect gathers the steps that the filter selects, and returns the numbers of
// those whose changes are not worked out.
func (j *journal) collect(f Filter, d *Drift) (waiting []int, err error) {
	changes, meanings := map[string]*Step{}, map[string]*Meaning{} // of events that are still to come
	for r, err := range j.lines() {
		switch {
		case err != nil:
			return nil, err
		case !r.folded.IsZero() && r.folded.Before(f.Since.Truncate(time.Second)):
			return waiting, nil // nothing is folded before it happens
		case r.changes != nil:
			changes[r.changes.Of] = changes[r.changes.Of].with(r.changes)
			continue
		case r.meaning != nil:
			meanings[r.meaning.Of] = meanings[r.meaning.Of].with(r.meaning)
			continue
		case r.ack != nil:
			for _, id := range r.ack.Of {
				d.Acked[id] = true
			}
			continue
		case r.event == nil, eventTime(r.event.Time).Before(f.Since):
			continue
		case f.Limit > 0 && len(d.Steps) == f.Limit:
			d.More = true
			return waiting, nil
		}
		step, ok := changes[r.event.ID]
		if !ok || !step.complete {
			step = &Step{}
			waiting = append(waiting, len(d.Steps))
		}
		step.Event, step.Meaning = r.event, meanings[r.event.ID]
		d.Steps = append(d.Steps, *step)
	}
	return waiting, nil
}

// with adds a line of changes that is older than those before it. An entry that
// is there already was written twice.
func (s *Step) with(c *Changes) *Step {
	if s == nil {
		s = &Step{}
	}
	if c.Last {
		s.complete, s.Generation, s.Note = true, c.Generation, c.Note
	}
	known := make(map[string]bool, len(s.Entries))
	for i := range s.Entries {
		known[s.Entries[i].ID] = true
	}
	older := slices.DeleteFunc(slices.Clone(c.Entries), func(e Entry) bool { return known[e.ID] })
	s.Entries = append(older, s.Entries...)
	return s
}

// with adds a line of a meaning that is older than those before it.
func (m *Meaning) with(o *Meaning) *Meaning {
	if m == nil {
		m = &Meaning{Of: o.Of, Time: o.Time, Generation: o.Generation}
	}
	if o.Last && !m.Last {
		m.Last, m.Note = true, o.Note
	}
	known := map[string]bool{}
	for _, d := range m.Files {
		known[d.Path] = true
	}
	older := slices.DeleteFunc(slices.Clone(o.Files), func(d *Delta) bool { return known[d.Path] })
	m.Files = append(older, m.Files...)
	if m.Boundaries == nil {
		m.Boundaries = o.Boundaries
	}
	return m
}

// workOut fills in the changes of steps that are not in the journal, the oldest
// of which has the greatest number.
func (j *journal) workOut(ctx context.Context, repo *gitstore.Repo, d *Drift, steps []int) error {
	if len(steps) == 0 {
		return nil
	}
	slices.Reverse(steps)
	events := make([]*Event, len(steps))
	for i, n := range steps {
		events[i] = d.Steps[n].Event
	}
	x, err := j.expansion(repo, events)
	if err != nil {
		return err
	}
	list, err := x.expand(ctx, events)
	if err != nil {
		return err
	}
	for i, n := range steps {
		s, c := &d.Steps[n], list[i]
		s.Generation, s.Note, s.Entries = c.Generation, c.Note, c.Entries
	}
	return nil
}
