package graph

import (
	"cmp"
	"slices"

	"codeidx/facts"
	"codeidx/facts/wire"
)

// Loose is one stored reference that was not bound.
type Loose struct {
	Kind      Kind
	Reason    Reason
	From      uint32 // symbol of the file around the site
	Line, Col uint32
	Name      string
}

// LooseOf makes the stored unresolved references of a file, by position.
func LooseOf(f *facts.File, list []Unresolved) []Loose {
	out := make([]Loose, 0, len(list))
	for i := range list {
		u := &list[i]
		line, col := f.Position(u.Pos)
		out = append(out, Loose{u.Kind, u.Reason, uint32(u.From), uint32(line), uint32(col), f.Names[u.Name]})
	}
	slices.SortFunc(out, func(a, b Loose) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col), cmp.Compare(a.Kind, b.Kind),
			cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Name, b.Name), cmp.Compare(a.From, b.From))
	})
	return slices.Compact(out)
}

// Unresolved row: names (count, strings), count, per reference: kind byte,
// reason byte, from, line delta, col, name.

// EncodeLoose returns the row of a file's unresolved references.
func EncodeLoose(list []Loose) []byte {
	w := wire.Writer{B: make([]byte, 0, 6*len(list)+64)}
	names, nameOf := dictionary(len(list), func(i int) string { return list[i].Name })
	writeStrings(&w, names)
	w.Uint(uint64(len(list)))
	last := uint32(0)
	for i := range list {
		u := &list[i]
		w.Byte(byte(u.Kind))
		w.Byte(byte(u.Reason))
		w.Uint(uint64(u.From))
		w.Uint(uint64(u.Line - last))
		last = u.Line
		w.Uint(uint64(u.Col))
		w.Uint(uint64(nameOf[i]))
	}
	return w.B
}

// DecodeLoose reads an unresolved row.
func DecodeLoose(row []byte) ([]Loose, error) {
	r := wire.NewReader(row)
	names := readStrings(r)
	list := make([]Loose, r.Count(6))
	line := uint32(0)
	for i := range list {
		u := &list[i]
		u.Kind = Kind(r.Below(int(Kinds)))
		u.Reason = Reason(r.Byte())
		if u.Reason >= Reasons {
			r.Fail()
		}
		u.From = r.Uint32()
		line += r.Uint32()
		u.Line, u.Col, u.Name = line, r.Uint32(), pick(r, names)
	}
	return list, r.Done()
}
