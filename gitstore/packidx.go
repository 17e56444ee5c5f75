package gitstore

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"sync/atomic"
)

// An index (version 2) of a pack of n objects is, all numbers big-endian:
//
//	ff 74 4f 63, uint32 2
//	256 uint32     how many ids begin with at most this byte
//	n ids, sorted
//	n uint32       CRC-32 of the entry in the pack
//	n uint32       offset in the pack; top bit set: number of a long offset
//	m uint64       long offsets
//	SHA-1 of the pack, SHA-1 of the index so far
const (
	indexSignature = "\xfftOc\x00\x00\x00\x02"
	indexHeadSize  = len(indexSignature) + 256*4
	indexPerEntry  = len(OID{}) + 4 + 4
	indexTrailer   = 2 * sha1.Size
	longOffset     = 1 << 31
	// maxPackObjects bounds what is allocated for an index; a generation of the
	// largest tree that is indexed has less than a tenth of it.
	maxPackObjects = 1 << 24
)

var errIndexFile = errors.New("pack index is malformed")

// packEntry is what an index says of one object.
type packEntry struct {
	oid    OID
	crc    uint32
	offset int64
}

// encodePackIndex returns the index of a pack. It sorts entries by id.
func encodePackIndex(entries []packEntry, packSum [sha1.Size]byte) []byte {
	slices.SortFunc(entries, func(a, b packEntry) int { return bytes.Compare(a.oid[:], b.oid[:]) })
	b := make([]byte, 0, indexHeadSize+len(entries)*indexPerEntry+indexTrailer)
	b = append(b, indexSignature...)
	for i, first := 0, 0; first < 256; first++ {
		for i < len(entries) && int(entries[i].oid[0]) == first {
			i++
		}
		b = binary.BigEndian.AppendUint32(b, uint32(i))
	}
	for i := range entries {
		b = append(b, entries[i].oid[:]...)
	}
	for i := range entries {
		b = binary.BigEndian.AppendUint32(b, entries[i].crc)
	}
	var long []byte
	for i := range entries {
		at := uint32(entries[i].offset)
		if entries[i].offset >= longOffset {
			at = longOffset | uint32(len(long)/8)
			long = binary.BigEndian.AppendUint64(long, uint64(entries[i].offset))
		}
		b = binary.BigEndian.AppendUint32(b, at)
	}
	b = append(append(b, long...), packSum[:]...)
	sum := sha1.Sum(b)
	return append(b, sum[:]...)
}

// packIndex looks objects up in an index file. It reads the few bytes that a
// lookup needs, and the whole file once there have been many. It trusts nothing
// further than its bounds: a wrong offset leads to bytes that do not match the
// id asked for. Safe for concurrent use.
type packIndex struct {
	r       io.ReaderAt
	n       int
	long    int // number of long offsets
	fanout  [256]uint32
	lookups atomic.Int32
	whole   atomic.Pointer[[]byte]
}

const (
	// wholeAfter is the number of lookups from which on reading the whole
	// index costs less than going on like that.
	wholeAfter = 100
	// idsAtOnce is how many ids one read brings.
	idsAtOnce = 128
)

var idBuffers = sync.Pool{New: func() any { return new([idsAtOnce * len(OID{})]byte) }}

func openPackIndex(r io.ReaderAt, size int64) (*packIndex, error) {
	var head [indexHeadSize]byte
	if _, err := r.ReadAt(head[:], 0); err != nil {
		return nil, fmt.Errorf("%w: %w", errIndexFile, err)
	}
	if string(head[:len(indexSignature)]) != indexSignature {
		return nil, fmt.Errorf("%w: not version 2", errIndexFile)
	}
	x := &packIndex{r: r}
	last := uint32(0)
	for i := range x.fanout {
		x.fanout[i] = binary.BigEndian.Uint32(head[len(indexSignature)+4*i:])
		if x.fanout[i] < last {
			return nil, fmt.Errorf("%w: counts fall", errIndexFile)
		}
		last = x.fanout[i]
	}
	if x.n = int(last); x.n > maxPackObjects {
		return nil, fmt.Errorf("%w: %d objects", errIndexFile, x.n)
	}
	rest := size - int64(indexHeadSize) - int64(x.n)*int64(indexPerEntry) - indexTrailer
	if rest < 0 || rest%8 != 0 || rest/8 > int64(x.n) {
		return nil, fmt.Errorf("%w: size and count disagree", errIndexFile)
	}
	x.long = int(rest / 8)
	return x, nil
}

func (x *packIndex) oidsAt(i int) int64 { return int64(indexHeadSize) + int64(i)*int64(len(OID{})) }
func (x *packIndex) crcAt(i int) int64  { return x.oidsAt(x.n) + int64(i)*4 }
func (x *packIndex) offAt(i int) int64  { return x.crcAt(x.n) + int64(i)*4 }
func (x *packIndex) longAt(i int) int64 { return x.offAt(x.n) + int64(i)*8 }

