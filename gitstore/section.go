package gitstore

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
)

// BlockRef is one block of a section: the first key in it and its payload.
type BlockRef struct {
	Key  []byte
	Blob BlobRef
}

// Section is a large table, cut into blocks that ascend by their first key.
type Section struct {
	Name   string
	Blocks []BlockRef
}

// Find returns the number of the block that holds key if any does: the last
// whose first key is not above it. It returns -1 for a key before all blocks.
func (s Section) Find(key []byte) int {
	return sort.Search(len(s.Blocks), func(i int) bool { return bytes.Compare(s.Blocks[i].Key, key) > 0 }) - 1
}

// Root is the top of a generation: everything that a query needs to find its
// blocks. Keys of a section's blocks ascend strictly. Section names are paths
// of lower-case words of at least three letters, digits, '-' or '_', such as
// "facts" or "graph/edges".
type Root struct {
	Format   uint32 // of the sections' content, not of this encoding
	Manifest Digest
	Meta     map[string][]byte
	Sections map[string][]BlockRef
}

// Section returns the section with the name; without blocks if there is none.
func (r *Root) Section(name string) Section { return Section{name, r.Sections[name]} }

// A root is encoded as follows; numbers are shortest varints, strings are
// preceded by their length, maps by their size and sorted by key:
//
//	"cixroot" 0x01, format, manifest digest
//	meta:     name, value
//	sections: name, number of blocks, for each: key, blob ref
//
// Equal roots have equal bytes and only those bytes decode.
const rootMagic = "cixroot\x01"

var errRoot = errors.New("malformed root")

// Encode returns the canonical encoding.
func (r *Root) Encode() ([]byte, error) {
	b := append([]byte(nil), rootMagic...)
	b = binary.AppendUvarint(b, uint64(r.Format))
	b = append(b, r.Manifest[:]...)
	b = binary.AppendUvarint(b, uint64(len(r.Meta)))
	for _, name := range slices.Sorted(maps.Keys(r.Meta)) {
		b = appendBytes(appendBytes(b, name), r.Meta[name])
	}
	b = binary.AppendUvarint(b, uint64(len(r.Sections)))
	for _, name := range slices.Sorted(maps.Keys(r.Sections)) {
		if err := checkSectionName(name); err != nil {
			return nil, fmt.Errorf("encode root: %w", err)
		}
		blocks := r.Sections[name]
		b = binary.AppendUvarint(appendBytes(b, name), uint64(len(blocks)))
		for i := range blocks {
			if i > 0 && bytes.Compare(blocks[i-1].Key, blocks[i].Key) >= 0 {
				return nil, fmt.Errorf("encode root: keys of section %s do not ascend at block %d", name, i)
			}
			b = blocks[i].Blob.Append(appendBytes(b, blocks[i].Key))
		}
	}
	return b, nil
}

func appendBytes[T string | []byte](b []byte, s T) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

const minSectionWord = 3

// checkSectionName keeps names apart from object ids, which are their
// neighbours in a generation's tree, and from the root.
func checkSectionName(name string) error {
	if name == rootEntry || strings.HasPrefix(name, rootEntry+"/") {
		return fmt.Errorf("bad section name %q", name)
	}
	for word := range bytes.SplitSeq([]byte(name), []byte{'/'}) {
		ok := len(word) >= minSectionWord && len(word) < 2*len(OID{})
		for _, c := range word {
			ok = ok && (c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_')
		}
		if !ok {
			return fmt.Errorf("bad section name %q", name)
		}
	}
	return nil
}

// DecodeRoot reads an encoded root. Keys and values alias data.
func DecodeRoot(data []byte) (*Root, error) {
	d := rootDecoder{b: data}
	if string(d.take(len(rootMagic))) != rootMagic {
		return nil, fmt.Errorf("%w: no magic", errRoot)
	}
	r := &Root{Meta: map[string][]byte{}, Sections: map[string][]BlockRef{}}
	format := d.uint()
	r.Format = uint32(format)
	d.fail(uint64(r.Format) != format)
	copy(r.Manifest[:], d.take(len(r.Manifest)))
	last := ""
	for i, n := 0, d.count(2); i < n && !d.bad; i++ {
		last = d.name(i, last)
		r.Meta[last] = d.bytes()
	}
	for i, n := 0, d.count(2); i < n && !d.bad; i++ {
		last = d.name(i, last)
		d.fail(checkSectionName(last) != nil)
		r.Sections[last] = d.blocks()
	}
	if d.bad || len(d.b) > 0 {
		return nil, errRoot
	}
	return r, nil
}

// rootDecoder takes values from the front of b; after the first bad one it
// gives zeros.
type rootDecoder struct {
	b   []byte
	bad bool
}

func (d *rootDecoder) fail(bad bool) {
	if bad {
		d.bad, d.b = true, nil
	}
}

func (d *rootDecoder) uint() uint64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 || n > 1 && d.b[n-1] == 0 {
		d.fail(true)
		return 0
	}
	d.b = d.b[n:]
	return v
}

// count reads the number of things that take at least size bytes each.
func (d *rootDecoder) count(size int) int {
	n := d.uint()
	d.fail(n > uint64(len(d.b)/size))
	if d.bad {
		return 0
	}
	return int(n)
}

func (d *rootDecoder) take(n int) []byte {
	d.fail(n > len(d.b))
	if d.bad {
		return nil
	}
	v := d.b[:n:n]
	d.b = d.b[n:]
	return v
}

func (d *rootDecoder) bytes() []byte { return d.take(d.count(1)) }

// name reads the i-th key of a map, which must be above the one before it.
func (d *rootDecoder) name(i int, last string) string {
	name := string(d.bytes())
	d.fail(i > 0 && name <= last)
	return name
}

func (d *rootDecoder) blocks() []BlockRef {
	blocks := make([]BlockRef, d.count(1+blobRefSize))
	for i := range blocks {
		blocks[i].Key = d.bytes()
		d.fail(i > 0 && bytes.Compare(blocks[i-1].Key, blocks[i].Key) >= 0)
		var err error
		blocks[i].Blob, _, err = CutBlobRef(d.take(blobRefSize))
		if err != nil {
			d.fail(true)
			return nil
		}
	}
	return blocks
}
