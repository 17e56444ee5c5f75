package build

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"codeidx/facts"
	"codeidx/gitstore"
	"codeidx/graph"

	"golang.org/x/sync/errgroup"
)

// sectionFormat is the version of the content of all sections: the row codecs
// of gitstore, graph and fulltext together. Generations of another one are
// built again.
const sectionFormat = 2

// draft is a generation that is complete in a writer's pack, not yet published.
type draft struct {
	id       *identity
	snapshot *gitstore.Snapshot
	mu       sync.Mutex // guards root.Sections while they are written
	root     gitstore.Root
	attached map[string][]gitstore.BlobRef
	coverage gitstore.Coverage
	parsed   int
	reused   int
	resolved int
	patched  bool
	stages   []Stage
	began    time.Time
	now      string
	report   func(Progress)
	recheck  gitstore.Freshness // of the check before publishing
}

// stage ends the running stage and begins another.
func (d *draft) stage(name string) {
	if d.now != "" {
		d.stages = append(d.stages, Stage{d.now, time.Since(d.began)})
	}
	d.began, d.now = time.Now(), name
	if d.report != nil && name != "" {
		d.report(Progress{Stage: name})
	}
}

// newDraft begins a draft, and the extraction of its files.
func (b *Builder) newDraft(w *gitstore.Writer) (*draft, *extraction) {
	d := &draft{id: b.identity(), report: b.Progress}
	d.stage("reading")
	return d, &extraction{
		store: b.Store, writer: w, files: map[string]*extracted{}, config: map[string][]byte{}, tick: b.ticker(),
		steers: func(path string) bool { return graph.Steers(b.Resolvers, path) },
	}
}

// draft captures the work tree and writes a complete generation into w.
func (b *Builder) draft(ctx context.Context, w *gitstore.Writer, prior *earlier, reuse bool) (*draft, error) {
	d, x := b.newDraft(w)
	if reuse {
		x.reusable = prior.reusable
		x.known = knownFacts(prior.reusable)
	}
	x.starts = len(x.known) == 0
	var err error
	d.snapshot, err = b.extract(ctx, x, func(ctx context.Context, sink func(gitstore.File, []byte) error) (*gitstore.Snapshot, error) {
		return gitstore.Capture(ctx, b.Repo, d.id.policy, sink)
	})
	if err != nil {
		return nil, err
	}
	d.parsed, d.reused = x.parsed, x.reused
	d.stage("resolving")
	program, symbols, entries := x.program(d.snapshot, d.id)
	d.begin()
	var group errgroup.Group
	group.Go(func() error { return d.writeText(w, x.textFiles(entries), prior.text(reuse)) })
	group.Go(func() error { return d.writeManifest(w, entries) })
	group.Go(func() error { return d.writeTrigrams(ctx, w, entries, x.reusable) })
	d.resolved = len(program.Files)
	edges, err := graph.Resolve(program, b.Resolvers)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, errors.Join(err, group.Wait())
	}
	d.stage("writing")
	tables := graph.MakeTables(program, symbols, edges)
	d.coverage = coverageOf(d.snapshot, entries, &tables.Stats)
	d.writeGraph(&group, w, tables)
	if err := group.Wait(); err != nil {
		return nil, err
	}
	d.attach(entries)
	return d, d.writeMeta(&tables.Stats, program)
}

// ticker reports each file read.
func (b *Builder) ticker() func(int64) {
	if b.Progress == nil {
		return nil
	}
	p := Progress{Stage: "reading"}
	return func(n int64) {
		p.Files++
		p.Bytes += n
		b.Progress(p)
	}
}

// program joins the extracted files, by path, into the resolvers' input.
func (x *extraction) program(s *gitstore.Snapshot, id *identity) (*graph.Program, []*graph.FileSymbols, []gitstore.Entry) {
	p := &graph.Program{}
	id.settle(p)
	var symbols []*graph.FileSymbols
	entries := make([]gitstore.Entry, 0, len(s.Files))
	for i := range s.Files {
		e := x.files[s.Files[i].Path]
		entries = append(entries, e.entry)
		if e.facts != nil {
			p.Files = append(p.Files, e.facts)
			symbols = append(symbols, e.symbols)
		}
	}
	x.surround(p, s)
	return p, symbols, entries
}

// surround adds what resolvers read beside facts.
func (x *extraction) surround(p *graph.Program, s *gitstore.Snapshot) {
	for i := range s.Omitted {
		if s.Omitted[i].Reason == gitstore.Unsupported {
			p.Others = append(p.Others, s.Omitted[i].Path)
		}
	}
	for path, data := range x.config {
		if facts.Detect(path) == facts.NoLang {
			p.Others = append(p.Others, path)
		}
		p.Config = append(p.Config, graph.ConfigFile{Path: path, Data: data})
	}
	slices.Sort(p.Others)
	slices.SortFunc(p.Config, func(a, b graph.ConfigFile) int { return cmp.Compare(a.Path, b.Path) })
}

