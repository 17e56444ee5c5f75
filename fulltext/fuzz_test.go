package fulltext

import (
	"bytes"
	"context"
	"errors"
	"testing"
)

// frozenSection is a small section with blocks of every part.
func frozenSection(t testing.TB) blockList {
	t.Helper()
	return section(t, frozenDocs(), func(_ string, files, _ int) bool { return files == 2 })
}

// seed adds the data of all blocks of a part.
func seed(f *testing.F, part byte) {
	n := 0
	for _, b := range frozenSection(f) {
		if b.Key[bytes.IndexByte(b.Key, 0)+3] == part {
			f.Add(b.Data)
			n++
		}
	}
	if n == 0 {
		f.Fatal("no seeds")
	}
}

func wantCorrupt(t *testing.T, err error) {
	t.Helper()
	if !errors.Is(err, ErrCorrupt) {
		t.Fatalf("error %v is not ErrCorrupt", err)
	}
}

func FuzzHead(f *testing.F) {
	seed(f, partHead)
	f.Fuzz(func(t *testing.T, data []byte) {
		h, err := decodeHead(data)
		if err != nil {
			wantCorrupt(t, err)
		} else if got := h.encode(); !bytes.Equal(data, got) {
			t.Fatalf("%x decodes to %+v, which encodes as %x", data, h, got)
		}
	})
}

func FuzzTable(f *testing.F) {
	seed(f, partTable)
	f.Fuzz(func(t *testing.T, data []byte) {
		r := reader{b: data}
		h := head{docs: r.count(maxDocs), files: r.count(maxFiles)}
		var probe table
		if probe.readFiles(&r, h.docs, h.files); len(probe.paths) == 0 {
			return
		}
		h.first, h.last = probe.paths[0], probe.paths[len(probe.paths)-1]
		tab, err := decodeTable(data, &h)
		if err != nil {
			wantCorrupt(t, err)
		} else if got := tab.encode(); !bytes.Equal(data, got) {
			t.Fatalf("%x decodes to %+v, which encodes as %x", data, tab, got)
		}
	})
}

func FuzzTerms(f *testing.F) { fuzzTerms(f, partTerms, symbolColumns[:]) }

func FuzzBodies(f *testing.F) { fuzzTerms(f, partBodies, bodyColumns[:]) }

func fuzzTerms(f *testing.F, part byte, order []Field) {
	seed(f, part)
	f.Fuzz(func(t *testing.T, data []byte) {
		const docs = 20
		c := cursor{r: reader{b: data}, order: order}
		before := ""
		for c.next() {
			if string(c.term) <= before {
				t.Fatalf("%q follows %q", c.term, before)
			}
			before = string(c.term)
			cols, err := c.columns(docs)
			if err != nil {
				wantCorrupt(t, err)
				continue
			}
			for _, p := range cols {
				checkPostings(t, p, docs)
			}
		}
		if c.r.err != nil {
			wantCorrupt(t, c.r.err)
		}
	})
}

func checkPostings(t *testing.T, p postings, docs int) {
	t.Helper()
	if p.docs == nil {
		return
	}
	n := p.docs.GetCardinality()
	if n == 0 || p.docs.Maximum() >= uint32(docs) || p.tf != nil && len(p.tf) != int(n) {
		t.Fatalf("postings %v with %d frequencies", p.docs.ToArray(), len(p.tf))
	}
}

func FuzzPostings(f *testing.F) {
	for _, n := range []int{1, 16, 17, 300} {
		for _, step := range []int{1, 2, 7} {
			var occ []occurrence
			for i := range n {
				occ = append(occ, occurrence{doc: uint16(i * step), tf: uint8(1 + i%step)})
			}
			f.Add(appendPostings(nil, occ))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := reader{b: data}
		p := readPostings(&r, maxDocs)
		if r.err != nil {
			wantCorrupt(t, r.err)
		}
		checkPostings(t, p, maxDocs)
	})
}

// FuzzSection puts data in the place of one block of a sound section.
func FuzzSection(f *testing.F) {
	sound := frozenSection(f)
	for i, b := range sound {
		f.Add(uint8(i), b.Data)
		f.Add(uint8(i+1), b.Data)
		f.Add(uint8(i), b.Data[:len(b.Data)/2])
	}
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		broken := append(blockList(nil), sound...)
		broken[int(which)%len(broken)].Data = data
		ix, err := Open(context.Background(), broken)
		if err != nil {
			wantCorrupt(t, err)
			return
		}
		for _, q := range []Query{
			{Text: "NewHTTPClient"}, {Text: "rend", Kinds: []byte{9}}, {Text: "go py", Langs: []byte{1, 2}, PathPrefix: "web", Limit: 2},
		} {
			if _, _, err := Search(context.Background(), ix, q); err != nil {
				wantCorrupt(t, err)
			}
		}
	})
}

func TestOpenRefusesBadKeys(t *testing.T) {
	sound := frozenSection(t)
	for name, spoil := range map[string]func(l blockList) blockList{
		"a key without segment": func(l blockList) blockList { return append(blockList{{Key: []byte("a")}}, l...) },
		"no head":               func(l blockList) blockList { return l[1:] },
		"paths out of order": func(l blockList) blockList {
			return append(l, Block{Key: blockKey(segmentKey("z", 0), partHead, ""), Data: l[0].Data})
		},
		"another version": func(l blockList) blockList {
			l[0].Data = append([]byte{formatVersion + 1}, l[0].Data[1:]...)
			return l
		},
	} {
		_, err := Open(context.Background(), spoil(append(blockList(nil), sound...)))
		if !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
