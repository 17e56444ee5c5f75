package hooks

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"codeidx/gitstore"
)

const meaningSchema = "codeidx.symbols.v1"

// Meaning is what an event changed in definitions and edges, or a part of it:
// one line of the ledger.
type Meaning struct {
	Schema string `json:"schema,omitempty"` // this and ID are of the line
	ID     string `json:"id,omitempty"`
	Of     string `json:"of"`   // the event's id
	Time   string `json:"time"` // the event's
	// Generation is the index whose edges are invalidated.
	Generation string     `json:"generation,omitempty"`
	Note       string     `json:"note,omitempty"` // why nothing is known
	Files      []*Delta   `json:"files,omitempty"`
	Boundaries []Boundary `json:"boundaries,omitempty"`
	Last       bool       `json:"last,omitempty"`
}

// Explain is asked at a sync or by a person: it reads no more than this.
const (
	maxExplained      = 64   // events, the newest
	maxExplainedLines = 4096 // lines of the journal
)

// Explain works out what the events that are folded mean for definitions, newest
// ones first where there are very many, and adds it to the ledger. An event that
// changed more paths than codeidx.driftPaths says only that. Like Fold it may be killed
// or run twice.
func (a *Analyst) Explain(ctx context.Context) error {
	if err := a.explain(ctx); err != nil {
		return fmt.Errorf("explain events: %w", err)
	}
	return nil
}

func (a *Analyst) explain(ctx context.Context) error {
	j, err := openJournal(a.Repo, a.Store, a.Binding)
	if err != nil {
		return err
	}
	list, err := j.unexplained()
	if err != nil || len(list) == 0 {
		return err
	}
	x, err := serving(a.Store, a.Binding)
	if err != nil {
		return err
	}
	s := a.sources(x)
	defer s.close()
	for _, c := range list {
		m, err := s.meaning(ctx, c)
		if err != nil {
			return err
		}
		if err := appendMeaning(a.Repo, m); err != nil {
			return err
		}
	}
	_, err = a.Store.FoldSpool(ctx, a.Repo.BindingDir(), a.Binding)
	return err
}

// unexplained returns the changes of events whose meaning is not recorded, oldest
// event first: all behind the newest one that has it.
func (j *journal) unexplained() ([]*Changes, error) {
	done := map[string]bool{}
	steps := map[string]*Step{}
	heads := map[string]*Changes{}
	var order []string
	n := 0
	for r, err := range j.lines() {
		if err != nil {
			return nil, err
		}
		if n++; n > maxExplainedLines {
			break
		}
		if m := r.meaning; m != nil {
			done[m.Of] = done[m.Of] || m.Last
		}
		c := r.changes
		if c == nil {
			continue
		}
		if done[c.Of] {
			break
		}
		if steps[c.Of] == nil {
			if len(order) == maxExplained {
				break
			}
			order = append(order, c.Of)
			heads[c.Of] = c
		}
		steps[c.Of] = steps[c.Of].with(c)
	}
	var list []*Changes
	for _, of := range slices.Backward(order) {
		if s := steps[of]; s.complete && len(s.Entries) > 0 {
			c := *heads[of]
			c.Entries = s.Entries
			list = append(list, &c)
		}
	}
	return list, nil
}

// meaning works out one event.
func (s *sources) meaning(ctx context.Context, c *Changes) (*Meaning, error) {
	m := &Meaning{Schema: meaningSchema, Of: c.Of, Time: c.Time, Generation: s.index.name(), Last: true}
	entries := s.readable(c.Entries)
	if limit := s.Config.DriftPaths; len(entries) > limit {
		m.Note = fmt.Sprintf("%d source files changed, more than %d: definitions were not compared", len(entries), limit)
		return m, nil
	}
	if err := s.fetchAll(ctx, entries); err != nil {
		return nil, err
	}
	var list []*Delta
	for i := range entries {
		d, err := s.delta(ctx, &entries[i])
		if err != nil {
			return nil, err
		}
		list = append(list, d)
	}
	var err error
	m.Files, m.Boundaries, err = s.index.finish(c.Of, list)
	return m, err
}

