// Package wire reads and writes the varint records that facts and graph are
// stored in. A Reader is total on hostile input: it stops at the first
// violation and every later read gives zero, so that decoders check once.
package wire

import (
	"encoding/binary"
	"errors"
)

// ErrMalformed is what a Reader reports for input that is not a record.
var ErrMalformed = errors.New("malformed record")

// Writer appends to B.
type Writer struct{ B []byte }

// Uint appends an unsigned varint.
func (w *Writer) Uint(v uint64) { w.B = binary.AppendUvarint(w.B, v) }

// Int appends a signed varint.
func (w *Writer) Int(v int64) { w.B = binary.AppendVarint(w.B, v) }

// Byte appends one byte.
func (w *Writer) Byte(b byte) { w.B = append(w.B, b) }

// String appends a length and the bytes.
func (w *Writer) String(s string) {
	w.Uint(uint64(len(s)))
	w.B = append(w.B, s...)
}

// Reader consumes a record.
type Reader struct {
	b   []byte
	err error
}

// NewReader reads b, which must not change while strings are taken from it.
func NewReader(b []byte) *Reader { return &Reader{b: b} }

// Fail makes the reader report ErrMalformed.
func (r *Reader) Fail() {
	r.err = ErrMalformed
	r.b = nil
}

// Err returns what went wrong so far.
func (r *Reader) Err() error { return r.err }

// Done reports what went wrong, bytes left over included.
func (r *Reader) Done() error {
	if r.err == nil && len(r.b) != 0 {
		return ErrMalformed
	}
	return r.err
}

// Uint reads an unsigned varint.
func (r *Reader) Uint() uint64 {
	if len(r.b) > 0 && r.b[0] < 0x80 {
		v := r.b[0]
		r.b = r.b[1:]
		return uint64(v)
	}
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.Fail()
		return 0
	}
	r.b = r.b[n:]
	return v
}

// Uint32 reads an unsigned varint below 2^32.
func (r *Reader) Uint32() uint32 {
	v := r.Uint()
	if v > 1<<32-1 {
		r.Fail()
		return 0
	}
	return uint32(v)
}

// Below reads an unsigned varint below n.
func (r *Reader) Below(n int) int {
	v := r.Uint()
	if v >= uint64(n) {
		r.Fail()
		return 0
	}
	return int(v)
}

// Int reads a signed varint.
func (r *Reader) Int() int64 {
	v, n := binary.Varint(r.b)
	if n <= 0 {
		r.Fail()
		return 0
	}
	r.b = r.b[n:]
	return v
}

// Byte reads one byte.
func (r *Reader) Byte() byte {
	if len(r.b) == 0 {
		r.Fail()
		return 0
	}
	v := r.b[0]
	r.b = r.b[1:]
	return v
}

// Bytes reads a length and that many bytes, which alias the input.
func (r *Reader) Bytes() []byte {
	n := r.Uint()
	if n > uint64(len(r.b)) {
		r.Fail()
		return nil
	}
	v := r.b[:n:n]
	r.b = r.b[n:]
	return v
}

// String reads a length and that many bytes.
func (r *Reader) String() string { return string(r.Bytes()) }

// Count reads the number of elements that follow, each at least min bytes
// long, so that hostile counts allocate no more than the input justifies.
func (r *Reader) Count(min int) int {
	n := r.Uint()
	if n*uint64(max(min, 1)) > uint64(len(r.b)) || n > 1<<31 {
		r.Fail()
		return 0
	}
	return int(n)
}
