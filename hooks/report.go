package hooks

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"codeidx/gitstore"
)

const reportSchema = "codeidx.report.v1"

// Report closes the book on an index: what is known otherwise in the one that
// follows it. It is a line of the ledger and kept for ever.
type Report struct {
	Schema      string       `json:"schema"`
	ID          string       `json:"id"`
	Time        string       `json:"time"`
	From        string       `json:"from"`       // manifest digest of the index before
	Generation  string       `json:"generation"` // of the new one
	Commit      string       `json:"commit,omitempty"`
	Note        string       `json:"note,omitempty"`
	Counts      ReportCounts `json:"counts"`
	Files       []ReportFile `json:"files"` // by path; MoreFiles are left out
	MoreFiles   int          `json:"more_files,omitempty"`
	Boundaries  []Boundary   `json:"boundaries,omitempty"`
	Unconfirmed []StaleEdge  `json:"unconfirmed_edges,omitempty"` // the first maxListed
	Markdown    string       `json:"markdown"`
}

// ReportCounts counts all of a report, also what its lists leave out.
type ReportCounts struct {
	FilesAdded    int `json:"files_added"`
	FilesModified int `json:"files_modified"`
	FilesDeleted  int `json:"files_deleted"`
	FilesRenamed  int `json:"files_renamed"`
	Added         int `json:"definitions_added"`
	Removed       int `json:"definitions_removed"`
	Changed       int `json:"definitions_changed"`
	Moved         int `json:"definitions_moved"`
	StaleEdges    int `json:"stale_edges"`     // of the index before, leaning on what changed
	Confirmed     int `json:"confirmed_edges"` // of these, found again
	Boundaries    int `json:"slice_boundaries"`
	Entries       int `json:"ledger_entries"` // recorded while that index served
}

// ReportFile is one file that differs.
type ReportFile struct {
	Kind Kind `json:"kind"`
	*Delta
}

// Book is the index that an explicit build is about to replace.
type Book struct {
	*Analyst
	old *index
}

// Open notes the index before an explicit build; automatic builds do not move it.
func (a *Analyst) Open() *Book {
	b := &Book{Analyst: a}
	if x, err := pointed(a.Store, a.Binding, gitstore.Current); err == nil {
		b.old = x
	}
	return b
}

// Close adds the report on the build that is done to the ledger, where there was
// an index before and the new one is another.
func (b *Book) Close(ctx context.Context) error {
	if err := b.close(ctx); err != nil {
		return fmt.Errorf("report what changed: %w", err)
	}
	return nil
}

func (b *Book) close(ctx context.Context) error {
	now, err := pointed(b.Store, b.Binding, gitstore.Current)
	if err != nil || b.old == nil || now == nil || now.name() == b.old.name() {
		return err
	}
	r := &Report{
		Schema: reportSchema, Time: time.Now().UTC().Format(time.RFC3339), From: b.old.name(), Generation: now.name(), Commit: b.Repo.Head,
	}
	if err := r.compare(b, now); err != nil {
		return err
	}
	if r.Counts.Entries, err = b.recorded(); err != nil {
		return err
	}
	r.Markdown = r.markdown()
	if r.ID, err = contentID(r); err != nil {
		return err
	}
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := gitstore.AppendSpool(b.Repo.BindingDir(), line); err != nil {
		return err
	}
	_, err = b.Store.FoldSpool(ctx, b.Repo.BindingDir(), b.Binding)
	return err
}

// recorded counts the entries of the ledger since the last report, or since there
// is an index.
func (b *Book) recorded() (n int, err error) {
	j, err := openJournal(b.Repo, b.Store, b.Binding)
	if err != nil {
		return 0, err
	}
	for r, err := range j.lines() {
		if err != nil || r.report != nil {
			return n, err
		}
		if r.changes != nil && r.changes.Generation != "" {
			n += len(r.changes.Entries)
		}
	}
	return n, nil
}

// maxReported bounds the JSON of the files of a report; with the lists beside it
// and the Markdown it stays below gitstore.MaxSpoolLine.
const maxReported = 400 << 10

func (r *Report) compare(b *Book, now *index) error {
	kinds, pairs, err := compareManifests(b.old, now)
	if err != nil {
		return err
	}
	deep := len(pairs) <= b.Config.DriftPaths
	if !deep {
		r.Note = fmt.Sprintf("%d files changed, more than %d: definitions were not compared", len(pairs), b.Config.DriftPaths)
	}
	var list []*Delta
	for _, p := range pairs {
		var was, is *version
		if deep {
			was, is = b.old.version(p.old), now.version(p.path)
		}
		d := newDelta(p.path, "", was, is)
		if p.old != "" && p.old != p.path {
			d.OldPath, d.replacesPath = validPath(p.old), true
		}
		list = append(list, d)
	}
	findMoves(list)
	if r.Boundaries, err = boundaries(now.name(), list); err != nil {
		return err
	}
	r.Counts.Boundaries = len(r.Boundaries)
	r.Boundaries = r.Boundaries[:min(len(r.Boundaries), maxListed)]
	var stale []StaleEdge
	size := 0
	for i, d := range list {
		r.count(kinds[i], d)
		edges := b.old.staleEdges(d)
		stale = append(stale, edges...)
		d.list()
		d.keepEdges(edges)
		text, err := json.Marshal(d)
		if err != nil {
			return err
		}
		if size += len(text); size > maxReported {
			r.MoreFiles++
			continue
		}
		r.Files = append(r.Files, ReportFile{kinds[i], d})
	}
	r.confirm(stale, now)
	return nil
}