// readable returns the entries of files whose content may be read.
func (s *sources) readable(entries []Entry) []Entry {
	var paths []string
	for i := range entries {
		paths = append(paths, entries[i].Path, cmp.Or(entries[i].OldPath, entries[i].Path))
	}
	in := s.included(paths)
	var list []Entry
	for i := range entries {
		if in[2*i] && in[2*i+1] {
			list = append(list, entries[i])
		}
	}
	return list
}

// finish takes the deltas of one event together: moves, boundaries, edges.
func (x *index) finish(event string, list []*Delta) ([]*Delta, []Boundary, error) {
	findMoves(list)
	found, err := boundaries(event, list)
	if err != nil {
		return nil, nil, err
	}
	var files []*Delta
	for _, d := range list {
		d.list()
		if !x.hasNew(d) {
			d.keepEdges(x.staleEdges(d))
		}
		if !d.empty() {
			files = append(files, d)
		}
	}
	return files, found, nil
}

// fetchAll reads the blobs that the versions of some entries need.
func (s *sources) fetchAll(ctx context.Context, entries []Entry) error {
	var ids []string
	for i := range entries {
		for _, id := range [...]string{entries[i].OldBlob, entries[i].NewBlob} {
			if isHex(id) {
				ids = append(ids, id)
			}
		}
	}
	slices.Sort(ids)
	err := s.fetch(ctx, slices.Compact(ids))
	var git *gitstore.GitError
	if errors.As(err, &git) && ctx.Err() == nil {
		return nil // what git does not give is noted at each file
	}
	return err
}

// delta compares the versions of one entry.
func (s *sources) delta(ctx context.Context, e *Entry) (*Delta, error) {
	was := cmp.Or(e.OldPath, e.Path)
	var versions [2]*version
	note := ""
	for i, side := range [...]struct{ path, blob, sum string }{{was, e.OldBlob, e.OldSHA256}, {e.Path, e.NewBlob, e.NewSHA256}} {
		absent := i == 0 && e.Kind == Add || i == 1 && e.Kind == Delete
		if absent {
			continue
		}
		v, why, err := s.version(ctx, side.path, side.blob, side.sum)
		if err != nil {
			return nil, err
		}
		versions[i] = v
		if why != "" {
			note = why
		}
	}
	if f := s.index.file(e.Path); f != nil && note == noteGone && f.SHA256.String() == e.NewSHA256 {
		note = noteReturned
	}
	if note != "" {
		d := newDelta(e.Path, e.OldPath, nil, nil)
		d.Note = note
		return d, nil
	}
	return newDelta(e.Path, e.OldPath, versions[0], versions[1]), nil
}

func appendMeaning(repo *gitstore.Repo, m *Meaning) error {
	lines, err := m.lines()
	if err != nil {
		return err
	}
	for _, line := range lines {
		if err := gitstore.AppendSpool(repo.BindingDir(), line); err != nil {
			return err
		}
	}
	return nil
}

// lines encodes a meaning as lines of the ledger, as many as its size asks for.
// The last one holds the boundaries.
func (m *Meaning) lines() ([][]byte, error) {
	var lines [][]byte
	part := *m
	part.Files, part.Boundaries, part.Last = nil, nil, false
	emit := func() error {
		part.ID = ""
		var err error
		if part.ID, err = contentID(&part); err != nil {
			return err
		}
		line, err := json.Marshal(&part)
		lines = append(lines, line)
		part.Files = nil
		return err
	}
	size := 0
	for _, d := range m.Files {
		b, err := json.Marshal(d)
		if err != nil {
			return nil, err
		}
		if size += len(b) + 1; size > maxEntryBytes && len(part.Files) > 0 {
			if err := emit(); err != nil {
				return nil, err
			}
			size = len(b) + 1
		}
		part.Files = append(part.Files, d)
	}
	if len(part.Files) > 0 && len(m.Boundaries) > 0 {
		if err := emit(); err != nil {
			return nil, err
		}
	}
	part.Boundaries, part.Last = m.Boundaries[:min(len(m.Boundaries), maxListed)], m.Last
	err := emit()
	return lines, err
}
