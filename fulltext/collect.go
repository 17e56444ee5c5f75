package fulltext

import (
	"iter"
	"slices"
	"strings"
)

// collector gathers the table and the occurrences of the terms of one segment.
type collector struct {
	head  head
	table table

	terms  map[string]uint32   // number of a term
	names  []string            // of terms, by number
	idents map[string][]uint32 // terms of an identifier as it is written
	occ    []occurrence        // by doc

	seen []struct{ text, at uint32 } // by term: the last text that holds it, and where in occ
	text uint32                      // number of the text at hand, from 1

	path  struct{ start, end, length int } // in occ: of the path of the last doc, see addPath
	words []string                         // scratch
	buf   []byte                           // scratch
	list  []uint32                         // backs the values of idents
}

// collect reads docs that are sorted and fit into one segment.
func collect(docs []Doc) *collector {
	n := len(docs)
	c := &collector{
		terms:  make(map[string]uint32, 4*n),
		idents: make(map[string][]uint32, 2*n),
		names:  make([]string, 0, 4*n),
		seen:   make([]struct{ text, at uint32 }, 0, 4*n),
		list:   make([]uint32, 0, 8*n),
		occ:    make([]occurrence, 0, 40*n),
	}
	c.table.syms = make([]uint32, 0, n)
	for _, column := range c.table.columns() {
		*column = make([]byte, 0, n)
	}
	for i := range docs {
		c.add(uint16(i), &docs[i])
	}
	c.table.starts = append(c.table.starts, n)
	c.head.docs, c.head.files = n, len(c.table.paths)
	c.head.first, c.head.last = docs[0].Path, docs[n-1].Path
	c.addFilters()
	return c
}

func (c *collector) add(doc uint16, d *Doc) {
	t := &c.table
	for f := range NumFields {
		var n int
		if f == Path {
			n = c.addPath(doc, d.Path)
		} else {
			n = c.addText(doc, f, d.Fields[f])
		}
		code := lengthCode(f, n)
		t.length[f] = append(t.length[f], code)
		c.head.length[f] += uint64(lengthOf(f, code))
	}
	c.addWhole(doc, wholeName, d.Fields[Name])
	c.addWhole(doc, wholeQualified, d.Fields[Qualified])
	t.syms = append(t.syms, d.Sym)
	t.kinds, t.langs, t.flags = append(t.kinds, d.Kind), append(t.langs, d.Lang), append(t.flags, d.Flags)
}

// addPath adds the path as a text and as a whole. A path that the last doc had
// gives the same occurrences.
func (c *collector) addPath(doc uint16, path string) int {
	last, start := &c.path, len(c.occ)
	if n := len(c.table.paths); n > 0 && c.table.paths[n-1] == path {
		c.occ = append(c.occ, c.occ[last.start:last.end]...)
		for i := range c.occ[start:] {
			c.occ[start+i].doc = doc
		}
	} else {
		c.table.paths = append(c.table.paths, path)
		c.table.starts = append(c.table.starts, int(doc))
		last.length = c.addText(doc, Path, path)
		c.addWhole(doc, wholePath, path)
	}
	last.start, last.end = start, len(c.occ)
	return last.length
}

// addText adds the terms of a text and returns their number.
func (c *collector) addText(doc uint16, col Field, text string) int {
	c.text++
	n := 0
	for start, end := nextIdent(text, 0); start < end; start, end = nextIdent(text, end) {
		terms := c.termsOf(text[start:end])
		n += len(terms)
		for _, term := range terms {
			if s := &c.seen[term]; s.text == c.text {
				c.occ[s.at].tf = uint8(min(int(c.occ[s.at].tf)+1, maxLength))
			} else {
				s.text, s.at = c.text, uint32(len(c.occ))
				c.occ = append(c.occ, occurrence{term: term, doc: doc, col: col, tf: 1})
			}
		}
	}
	return n
}

// addWhole adds the normal form of a text.
func (c *collector) addWhole(doc uint16, col Field, text string) {
	if terms := c.idents[text]; len(terms) > 0 { // one identifier: its first term
		c.occ = append(c.occ, occurrence{term: terms[0], doc: doc, col: col, tf: 1})
		return
	}
	c.buf = appendNormal(c.buf[:0], text)
	if len(c.buf) == 0 {
		return
	}
	term, ok := c.terms[string(c.buf)]
	if !ok {
		term = c.number(clip(string(c.buf)))
	}
	c.occ = append(c.occ, occurrence{term: term, doc: doc, col: col, tf: 1})
}

// addFilters adds the docs of each language and kind.
func (c *collector) addFilters() {
	for doc, kind := range c.table.kinds {
		c.occ = append(c.occ,
			occurrence{term: c.number(kindTerm(kind)), doc: uint16(doc), col: wholeName, tf: 1},
			occurrence{term: c.number(langTerm(c.table.langs[doc])), doc: uint16(doc), col: wholeName, tf: 1})
	}
}

// termsOf returns the numbers of an identifier's terms.
func (c *collector) termsOf(ident string) []uint32 {
	terms, ok := c.idents[ident]
	if !ok {
		c.words = appendWords(c.words[:0], ident)
		n := len(c.list)
		for _, w := range c.words {
			c.list = append(c.list, c.number(w))
		}
		terms = c.list[n:len(c.list):len(c.list)]
		c.idents[ident] = terms
	}
	return terms
}

func (c *collector) number(term string) uint32 {
	n, ok := c.terms[term]
	if !ok {
		n = uint32(len(c.names))
		c.terms[term] = n
		c.names = append(c.names, term)
		c.seen = append(c.seen, struct{ text, at uint32 }{})
	}
	return n
}

// sorted yields the terms in order with their occurrences by column, each
// sorted by doc. It is a counting sort by term and column.
func (c *collector) sorted() iter.Seq2[string, *[numColumns][]occurrence] {
	order := make([]uint32, len(c.names))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int { return strings.Compare(c.names[a], c.names[b]) })

	ends := make([]uint32, len(c.names)*int(numColumns)) // of each term and column, once filled
	for _, o := range c.occ {
		ends[o.term*uint32(numColumns)+uint32(o.col)]++
	}
	sum := uint32(0)
	for i, n := range ends {
		ends[i] = sum
		sum += n
	}
	occ := make([]occurrence, len(c.occ))
	for _, o := range c.occ {
		at := &ends[o.term*uint32(numColumns)+uint32(o.col)]
		occ[*at] = o
		*at++
	}
	return func(yield func(string, *[numColumns][]occurrence) bool) {
		var columns [numColumns][]occurrence
		for _, term := range order {
			for col := range numColumns {
				i := term*uint32(numColumns) + uint32(col)
				start := uint32(0)
				if i > 0 {
					start = ends[i-1]
				}
				columns[col] = occ[start:ends[i]]
			}
			if !yield(c.names[term], &columns) {
				return
			}
		}
	}
}