// find returns the offset of an object's entry, ok false where it is not
// indexed.
func (x *packIndex) find(oid OID) (offset int64, ok bool, err error) {
	if x.lookups.Add(1) == wholeAfter {
		if err := x.readAll(); err != nil {
			return 0, false, err
		}
	}
	lo, hi := 0, int(x.fanout[oid[0]])
	if oid[0] > 0 {
		lo = int(x.fanout[oid[0]-1])
	}
	buf := idBuffers.Get().(*[idsAtOnce * len(OID{})]byte)
	defer idBuffers.Put(buf)
	for lo < hi {
		// Near the end one read brings all candidates; before that, the middle one.
		from, n := lo, hi-lo
		if n > idsAtOnce {
			from, n = lo+n/2, 1
		}
		b, err := x.bytes(x.oidsAt(from), buf[:n*len(oid)])
		if err != nil {
			return 0, false, err
		}
		i, found := searchOID(b, oid)
		switch {
		case found:
			offset, err = x.offset(from + i)
			return offset, err == nil, err
		case n == hi-lo:
			return 0, false, nil
		case i == 0:
			hi = from
		default:
			lo = from + 1
		}
	}
	return 0, false, nil
}

// bytes returns len(buf) bytes of the file at off, in buf or from memory.
func (x *packIndex) bytes(off int64, buf []byte) ([]byte, error) {
	if whole := x.whole.Load(); whole != nil {
		return (*whole)[off : off+int64(len(buf))], nil
	}
	if _, err := x.r.ReadAt(buf, off); err != nil {
		return nil, fmt.Errorf("%w: %w", errIndexFile, err)
	}
	return buf, nil
}

func (x *packIndex) readAll() error {
	all := make([]byte, x.longAt(x.long))
	if _, err := x.r.ReadAt(all, 0); err != nil {
		return fmt.Errorf("%w: %w", errIndexFile, err)
	}
	x.whole.Store(&all)
	return nil
}

// searchOID finds oid in a run of sorted ids: its place, or where it would be.
func searchOID(ids []byte, oid OID) (i int, found bool) {
	lo, hi := 0, len(ids)/len(oid)
	for lo < hi {
		mid := (lo + hi) / 2
		switch c := bytes.Compare(ids[mid*len(oid):(mid+1)*len(oid)], oid[:]); {
		case c == 0:
			return mid, true
		case c < 0:
			lo = mid + 1
		default:
			hi = mid
		}
	}
	return lo, false
}

func (x *packIndex) offset(i int) (int64, error) {
	var buf [8]byte
	b, err := x.bytes(x.offAt(i), buf[:4])
	if err != nil {
		return 0, err
	}
	v := binary.BigEndian.Uint32(b)
	if v < longOffset {
		return int64(v), nil
	}
	if v -= longOffset; int(v) >= x.long {
		return 0, fmt.Errorf("%w: no long offset %d", errIndexFile, v)
	}
	if b, err = x.bytes(x.longAt(int(v)), buf[:]); err != nil {
		return 0, err
	}
	return int64(binary.BigEndian.Uint64(b) & (1<<63 - 1)), nil
}

// readPackIndex reads and checks a whole index file. Entries come in the order
// of their ids.
func readPackIndex(f *os.File) (entries []packEntry, packSum [sha1.Size]byte, err error) {
	data, err := readWhole(f)
	if err != nil {
		return nil, packSum, err
	}
	return decodePackIndex(data)
}

func decodePackIndex(data []byte) (entries []packEntry, packSum [sha1.Size]byte, err error) {
	x, err := openPackIndex(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, packSum, err
	}
	body := len(data) - sha1.Size
	if sha1.Sum(data[:body]) != [sha1.Size]byte(data[body:]) {
		return nil, packSum, fmt.Errorf("%w: checksum is wrong", errIndexFile)
	}
	copy(packSum[:], data[body-sha1.Size:])
	entries = make([]packEntry, x.n)
	for i := range entries {
		e := &entries[i]
		copy(e.oid[:], data[x.oidsAt(i):])
		if i > 0 && bytes.Compare(entries[i-1].oid[:], e.oid[:]) >= 0 {
			return nil, packSum, fmt.Errorf("%w: ids are not sorted", errIndexFile)
		}
		e.crc = binary.BigEndian.Uint32(data[x.crcAt(i):])
		if e.offset, err = x.offset(i); err != nil {
			return nil, packSum, err
		}
	}
	return entries, packSum, nil
}

// readWhole reads a file from its beginning, wherever it was read before.
func readWhole(f *os.File) ([]byte, error) {
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	data := make([]byte, st.Size())
	if _, err := f.ReadAt(data, 0); err != nil {
		return nil, fmt.Errorf("read %s: %w", f.Name(), err)
	}
	return data, nil
}
