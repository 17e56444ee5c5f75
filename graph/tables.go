package graph

import (
	"cmp"
	"slices"

	"codeidx/facts"
	"codeidx/facts/wire"
)

// Names of the stored tables.
const (
	SymbolsTable    = "graph/symbols"
	EdgesTable      = "graph/edges"
	UnresolvedTable = "graph/unresolved"
	IncomingTable   = "graph/incoming"
	NamesTable      = "graph/names"
	UnboundTable    = "graph/unbound"
)

// StatsMeta is the root's record of a graph's Stats, as JSON.
const StatsMeta = "graph"

// Row is one record of a stored table. Tables are sorted by key.
type Row struct {
	Key  string
	Data []byte
}

// Tables are the stored form of a graph. Keys are paths for Symbols, Edges,
// Unresolved and Incoming (there also package folders) and names for Names
// and Unbound. A row depends on its own file (Symbols), or on it and the keys
// of what it names, never on positions in other files.
type Tables struct {
	Symbols    []Row // FileSymbols
	Edges      []Row // FileRefs
	Unresolved []Row // []Loose
	Incoming   []Row // []Inbound: which files refer to a file's symbols
	Names      []Row // []Key: the definitions of a name
	Unbound    []Row // []PathCount: the files with unresolved references to a name
	Stats      Stats
}

// Stats counts what resolving gave.
type Stats struct {
	Symbols    int            `json:"symbols"`
	Resolved   int            `json:"resolved"`
	Candidate  int            `json:"candidate"`
	Unresolved int            `json:"unresolved"`
	Reasons    map[string]int `json:"unresolved_by_reason"`
}

// Inbound lists the files with edges to one symbol.
type Inbound struct {
	Key   Key
	Paths []string
}

// PathCount is a file with a number of sites.
type PathCount struct {
	Path  string
	Count uint32
}

// MakeTables turns a resolved program into its stored tables. symbols holds
// the table of each file of p, in the same order.
func MakeTables(p *Program, symbols []*FileSymbols, edges []FileEdges) *Tables {
	t := &Tables{Stats: Stats{Reasons: map[string]int{}}}
	key := KeyOf(p, symbols)
	in := map[Key][]string{}
	unbound := map[string][]PathCount{}
	for i, f := range p.Files {
		t.Symbols = append(t.Symbols, Row{f.Path, symbols[i].Encode()})
		refs := RefsOf(p, i, edges[i].Edges, key)
		t.Edges = append(t.Edges, Row{f.Path, refs.Encode()})
		for _, k := range refs.Targets {
			in[k] = append(in[k], f.Path)
		}
		loose := LooseOf(f, edges[i].Unresolved)
		t.Unresolved = append(t.Unresolved, Row{f.Path, EncodeLoose(loose)})
		countUnbound(unbound, f.Path, loose)
		t.count(len(symbols[i].Symbols)-1, refs, loose)
	}
	t.Incoming = incomingRows(in)
	t.Names = nameRows(symbols)
	t.Unbound = unboundRows(unbound)
	return t
}

func (t *Tables) count(symbols int, refs *FileRefs, loose []Loose) {
	t.Stats.Symbols += symbols
	for i := range refs.Edges {
		if refs.Edges[i].Resolution == Resolved {
			t.Stats.Resolved++
		} else {
			t.Stats.Candidate++
		}
	}
	t.Stats.Unresolved += len(loose)
	for i := range loose {
		t.Stats.Reasons[loose[i].Reason.String()]++
	}
}

// countUnbound adds the references that a definition of the repository could
// be meant by: names of the language and proven outside names are left out.
func countUnbound(all map[string][]PathCount, path string, loose []Loose) {
	for i := range loose {
		u := &loose[i]
		if !u.Reason.MayBeInside() {
			continue
		}
		list := all[u.Name]
		if n := len(list); n > 0 && list[n-1].Path == path {
			list[n-1].Count++
			continue
		}
		all[u.Name] = append(list, PathCount{path, 1})
	}
}

// MayBeInside says whether a reference left for this reason could mean a
// definition of the repository.
func (r Reason) MayBeInside() bool {
	switch r {
	case ExternalImport, Builtin, ExternalType, NoSuchMember:
		return false
	}
	return true
}

