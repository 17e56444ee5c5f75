package fulltext

import (
	"encoding/binary"
	"math"

	"github.com/RoaringBitmap/roaring/v2"
)

// Columns of a term: the Fields, then where the term is the normal form of a
// whole text. The whole name comes first in stored order, see symbolColumns.
const (
	wholeName = NumFields + iota
	wholeQualified
	wholePath
	numColumns
)

// smallPostings is the number of docs up to which postings are stored as
// numbers; more of them are a roaring bitmap.
const smallPostings = 16

// postings are the docs of a term in one column.
type postings struct {
	docs *roaring.Bitmap // nil: none
	tf   []byte          // frequency by rank of the doc; nil: 1 for each
}

// occurrence is one doc of some postings while a segment is encoded.
type occurrence struct {
	term uint32
	doc  uint16
	col  Field
	tf   uint8
}

// appendPostings encodes the occurrences of a term in one column, which are
// sorted by doc:
//
//	count*2 + f   number; f is 1 where frequencies follow
//	docs          count ≤ 16: first doc, then each distance from the next possible one
//	              else: size, roaring bitmap in the portable format
//	frequencies   if f: a byte each, 1…255
func appendPostings(b []byte, occ []occurrence) []byte {
	head := uint64(len(occ)) << 1
	for _, o := range occ {
		if o.tf > 1 {
			head |= 1
		}
	}
	b = binary.AppendUvarint(b, head)
	if len(occ) <= smallPostings {
		next := uint16(0)
		for _, o := range occ {
			b = binary.AppendUvarint(b, uint64(o.doc-next))
			next = o.doc + 1
		}
	} else {
		b = appendBitmap(b, occ)
	}
	if head&1 != 0 {
		for _, o := range occ {
			b = append(b, o.tf)
		}
	}
	return b
}

func appendBitmap(b []byte, occ []occurrence) []byte {
	ids := make([]uint32, 0, maxDocs)
	for _, o := range occ {
		ids = append(ids, uint32(o.doc))
	}
	bm := roaring.New()
	bm.AddMany(ids)
	bm.RunOptimize()
	b = binary.AppendUvarint(b, bm.GetSerializedSizeInBytes())
	w := sliceWriter{b}
	_, _ = bm.WriteTo(&w) // a sliceWriter does not fail
	return w.b
}

type sliceWriter struct{ b []byte }

func (w *sliceWriter) Write(p []byte) (int, error) {
	w.b = append(w.b, p...)
	return len(p), nil
}

// readPostings decodes postings of a segment with the given number of docs.
// The result refers to the bytes of r.
func readPostings(r *reader, docs int) postings {
	head := r.uvarint()
	n := int(head >> 1 & math.MaxInt32)
	if n == 0 || n > docs || head>>1 > math.MaxInt32 {
		r.fail("postings of %d docs in a segment of %d", head>>1, docs)
		return postings{}
	}
	var p postings
	if n <= smallPostings {
		p.docs = readSmall(r, n, docs)
	} else {
		p.docs = readBitmap(r, n, docs)
	}
	if head&1 != 0 {
		p.tf = r.next(n)
		for _, tf := range p.tf {
			if tf == 0 {
				r.fail("frequency of zero")
			}
		}
	}
	if r.err != nil {
		return postings{}
	}
	return p
}

func readSmall(r *reader, n, docs int) *roaring.Bitmap {
	var ids [smallPostings]uint32
	next := 0
	for i := range n {
		doc := next + r.count(docs)
		if doc >= docs {
			r.fail("doc %d in a segment of %d", doc, docs)
			return nil
		}
		ids[i], next = uint32(doc), doc+1
	}
	return roaring.BitmapOf(ids[:n]...)
}

// readBitmap checks what the roaring library does not: the size, which bounds
// the work that validation takes, and the range.
func readBitmap(r *reader, n, docs int) *roaring.Bitmap {
	const header = 16 // of a bitmap with one array container
	data := r.next(r.count(header + 2*n))
	if r.err != nil {
		return nil
	}
	bm := roaring.New()
	size, err := bm.FromBuffer(data)
	if err == nil {
		err = bm.Validate()
	}
	switch {
	case err != nil:
		r.fail("postings: %v", err)
	case size != int64(len(data)) || bm.GetCardinality() != uint64(n) || bm.Maximum() >= uint32(docs):
		r.fail("postings disagree with their header")
	default:
		return bm
	}
	return nil
}
