package hooks

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"codeidx/gitstore"
)

// Scan is the name of the event of a comparison with the work tree as it is.
const Scan = "scan"

// Scanned says what a scan found.
type Scanned struct {
	Differs int // paths that differ from the index that serves
	Entries int // that were not recorded before
}

// Scan compares the work tree with the index that serves, by content, and
// records what differs and what is as indexed again. It finds what fires no hook.
// Fold must have run; it is gitstore.ErrNoGeneration where nothing is indexed.
func (a *Analyst) Scan(ctx context.Context) (Scanned, error) {
	res, err := a.scan(ctx)
	if err != nil {
		return res, fmt.Errorf("scan work tree: %w", err)
	}
	return res, nil
}

func (a *Analyst) scan(ctx context.Context) (res Scanned, err error) {
	j, err := openJournal(a.Repo, a.Store, a.Binding)
	if err != nil {
		return res, err
	}
	x, err := j.expansion(a.Repo, nil)
	if err != nil {
		return res, err
	}
	if x.index == nil {
		return res, gitstore.ErrNoGeneration
	}
	want, err := x.index.gen.Snapshot()
	if err != nil {
		return res, err
	}
	diff, err := gitstore.Check(ctx, a.Repo, a.Policy, want, gitstore.FreshnessStrict)
	if err != nil {
		return res, err
	}
	entries := x.scanned(want, diff)
	res.Differs = len(entries)
	entries = append(entries, x.returned(entries)...)
	entries = slices.DeleteFunc(entries, func(e Entry) bool {
		last, ok := x.newest[e.Path]
		return ok && (e.sameEnd(&last) || a.sameOnDisk(&e, &last))
	})
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	if res.Entries = len(entries); len(entries) == 0 {
		return res, nil
	}
	return res, a.recordScan(ctx, x.index, entries)
}

// sameOnDisk says whether a file that a scan met has the very bytes of the blob
// that the newest entry of its path ended with.
func (a *Analyst) sameOnDisk(e, last *Entry) bool {
	if e.NewSHA256 == "" || last.NewSHA256 != "" || last.NewBlob == "" {
		return false
	}
	src, ok := a.onDisk(e.Path, e.NewSHA256)
	return ok && blobID(src, len(last.NewBlob)) == last.NewBlob
}

// scanned turns the differences into entries without ids, by path.
func (x *expansion) scanned(want *gitstore.Snapshot, diff *gitstore.Diff) []Entry {
	was, is := filesByPath(want), filesByPath(diff.Seen)
	var list []Entry
	add := func(kind Kind, path, oldPath string) {
		from := path
		if oldPath != "" {
			from = oldPath
		}
		e := Entry{Kind: kind, Path: validPath(path), OldPath: validPath(oldPath)}
		if f := was[from]; f != nil {
			e.OldBlob, e.OldSHA256 = f.GitBlob.String(), f.SHA256.String()
		}
		if f := is[path]; f != nil {
			e.NewBlob, e.NewSHA256 = f.GitBlob.String(), f.SHA256.String()
		}
		list = append(list, e)
	}
	gone := map[gitstore.Digest][]string{}
	for _, p := range diff.Deleted {
		if f := was[p]; f != nil && f.Size > 0 {
			gone[f.SHA256] = append(gone[f.SHA256], p)
		}
	}
	renamed := map[string]bool{}
	for _, p := range diff.Added {
		f := is[p]
		if f == nil || len(gone[f.SHA256]) == 0 {
			add(Add, p, "")
			continue
		}
		from := gone[f.SHA256][0]
		gone[f.SHA256] = gone[f.SHA256][1:]
		renamed[from] = true
		add(Rename, p, from)
	}
	for _, p := range diff.Modified {
		add(Modify, p, "")
	}
	for _, p := range diff.Deleted {
		if !renamed[p] {
			add(Delete, p, "")
		}
	}
	return list
}

func filesByPath(s *gitstore.Snapshot) map[string]*gitstore.File {
	m := make(map[string]*gitstore.File, len(s.Files))
	for i := range s.Files {
		m[s.Files[i].Path] = &s.Files[i]
	}
	return m
}

// returned makes entries for the paths that the ledger has as different from the
// index and that do not differ any more.
func (x *expansion) returned(differs []Entry) []Entry {
	open := map[string]bool{}
	for i := range differs {
		open[differs[i].Path], open[differs[i].OldPath] = true, true
	}
	var list []Entry
	for path, last := range x.newest {
		if open[path] || x.index.settled(&last) {
			continue
		}
		e := Entry{Path: path, OldBlob: last.NewBlob, OldSHA256: last.NewSHA256}
		f := x.index.file(path)
		switch {
		case f == nil && last.Kind == Delete:
			continue
		case f == nil:
			e.Kind = Delete
		case last.Kind == Delete:
			e.Kind, e.NewBlob, e.NewSHA256 = Add, f.Blob.String(), f.SHA256.String()
		default:
			e.Kind, e.NewBlob, e.NewSHA256 = Modify, f.Blob.String(), f.SHA256.String()
		}
		list = append(list, e)
	}
	return list
}

// recordScan writes a scan as an event with its changes and their meaning, while
// the bytes are there.
func (a *Analyst) recordScan(ctx context.Context, x *index, entries []Entry) error {
	e := &Event{Schema: eventSchema, Time: time.Now().UTC().Format(time.RFC3339Nano), Event: Scan, DetectedBy: Scan, New: a.Repo.Head}
	var err error
	if e.ID, err = contentID(e); err != nil {
		return err
	}
	for i := range entries {
		if err := entries[i].setID(e.ID); err != nil {
			return err
		}
	}
	c := &Changes{
		Schema: changesSchema, Of: e.ID, Time: e.Time, DetectedBy: Scan, Commit: e.New, Generation: x.name(), Entries: entries, Last: true,
	}
	s := a.sources(x)
	defer s.close()
	m, err := s.meaning(ctx, c)
	if err != nil {
		return err
	}
	lines, err := c.lines()
	if err != nil {
		return err
	}
	head, err := json.Marshal(e)
	if err != nil {
		return err
	}
	for _, line := range append([][]byte{head}, lines...) {
		if err := gitstore.AppendSpool(a.Repo.BindingDir(), line); err != nil {
			return err
		}
	}
	if err := appendMeaning(a.Repo, m); err != nil {
		return err
	}
	_, err = a.Store.FoldSpool(ctx, a.Repo.BindingDir(), a.Binding)
	return err
}
