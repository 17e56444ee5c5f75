package build

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"codeidx/facts"
	"codeidx/gitstore"
	"codeidx/graph"
)

// draftByDifference writes the generation that draft would write, from the
// baseline and what differs from it. It reads and writes as little as the
// change allows; any error means that the whole must be built.
func (b *Builder) draftByDifference(ctx context.Context, w *gitstore.Writer, prior *earlier) (*draft, error) {
	base := prior.base
	d, x := b.newDraft(w)
	d.patched, d.recheck = true, gitstore.FreshnessStat
	x.known = knownFacts(prior.reusable)
	x.starts = len(base.diff.Modified)+len(base.diff.Added) > 0
	var err error
	d.snapshot, err = b.extract(ctx, x, func(ctx context.Context, sink func(gitstore.File, []byte) error) (*gitstore.Snapshot, error) {
		return gitstore.Recapture(ctx, b.Repo, d.id.policy, base.known, base.diff, x.steers, sink)
	})
	if err != nil {
		return nil, err
	}
	entries := x.entries(d.snapshot, base)
	d.parsed, d.reused = x.parsed, sources(entries)-x.parsed
	d.begin()
	var group errgroup.Group
	group.Go(func() error { return d.writeText(w, x.textFiles(entries), base.gen) })
	group.Go(func() error { return d.writeTrigrams(ctx, w, entries, []*gitstore.Generation{base.gen}) })
	group.Go(func() error { return d.writeManifest(w, entries) })
	d.stage("resolving")
	r, err := b.resolveAgain(ctx, d, x, base, entries)
	if err == nil {
		d.resolved = r.resolved()
		d.stage("writing")
		err = d.patchTables(w, r)
	}
	if waited := group.Wait(); err == nil {
		err = waited
	}
	if err != nil {
		return nil, err
	}
	d.coverage = coverageOf(d.snapshot, entries, &r.patch.Stats)
	d.attach(entries)
	return d, d.writeMeta(&r.patch.Stats, r.program)
}

// entries lists the manifest: what was read, and for the rest what the baseline
// has.
func (x *extraction) entries(s *gitstore.Snapshot, base *baseline) []gitstore.Entry {
	list := make([]gitstore.Entry, 0, len(s.Files))
	for i := range s.Files {
		if out := x.files[s.Files[i].Path]; out != nil {
			list = append(list, out.entry)
		} else if e := base.entry(s.Files[i].Path); e != nil {
			list = append(list, *e)
		}
	}
	return list
}

func sources(entries []gitstore.Entry) int {
	n := 0
	for i := range entries {
		if entries[i].Class == gitstore.ClassSource {
			n++
		}
	}
	return n
}

// resolution is the part of a program that is resolved again, and what it does
// to the tables.
type resolution struct {
	*extraction
	base    *baseline
	files   []*gitstore.Entry // of the graph, parallel to program.Files
	program *graph.Program
	altered []alteration
	indexes map[string]int32 // of the altered files that are there
	symbols []*graph.FileSymbols
	out     []graph.FileEdges
	done    []bool // files that were resolved again
	patch   *graph.Patch
	tables  map[string]*gitstore.Table // of the baseline
}

// resolveAgain resolves what the alterations can concern.
func (b *Builder) resolveAgain(ctx context.Context, d *draft, x *extraction, base *baseline, entries []gitstore.Entry) (*resolution, error) {
	r := &resolution{extraction: x, base: base, altered: base.alterations(entries), indexes: map[string]int32{}, tables: map[string]*gitstore.Table{}}
	var index []graph.FileInfo
	for i := range entries {
		if e := &entries[i]; hasFacts(e) {
			r.files = append(r.files, e)
			index = append(index, graph.FileInfo{Path: e.Path, Lang: facts.Lang(e.Lang)})
		}
	}
	r.program = graph.Partial(index, func(i int) (*facts.File, error) { return r.facts(r.files[i]) })
	d.id.settle(r.program)
	x.surround(r.program, d.snapshot)
	r.symbols = make([]*graph.FileSymbols, len(index))
	r.out = make([]graph.FileEdges, len(index))
	r.done = make([]bool, len(index))
	for i, e := range r.files {
		if out := x.files[e.Path]; out != nil {
			r.symbols[i] = out.symbols
			r.indexes[e.Path] = int32(i)
		}
	}
	before, now := surroundingsOf(base.known, b.Resolvers), surroundingsOf(d.snapshot, b.Resolvers)
	tangled := strings.Fields(string(base.gen.Meta[graph.EntangledMeta]))
	for _, res := range b.Resolvers {
		steered := now.steered(before, res)
		if err := r.resolve(ctx, res, steered, !slices.Equal(before.others, now.others), tangled); err != nil {
			return nil, err
		}
	}
	for _, a := range r.altered {
		if i, there := r.indexes[a.path]; there && !r.done[i] {
			return nil, fmt.Errorf("nothing resolves %s", a.path)
		}
	}
	return r, graph.Check(r.program, r.out)
}

// resolved counts the files that were resolved again.
func (r *resolution) resolved() int {
	n := 0
	for _, done := range r.done {
		if done {
			n++
		}
	}
	return n
}

