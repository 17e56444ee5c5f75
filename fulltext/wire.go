package fulltext

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrCorrupt is the cause of every error about a block that cannot be what
// EncodeSegment wrote.
var ErrCorrupt = errors.New("corrupt full-text index")

func corrupt(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrCorrupt}, args...)...)
}

// reader decodes a block. After the first error it stays failed and returns
// zero values, so that callers check err once.
type reader struct {
	b   []byte
	i   int // what comes next
	err error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = corrupt(format, args...)
	}
	r.i = len(r.b)
}

// left returns the number of bytes that are not read.
func (r *reader) left() int { return len(r.b) - r.i }

// uvarint reads a number in its shortest form.
func (r *reader) uvarint() uint64 {
	if r.i < len(r.b) && r.b[r.i] < 0x80 {
		r.i++
		return uint64(r.b[r.i-1])
	}
	return r.longUvarint()
}

func (r *reader) longUvarint() uint64 {
	v, n := binary.Uvarint(r.b[r.i:])
	if n <= 0 || r.b[r.i+n-1] == 0 {
		r.fail("bad number")
		return 0
	}
	r.i += n
	return v
}

// count reads a number that is at most limit.
func (r *reader) count(limit int) int {
	v := r.uvarint()
	if v > uint64(limit) {
		r.fail("%d above the limit of %d", v, limit)
		return 0
	}
	return int(v)
}

// next returns n bytes of the block itself, nil where they are missing.
func (r *reader) next(n int) []byte {
	if n > r.left() {
		return r.short(n)
	}
	r.i += n
	return r.b[r.i-n : r.i : r.i]
}

func (r *reader) short(n int) []byte {
	r.fail("%d bytes missing", n-r.left())
	return nil
}

func (r *reader) byte() byte {
	if b := r.next(1); len(b) == 1 {
		return b[0]
	}
	return 0
}

// suffix reads the last n bytes of a string that shares its first bytes with
// the one before it and is greater. The result takes the place of before.
func (r *reader) suffix(before []byte, shared, n int) []byte {
	rest := r.next(n)
	if len(rest) == 0 || shared > len(before) || shared < len(before) && rest[0] <= before[shared] {
		r.fail("strings out of order")
		return before[:0]
	}
	return append(before[:shared], rest...)
}

// end returns the error, or one for bytes that are left over.
func (r *reader) end() error {
	if r.err == nil && r.left() > 0 {
		r.fail("%d bytes left over", r.left())
	}
	return r.err
}

func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func appendString(b []byte, s string) []byte {
	b = binary.AppendUvarint(b, uint64(len(s)))
	return append(b, s...)
}
