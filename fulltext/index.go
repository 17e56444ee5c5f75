package fulltext

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"
)

// The format, version 2. Numbers are unsigned varints in their shortest form;
// "string" is a size and bytes; "suffix" is the size of the prefix that a
// string shares with the one before it, the size of the rest, and the rest;
// strings so written ascend. Docs are numbered from 0 within their segment, by
// path and symbol. A segment has at most 4096 docs in at most 512 files.
//
//	key of a block   first path of the run, 00, number of the segment within the
//	                 run (2 bytes, big-endian), part (1 byte), term
//	part 1, head     version 02, docs, files, sum of the field lengths of all
//	                 docs (8 numbers), first path (string), last path (string)
//	part 2, table    docs, files; for each file: path (suffix), docs, the first
//	                 symbol number, the distance of each other from the one
//	                 before it less 1; then, a byte for each doc: kinds,
//	                 languages, flags, lengths of the eight fields
//	part 3, terms    entries in order of terms, each: a byte that says which
//	                 columns are present (bit 0 whole name, 1 whole qualified
//	                 name, 2 whole path, 3 name, 4 qualified, 5 path, 6
//	                 signature, 7 docstring), term (suffix with sizes of one
//	                 byte), size of the postings, those of each present column
//	part 4, bodies   the same with the columns 0 code, 1 comment, 2 string;
//	                 absent where there are no bodies
//	postings         see appendPostings
//
// Head and table have the empty term. The terms are cut into blocks of about 4
// KiB, those of bodies of 8; the first has the empty term in its key, any other
// its own first term.
// Terms are folded identifiers and parts of them (Words) and, in the three
// whole columns, the Normal of the text. The terms 01 'l' lang and 01 'k' kind
// list the docs of a language and of a kind in column 0.
//
// Measured on cli/cli, 12,705 symbols in 8 segments, 325 blocks: heads 0.7 kB,
// tables 163 kB, terms 751 kB, bodies 898 kB, together 152 bytes a symbol; 1.4
// MB with zstd. A search for symbols of one to three words reads 140 to 200 kB
// of it in 24 to 38 blocks.

// Blocks is the sorted section that holds the blocks of all segments. What it
// returns must not change while the Index or a Search uses it. Its methods are
// called from the goroutines that call Search.
type Blocks interface {
	// Floor returns the block with the greatest key that is at most key, the
	// zero Block where there is none.
	Floor(key []byte) (Block, error)
	// Ceil returns the block with the least key that is at least key, the zero
	// Block where there is none.
	Ceil(key []byte) (Block, error)
}

// Index is an open section. It is safe for concurrent use if its Blocks are.
type Index struct {
	blocks   Blocks
	segments []segment // in order of paths
	docs     int
	length   [NumFields]uint64
}

type segment struct {
	key []byte
	head
}

// Open reads the heads of all segments.
func Open(ctx context.Context, blocks Blocks) (*Index, error) {
	ix := &Index{blocks: blocks}
	var from []byte
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		b, err := blocks.Ceil(from)
		if err != nil {
			return nil, fmt.Errorf("open full-text index: %w", err)
		}
		if b.Key == nil {
			return ix, nil
		}
		s, err := ix.add(b)
		if err != nil {
			return nil, fmt.Errorf("open full-text index: segment %q: %w", b.Key, err)
		}
		from = append(bytes.Clone(s.key), 0xff)
	}
}

func (ix *Index) add(b Block) (*segment, error) {
	const numberAndPart = 3
	nul := bytes.IndexByte(b.Key, 0)
	if nul < 0 || len(b.Key) != nul+1+numberAndPart || b.Key[len(b.Key)-1] != partHead {
		return nil, corrupt("no head")
	}
	h, err := decodeHead(b.Data)
	if err != nil {
		return nil, err
	}
	if n := len(ix.segments); n > 0 && ix.segments[n-1].last > h.first {
		return nil, corrupt("paths out of order")
	}
	ix.segments = append(ix.segments, segment{key: b.Key[:len(b.Key)-1], head: h})
	ix.docs += h.docs
	for f, n := range h.length {
		ix.length[f] += n
	}
	return &ix.segments[len(ix.segments)-1], nil
}

// mayHold is false where no path of the segment can lie under prefix.
func (s *segment) mayHold(prefix string) bool {
	prefix = strings.TrimSuffix(prefix, "/")
	const afterSlash = "0" // paths in the folder sort below it
	return prefix == "" || s.last >= prefix && s.first < prefix+afterSlash
}

// Docs returns the number of symbols in the index.
func (ix *Index) Docs() int { return ix.docs }

func (ix *Index) table(s *segment) (*table, error) {
	key := blockKey(s.key, partTable, "")
	b, err := ix.blocks.Floor(key)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(b.Key, key) {
		return nil, corrupt("no table")
	}
	return decodeTable(b.Data, &s.head)
}

// under returns the docs whose path lies under prefix.
func (t *table) under(prefix string) *roaring.Bitmap {
	docs := roaring.New()
	for i, path := range t.paths {
		if Under(path, prefix) {
			docs.AddRange(uint64(t.starts[i]), uint64(t.starts[i+1]))
		}
	}
	return docs
}
