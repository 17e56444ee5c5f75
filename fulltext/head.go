package fulltext

import "encoding/binary"

// formatVersion is the first byte of every head.
const formatVersion = 2

// Parts of a segment, in the order of their keys.
const (
	partHead byte = 1 + iota
	partTable
	partTerms
	partBodies
)

// segmentKey is the key prefix of a segment: no other segment's begins so.
func segmentKey(firstPath string, number uint16) []byte {
	key := append([]byte(firstPath), 0)
	return binary.BigEndian.AppendUint16(key, number)
}

func blockKey(segment []byte, part byte, term string) []byte {
	key := make([]byte, 0, len(segment)+1+len(term))
	key = append(key, segment...)
	key = append(key, part)
	return append(key, term...)
}

// head is what a query must know of every segment.
type head struct {
	docs, files int
	first, last string            // paths
	length      [NumFields]uint64 // sum over the docs, each as lengthOf has it
}

func (h *head) encode() []byte {
	b := []byte{formatVersion}
	b = binary.AppendUvarint(b, uint64(h.docs))
	b = binary.AppendUvarint(b, uint64(h.files))
	for _, n := range h.length {
		b = binary.AppendUvarint(b, n)
	}
	b = appendString(b, h.first)
	return appendString(b, h.last)
}

func decodeHead(data []byte) (head, error) {
	r := reader{b: data}
	if v := r.byte(); r.err == nil && v != formatVersion {
		r.fail("version %d", v)
	}
	var h head
	h.docs = r.count(maxDocs)
	h.files = r.count(min(maxFiles, h.docs))
	for f := range h.length {
		h.length[f] = uint64(r.count(h.docs * lengthOf(Field(f), maxLength)))
	}
	h.first = string(r.next(r.count(r.left())))
	h.last = string(r.next(r.count(r.left())))
	if r.err == nil && (h.files == 0 || h.first > h.last || h.first == "") {
		r.fail("head of an empty segment")
	}
	return h, r.end()
}
