package hooks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"codeidx/gitstore"
)

// Kind says what became of a path.
type Kind string

// Kinds of entries.
const (
	Add    Kind = "add"
	Modify Kind = "modify"
	Delete Kind = "delete"
	Rename Kind = "rename" // with the same bytes
)

const changesSchema = "codeidx.changes.v1"

// Changes is what an event changed, or a part of it: one line of the ledger.
type Changes struct {
	Schema     string  `json:"schema"`
	ID         string  `json:"id"`
	Of         string  `json:"of"`   // the event's id
	Time       string  `json:"time"` // the event's
	DetectedBy string  `json:"detected_by"`
	Commit     string  `json:"commit,omitempty"`
	Generation string  `json:"generation,omitempty"` // manifest digest of the index that served then, if known
	Note       string  `json:"note,omitempty"`
	Entries    []Entry `json:"entries,omitempty"`
	Last       bool    `json:"last,omitempty"` // no further line of this event follows
}

// Entry is one path that changed. What its line says of all its entries stands
// there once.
type Entry struct {
	ID      string `json:"id"`
	Path    string `json:"path"` // a Go-quoted string where it is not UTF-8
	OldPath string `json:"old_path,omitempty"`
	Kind    Kind   `json:"kind"`
	// Git's ids of the bytes in the commits.
	OldBlob string `json:"old_blob,omitempty"`
	NewBlob string `json:"new_blob,omitempty"`
	// SHA-256 of the bytes on disk, where the serving index knows it.
	OldSHA256 string `json:"old_sha256,omitempty"`
	NewSHA256 string `json:"new_sha256,omitempty"`
}

// sameChange says whether two entries record the same step of their path.
func (e *Entry) sameChange(o *Entry) bool {
	return e.Path == o.Path && e.OldPath == o.OldPath && e.Kind == o.Kind &&
		sameBytes(e.OldBlob, o.OldBlob, e.OldSHA256, o.OldSHA256) && sameBytes(e.NewBlob, o.NewBlob, e.NewSHA256, o.NewSHA256)
}

// sameEnd says whether two entries leave their path with the same bytes.
func (e *Entry) sameEnd(o *Entry) bool {
	return (e.Kind == Delete) == (o.Kind == Delete) && sameBytes(e.NewBlob, o.NewBlob, e.NewSHA256, o.NewSHA256)
}

// leaving is what a rename says of the path that it leaves.
func (e *Entry) leaving() Entry {
	return Entry{Path: e.OldPath, Kind: Delete, OldBlob: e.OldBlob, OldSHA256: e.OldSHA256}
}

// sameBytes compares by SHA-256 where both are known, else by git's ids.
func sameBytes(blob, otherBlob, sum, otherSum string) bool {
	if sum != "" && otherSum != "" {
		return sum == otherSum
	}
	return blob == otherBlob
}

// setID sets the id of an entry of an event.
func (e *Entry) setID(event string) (err error) {
	e.ID = ""
	if e.OldBlob+e.NewBlob != "" {
		e.ID, err = contentID([...]string{event, e.Path, e.OldPath, string(e.Kind), e.OldBlob, e.NewBlob})
		return err
	}
	e.ID, err = contentID([...]string{event, e.Path, e.OldPath, string(e.Kind), e.OldSHA256, e.NewSHA256})
	return err
}

// expansion works out the changes of events against the index that serves.
type expansion struct {
	repo   *gitstore.Repo
	index  *index
	newest map[string]Entry // of each path, under this index
}

// expand returns the changes of each event, oldest event first, undivided. Ending
// of the context is the only error: what git cannot answer becomes a note.
func (x *expansion) expand(ctx context.Context, events []*Event) ([]*Changes, error) {
	told := tell(events, rebasing(x.repo.GitDir))
	var pairs []CommitPair
	for _, t := range told {
		if t.note == "" {
			pairs = append(pairs, t.pair)
		}
	}
	diffs := DiffTrees(ctx, x.repo, pairs)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	list := make([]*Changes, len(events))
	for i, e := range events {
		c := &Changes{
			Schema: changesSchema, Of: e.ID, Time: e.Time, DetectedBy: e.DetectedBy, Commit: e.New,
			Generation: x.index.at(e), Note: told[i].note, Last: true,
		}
		if c.Note == "" {
			if err := x.fill(c, &diffs[0]); err != nil {
				return nil, err
			}
			diffs = diffs[1:]
		}
		list[i] = c
	}
	return list, nil
}

