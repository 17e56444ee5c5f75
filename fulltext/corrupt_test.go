package fulltext

import (
	"bytes"
	"errors"
	"slices"
	"testing"
)

// postingsOf encodes the given docs, each with frequency 1.
func postingsOf(docs ...uint16) []byte {
	var occ []occurrence
	for _, d := range docs {
		occ = append(occ, occurrence{doc: d, tf: 1})
	}
	return appendPostings(nil, occ)
}

func upTo(n int) []uint16 {
	docs := make([]uint16, n)
	for i := range docs {
		docs[i] = uint16(2 * i)
	}
	return docs
}

func TestPostingsRefuse(t *testing.T) {
	const docs = 100
	bitmap := postingsOf(upTo(20)...)
	edit := func(data []byte, at int, b ...byte) []byte {
		return slices.Concat(data[:at], b, data[at+len(b):])
	}
	for name, data := range map[string][]byte{
		"nothing":                  {},
		"no docs":                  {0},
		"more docs than there are": {0xca, 0x01},
		"doc out of range":         postingsOf(3, 100),
		"doc far out of range":     {2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1},
		"docs missing":             {4, 1},
		"long form of a number":    {0x82, 0x00, 1},
		"frequency of zero":        {3, 1, 0},
		"frequency missing":        {5, 1, 0, 7},
		"bitmap out of range":      postingsOf(upTo(60)...),
		"bitmap cut short":         bitmap[:len(bitmap)-1],
		"bitmap of another count":  edit(bitmap, 0, 19<<1),
		"bitmap too large":         edit(bitmap, 1, bitmap[1]+1),
		"bitmap with no header":    edit(bitmap, 2, 0xff, 0xff),
		"bitmap out of order":      edit(bitmap, len(bitmap)-2, 0, 0),
		"size above the possible":  {17 << 1, 0xff, 0x7f},
	} {
		r := reader{b: data}
		if readPostings(&r, docs); !errors.Is(r.err, ErrCorrupt) {
			t.Errorf("%s: %v", name, r.err)
		}
	}
}

func TestTableRefuses(t *testing.T) {
	h := head{docs: 3, files: 2, first: "a", last: "b"}
	sound := []byte{3, 2 /* a */, 0, 1, 'a', 1, 0 /* b */, 0, 1, 'b', 2, 4, 0}
	sound = append(sound, bytes.Repeat([]byte{1}, (3+int(NumFields))*3)...)
	if _, err := decodeTable(sound, &h); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		at   int // -1: head
		b    byte
		head head
	}{
		"other number of docs":   {0, 2, h},
		"other number of files":  {1, 1, h},
		"paths out of order":     {9, 'a', h},
		"prefix that is missing": {7, 2, h},
		"file without docs":      {5, 0, h},
		"more docs in a file":    {10, 3, h},
		"fewer docs in a file":   {10, 1, h},
		"other first path":       {-1, 0, head{docs: 3, files: 2, first: "A", last: "b"}},
		"other last path":        {-1, 0, head{docs: 3, files: 2, first: "a", last: "c"}},
	} {
		data := slices.Clone(sound)
		if c.at >= 0 {
			data[c.at] = c.b
		}
		if _, err := decodeTable(data, &c.head); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, data := range map[string][]byte{
		"bytes left over": append(slices.Clone(sound), 1), "column cut short": sound[:len(sound)-1],
		"symbol above 32 bits": {3, 2, 0, 1, 'a', 1, 0xff, 0xff, 0xff, 0xff, 0x1f},
	} {
		if _, err := decodeTable(data, &h); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTermsRefuse(t *testing.T) {
	p := postingsOf(1)
	sound := appendEntry(nil, "", "ab", 1, p)
	sound = appendEntry(sound, "ab", "ac", 1, p)
	entry := len(sound) / 2 // start of about the second: 3 bytes of sizes and mask, then "c"
	for name, data := range map[string][]byte{
		"terms out of order":    appendEntry(slices.Clone(sound), "", "ab", 1, p),
		"the same term twice":   append(slices.Clone(sound), 1, 2, 0, 2, 2, 1),
		"term without column":   appendEntry(nil, "", "ab", 0, nil),
		"prefix that is absent": {1, 1, 1, 'a', 2, 2, 1},
		"entry cut short":       sound[:entry+2],
		"postings cut short":    sound[:len(sound)-1],
	} {
		c := cursor{r: reader{b: data}, order: symbolColumns[:]}
		for c.next() {
			if _, err := c.columns(10); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if !errors.Is(c.r.err, ErrCorrupt) {
			t.Errorf("%s: %v", name, c.r.err)
		}
	}
	body := cursor{r: reader{b: appendEntry(nil, "", "ab", 1<<len(bodyColumns), p)}, order: bodyColumns[:]}
	if body.next(); !errors.Is(body.r.err, ErrCorrupt) {
		t.Errorf("column that the part does not have: %v", body.r.err)
	}
	c := cursor{r: reader{b: appendEntry(nil, "", "ab", 1, append(p, 0))}, order: bodyColumns[:]}
	if c.next(); c.r.err != nil {
		t.Fatal(c.r.err)
	}
	if _, err := c.columns(10); !errors.Is(err, ErrCorrupt) {
		t.Errorf("bytes after the postings: %v", err)
	}
}

func TestHeadRefuses(t *testing.T) {
	h := head{docs: 2, files: 1, first: "a", last: "a"}
	sound := h.encode()
	if _, err := decodeHead(sound); err != nil {
		t.Fatal(err)
	}
	for name, h := range map[string]head{
		"no docs":              {first: "a", last: "a"},
		"no files":             {docs: 2, first: "a", last: "a"},
		"more files than docs": {docs: 1, files: 2, first: "a", last: "b"},
		"too many docs":        {docs: maxDocs + 1, files: 1, first: "a", last: "a"},
		"no path":              {docs: 1, files: 1},
		"paths out of order":   {docs: 2, files: 2, first: "b", last: "a"},
		"length above maximum": {docs: 1, files: 1, first: "a", last: "a", length: [NumFields]uint64{maxLength + 1}},
	} {
		if _, err := decodeHead(h.encode()); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for n := range sound {
		if _, err := decodeHead(sound[:n]); !errors.Is(err, ErrCorrupt) {
			t.Errorf("cut to %d bytes: %v", n, err)
		}
	}
}
