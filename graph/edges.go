package graph

import (
	"cmp"
	"slices"
	"strings"

	"codeidx/facts"
	"codeidx/facts/wire"
)

// Ref is one stored edge of a file: From is the index of its source in the
// file's symbol table, To the index of its target in FileRefs.Targets.
type Ref struct {
	Kind       Kind
	Resolution Resolution
	Open       bool
	Rule       Rule
	From       uint32
	To         uint32
	Line, Col  uint32 // of the referring name token
	Name       string // as written
}

// FileRefs is the outgoing edges of one file in order of position.
type FileRefs struct {
	Path    string
	Targets []Key
	Edges   []Ref
}

// RefsOf makes the stored edges of file i of a program. keys gives the key of
// every target.
func RefsOf(p *Program, i int, edges []Edge, keys func(Target) Key) *FileRefs {
	f := p.File(int32(i))
	out := &FileRefs{Path: f.Path, Edges: make([]Ref, 0, len(edges))}
	index := make(map[Target]uint32, len(edges)/2)
	for j := range edges {
		e := &edges[j]
		to, ok := index[e.To]
		if !ok {
			to = uint32(len(out.Targets))
			index[e.To] = to
			out.Targets = append(out.Targets, keys(e.To))
		}
		line, col := f.Position(e.Pos)
		name := f.Names[e.Name]
		if e.Kind == Implements && e.Name == f.Defs[e.From].Name {
			name = LastPart(out.Targets[to].Qualified)
		}
		out.Edges = append(out.Edges, Ref{
			Kind: e.Kind, Resolution: e.Resolution, Open: e.Open, Rule: e.Rule, From: uint32(e.From), To: to,
			Line: uint32(line), Col: uint32(col), Name: name,
		})
	}
	out.sort()
	return out
}

// sort puts targets and edges into canonical order and drops equal edges.
func (f *FileRefs) sort() {
	order := make([]uint32, len(f.Targets))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int { return f.Targets[a].Compare(f.Targets[b]) })
	rank := make([]uint32, len(order))
	targets := make([]Key, 0, len(order))
	for _, old := range order {
		if n := len(targets); n == 0 || targets[n-1] != f.Targets[old] {
			targets = append(targets, f.Targets[old])
		}
		rank[old] = uint32(len(targets) - 1)
	}
	for i := range f.Edges {
		f.Edges[i].To = rank[f.Edges[i].To]
	}
	f.Targets = targets
	slices.SortFunc(f.Edges, func(a, b Ref) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.To, b.To),
			cmp.Compare(a.Resolution, b.Resolution), cmp.Compare(a.From, b.From), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Name, b.Name))
	})
	f.Edges = slices.CompactFunc(f.Edges, func(a, b Ref) bool {
		return a.Line == b.Line && a.Col == b.Col && a.Kind == b.Kind && a.To == b.To && a.From == b.From
	})
}

// Ordinals returns, for each edge, its ordinal among the edges of equal
// source, target and kind.
func (f *FileRefs) Ordinals() []uint32 {
	type equal struct {
		from, to uint32
		kind     Kind
	}
	seen := make(map[equal]uint32, len(f.Edges))
	out := make([]uint32, len(f.Edges))
	for i := range f.Edges {
		e := equal{f.Edges[i].From, f.Edges[i].To, f.Edges[i].Kind}
		out[i] = seen[e]
		seen[e]++
	}
	return out
}

// Edges row:
//
//	paths: count, strings
//	names: count, strings
//	targets: count, per target: path, kind byte, qualified, ordinal
//	edges: count, per edge: bits byte (resolution 1, open 2) | kind<<2,
//	rule, from, target, line delta, col, name

// Encode returns the row of a file's edges.
func (f *FileRefs) Encode() []byte {
	w := wire.Writer{B: make([]byte, 0, 8*len(f.Edges)+32*len(f.Targets))}
	paths, pathOf := dictionary(len(f.Targets), func(i int) string { return f.Targets[i].Path })
	names, nameOf := dictionary(len(f.Edges), func(i int) string { return f.Edges[i].Name })
	writeStrings(&w, paths)
	writeStrings(&w, names)
	w.Uint(uint64(len(f.Targets)))
	for i := range f.Targets {
		k := &f.Targets[i]
		w.Uint(uint64(pathOf[i]))
		w.Byte(byte(k.Kind))
		w.String(k.Qualified)
		w.Uint(uint64(k.Ordinal))
	}
	w.Uint(uint64(len(f.Edges)))
	last := uint32(0)
	for i := range f.Edges {
		e := &f.Edges[i]
		w.Byte(byte(e.Resolution)&1 | flag(e.Open)<<1 | byte(e.Kind)<<2)
		w.Uint(uint64(e.Rule))
		w.Uint(uint64(e.From))
		w.Uint(uint64(e.To))
		w.Uint(uint64(e.Line - last))
		last = e.Line
		w.Uint(uint64(e.Col))
		w.Uint(uint64(nameOf[i]))
	}
	return w.B
}

