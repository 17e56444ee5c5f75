package gitstore

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"os"
)

// pack reads objects of one pack by pread: a file that is cut short under a
// reader is an error, not a signal. It holds both files open, so that it keeps
// answering after another process has folded the pack away. Safe for
// concurrent use.
type pack struct {
	base      string // path without extension
	file      *os.File
	indexFile *os.File
	index     *packIndex
	end       int64 // where the entries end
}

func openPack(base string) (*pack, error) {
	p := &pack{base: base}
	if err := p.open(); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

func (p *pack) open() (err error) {
	var size int64
	if p.indexFile, size, err = openOwn(p.base + ".idx"); err != nil {
		return err
	}
	if p.index, err = openPackIndex(p.indexFile, size); err != nil {
		return err
	}
	if p.file, size, err = openOwn(p.base + ".pack"); err != nil {
		return err
	}
	p.end = size - int64(len(OID{}))
	return nil
}

func (p *pack) close() error {
	var errs [2]error
	if p.file != nil {
		errs[0] = p.file.Close()
	}
	if p.indexFile != nil {
		errs[1] = p.indexFile.Close()
	}
	return errors.Join(errs[:]...)
}

// firstRead is what is read of an entry whose length is unknown.
const firstRead = 4 << 10

// maxDeltaDepth is the longest chain of deltas that git writes.
const maxDeltaDepth = 4095

// object returns the object whose entry is at off. data may alias buf, which
// grows as needed.
func (p *pack) object(off int64, want request, buf *[]byte) (t objectType, data []byte, err error) {
	return p.objectAt(off, want, buf, 0)
}

func (p *pack) objectAt(off int64, want request, buf *[]byte, depth int) (objectType, []byte, error) {
	b, err := p.read(off, max(want.guess, firstRead), buf)
	if err != nil {
		return 0, nil, err
	}
	t, size, n, err := parseEntryHead(b)
	if err != nil {
		return 0, nil, err
	}
	if size > want.limit {
		return 0, nil, fmt.Errorf("has %d bytes, more than the %d it may have", size, want.limit)
	}
	if t.isDelta() {
		return p.delta(off, b[:min(len(b), n+2*len(OID{}))], t, size, n, depth)
	}
	if need := n + storedSize(size); need > len(b) && off+int64(need) <= p.end {
		if b, err = p.read(off, need, buf); err != nil {
			return 0, nil, err
		}
	}
	data, _, err := parseStored(b[n:], size)
	if errors.Is(err, errNotStored) {
		data, err = p.inflate(off+int64(n), size)
	}
	return t, data, err
}

// read returns up to n bytes of the entries from off on.
func (p *pack) read(off int64, n int, buf *[]byte) ([]byte, error) {
	if off < packHeaderSize || off >= p.end {
		return nil, fmt.Errorf("offset %d is outside of the pack", off)
	}
	n = int(min(int64(n), p.end-off))
	if cap(*buf) < n {
		*buf = make([]byte, n)
	}
	b := (*buf)[:n]
	_, err := p.file.ReadAt(b, off)
	return b, err
}

// inflate decompresses the size bytes of the stream at off.
func (p *pack) inflate(off int64, size int) ([]byte, error) {
	return inflate(io.NewSectionReader(p.file, off, max(p.end-off, 0)), size)
}

func inflate(r io.Reader, size int) ([]byte, error) {
	z, err := zlib.NewReader(r)
	if err != nil {
		return nil, err
	}
	// Reading to the end makes zlib compare the checksum; growing with what
	// really comes keeps a lying size from being allocated.
	var data bytes.Buffer
	_, err = data.ReadFrom(io.LimitReader(z, int64(size)+1))
	if err == nil && data.Len() != size {
		err = fmt.Errorf("object has not its %d bytes", size)
	}
	return data.Bytes(), err
}

// delta rebuilds an object that `git gc` stored as the difference to another.
// head begins with the entry at off, whose type and size took n bytes.
func (p *pack) delta(off int64, head []byte, t objectType, size, n, depth int) (objectType, []byte, error) {
	if depth == maxDeltaDepth {
		return 0, nil, errors.New("chain of deltas is too long")
	}
	base, used, err := p.deltaBase(off, head[n:], t)
	if err != nil {
		return 0, nil, err
	}
	diff, err := p.inflate(off+int64(n+used), size)
	if err != nil {
		return 0, nil, err
	}
	var buf []byte
	t, from, err := p.objectAt(base, request{limit: maxObjectSize}, &buf, depth+1)
	if err != nil {
		return 0, nil, err
	}
	data, err := applyDelta(from, diff)
	return t, data, err
}

// deltaBase reads where the base of a delta is: so many bytes before it, or by
// id, always in the same pack.
func (p *pack) deltaBase(off int64, b []byte, t objectType) (base int64, used int, err error) {
	if t == typeOfsDelta {
		back, n := offsetVarint(b)
		if n == 0 || back == 0 || back > uint64(off) {
			return 0, 0, errEntryShape
		}
		return off - int64(back), n, nil
	}
	var oid OID
	if copy(oid[:], b) < len(oid) {
		return 0, 0, errEntryShape
	}
	base, ok, err := p.index.find(oid)
	if err == nil && !ok {
		err = fmt.Errorf("base %v of a delta is missing", oid)
	}
	return base, len(oid), err
}