// begin makes the root, which sections are then added to.
func (d *draft) begin() {
	d.root = gitstore.Root{
		Format: sectionFormat, Manifest: d.id.digest(d.snapshot), Meta: map[string][]byte{}, Sections: map[string][]gitstore.BlockRef{},
	}
}

// add puts the blocks of a section into the root. Sections are written side by
// side.
func (d *draft) add(name string, blocks []gitstore.BlockRef) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.root.Sections[name] = blocks
}

func (d *draft) writeManifest(w *gitstore.Writer, entries []gitstore.Entry) error {
	files, omitted := manifestRows(d.snapshot, entries)
	for name, list := range map[string][]gitstore.Row{gitstore.FilesSection: files, gitstore.OmittedSection: omitted} {
		if err := d.writeTable(w, name, list); err != nil {
			return err
		}
	}
	return nil
}

// writeGraph writes each table of the graph on a goroutine of the group.
func (d *draft) writeGraph(group *errgroup.Group, w *gitstore.Writer, t *graph.Tables) {
	for name, list := range map[string][]graph.Row{
		graph.SymbolsTable: t.Symbols, graph.EdgesTable: t.Edges, graph.UnresolvedTable: t.Unresolved,
		graph.IncomingTable: t.Incoming, graph.NamesTable: t.Names, graph.UnboundTable: t.Unbound,
	} {
		group.Go(func() error { return d.writeTable(w, name, rows(list)) })
	}
}

func (d *draft) writeTable(w *gitstore.Writer, name string, list []gitstore.Row) error {
	blocks, err := putBlocks(w, gitstore.PackRows(list))
	if err == nil {
		d.add(name, blocks)
	}
	return err
}

func rows(list []graph.Row) []gitstore.Row {
	out := make([]gitstore.Row, len(list))
	for i, r := range list {
		out[i] = gitstore.Row(r)
	}
	return out
}

func putBlocks(w *gitstore.Writer, blocks []gitstore.RowBlock) ([]gitstore.BlockRef, error) {
	refs := make([]gitstore.BlockRef, 0, len(blocks))
	for _, b := range blocks {
		ref, err := w.Put(b.Data)
		if err != nil {
			return nil, err
		}
		refs = append(refs, gitstore.BlockRef{Key: []byte(b.Key), Blob: ref})
	}
	return refs, nil
}

func (d *draft) writeText(w *gitstore.Writer, files []textFile, prior *gitstore.Generation) error {
	blocks, err := textBlocks(w, files, prior)
	if err == nil {
		d.add(gitstore.TextSection, blocks)
	}
	return err
}

// attach names the payloads that the manifest's entries refer to, so that they
// are part of the generation's tree.
func (d *draft) attach(entries []gitstore.Entry) {
	d.attached = map[string][]gitstore.BlobRef{}
	for i := range entries {
		e := &entries[i]
		if e.Facts.Len > 0 {
			d.attached["facts"] = append(d.attached["facts"], e.Facts)
		}
		if e.Source.Len > 0 {
			d.attached["source"] = append(d.attached["source"], e.Source)
		}
	}
}

func (d *draft) writeMeta(t *graph.Stats, p *graph.Program) error {
	coverage, err := json.Marshal(d.coverage)
	if err != nil {
		return err
	}
	stats, err := json.Marshal(t)
	if err != nil {
		return err
	}
	if list := p.Entangled(); len(list) > 0 {
		d.root.Meta[graph.EntangledMeta] = []byte(strings.Join(list, " "))
	}
	d.root.Meta[gitstore.CoverageMeta] = coverage
	d.root.Meta[graph.StatsMeta] = stats
	d.root.Meta[gitstore.AttributesMeta] = d.snapshot.Attributes[:]
	if d.id.policy.IncludeUntracked {
		d.root.Meta[gitstore.UntrackedMeta] = []byte("1")
	}
	return nil
}

func decodeMeta(b []byte, v any) error { return json.Unmarshal(b, v) }

func (d *draft) publication(binding string, ref gitstore.RefName, predecessor gitstore.OID) gitstore.Publication {
	return gitstore.Publication{
		Binding: binding, Ref: ref, Root: d.root, Attached: d.attached, Predecessor: predecessor,
		Trailers: []gitstore.Trailer{{Key: "Codeidx-Facts", Value: facts.Runtime}},
	}
}
