package trigram

import (
	"encoding/binary"
	"math/bits"
)

// File is one file of a run.
type File struct {
	Path string // no NUL byte
	Lang byte
	Sum  [32]byte // SHA-256 of its bytes
}

// Block is one independently readable piece of a run.
type Block struct {
	Key  []byte
	Data []byte
}

// Limits of a run. MaxFiles is what numbers of files are encoded for.
const (
	MaxFiles = 4096
	minRun   = 1 << 20
	midRun   = 2 << 20
	maxRun   = 4 << 20
)

// Boundary reports whether a run ends after the file with the path, which then
// holds files files and size bytes of source, that file's included. Cuts follow
// the paths, so that an added or deleted file moves the boundaries near to it
// only. Most runs have 1 to 2 MiB: larger ones make an edit dear, smaller ones a
// query.
func Boundary(path string, files int, size int64) bool {
	switch {
	case files >= MaxFiles || size >= maxRun:
		return true
	case files >= MaxFiles/2 || size >= midRun:
		return pathHash(path)%4 == 0
	case files >= MaxFiles/4 || size >= minRun:
		return pathHash(path)%16 == 0
	}
	return false
}

// pathHash is FNV-1a with a final mix.
func pathHash(path string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(path) {
		h = (h ^ uint64(path[i])) * 1099511628211
	}
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	return h ^ h>>32
}

// Encoder makes the blocks of runs, one after the other. It keeps its memory,
// some MiB, between them.
type Encoder struct {
	seen, union []uint64 // sets of trigrams: of the file at hand, of the run
	rank        []uint32 // trigrams of the run below each word of union
	grams       []uint32 // of all files, one after the other
	ends        []int    // of each file, in grams
	at          []uint32 // by trigram of the run: where its files end in files
	files       []uint16
}

// Encode returns the blocks of one run: files, sorted by path and at most
// MaxFiles, whose bytes source returns in that order. The bytes are not kept.
func (e *Encoder) Encode(files []File, source func(i int) ([]byte, error)) ([]Block, error) {
	e.reset()
	for i := range files {
		text, err := source(i)
		if err != nil {
			return nil, err
		}
		e.add(foldSpecial(text))
	}
	e.invert()
	key := runKey(files[0].Path)
	blocks := []Block{{Key: headKey(key), Data: encodeHead(files)}}
	return e.appendPostings(blocks, key, len(files)), nil
}

func (e *Encoder) reset() {
	if e.seen == nil {
		e.seen, e.union, e.rank = make([]uint64, numGrams/64), make([]uint64, numGrams/64), make([]uint32, numGrams/64)
	}
	clear(e.union)
	e.grams, e.ends = e.grams[:0], e.ends[:0]
}

// add collects the trigrams of one file.
func (e *Encoder) add(text []byte) {
	start := len(e.grams)
	gram, n := uint32(0), 0
	for _, b := range text {
		if b == '\n' {
			n = 0
			continue
		}
		gram = (gram<<codeBits | code(b)) & gramMask
		if n++; n < 3 {
			continue
		}
		if bit := uint64(1) << (gram % 64); e.seen[gram/64]&bit == 0 {
			e.seen[gram/64] |= bit
			e.grams = append(e.grams, gram)
		}
	}
	for _, g := range e.grams[start:] {
		e.seen[g/64] = 0
		e.union[g/64] |= 1 << (g % 64)
	}
	e.ends = append(e.ends, len(e.grams))
}

// number is how many trigrams of the run are below a trigram of it.
func (e *Encoder) number(gram uint32) uint32 {
	below := e.union[gram/64] & (1<<(gram%64) - 1)
	return e.rank[gram/64] + uint32(bits.OnesCount64(below))
}

// invert lists the files of each trigram, ascending: a counting sort.
func (e *Encoder) invert() {
	total := uint32(0)
	for i, word := range e.union {
		e.rank[i] = total
		total += uint32(bits.OnesCount64(word))
	}
	e.at = append(e.at[:0], make([]uint32, total+1)...)
	for _, g := range e.grams {
		e.at[e.number(g)+1]++
	}
	for i := range total {
		e.at[i+1] += e.at[i]
	}
	if cap(e.files) < len(e.grams) {
		e.files = make([]uint16, len(e.grams))
	}
	e.files = e.files[:len(e.grams)]
	start := 0
	for f, end := range e.ends {
		for _, g := range e.grams[start:end] {
			n := e.number(g)
			e.files[e.at[n]] = uint16(f)
			e.at[n]++
		}
		start = end
	}
}

// A block of postings ends after a trigram that hashes to a boundary once it
// has minBlock bytes, and at maxBlock bytes in any case: so the blocks of a run
// that was built again keep their bytes where no trigram came or went.
const (
	minBlock = 8 << 10
	maxBlock = 32 << 10
)

func blockEnds(gram uint32, size int) bool {
	return size >= maxBlock || size >= minBlock && gram*0x9E3779B1>>29 == 0
}

func (e *Encoder) appendPostings(blocks []Block, key []byte, numFiles int) []Block {
	var data, buf []byte
	first, before, start, n := uint32(0), uint32(0), uint32(0), 0
	for i, word := range e.union {
		for ; word != 0; word &= word - 1 {
			gram := uint32(64*i + bits.TrailingZeros64(word))
			if len(data) == 0 {
				first, before = gram, gram
			}
			data = binary.AppendUvarint(data, uint64(gram-before))
			data, buf = appendFiles(data, buf, e.files[start:e.at[n]], numFiles)
			before, start = gram, e.at[n]
			n++
			if blockEnds(gram, len(data)) {
				blocks = append(blocks, Block{Key: postingsKey(key, first), Data: append([]byte(nil), data...)})
				data = data[:0]
			}
		}
	}
	if len(data) > 0 {
		blocks = append(blocks, Block{Key: postingsKey(key, first), Data: append([]byte(nil), data...)})
	}
	return blocks
}

// appendFiles encodes the files of one trigram; the smaller of the two forms,
// the first of equals.
func appendFiles(data, buf []byte, files []uint16, numFiles int) ([]byte, []byte) {
	buf = binary.AppendUvarint(buf[:0], uint64(len(files))<<1)
	last := -1
	for _, f := range files {
		buf = binary.AppendUvarint(buf, uint64(int(f)-last-1))
		last = int(f)
	}
	size := last/8 + 1
	head := binary.AppendUvarint(data, uint64(size)<<1|1)
	if len(head)-len(data)+size >= len(buf) {
		return append(data, buf...), buf
	}
	data = append(head, make([]byte, size)...)
	set := data[len(data)-size:]
	for _, f := range files {
		set[f/8] |= 1 << (f % 8)
	}
	return data, buf
}
