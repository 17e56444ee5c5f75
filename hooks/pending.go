package hooks

import (
	"time"

	"codeidx/gitstore"
)

// Pending is asked at every query: it reads no more than this.
const (
	maxPendingLines   = 512    // lines of the journal
	maxPendingEntries = 16_384 // in these lines
	maxPendingChecked = 1024   // paths looked up in the index
)

// Pending says what the ledger holds against the index that serves: the number of
// entries recorded since it serves, of the paths that it does not have as their
// last entry left them and whose last entry nobody settled (Acknowledge), and for each of
// these paths the time of its newest entry (RFC 3339, UTC). Only what Fold has worked
// out counts. It reads back to the time when the index was built, at most some hundred
// lines, and takes what it cannot read for nothing: content decides about freshness,
// not the ledger.
func Pending(repo *gitstore.Repo, store *gitstore.Store, binding string) (entries int, since map[string]string) {
	j, err := openJournal(repo, store, binding)
	if err != nil {
		return 0, nil
	}
	p := pending{since: map[string]string{}, open: map[string]bool{}, acked: map[string]bool{}}
	lines, read := 0, 0
	for r, err := range j.lines() {
		if lines++; err != nil || lines > maxPendingLines || read > maxPendingEntries {
			break
		}
		if p.index == nil {
			if p.index, err = serving(j.store, j.binding); err != nil || p.index == nil {
				break
			}
		}
		if !r.folded.IsZero() && r.folded.Before(p.index.gen.Time) {
			break
		}
		if r.ack != nil {
			for _, id := range r.ack.Of {
				p.acked[id] = true
			}
		}
		if r.changes != nil {
			p.add(r.changes)
			read += len(r.changes.Entries)
		}
	}
	return p.entries, p.since
}

type pending struct {
	index   *index
	entries int
	since   map[string]string
	open    map[string]bool // by path: what its newest entry says
	acked   map[string]bool // ids of entries and events
}

// add counts the entries of one line, which is older than all before it.
func (p *pending) add(c *Changes) {
	for i := range c.Entries {
		e := &c.Entries[i]
		open, known := p.open[e.Path]
		if !known {
			open = !p.acked[e.ID] && !p.acked[c.Of] && (len(p.open) >= maxPendingChecked || !p.index.settled(e))
			p.open[e.Path] = open
		}
		if !open || c.Generation != p.index.name() || p.acked[e.ID] || p.acked[c.Of] {
			continue
		}
		p.entries++
		for _, path := range [...]string{e.Path, e.OldPath} {
			if _, ok := p.since[path]; !ok && path != "" {
				p.since[path] = stamp(c.Time)
			}
		}
	}
}

// stamp cuts a time of the ledger to the second.
func stamp(text string) string { return eventTime(text).UTC().Format(time.RFC3339) }
