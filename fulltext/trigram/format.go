package trigram

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
)

// The format, version 1. Numbers are unsigned varints in their shortest form.
//
//	key of a block     first path of the run, 00, part (1 byte); in part 2 the
//	                   first trigram of the block (3 bytes, big-endian)
//	part 1, head       version 01; SHA-256 over the members; number of files;
//	                   for each: length of the prefix that its path shares with
//	                   the one before, length of the rest, the rest, language byte
//	part 2, postings   for each trigram, ascending: its distance from the one
//	                   before (0 for the first), v; where v is even, v/2 files: the
//	                   first number, then how many numbers lie between each and
//	                   the one before; where v is odd, v/2 bytes of a bit set, file
//	                   0 in the lowest bit of the first byte, the last byte not 0
//
// Files are numbered from 0 by path. Trigrams are folded (fold.go); none spans
// lines. The digest of the members is taken over path, NUL, language byte and
// the SHA-256 of the bytes of each file: a run whose members are the same has
// the same blocks.
const (
	version      = 1
	partHead     = 1
	partPostings = 2
)

// ErrCorrupt is the cause of every error about a block that cannot be what
// Encode wrote.
var ErrCorrupt = errors.New("corrupt trigram index")

func corrupt(what string) error { return fmt.Errorf("%w: %s", ErrCorrupt, what) }

func runKey(path string) []byte { return append([]byte(path), 0) }

func headKey(run []byte) []byte { return append(bytes.Clone(run), partHead) }

func postingsKey(run []byte, gram uint32) []byte {
	return append(bytes.Clone(run), partPostings, byte(gram>>16), byte(gram>>8), byte(gram))
}

// HeadKey is the key of the first block of a run, by its first file.
func HeadKey(files []File) []byte { return headKey(runKey(files[0].Path)) }

// SameRun says whether key is that of a block of the run whose head has the
// other key.
func SameRun(key, head []byte) bool { return bytes.HasPrefix(key, head[:len(head)-1]) }

// Members digests what a run's blocks depend on.
func Members(files []File) [32]byte {
	h := sha256.New()
	for i := range files {
		h.Write([]byte(files[i].Path))
		h.Write([]byte{0, files[i].Lang})
		h.Write(files[i].Sum[:])
	}
	return [32]byte(h.Sum(nil))
}

// HasMembers says whether data is the head of a run of this format whose
// members have the digest.
func HasMembers(data []byte, members [32]byte) bool {
	return len(data) > len(members) && data[0] == version && bytes.Equal(data[1:1+len(members)], members[:])
}

func encodeHead(files []File) []byte {
	members := Members(files)
	b := append([]byte{version}, members[:]...)
	b = binary.AppendUvarint(b, uint64(len(files)))
	last := ""
	for i := range files {
		path := files[i].Path
		shared := sharedPrefix(last, path)
		b = binary.AppendUvarint(b, uint64(shared))
		b = binary.AppendUvarint(b, uint64(len(path)-shared))
		b = append(append(b, path[shared:]...), files[i].Lang)
		last = path
	}
	return b
}

func sharedPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// reader takes values from the front of b; after the first bad one it gives
// zeros.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) fail() {
	r.b, r.bad = nil, true
}

// uint reads a number in its shortest form that is at most limit.
func (r *reader) uint(limit uint64) uint64 {
	if len(r.b) > 0 && r.b[0] < 0x80 && uint64(r.b[0]) <= limit {
		v := uint64(r.b[0])
		r.b = r.b[1:]
		return v
	}
	return r.longUint(limit)
}

func (r *reader) longUint(limit uint64) uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 || n > 1 && r.b[n-1] == 0 || v > limit {
		r.fail()
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *reader) take(n int) []byte {
	if n > len(r.b) {
		r.fail()
		return nil
	}
	v := r.b[:n:n]
	r.b = r.b[n:]
	return v
}

// decodeHead reads paths and languages of a run.
func decodeHead(data []byte) ([]File, error) {
	r := reader{b: data}
	if v := r.take(1 + sha256.Size); v == nil || v[0] != version {
		return nil, corrupt("head of another version")
	}
	files := make([]File, r.uint(min(MaxFiles, uint64(len(r.b))/3)))
	last := ""
	for i := range files {
		shared := int(r.uint(uint64(len(last))))
		rest := r.take(int(r.uint(uint64(len(r.b)))))
		lang := r.take(1)
		if r.bad {
			break
		}
		path := last[:shared] + string(rest)
		if path <= last || bytes.IndexByte(rest, 0) >= 0 || shared < len(last) && sharedPrefix(last, path) != shared {
			return nil, corrupt("paths out of order")
		}
		files[i].Path, files[i].Lang, last = path, lang[0], path
	}
	if r.bad || len(r.b) > 0 || len(files) == 0 {
		return nil, corrupt("malformed head")
	}
	return files, nil
}

// postings yields the trigrams of a block of postings from its first on, with
// the files of each put into set, which is empty before and afterwards.
type postings struct {
	reader
	gram  uint32
	files int // of the run
	begun bool
}

// next moves on to the next trigram and returns the encoded set of its files.
func (p *postings) next() (list fileList, ok bool) {
	if len(p.b) == 0 {
		return fileList{}, false
	}
	gap := p.uint(gramMask - uint64(p.gram))
	if p.begun == (gap == 0) {
		p.fail()
		return fileList{}, false
	}
	p.begun, p.gram = true, p.gram+uint32(gap)
	v := p.uint(2*uint64(p.files) + 1)
	list = fileList{bits: v&1 == 1, n: int(v >> 1)}
	if list.bits {
		list.data = p.take(list.n)
	} else {
		list.data = p.take(numbers(p.b, list.n))
	}
	if list.n == 0 {
		p.fail()
	}
	return list, !p.bad
}

// numbers is the size of the first n numbers of b, one more than b has where
// they are not all there.
func numbers(b []byte, n int) int {
	for i, c := range b {
		if n == 0 {
			return i
		}
		if c < 0x80 {
			n--
		}
	}
	return len(b) + min(n, 1)
}

// fileList is the encoded set of the files of one trigram.
type fileList struct {
	bits bool
	n    int // files, or bytes of the bit set
	data []byte
}

// addTo sets the bits of the files in a set of files files; false where a
// number is out of range.
func (l *fileList) addTo(set fileSet, files int) bool {
	if l.bits {
		if l.data[l.n-1] == 0 || 8*l.n > (files+7)/8*8 {
			return false
		}
		for i, b := range l.data {
			set[i/8] |= uint64(b) << (i % 8 * 8)
		}
		return files%64 == 0 || set[len(set)-1]>>(files%64) == 0
	}
	r := reader{b: l.data}
	at := -1
	for range l.n {
		at += 1 + int(r.uint(uint64(files)))
		if at >= files {
			return false
		}
		set[at/64] |= 1 << (at % 64)
	}
	return !r.bad
}
