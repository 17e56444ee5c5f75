package query

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"sync"

	"codeidx/gitstore"
	"codeidx/graph"
)

type row = gitstore.Row

// Index reads one pinned generation. Tables are decoded block by block as
// they are needed; a file's tables are decoded once. Safe for concurrent use.
type Index struct {
	Fingerprint string

	gen    *gitstore.Generation
	tree   *workTree // nil for a generation that does not serve
	prefix string    // the caller's folder, see Params.Prefix

	files, omitted                                       *gitstore.Table
	symbols, edges, unresolved, incoming, names, unbound *gitstore.Table

	mu     sync.Mutex
	tables map[string]*graph.FileSymbols
	refs   map[string]*graph.FileRefs
	counts map[*graph.FileRefs][]uint32
	into   map[string][]graph.Inbound
}

func newIndex(gen *gitstore.Generation, fingerprint string) *Index {
	x := &Index{
		Fingerprint: fingerprint, gen: gen,
		tables: map[string]*graph.FileSymbols{}, refs: map[string]*graph.FileRefs{}, counts: map[*graph.FileRefs][]uint32{},
		into: map[string][]graph.Inbound{},
	}
	for name, t := range map[string]**gitstore.Table{
		gitstore.FilesSection: &x.files, gitstore.OmittedSection: &x.omitted,
		graph.SymbolsTable: &x.symbols, graph.EdgesTable: &x.edges, graph.UnresolvedTable: &x.unresolved,
		graph.IncomingTable: &x.incoming, graph.NamesTable: &x.names, graph.UnboundTable: &x.unbound,
	} {
		*t = gen.Table(name)
	}
	return x
}

func (x *Index) corrupt(table, key string, err error) error {
	return errorf(StoreCorrupt, "run: git codeidx fsck, then git codeidx index", "table %s of the index is damaged at %s: %v", table, key, err)
}

// Symbols returns the symbol table of a file, nil when it is not indexed.
func (x *Index) Symbols(p string) (*graph.FileSymbols, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if f, ok := x.tables[p]; ok {
		return f, nil
	}
	data, ok, err := x.symbols.Row(p)
	if err != nil || !ok {
		return nil, err
	}
	f, err := graph.DecodeSymbols(p, data)
	if err != nil {
		return nil, x.corrupt(graph.SymbolsTable, p, err)
	}
	x.tables[p] = f
	return f, nil
}

// Refs returns the outgoing edges of a file, nil when it is not indexed.
func (x *Index) Refs(p string) (*graph.FileRefs, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if f, ok := x.refs[p]; ok {
		return f, nil
	}
	data, ok, err := x.edges.Row(p)
	if err != nil || !ok {
		return nil, err
	}
	f, err := graph.DecodeRefs(p, data)
	if err != nil {
		return nil, x.corrupt(graph.EdgesTable, p, err)
	}
	x.refs[p] = f
	return f, nil
}

// ordinals returns the ordinals of a file's edges, computed once.
func (x *Index) ordinals(f *graph.FileRefs) []uint32 {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.counts[f] == nil {
		x.counts[f] = f.Ordinals()
	}
	return x.counts[f]
}

// Defined returns the definitions that are called name, by path.
func (x *Index) Defined(name string) ([]graph.Key, error) {
	data, ok, err := x.names.Row(name)
	if err != nil || !ok {
		return nil, err
	}
	keys, err := graph.DecodeKeys(data)
	if err != nil {
		return nil, x.corrupt(graph.NamesTable, name, err)
	}
	return keys, nil
}

func (x *Index) eachDefinition(f func(graph.Key)) error {
	var failed error
	err := x.names.Scan("", func(r row) bool {
		keys, err := graph.DecodeKeys(r.Data)
		if err != nil {
			failed = x.corrupt(graph.NamesTable, r.Key, err)
			return false
		}
		for _, k := range keys {
			f(k)
		}
		return true
	})
	return cmp.Or(err, failed)
}

