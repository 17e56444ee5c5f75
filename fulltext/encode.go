package fulltext

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// termBlock is the size, in bytes, at which a block of terms is closed. A query
// decodes about one such block for each of its terms and each segment; 4 KiB
// cost 4 % more after compression than 8 KiB.
const termBlock = 4 << 10

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
	var (
		data, buf     []byte
		first, before string
		ids           []uint32
	)
	flush := func() {
		blocks = append(blocks, Block{Key: blockKey(key, partTerms, first), Data: slices.Clone(data)})
		data, before = data[:0], ""
	}
	for term, columns := range c.sorted() {
		mask := byte(0)
		buf = buf[:0]
		for i, col := range columnOrder {
			if len(columns[col]) > 0 {
				mask |= 1 << i
				buf = appendPostings(buf, columns[col], ids)
			}
		}
		if len(data) > 0 && len(data)+len(buf) > termBlock {
			flush()
			first = term
		}
		data = appendEntry(data, before, term, mask, buf)
		before = term
	}
	flush()
	return blocks
}