// note says why an event names no paths, "" where it does.
func (e *Event) note() string {
	switch {
	case e.Event == Scan:
		return "a scan that did not end"
	case e.New == "":
		return "there is no commit yet"
	case e.Event == PostCheckout && e.Old == "":
		return "a new work tree"
	case e.Event == PostCheckout && !e.Branch:
		return "files were checked out; git does not say which"
	case e.Squash:
		return "a squash; nothing is committed yet"
	case e.Old == e.New:
		return "the same commit"
	}
	return ""
}

func (x *expansion) fill(c *Changes, d *TreeDiff) error {
	switch {
	case errors.Is(d.Err, ErrGone):
		c.Note = ErrGone.Error()
		return nil
	case d.Err != nil:
		return d.Err
	case len(d.Changes) == 0:
		c.Note = "no file differs"
		return nil
	}
	for i := range d.Changes {
		e, err := x.entry(c.Of, &d.Changes[i])
		if err != nil {
			return err
		}
		if c.Generation == x.index.name() {
			if last, ok := x.newest[e.Path]; ok && e.sameChange(&last) {
				continue
			}
			x.newest[e.Path] = e
			if e.OldPath != "" {
				x.newest[e.OldPath] = e.leaving()
			}
		}
		c.Entries = append(c.Entries, e)
	}
	if len(c.Entries) == 0 {
		c.Note = "all of it is recorded already"
	}
	return nil
}

func (x *expansion) entry(event string, t *TreeChange) (Entry, error) {
	e := Entry{Path: validPath(t.Path), OldPath: validPath(t.OldPath), Kind: t.Kind, OldBlob: t.OldBlob, NewBlob: t.NewBlob}
	if err := e.setID(event); err != nil {
		return e, err
	}
	was := t.Path
	if t.OldPath != "" {
		was = t.OldPath
	}
	for _, side := range [...]struct {
		path, blob string
		sum        *string
	}{{was, t.OldBlob, &e.OldSHA256}, {t.Path, t.NewBlob, &e.NewSHA256}} {
		if f := x.index.file(side.path); f != nil && side.blob != "" && f.Blob.String() == side.blob {
			*side.sum = f.SHA256.String()
		}
	}
	return e, nil
}

// validPath returns a path, or a name, as text that JSON can hold.
func validPath(path string) string {
	if utf8.ValidString(path) {
		return path
	}
	return strconv.Quote(path)
}

// maxEntryBytes bounds the JSON of the entries of one line, well below what the
// spool takes: a path has at most some thousand bytes.
const maxEntryBytes = gitstore.MaxSpoolLine / 2

// lines encodes changes as lines of the ledger, as many as their size asks for.
func (c *Changes) lines() ([][]byte, error) {
	var lines [][]byte
	part := *c
	part.Entries = nil
	size := 0
	emit := func(last bool) error {
		part.ID, part.Last = "", last
		var err error
		if part.ID, err = contentID(&part); err != nil {
			return err
		}
		line, err := json.Marshal(&part)
		lines = append(lines, line)
		part.Entries, size = nil, 0
		return err
	}
	for i := range c.Entries {
		b, err := json.Marshal(&c.Entries[i])
		if err != nil {
			return nil, fmt.Errorf("encode entry: %w", err)
		}
		if size += len(b) + 1; size > maxEntryBytes {
			if err := emit(false); err != nil {
				return nil, err
			}
			size = len(b) + 1
		}
		part.Entries = append(part.Entries, c.Entries[i])
	}
	err := emit(true)
	return lines, err
}