func incomingRows(in map[Key][]string) []Row {
	keys := make([]Key, 0, len(in))
	for k := range in {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, Key.Compare)
	var rows []Row
	for len(keys) > 0 {
		n := 1
		for n < len(keys) && keys[n].Path == keys[0].Path {
			n++
		}
		list := make([]Inbound, n)
		for i, k := range keys[:n] {
			list[i] = Inbound{k, in[k]}
		}
		rows = append(rows, Row{keys[0].Path, encodeIncoming(list)})
		keys = keys[n:]
	}
	return rows
}

// Incoming row: paths (count, strings), count, per symbol: kind byte,
// qualified, ordinal, count, path deltas.
func encodeIncoming(list []Inbound) []byte {
	var w wire.Writer
	var all []string
	for i := range list {
		all = append(all, list[i].Paths...)
	}
	paths, index := dictionary(len(all), func(i int) string { return all[i] })
	writeStrings(&w, paths)
	w.Uint(uint64(len(list)))
	next := 0
	for i := range list {
		k := &list[i].Key
		w.Byte(byte(k.Kind))
		w.String(k.Qualified)
		w.Uint(uint64(k.Ordinal))
		w.Uint(uint64(len(list[i].Paths)))
		last := uint32(0)
		for range list[i].Paths {
			w.Uint(uint64(index[next] - last))
			last = index[next]
			next++
		}
	}
	return w.B
}

// DecodeIncoming reads the incoming row of a file or package folder.
func DecodeIncoming(path string, row []byte) ([]Inbound, error) {
	r := wire.NewReader(row)
	paths := readStrings(r)
	list := make([]Inbound, r.Count(4))
	for i := range list {
		list[i].Key = Key{Path: path, Kind: facts.DefKind(r.Byte()), Qualified: r.String(), Ordinal: r.Uint32()}
		list[i].Paths = make([]string, r.Count(1))
		at := uint64(0)
		for j := range list[i].Paths {
			step := uint64(r.Below(len(paths) + 1))
			at += step
			if at >= uint64(len(paths)) || j > 0 && step == 0 {
				r.Fail()
				return nil, r.Err()
			}
			list[i].Paths[j] = paths[at]
		}
	}
	return list, r.Done()
}

func nameRows(symbols []*FileSymbols) []Row {
	all := map[string][]Key{}
	for _, f := range symbols {
		for i := 1; i < len(f.Symbols); i++ {
			n := f.Symbols[i].Name
			all[n] = append(all[n], f.Key(i))
		}
	}
	rows := make([]Row, 0, len(all))
	for n, keys := range all {
		slices.SortFunc(keys, Key.Compare)
		rows = append(rows, Row{n, encodeKeys(keys)})
	}
	return sortRows(rows)
}

// Names row: count, per definition: path, kind byte, qualified, ordinal.
func encodeKeys(keys []Key) []byte {
	var w wire.Writer
	w.Uint(uint64(len(keys)))
	for i := range keys {
		k := &keys[i]
		w.String(k.Path)
		w.Byte(byte(k.Kind))
		w.String(k.Qualified)
		w.Uint(uint64(k.Ordinal))
	}
	return w.B
}

// DecodeKeys reads a names row.
func DecodeKeys(row []byte) ([]Key, error) {
	r := wire.NewReader(row)
	keys := make([]Key, r.Count(4))
	for i := range keys {
		keys[i] = Key{Path: r.String(), Kind: facts.DefKind(r.Byte()), Qualified: r.String(), Ordinal: r.Uint32()}
	}
	return keys, r.Done()
}

func unboundRows(all map[string][]PathCount) []Row {
	rows := make([]Row, 0, len(all))
	for n, list := range all {
		rows = append(rows, Row{n, encodeUnbound(list)})
	}
	return sortRows(rows)
}

func encodeUnbound(list []PathCount) []byte {
	var w wire.Writer
	w.Uint(uint64(len(list)))
	for _, pc := range list {
		w.String(pc.Path)
		w.Uint(uint64(pc.Count))
	}
	return w.B
}

// DecodeUnbound reads an unbound row: count, per file: path, sites.
func DecodeUnbound(row []byte) ([]PathCount, error) {
	r := wire.NewReader(row)
	list := make([]PathCount, r.Count(2))
	for i := range list {
		list[i] = PathCount{r.String(), r.Uint32()}
	}
	return list, r.Done()
}

func sortRows(rows []Row) []Row {
	slices.SortFunc(rows, func(a, b Row) int { return cmp.Compare(a.Key, b.Key) })
	return rows
}