// facts returns the facts of a file of the graph.
func (r *resolution) facts(e *gitstore.Entry) (*facts.File, error) {
	if out := r.extraction.files[e.Path]; out != nil {
		return out.facts, nil
	}
	return readFacts(r.store, e)
}

func readFacts(s *gitstore.Store, e *gitstore.Entry) (*facts.File, error) {
	raw, err := s.Get(e.Facts)
	if err != nil {
		return nil, err
	}
	f, err := facts.Decode(raw)
	if err != nil || f.Path != e.Path {
		return nil, fmt.Errorf("facts of %s: %w", e.Path, err)
	}
	return f, nil
}

// resolve runs one resolver over what it must look at again: nothing, some
// files, or all of its languages.
func (r *resolution) resolve(ctx context.Context, res graph.Resolver, steered, others bool, tangled []string) error {
	langs := res.Languages()
	mine := func(l facts.Lang) bool { return slices.Contains(langs, l) }
	var altered []alteration
	for _, a := range r.altered {
		if mine(a.lang) {
			altered = append(altered, a)
		}
	}
	sel, selective := res.(graph.Selective)
	if !steered && len(altered) == 0 && (selective || !others) {
		r.keepTangled(langs, tangled)
		return nil
	}
	if selective && !steered && !slices.ContainsFunc(tangled, func(s string) bool { return s == langs[0].String() }) {
		done, err := r.resolveSome(sel, altered)
		if err != nil || done {
			return err
		}
		for i := range r.out {
			if mine(r.program.Info(i).Lang) {
				r.out[i] = graph.FileEdges{}
			}
		}
	}
	if err := r.load(ctx, mine); err != nil {
		return err
	}
	res.Resolve(r.program, r.out)
	return ctx.Err()
}

// keepTangled carries over what an earlier build found of languages that are
// not resolved again.
func (r *resolution) keepTangled(langs []facts.Lang, tangled []string) {
	for _, l := range langs {
		if slices.Contains(tangled, l.String()) {
			r.program.Entangle(l)
		}
	}
}

// resolveSome lets a resolver find out what altered files concern, as long as
// each was there before. It says whether that is all.
func (r *resolution) resolveSome(sel graph.Selective, altered []alteration) (bool, error) {
	changed := make([]graph.Changed, 0, len(altered))
	for _, a := range altered {
		if a.old == nil || a.now == nil {
			return false, nil
		}
		old, err := readFacts(r.store, a.old)
		if err != nil {
			return false, err
		}
		changed = append(changed, graph.Changed{File: r.indexes[a.path], Old: old})
	}
	some, ok := sel.ResolveSome(r.program, changed, r, r.out)
	if !ok || r.program.Err() != nil {
		return false, r.program.Err()
	}
	for _, i := range some {
		r.done[i] = true
	}
	return true, nil
}

// load reads the facts of all files of some languages, side by side, and marks
// them to be resolved.
func (r *resolution) load(ctx context.Context, mine func(facts.Lang) bool) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(parallel)
	for i, e := range r.files {
		if !mine(facts.Lang(e.Lang)) {
			continue
		}
		r.done[i] = true
		group.Go(func() error {
			f := r.program.Files[i]
			if f == nil {
				var err error
				if f, err = r.facts(e); err != nil {
					return err
				}
				r.program.Files[i] = f
			}
			if r.symbols[i] == nil {
				r.symbols[i] = graph.SymbolsOf(f, nil)
			}
			return ctx.Err()
		})
	}
	return group.Wait()
}

// parallel bounds the files that are decoded and encoded side by side.
const parallel = 4

// row reads a row of the baseline's tables.
func (r *resolution) row(table, key string) ([]byte, bool, error) {
	return r.table(table).Row(key)
}

func (r *resolution) table(name string) *gitstore.Table {
	t := r.tables[name]
	if t == nil {
		t = r.base.gen.Table(name)
		r.tables[name] = t
	}
	return t
}

// Symbols implements graph.Known.
func (r *resolution) Symbols(path string) (*graph.FileSymbols, error) {
	row, ok, err := r.row(graph.SymbolsTable, path)
	if err != nil || !ok {
		return nil, err
	}
	return graph.DecodeSymbols(path, row)
}

// Refs implements graph.Known.
func (r *resolution) Refs(path string) (*graph.FileRefs, error) {
	row, ok, err := r.row(graph.EdgesTable, path)
	if err != nil || !ok {
		return nil, err
	}
	return graph.DecodeRefs(path, row)
}

// Implementers implements graph.Known.
func (r *resolution) Implementers(path string, target graph.Key) ([]graph.Key, error) {
	row, ok, err := r.row(graph.EdgesTable, path)
	if err != nil || !ok {
		return nil, err
	}
	from, err := graph.Implementers(row, target)
	if err != nil || len(from) == 0 {
		return nil, err
	}
	symbols, err := r.Symbols(path)
	if err != nil {
		return nil, err
	}
	var keys []graph.Key
	for _, i := range from {
		if symbols == nil || int(i) >= len(symbols.Symbols) {
			return nil, fmt.Errorf("edges of %s: no symbol %d", path, i)
		}
		keys = append(keys, symbols.Key(int(i)))
	}
	return keys, nil
}

