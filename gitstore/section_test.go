package gitstore

import (
	"bytes"
	"cmp"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func rootGen() *rapid.Generator[*Root] {
	name := rapid.StringMatching(`[a-z][a-z0-9_-]{2,8}(/[a-z][a-z0-9_-]{2,8})?`)
	name = name.Filter(func(s string) bool { return s != rootEntry })
	value := rapid.SliceOfN(rapid.Byte(), 0, 20)
	block := rapid.Custom(func(t *rapid.T) BlockRef {
		d := DigestOf(value.Draw(t, "content"))
		return BlockRef{value.Draw(t, "key"), BlobRef{OID(d[:20]), d, rapid.Uint32().Draw(t, "len")}}
	})
	blocks := rapid.Map(rapid.SliceOfNDistinct(block, 0, 8, func(b BlockRef) string { return string(b.Key) }), func(b []BlockRef) []BlockRef {
		slices.SortFunc(b, func(x, y BlockRef) int { return bytes.Compare(x.Key, y.Key) })
		return b
	})
	return rapid.Custom(func(t *rapid.T) *Root {
		return &Root{
			Format:   rapid.Uint32().Draw(t, "format"),
			Manifest: DigestOf(value.Draw(t, "manifest")),
			Meta:     rapid.MapOfN(rapid.String(), value, 0, 4).Draw(t, "meta"),
			Sections: rapid.MapOfN(name, blocks, 0, 4).Draw(t, "sections"),
		}
	})
}

func TestRootRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rootGen().Draw(t, "root")
		b, err := want.Encode()
		if err != nil {
			t.Fatal(err)
		}
		got, err := DecodeRoot(b)
		if err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	})
}

func TestRootRefuses(t *testing.T) {
	for _, tc := range []struct {
		name string
		root Root
	}{
		{"keys that do not ascend", Root{Sections: map[string][]BlockRef{"facts": {{Key: []byte("b")}, {Key: []byte("a")}}}}},
		{"equal keys", Root{Sections: map[string][]BlockRef{"facts": {{Key: []byte("a")}, {Key: []byte("a")}}}}},
		{"the name of the root", Root{Sections: map[string][]BlockRef{"manifest": nil}}},
		{"a short name", Root{Sections: map[string][]BlockRef{"ab": nil}}},
		{"a name with a dot", Root{Sections: map[string][]BlockRef{"facts/../x": nil}}},
		{"a name like an object id", Root{Sections: map[string][]BlockRef{OID{}.String(): nil}}},
	} {
		if _, err := tc.root.Encode(); err == nil {
			t.Errorf("%s was encoded", tc.name)
		}
	}
}

func TestSectionFind(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfDistinct(rapid.StringN(0, 3, -1), rapid.ID).Draw(t, "keys")
		slices.Sort(keys)
		s := Section{Name: "facts"}
		for _, k := range keys {
			s.Blocks = append(s.Blocks, BlockRef{Key: []byte(k)})
		}
		key := rapid.StringN(0, 3, -1).Draw(t, "key")
		want := -1
		for i, k := range keys {
			if cmp.Compare(k, key) <= 0 {
				want = i
			}
		}
		if got := s.Find([]byte(key)); got != want {
			t.Fatalf("found %d, want %d", got, want)
		}
	})
}

func FuzzDecodeRoot(f *testing.F) {
	for i := range 5 {
		b, err := rootGen().Example(i).Encode()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := DecodeRoot(data)
		if err != nil {
			return
		}
		again, err := r.Encode()
		if err != nil || !bytes.Equal(again, data) {
			t.Fatalf("%x decodes, but is encoded as %x, %v", data, again, err)
		}
	})
}
