package gitstore

import (
	"encoding/binary"
	"errors"
)

var errDelta = errors.New("delta is malformed")

// applyDelta rebuilds an object from its base and git's delta: length of the
// base, length of the result (varints), then instructions. An instruction with
// the top bit copies from the base, offset and length given by the bytes that
// its low bits announce; any other inserts so many bytes that follow it.
func applyDelta(base, delta []byte) ([]byte, error) {
	from, n := binary.Uvarint(delta)
	if n <= 0 || from != uint64(len(base)) {
		return nil, errDelta
	}
	delta = delta[n:]
	size, n := binary.Uvarint(delta)
	if n <= 0 || size > maxObjectSize {
		return nil, errDelta
	}
	delta = delta[n:]
	var out []byte
	for len(delta) > 0 {
		op := delta[0]
		var piece []byte
		if op&0x80 != 0 {
			off, length, used, ok := copyInstruction(delta)
			if !ok || off+length > len(base) {
				return nil, errDelta
			}
			piece, delta = base[off:off+length], delta[used:]
		} else {
			end := 1 + int(op)
			if op == 0 || end > len(delta) {
				return nil, errDelta
			}
			piece, delta = delta[1:end], delta[end:]
		}
		if len(out)+len(piece) > int(size) {
			return nil, errDelta
		}
		out = append(out, piece...)
	}
	if len(out) != int(size) {
		return nil, errDelta
	}
	return out, nil
}

func copyInstruction(b []byte) (off, length, used int, ok bool) {
	op := b[0]
	used = 1
	for i := range 7 {
		if op&(1<<i) == 0 {
			continue
		}
		if used == len(b) {
			return 0, 0, 0, false
		}
		v := int(b[used])
		used++
		if i < 4 {
			off |= v << (8 * i)
		} else {
			length |= v << (8 * (i - 4))
		}
	}
	if length == 0 {
		length = 0x10000
	}
	return off, length, used, true
}