// inboundOf lists the symbols of a file that other code refers to.
func (x *Index) inboundOf(p string) ([]graph.Inbound, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if list, ok := x.into[p]; ok {
		return list, nil
	}
	data, ok, err := x.incoming.Row(p)
	if err != nil || !ok {
		return nil, err
	}
	list, err := graph.DecodeIncoming(p, data)
	if err != nil {
		return nil, x.corrupt(graph.IncomingTable, p, err)
	}
	x.into[p] = list
	return list, nil
}

// inbound lists the files with edges to one symbol.
func (x *Index) inbound(k graph.Key) ([]string, error) {
	list, err := x.inboundOf(k.Path)
	if err != nil {
		return nil, err
	}
	i, ok := slices.BinarySearchFunc(list, k, func(in graph.Inbound, k graph.Key) int { return in.Key.Compare(k) })
	if !ok {
		return nil, nil
	}
	return list[i].Paths, nil
}

// Unbound lists the files with references to a name that were not bound.
func (x *Index) Unbound(name string) ([]graph.PathCount, error) {
	data, ok, err := x.unbound.Row(name)
	if err != nil || !ok {
		return nil, err
	}
	list, err := graph.DecodeUnbound(data)
	if err != nil {
		return nil, x.corrupt(graph.UnboundTable, name, err)
	}
	return list, nil
}

// eachFile calls f for every indexed file at or below prefix, by path.
func (x *Index) eachFile(prefix string, f func(*graph.FileSymbols)) error {
	var failed error
	err := x.symbols.Scan(prefix, func(r row) bool {
		if !underPrefix(r.Key, prefix) {
			return true
		}
		t, err := x.Symbols(r.Key)
		if err != nil {
			failed = err
			return false
		}
		f(t)
		return true
	})
	return cmp.Or(err, failed)
}

// entry returns the manifest entry of a file.
func (x *Index) entry(p string) (*gitstore.Entry, error) {
	data, ok, err := x.files.Row(p)
	if err != nil || !ok {
		return nil, err
	}
	e, err := gitstore.DecodeEntry(p, data)
	if err != nil {
		return nil, x.corrupt(gitstore.FilesSection, p, err)
	}
	return e, nil
}

// Source returns the captured bytes of an indexed file.
func (x *Index) Source(p string) ([]byte, error) {
	e, err := x.entry(p)
	if err != nil {
		return nil, err
	}
	if e == nil {
		return nil, x.noSuchFile(p)
	}
	if e.Size == 0 {
		return nil, nil
	}
	return x.gen.Get(e.Source)
}

// resolvePath finds the indexed file that a user's path means, below the
// caller's folder or from the top.
func (x *Index) resolvePath(p, prefix string) (string, bool, error) {
	for _, try := range pathChoices(p, prefix) {
		if e, err := x.entry(try); err != nil || e != nil {
			return try, e != nil, err
		}
	}
	return "", false, nil
}

// pathChoices are the paths from the top that a user's path may mean.
func pathChoices(p, prefix string) []string { return []string{path.Join(prefix, p), path.Clean(p)} }

func (x *Index) noSuchFile(p string) error {
	if data, ok, err := x.omitted.Row(path.Clean(p)); err == nil && ok {
		if o, err := gitstore.DecodeOmission(p, data); err == nil {
			return errorf(InvalidRequest, "see: git codeidx diagnostics", "%s is not indexed: %s", p, o.Reason)
		}
	}
	return errorf(InvalidRequest, "paths are relative to this folder or to the top of the work tree", "no indexed file is called %q", p)
}

// eachParseFailure lists the files whose facts are missing or partial.
func (x *Index) eachParseFailure(f func(path, status string)) error {
	return x.gen.EachEntry(func(e *gitstore.Entry) {
		if e.Status != "" && e.Status != "ok" {
			f(e.Path, e.Status)
		}
	})
}

// Fingerprint is the token of the protocol: it names one content of one
// work tree.
func Fingerprint(manifest gitstore.Digest, binding string, repo *gitstore.Repo) string {
	return gitstore.DigestOf(fmt.Appendf(nil, "codeidx fingerprint v1\x00%s\x00%s\x00%s", manifest, binding, repo.Format)).String()
}
