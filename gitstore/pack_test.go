package gitstore

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestStoredStream(t *testing.T) {
	for _, n := range []int{0, 1, maxStoredBlock - 1, maxStoredBlock, maxStoredBlock + 1, 3*maxStoredBlock + 7} {
		data := bytes.Repeat([]byte("0123456789abcde"), n/15+1)[:n]
		stream := appendStored(nil, data)
		if len(stream) != storedSize(n) {
			t.Errorf("%d bytes: stream of %d, want %d", n, len(stream), storedSize(n))
		}
		z, err := zlib.NewReader(bytes.NewReader(stream))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(z); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%d bytes: zlib reads %d, %v", n, len(got), err)
		}
		got, used, err := parseStored(append(stream, "more"...), n)
		if err != nil || used != len(stream) || !bytes.Equal(got, data) {
			t.Errorf("%d bytes: read %d, used %d of %d, %v", n, len(got), used, len(stream), err)
		}
	}
}

func TestEntryHead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typ := rapid.SampledFrom([]objectType{typeCommit, typeTree, typeBlob, typeTag, typeOfsDelta, typeRefDelta}).Draw(t, "type")
		size := rapid.IntRange(0, maxObjectSize).Draw(t, "size")
		b := appendEntryHead(nil, typ, size)
		got, gotSize, n, err := parseEntryHead(append(b, 0xff))
		if got != typ || gotSize != size || n != len(b) || n > maxEntryHead || err != nil {
			t.Fatalf("%v %d: read %v %d in %d of %d bytes, %v", typ, size, got, gotSize, n, len(b), err)
		}
	})
}

// FuzzEntry reads hostile pack entries; what is taken for a stored stream must
// be what zlib takes it for.
func FuzzEntry(f *testing.F) {
	f.Add(appendEntry(nil, typeBlob, []byte("hello")))
	f.Add(appendEntry(nil, typeTree, nil))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0x7f})
	f.Fuzz(func(t *testing.T, b []byte) {
		_, size, n, err := parseEntryHead(b)
		if err != nil {
			return
		}
		data, used, err := parseStored(b[n:], size)
		if err != nil {
			return
		}
		z, err := zlib.NewReader(bytes.NewReader(b[n : n+used]))
		if err != nil {
			t.Fatal(err)
		}
		if want, err := io.ReadAll(z); err != nil || !bytes.Equal(want, data) {
			t.Fatalf("zlib reads %x, %v; we read %x", want, err, data)
		}
	})
}

func indexGen(long bool) *rapid.Generator[[]packEntry] {
	entry := rapid.Custom(func(t *rapid.T) packEntry {
		var e packEntry
		copy(e.oid[:], rapid.SliceOfN(rapid.Byte(), 20, 20).Draw(t, "oid"))
		e.oid[0] %= 3 // so that many share a bucket
		e.crc = rapid.Uint32().Draw(t, "crc")
		top := int64(longOffset - 1)
		if long {
			top = 1 << 40
		}
		e.offset = rapid.Int64Range(0, top).Draw(t, "offset")
		return e
	})
	return rapid.SliceOfNDistinct(entry, 0, 300, func(e packEntry) OID { return e.oid })
}

func TestPackIndex(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := indexGen(rapid.Bool().Draw(t, "long")).Draw(t, "entries")
		data := encodePackIndex(want, [sha1.Size]byte{1})
		got, sum, err := decodePackIndex(data)
		if err != nil || sum != [sha1.Size]byte{1} || !slices.Equal(got, want) {
			t.Fatalf("got %v, %v", got, err)
		}
		x, err := openPackIndex(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // by single reads, then from memory
			for _, e := range want {
				off, ok, err := x.find(e.oid)
				if off != e.offset || !ok || err != nil {
					t.Fatalf("find %v: %d %v %v", e.oid, off, ok, err)
				}
				other := e.oid
				other[19]++
				_, ok, err = x.find(other)
				if has := slices.ContainsFunc(want, func(e packEntry) bool { return e.oid == other }); ok != has || err != nil {
					t.Fatalf("find %v: %v %v", other, ok, err)
				}
			}
			if err := x.readAll(); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// FuzzPackIndex asks damaged indexes. They may give wrong offsets, but neither
// panic nor read outside of the file.
func FuzzPackIndex(f *testing.F) {
	var entries []packEntry
	for i := range 3 {
		f.Add(encodePackIndex(entries, [sha1.Size]byte{}))
		entries = append(entries, packEntry{OID{byte(i)}, uint32(i), int64(i) << 31})
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		x, err := openPackIndex(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		if _, _, err := decodePackIndex(data); err != nil && !errors.Is(err, errIndexFile) {
			t.Fatal(err)
		}
		for range 2 {
			for i := range min(x.n, 300) {
				oid := OID(data[x.oidsAt(i):])
				if off, _, err := x.find(oid); off < 0 || err != nil && !errors.Is(err, errIndexFile) {
					t.Fatal(off, err)
				}
			}
			if err := x.readAll(); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestApplyDelta(t *testing.T) {
	base := []byte("the quick brown fox jumps over the lazy dog")
	head := func(from, to int) []byte {
		return binary.AppendUvarint(binary.AppendUvarint(nil, uint64(from)), uint64(to))
	}
	n := len(base)
	for _, tc := range []struct {
		name  string
		delta []byte
		want  string // "" for an error
	}{
		{"copy and insert", append(head(n, 8), 0x80|0x01|0x10, 4, 5, 3, '!', '!', '!'), "quick!!!"},
		{"copy from the beginning", append(head(n, 3), 0x80|0x10, 3), "the"},
		{"wrong base", append(head(n+1, 3), 0x80|0x10, 3), ""},
		{"beyond the base", append(head(n, 9), 0x80|0x01|0x10, byte(n-3), 9), ""},
		{"more than announced", append(head(n, 2), 0x80|0x10, 3), ""},
		{"less than announced", append(head(n, 4), 0x80|0x10, 3), ""},
		{"instruction cut short", append(head(n, 3), 0x80|0x01|0x10, 4), ""},
		{"insert cut short", append(head(n, 3), 3, 'a'), ""},
		{"instruction zero", append(head(n, 1), 0), ""},
		{"no header", nil, ""},
	} {
		got, err := applyDelta(base, tc.delta)
		if diff := cmp.Diff(tc.want, string(got)); diff != "" || (err == nil) != (tc.want != "") {
			t.Errorf("%s: %v (-want +got):\n%s", tc.name, err, diff)
		}
	}
}

func FuzzApplyDelta(f *testing.F) {
	f.Add([]byte("base"), []byte("\x04\x06\x90\x04\x02!!"))
	f.Fuzz(func(t *testing.T, base, delta []byte) {
		if out, err := applyDelta(base, delta); err == nil && len(out) > maxObjectSize {
			t.Fatal("too large")
		}
	})
}
