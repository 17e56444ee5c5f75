package fulltext

import (
	"bytes"
	"encoding/binary"
)

// symbolColumns is the order in which the columns of a term are stored in
// partTerms. The whole name leads, because a scan by prefix reads nothing else.
// The terms of bodies have blocks of their own, so that a search for symbols
// does not read them.
var (
	symbolColumns = [...]Field{wholeName, wholeQualified, wholePath, Name, Qualified, Path, Signature, Docstring}
	bodyColumns   = [...]Field{Code, Comment, String}
)

// Filter terms list the docs of a language or kind, in the column wholeName.
// They start below any character of a term.
func langTerm(lang byte) string { return string([]byte{1, 'l', lang}) }
func kindTerm(kind byte) string { return string([]byte{1, 'k', kind}) }

// appendEntry encodes a term and its postings; postings holds them by column
// in the part's order. See the format comment for the layout. Terms are at most
// maxTerm bytes, so that their sizes fit one byte.
func appendEntry(b []byte, before, term string, mask byte, postings []byte) []byte {
	shared := commonPrefix(before, term)
	b = append(b, mask, byte(shared), byte(len(term)-shared))
	b = append(b, term[shared:]...)
	b = binary.AppendUvarint(b, uint64(len(postings)))
	return append(b, postings...)
}

// cursor walks the entries of one term block.
type cursor struct {
	r        reader
	order    []Field // the columns of the part
	term     []byte  // of the current entry
	mask     byte    // bit i: order[i] is present
	postings []byte
}

// next moves to the next entry; false at the end and after an error.
func (c *cursor) next() bool {
	if c.r.left() == 0 {
		return false
	}
	head := c.r.next(3)
	if len(head) == 0 {
		return false
	}
	c.mask = head[0]
	c.term = c.r.suffix(c.term, int(head[1]), int(head[2]))
	c.postings = c.r.next(c.r.count(c.r.left()))
	if c.mask == 0 || int(c.mask)>>len(c.order) != 0 {
		c.r.fail("term with columns %08b", c.mask)
	}
	return c.r.err == nil
}

// columns decodes the postings of the current entry.
func (c *cursor) columns(docs int) (cols [numColumns]postings, err error) {
	r := reader{b: c.postings}
	for i, col := range c.order {
		if c.mask&(1<<i) != 0 {
			cols[col] = readPostings(&r, docs)
		}
	}
	return cols, r.end()
}

// leading decodes the postings of the column wholeName alone.
func (c *cursor) leading(docs int) (postings, error) {
	if c.mask&1 == 0 {
		return postings{}, nil
	}
	r := reader{b: c.postings}
	p := readPostings(&r, docs)
	return p, r.err
}

// dict reads the terms of one part of a segment, block by block.
type dict struct {
	blocks Blocks
	key    []byte // of the segment
	part   byte
	order  []Field
	docs   int

	loaded bool
	block  Block
	first  []byte // lowest term that the block can hold
	cur    cursor
}

func (ix *Index) symbolTerms(s *segment) *dict {
	return &dict{blocks: ix.blocks, key: s.key, part: partTerms, order: symbolColumns[:], docs: s.docs}
}

func (ix *Index) bodyTerms(s *segment) *dict {
	return &dict{blocks: ix.blocks, key: s.key, part: partBodies, order: bodyColumns[:], docs: s.docs}
}

// seek moves to the first entry whose term is at least term in the one block
// that can hold term; false where that block has none. It reads a block only
// where the one at hand is another.
func (d *dict) seek(term string) (bool, error) {
	if d.loaded && string(d.first) <= term && d.scan(term) {
		return true, nil
	}
	block, err := d.blocks.Floor(blockKey(d.key, d.part, term))
	if err != nil {
		return false, err
	}
	if !d.load(block) {
		return false, nil
	}
	return d.scan(term), d.cur.r.err
}

// next moves to the entry after the current one, in the next block if need be.
func (d *dict) next() (bool, error) {
	for !d.cur.next() {
		if d.cur.r.err != nil {
			return false, d.cur.r.err
		}
		block, err := d.blocks.Ceil(append(bytes.Clone(d.block.Key), 0))
		if err != nil || !d.load(block) {
			return false, err
		}
	}
	return true, nil
}

// load makes block current; false where it is no term block of the segment.
func (d *dict) load(block Block) bool {
	first, ok := bytes.CutPrefix(block.Key, blockKey(d.key, d.part, ""))
	if d.loaded = ok; ok {
		d.block, d.first = block, first
		d.cur = cursor{r: reader{b: block.Data}, order: d.order, term: d.cur.term[:0]}
	}
	return ok
}

// scan moves within the current block to the first entry that is at least term.
func (d *dict) scan(term string) bool {
	d.cur = cursor{r: reader{b: d.block.Data}, order: d.order, term: d.cur.term[:0]}
	for d.cur.next() {
		if string(d.cur.term) >= term {
			return true
		}
	}
	return false
}

// find returns the postings of a term, all empty where it does not occur.
func (d *dict) find(term string) (cols [numColumns]postings, err error) {
	ok, err := d.seek(term)
	if !ok || err != nil || string(d.cur.term) != term {
		return cols, err
	}
	return d.cur.columns(d.docs)
}

// prefix calls yield with the whole-name postings of each term that starts
// with prefix.
func (d *dict) prefix(prefix string, yield func(postings)) error {
	ok, err := d.seek(prefix)
	if !ok && err == nil && d.loaded {
		ok, err = d.next()
	}
	for ok && err == nil && bytes.HasPrefix(d.cur.term, []byte(prefix)) {
		var p postings
		if p, err = d.cur.leading(d.docs); err != nil {
			return err
		}
		if p.docs != nil {
			yield(p)
		}
		ok, err = d.next()
	}
	return err
}
