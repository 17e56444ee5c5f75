package fulltext

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Sizes, in bytes, at which a block of terms is closed. A query decodes about
// one such block for each of its terms and each segment; 4 KiB cost 4 % more
// after compression than 8 KiB.
const (
	termBlock = 4 << 10
	bodyBlock = 8 << 10
)

// EncodeSegment encodes the docs of one run of files into blocks, sorted by
// key. The order of docs does not matter. All docs of a file belong into one
// run. A run above the limits of a segment is cut into several.
func EncodeSegment(docs []Doc) ([]Block, error) {
	docs = slices.Clone(docs)
	slices.SortFunc(docs, func(a, b Doc) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Sym, b.Sym))
	})
	for i, d := range docs {
		if d.Path == "" || strings.IndexByte(d.Path, 0) >= 0 {
			return nil, fmt.Errorf("encode segment: bad path %q", d.Path)
		}
		if i > 0 && docs[i-1].Path == d.Path && docs[i-1].Sym == d.Sym {
			return nil, fmt.Errorf("encode segment: symbol %d of %q given twice", d.Sym, d.Path)
		}
	}
	var blocks []Block
	for number, rest := 0, docs; len(rest) > 0; number++ {
		if number > math.MaxUint16 {
			return nil, fmt.Errorf("encode segment: run of %d docs is too large", len(docs))
		}
		n := fit(rest)
		c := collect(rest[:n])
		blocks = append(blocks, c.blocks(segmentKey(docs[0].Path, uint16(number)))...)
		rest = rest[n:]
	}
	return blocks, nil
}

// fit returns how many of the docs one segment may hold.
func fit(docs []Doc) int {
	files := 0
	for i := range docs {
		if i == maxDocs {
			return i
		}
		if i == 0 || docs[i].Path != docs[i-1].Path {
			if files++; files > maxFiles {
				return i
			}
		}
	}
	return len(docs)
}

// blocks encodes the collected segment.
func (c *collector) blocks(key []byte) []Block {
	blocks := []Block{
		{Key: blockKey(key, partHead, ""), Data: c.head.encode()},
		{Key: blockKey(key, partTable, ""), Data: c.table.encode()},
	}
	terms := termWriter{key: key, part: partTerms, order: symbolColumns[:], size: termBlock}
	bodies := termWriter{key: key, part: partBodies, order: bodyColumns[:], size: bodyBlock}
	for term, columns := range c.sorted() {
		terms.add(term, columns)
		bodies.add(term, columns)
	}
	return slices.Concat(blocks, terms.close(), bodies.close())
}

// termWriter cuts the terms of one part into blocks.
type termWriter struct {
	key   []byte
	part  byte
	order []Field
	size  int

	blocks        []Block
	data, buf     []byte // of the block and of the term at hand
	first, before string
}

// add appends a term with those of its columns that belong to the part.
func (w *termWriter) add(term string, columns *[numColumns][]occurrence) {
	mask := byte(0)
	w.buf = w.buf[:0]
	for i, col := range w.order {
		if len(columns[col]) > 0 {
			mask |= 1 << i
			w.buf = appendPostings(w.buf, columns[col])
		}
	}
	if mask == 0 {
		return
	}
	if len(w.data) > 0 && len(w.data)+len(w.buf) > w.size {
		w.flush()
		w.first = term
	}
	w.data = appendEntry(w.data, w.before, term, mask, w.buf)
	w.before = term
}

func (w *termWriter) flush() {
	w.blocks = append(w.blocks, Block{Key: blockKey(w.key, w.part, w.first), Data: slices.Clone(w.data)})
	w.data, w.before = w.data[:0], ""
}

func (w *termWriter) close() []Block {
	if len(w.data) > 0 {
		w.flush()
	}
	return w.blocks
}