func (r *Report) count(kind Kind, d *Delta) {
	c := &r.Counts
	switch kind {
	case Add:
		c.FilesAdded++
	case Modify:
		c.FilesModified++
	case Delete:
		c.FilesDeleted++
	case Rename:
		c.FilesRenamed++
	}
	c.Added += len(d.added) - len(d.movedHere)
	c.Removed += len(d.removed) - len(d.movedAway)
	c.Changed += len(d.pairs)
	c.Moved += len(d.moves)
}

// confirm looks for the edges that went stale in the new index.
func (r *Report) confirm(stale []StaleEdge, now *index) {
	slices.SortFunc(stale, func(a, b StaleEdge) int { return strings.Compare(a.UID, b.UID) })
	stale = slices.CompactFunc(stale, func(a, b StaleEdge) bool { return a.UID == b.UID })
	found := map[string]map[string]bool{} // uids by path
	for _, e := range stale {
		path := e.key.Path
		if found[path] == nil {
			found[path] = map[string]bool{}
			for _, n := range now.everyEdge(path) {
				found[path][n.UID] = true
			}
		}
		r.Counts.StaleEdges++
		switch {
		case found[path][e.UID]:
			r.Counts.Confirmed++
		case len(r.Unconfirmed) < maxListed:
			r.Unconfirmed = append(r.Unconfirmed, e)
		}
	}
	slices.SortFunc(r.Unconfirmed, func(a, b StaleEdge) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), strings.Compare(a.UID, b.UID))
	})
}

// filePair is a file that differs between two indexes; a path is "" where there
// is no file.
type filePair struct{ path, old string }

// compareManifests lists the files that differ, by path.
func compareManifests(old, now *index) (kinds []Kind, pairs []filePair, err error) {
	was, is := map[string]gitstore.Digest{}, map[string]gitstore.Digest{}
	err = errors.Join(
		old.gen.EachEntry(func(e *gitstore.Entry) { was[e.Path] = e.SHA256 }),
		now.gen.EachEntry(func(e *gitstore.Entry) { is[e.Path] = e.SHA256 }),
	)
	if err != nil {
		return nil, nil, err
	}
	gone := map[gitstore.Digest][]string{}
	var paths []string
	for p, sum := range was {
		if _, ok := is[p]; !ok {
			gone[sum] = append(gone[sum], p)
			paths = append(paths, p)
		}
	}
	for _, list := range gone {
		slices.Sort(list)
	}
	for p, sum := range is {
		if was[p] != sum {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	renamed := map[string]bool{}
	from := map[string]string{}
	for _, p := range paths {
		_, had := was[p]
		if sum, has := is[p]; has && !had && len(gone[sum]) > 0 {
			from[p] = gone[sum][0]
			renamed[from[p]] = true
			gone[sum] = gone[sum][1:]
		}
	}
	for _, p := range paths {
		_, had := was[p]
		_, has := is[p]
		switch {
		case renamed[p] && !has:
		case !has:
			kinds, pairs = append(kinds, Delete), append(pairs, filePair{p, p})
		case from[p] != "":
			kinds, pairs = append(kinds, Rename), append(pairs, filePair{p, from[p]})
		case had:
			kinds, pairs = append(kinds, Modify), append(pairs, filePair{p, p})
		default:
			kinds, pairs = append(kinds, Add), append(pairs, filePair{p, ""})
		}
	}
	return kinds, pairs, nil
}

// version returns an indexed file, nil where there is none with definitions.
func (x *index) version(path string) *version {
	if path == "" {
		return nil
	}
	t := x.symbols(path)
	src, ok := x.source(path)
	if t == nil || !ok {
		return nil
	}
	return &version{path: path, src: src, table: t}
}

// ErrNoReport says that no report of a generation is in the ledger.
var ErrNoReport = errors.New("there is no such report")

// ReadReport returns the report of the build of a generation, named by the
// beginning of its manifest digest; "" is the newest report.
func ReadReport(repo *gitstore.Repo, store *gitstore.Store, binding, generation string) (*Report, error) {
	j, err := openJournal(repo, store, binding)
	if err != nil {
		return nil, err
	}
	for r, err := range j.lines() {
		if err != nil {
			return nil, err
		}
		if r.report != nil && strings.HasPrefix(r.report.Generation, generation) {
			return r.report, nil
		}
	}
	return nil, ErrNoReport
}
