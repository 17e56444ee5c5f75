package fulltext

import (
	"encoding/binary"
	"math"
	"sort"
)

// maxLength is the greatest length of a field, in terms, and the greatest
// frequency of a term in one.
const maxLength = math.MaxUint8

// table says of each doc of a segment what ranking and hits need. Docs are
// numbered by path, then symbol.
type table struct {
	paths  []string
	starts []int // first doc of each file, then the number of docs
	syms   []uint32

	kinds, langs, flags []byte
	length              [NumFields][]byte // see lengthCode
}

func (t *table) docs() int { return len(t.kinds) }

// path returns the path of a doc.
func (t *table) path(doc int) string {
	return t.paths[sort.SearchInts(t.starts, doc+1)-1]
}

func (t *table) encode() []byte {
	b := binary.AppendUvarint(nil, uint64(t.docs()))
	b = binary.AppendUvarint(b, uint64(len(t.paths)))
	before := ""
	for i, path := range t.paths {
		shared := commonPrefix(before, path)
		b = binary.AppendUvarint(b, uint64(shared))
		b = appendString(b, path[shared:])
		b = binary.AppendUvarint(b, uint64(t.starts[i+1]-t.starts[i]))
		next := uint32(0)
		for _, sym := range t.syms[t.starts[i]:t.starts[i+1]] {
			b = binary.AppendUvarint(b, uint64(sym-next))
			next = sym + 1
		}
		before = path
	}
	for _, column := range t.columns() {
		b = append(b, *column...)
	}
	return b
}

// columns lists the columns that have one byte for each doc.
func (t *table) columns() []*[]byte {
	all := []*[]byte{&t.kinds, &t.langs, &t.flags}
	for f := range t.length {
		all = append(all, &t.length[f])
	}
	return all
}

func decodeTable(data []byte, h *head) (*table, error) {
	r := reader{b: data}
	docs, files := r.count(maxDocs), r.count(maxFiles)
	if r.err == nil && (docs != h.docs || files != h.files) {
		r.fail("table disagrees with its head")
	}
	if r.err != nil {
		return nil, r.err
	}
	t := &table{starts: make([]int, 1, files+1), syms: make([]uint32, 0, docs)}
	t.readFiles(&r, docs, files)
	if r.err != nil {
		return nil, r.err
	}
	if len(t.syms) != docs || t.paths[0] != h.first || t.paths[files-1] != h.last {
		r.fail("table disagrees with its head")
	}
	for _, column := range t.columns() {
		*column = r.next(docs)
	}
	return t, r.end()
}

// readFiles reads the paths and symbols of all files.
func (t *table) readFiles(r *reader, docs, files int) {
	var path, all []byte
	ends := make([]int, 0, files)
	for len(ends) < files && r.err == nil {
		shared := r.count(len(path))
		path = r.suffix(path, shared, r.count(r.left()))
		all = append(all, path...)
		ends = append(ends, len(all))
		t.readSyms(r, docs)
	}
	t.paths = make([]string, files)
	start, text := 0, string(all)
	for i, end := range ends {
		t.paths[i], start = text[start:end], end
	}
}

// readSyms reads the symbols of one file.
func (t *table) readSyms(r *reader, docs int) {
	n := r.count(docs - len(t.syms))
	if n == 0 {
		r.fail("file without docs")
	}
	next := uint64(0)
	for range n {
		sym := next + r.uvarint()
		if sym > math.MaxUint32 || sym < next {
			r.fail("symbol number %d", sym)
			return
		}
		t.syms = append(t.syms, uint32(sym))
		next = sym + 1
	}
	t.starts = append(t.starts, len(t.syms))
}