// Definitions implements graph.Known.
func (r *resolution) Definitions(name string) ([]graph.Key, error) {
	row, ok, err := r.row(graph.NamesTable, name)
	if err != nil || !ok {
		return nil, err
	}
	return graph.DecodeKeys(row)
}

// Mentioning implements graph.Known.
func (r *resolution) Mentioning(names map[string]bool) ([]string, error) {
	var paths []string
	for table, mention := range map[string]func([]byte, map[string]bool) (bool, error){
		graph.EdgesTable: graph.RefsMention, graph.UnresolvedTable: graph.LooseMention,
	} {
		var failed error
		err := r.table(table).Scan("", func(row gitstore.Row) bool {
			var found bool
			if found, failed = mention(row.Data, names); found {
				paths = append(paths, row.Key)
			}
			return failed == nil
		})
		if err = errors.Join(err, failed); err != nil {
			return nil, err
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths), nil
}

// Incoming implements graph.Known.
func (r *resolution) Incoming(path string) ([]graph.Inbound, error) {
	row, ok, err := r.row(graph.IncomingTable, path)
	if err != nil || !ok {
		return nil, err
	}
	return graph.DecodeIncoming(path, row)
}

// graphTables are the tables that a patch may change.
var graphTables = [...]string{
	graph.SymbolsTable, graph.EdgesTable, graph.UnresolvedTable, graph.IncomingTable, graph.NamesTable, graph.UnboundTable,
}

// patchTables writes the tables of the graph: blocks that keep their rows are
// those of the baseline.
func (d *draft) patchTables(w *gitstore.Writer, r *resolution) error {
	changes, err := r.changes()
	if err != nil {
		return err
	}
	var group errgroup.Group
	for _, name := range graphTables {
		table, list := r.table(name), changes[name]
		group.Go(func() error {
			blocks, err := patchTable(w, table, list)
			if err == nil {
				d.add(name, blocks)
			}
			return err
		})
	}
	return group.Wait()
}

// changes makes the rows of what was resolved again and compares them with the
// baseline's.
func (r *resolution) changes() (map[string][]graph.RowChange, error) {
	var stats graph.Stats
	if err := json.Unmarshal(r.base.gen.Meta[graph.StatsMeta], &stats); err != nil {
		return nil, fmt.Errorf("read counts: %w", err)
	}
	r.patch = graph.NewPatch(r.row, stats)
	for _, a := range r.altered {
		if _, there := r.indexes[a.path]; a.now == nil && !there {
			if err := r.patch.Set(a.path, nil); err != nil {
				return nil, err
			}
		}
	}
	rows, err := r.encoded()
	if err != nil {
		return nil, err
	}
	for i, row := range rows {
		if row == nil {
			continue
		}
		if err := r.patch.Set(r.files[i].Path, row); err != nil {
			return nil, err
		}
	}
	return r.patch.Changes()
}

// encoded makes the rows of each file that was resolved again, side by side.
func (r *resolution) encoded() ([]*graph.FileRows, error) {
	altered := map[string]bool{}
	for _, a := range r.altered {
		altered[a.path] = true
	}
	rows := make([]*graph.FileRows, len(r.files))
	key := graph.KeyOf(r.program, r.symbols)
	var mu sync.Mutex // KeyOf makes what is missing
	var group errgroup.Group
	group.SetLimit(parallel)
	for i, e := range r.files {
		if !r.done[i] {
			continue
		}
		locked := func(t graph.Target) graph.Key {
			if t.File >= 0 && r.done[t.File] {
				return key(t)
			}
			mu.Lock()
			defer mu.Unlock()
			return key(t)
		}
		group.Go(func() error {
			refs := graph.RefsOf(r.program, i, r.out[i].Edges, locked)
			loose := graph.LooseOf(r.program.Files[i], r.out[i].Unresolved)
			var symbols *graph.FileSymbols
			if altered[e.Path] {
				symbols = r.symbols[i]
			}
			rows[i] = graph.RowsOf(symbols, refs, loose)
			return nil
		})
	}
	return rows, group.Wait()
}

func patchTable(w *gitstore.Writer, table *gitstore.Table, list []graph.RowChange) ([]gitstore.BlockRef, error) {
	changes := make([]gitstore.RowChange, len(list))
	for i, c := range list {
		changes[i] = gitstore.RowChange{Row: gitstore.Row(c.Row), Gone: c.Gone}
	}
	blocks, err := table.Patch(changes)
	if err != nil {
		return nil, err
	}
	refs := make([]gitstore.BlockRef, 0, len(blocks))
	for _, b := range blocks {
		if b.Kept != nil {
			if err := w.Known(b.Kept.Blob); err != nil {
				return nil, err
			}
			refs = append(refs, *b.Kept)
			continue
		}
		ref, err := w.Put(b.New.Data)
		if err != nil {
			return nil, err
		}
		refs = append(refs, gitstore.BlockRef{Key: []byte(b.New.Key), Blob: ref})
	}
	return refs, nil
}
