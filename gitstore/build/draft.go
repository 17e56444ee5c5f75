package build

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"codeidx/facts"
	"codeidx/gitstore"
	"codeidx/graph"
)

// sectionFormat is the version of the content of all sections: the row codecs
// of gitstore, graph and fulltext together. Generations of another one are
// built again.
const sectionFormat = 1

// draft is a generation that is complete in a writer's pack, not yet published.
type draft struct {
	id       *identity
	snapshot *gitstore.Snapshot
	root     gitstore.Root
	attached map[string][]gitstore.BlobRef
	coverage gitstore.Coverage
	parsed   int
	reused   int
	stages   []Stage
	began    time.Time
	now      string
	report   func(Progress)
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

// draft captures the work tree and writes a complete generation into w.
func (b *Builder) draft(ctx context.Context, w *gitstore.Writer, prior *earlier, reuse bool) (*draft, error) {
	d := &draft{id: b.identity(), report: b.Progress}
	d.stage("reading")
	x := &extraction{
		store: b.Store, writer: w, files: map[string]*extracted{}, config: map[string][]byte{}, tick: b.ticker(),
		steers: func(path string) bool { return graph.Steers(b.Resolvers, path) },
	}
	if reuse {
		x.known = knownFacts(prior.reusable)
	}
	var err error
	if d.snapshot, err = b.extract(ctx, x, d.id.policy); err != nil {
		return nil, err
	}
	d.parsed, d.reused = x.parsed, x.reused
	d.stage("resolving")
	program, symbols, entries := x.program(d.snapshot, d.id.roots)
	edges, err := graph.Resolve(program, b.Resolvers)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d.stage("writing")
	tables := graph.MakeTables(program, symbols, edges)
	d.coverage = coverageOf(d.snapshot, entries, &tables.Stats)
	return d, d.write(w, tables, symbols, entries)
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
func (x *extraction) program(s *gitstore.Snapshot, roots []string) (*graph.Program, []*graph.FileSymbols, []gitstore.Entry) {
	p := &graph.Program{Roots: roots}
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
	for path, data := range x.config {
		p.Config = append(p.Config, graph.ConfigFile{Path: path, Data: data})
	}
	slices.SortFunc(p.Config, func(a, b graph.ConfigFile) int { return cmp.Compare(a.Path, b.Path) })
	return p, symbols, entries
}

// write puts every section into the writer's pack.
func (d *draft) write(w *gitstore.Writer, t *graph.Tables, symbols []*graph.FileSymbols, entries []gitstore.Entry) error {
	d.root = gitstore.Root{Format: sectionFormat, Manifest: d.id.digest(d.snapshot), Meta: map[string][]byte{}, Sections: map[string][]gitstore.BlockRef{}}
	files, omitted := manifestRows(d.snapshot, entries)
	sections := map[string][]gitstore.Row{
		gitstore.FilesSection: files, gitstore.OmittedSection: omitted,
		graph.SymbolsTable: rows(t.Symbols), graph.EdgesTable: rows(t.Edges), graph.UnresolvedTable: rows(t.Unresolved),
		graph.IncomingTable: rows(t.Incoming), graph.NamesTable: rows(t.Names), graph.UnboundTable: rows(t.Unbound),
	}
	for name, list := range sections {
		blocks, err := putBlocks(w, gitstore.PackRows(list))
		if err != nil {
			return err
		}
		d.root.Sections[name] = blocks
	}
	if err := d.writeText(w, symbols); err != nil {
		return err
	}
	d.attach(entries)
	return d.writeMeta(t)
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

func (d *draft) writeText(w *gitstore.Writer, symbols []*graph.FileSymbols) error {
	blocks, err := textBlocks(symbols)
	if err != nil {
		return err
	}
	for _, b := range blocks {
		ref, err := w.Put(b.Data)
		if err != nil {
			return err
		}
		d.root.Sections[gitstore.TextSection] = append(d.root.Sections[gitstore.TextSection], gitstore.BlockRef{Key: b.Key, Blob: ref})
	}
	return nil
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

func (d *draft) writeMeta(t *graph.Tables) error {
	coverage, err := json.Marshal(d.coverage)
	if err != nil {
		return err
	}
	stats, err := json.Marshal(t.Stats)
	if err != nil {
		return err
	}
	d.root.Meta[gitstore.CoverageMeta] = coverage
	d.root.Meta[graph.StatsMeta] = stats
	d.root.Meta[gitstore.AttributesMeta] = d.snapshot.Attributes[:]
	return nil
}

func decodeMeta(b []byte, v any) error { return json.Unmarshal(b, v) }

func (d *draft) publication(binding string, ref gitstore.RefName, predecessor gitstore.OID) gitstore.Publication {
	return gitstore.Publication{
		Binding: binding, Ref: ref, Root: d.root, Attached: d.attached, Predecessor: predecessor,
		Trailers: []gitstore.Trailer{{Key: "Codeidx-Facts", Value: facts.Runtime}},
	}
}