// DecodeRefs reads the edges row of the file at path.
func DecodeRefs(path string, row []byte) (*FileRefs, error) {
	r := wire.NewReader(row)
	f := &FileRefs{Path: path}
	paths := readStrings(r)
	names := readStrings(r)
	f.Targets = make([]Key, r.Count(4))
	for i := range f.Targets {
		k := &f.Targets[i]
		k.Path = pick(r, paths)
		k.Kind = facts.DefKind(r.Byte())
		k.Qualified = r.String()
		k.Ordinal = r.Uint32()
	}
	f.Edges = make([]Ref, r.Count(7))
	line := uint32(0)
	for i := range f.Edges {
		e := &f.Edges[i]
		b := r.Byte()
		e.Resolution, e.Open, e.Kind = Resolution(b&1), b&2 != 0, Kind(b>>2)
		if e.Kind >= Kinds {
			r.Fail()
			break
		}
		e.Rule = Rule(r.Uint32())
		e.From = r.Uint32()
		e.To = uint32(r.Below(len(f.Targets)))
		line += r.Uint32()
		e.Line = line
		e.Col = r.Uint32()
		e.Name = pick(r, names)
	}
	return f, r.Done()
}

// Implementers reads the sources of the edges of kind Implements in an edges
// row that lead to a target, without making the rest.
func Implementers(row []byte, target Key) ([]uint32, error) {
	r := wire.NewReader(row)
	path := -1
	for i := range r.Count(1) {
		if string(r.Bytes()) == target.Path {
			path = i
		}
	}
	if path < 0 {
		return nil, r.Err()
	}
	for range r.Count(1) {
		r.Bytes()
	}
	to := -1
	for i := range r.Count(4) {
		p, kind, qualified, ordinal := r.Uint(), r.Byte(), r.Bytes(), r.Uint32()
		if p == uint64(path) && facts.DefKind(kind) == target.Kind && string(qualified) == target.Qualified && ordinal == target.Ordinal {
			to = i
		}
	}
	if to < 0 {
		return nil, r.Err()
	}
	var from []uint32
	for range r.Count(7) {
		kind := Kind(r.Byte() >> 2)
		r.Uint()
		source, target := r.Uint32(), r.Uint()
		r.Uint()
		r.Uint()
		r.Uint()
		if kind == Implements && target == uint64(to) {
			from = append(from, source)
		}
	}
	return from, r.Done()
}

// mentions says whether a dictionary holds one of names.
func mentions(r *wire.Reader, names map[string]bool) bool {
	for range r.Count(1) {
		if names[string(r.Bytes())] {
			return true
		}
	}
	return false
}

// RefsMention says whether an edge of an edges row has one of names.
func RefsMention(row []byte, names map[string]bool) (bool, error) {
	r := wire.NewReader(row)
	for range r.Count(1) {
		r.Bytes()
	}
	return mentions(r, names), r.Err()
}

// LooseMention says whether a reference of an unresolved row has one of names.
func LooseMention(row []byte, names map[string]bool) (bool, error) {
	r := wire.NewReader(row)
	return mentions(r, names), r.Err()
}

// dictionary returns the distinct strings in sorted order and each element's
// index among them.
func dictionary(n int, at func(int) string) (list []string, index []uint32) {
	seen := make(map[string]uint32, n/8+8)
	index = make([]uint32, n)
	last, lastID := "", uint32(0)
	for i := range n {
		s := at(i)
		if i == 0 || s != last {
			id, ok := seen[s]
			if !ok {
				id = uint32(len(list))
				seen[s] = id
				list = append(list, s)
			}
			last, lastID = s, id
		}
		index[i] = lastID
	}
	rank := sortedRanks(list)
	for i := range index {
		index[i] = rank[index[i]]
	}
	return list, index
}

// sortedRanks sorts a list of distinct strings and returns where each went.
func sortedRanks(list []string) []uint32 {
	order := make([]uint32, len(list))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int { return strings.Compare(list[a], list[b]) })
	rank := make([]uint32, len(list))
	sorted := make([]string, len(list))
	for i, old := range order {
		rank[old] = uint32(i)
		sorted[i] = list[old]
	}
	copy(list, sorted)
	return rank
}

func writeStrings(w *wire.Writer, list []string) {
	w.Uint(uint64(len(list)))
	for _, s := range list {
		w.String(s)
	}
}

// readStrings reads a dictionary, which ascends strictly.
func readStrings(r *wire.Reader) []string {
	list := make([]string, r.Count(1))
	for i := range list {
		if list[i] = r.String(); i > 0 && list[i] <= list[i-1] {
			r.Fail()
		}
	}
	return list
}

func pick(r *wire.Reader, list []string) string {
	i := r.Below(len(list))
	if r.Err() != nil {
		return ""
	}
	return list[i]
}
