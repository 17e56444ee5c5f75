package gitstore

import (
	"encoding/binary"
	"errors"
	"hash/adler32"
)

// objectType is git's type of an object, as packs number it.
type objectType uint8

const (
	typeCommit   objectType = 1
	typeTree     objectType = 2
	typeBlob     objectType = 3
	typeTag      objectType = 4
	typeOfsDelta objectType = 6
	typeRefDelta objectType = 7
)

var objectTypeNames = [...]string{typeCommit: "commit", typeTree: "tree", typeBlob: "blob", typeTag: "tag"}

// String returns the type's name as object ids hash it, "" for a delta.
func (t objectType) String() string {
	if int(t) < len(objectTypeNames) {
		return objectTypeNames[t]
	}
	return ""
}

func (t objectType) isDelta() bool { return t == typeOfsDelta || t == typeRefDelta }

// A pack is: "PACK", version 2, number of entries (both big-endian uint32), the
// entries, SHA-1 of all that. An entry is type and size (a varint whose
// first byte carries three bits of type and four of size) and a zlib stream.
// We write streams of stored blocks only, so that reading one is a copy:
//
//	0x78 0x01, blocks, Adler-32 of the data (big-endian)
//	block = 1 if last else 0, length (uint16), its complement, bytes
const (
	packSignature  = "PACK"
	packVersion    = 2
	packHeaderSize = 12
	maxStoredBlock = 0xffff
	maxEntryHead   = 10
	zlibStreamHead = 2
	zlibStreamTail = 4
	storedHead     = 5
)

// maxObjectSize bounds what is ever allocated for one object.
const maxObjectSize = 256 << 20

var (
	errNotStored  = errors.New("entry is not made of stored blocks")
	errEntryShape = errors.New("pack entry is malformed")
)

// storedSize returns the length of the zlib stream that holds n bytes in
// stored blocks of full length.
func storedSize(n int) int {
	blocks := max(1, (n+maxStoredBlock-1)/maxStoredBlock)
	return zlibStreamHead + blocks*storedHead + n + zlibStreamTail
}

// appendEntry appends the pack entry of an object to b.
func appendEntry(b []byte, t objectType, data []byte) []byte {
	return appendStored(appendEntryHead(b, t, len(data)), data)
}

func appendEntryHead(b []byte, t objectType, size int) []byte {
	c := byte(t)<<4 | byte(size&0x0f)
	for size >>= 4; size > 0; size >>= 7 {
		b = append(b, c|0x80)
		c = byte(size & 0x7f)
	}
	return append(b, c)
}

func appendStored(b, data []byte) []byte {
	sum := adler32.Checksum(data)
	b = append(b, 0x78, 0x01)
	for {
		n := min(len(data), maxStoredBlock)
		last := byte(0)
		if n == len(data) {
			last = 1
		}
		b = append(b, last)
		b = binary.LittleEndian.AppendUint16(b, uint16(n))
		b = binary.LittleEndian.AppendUint16(b, ^uint16(n))
		b = append(b, data[:n]...)
		data = data[n:]
		if last == 1 {
			return binary.BigEndian.AppendUint32(b, sum)
		}
	}
}

// parseEntryHead reads type and size and returns how many bytes they took.
func parseEntryHead(b []byte) (t objectType, size, n int, err error) {
	if len(b) == 0 {
		return 0, 0, 0, errEntryShape
	}
	t = objectType(b[0] >> 4 & 7)
	size = int(b[0] & 0x0f)
	for shift := 4; b[n]&0x80 != 0; shift += 7 {
		n++
		if n == len(b) || shift > 28 {
			return 0, 0, 0, errEntryShape
		}
		size |= int(b[n]&0x7f) << shift
	}
	if t.String() == "" && !t.isDelta() || size > maxObjectSize {
		return 0, 0, 0, errEntryShape
	}
	return t, size, n + 1, nil
}

// parseStored returns the size bytes of a zlib stream at the front of b and the
// stream's length. The bytes alias b where they lie in one block.
// errNotStored says that the stream is compressed or b ends within it.
func parseStored(b []byte, size int) (data []byte, n int, err error) {
	if len(b) < zlibStreamHead+size || !isZlibHead(b[0], b[1]) {
		return nil, 0, errNotStored
	}
	n = zlibStreamHead
	for last := false; !last; {
		block, ok := cutStoredBlock(b[n:])
		if !ok || len(data)+len(block) > size {
			return nil, 0, errNotStored
		}
		last = b[n] == 1
		n += storedHead + len(block)
		switch {
		case data == nil && last:
			data = block
		case data == nil:
			data = append(make([]byte, 0, size), block...)
		default:
			data = append(data, block...)
		}
	}
	if len(data) != size || len(b) < n+zlibStreamTail {
		return nil, 0, errNotStored
	}
	if binary.BigEndian.Uint32(b[n:]) != adler32.Checksum(data) {
		return nil, 0, errEntryShape
	}
	return data, n + zlibStreamTail, nil
}

// isZlibHead recognises the head of a deflate stream without dictionary.
func isZlibHead(method, flags byte) bool {
	return method&0x0f == 8 && method>>4 <= 7 && flags&0x20 == 0 && (uint(method)<<8|uint(flags))%31 == 0
}

func cutStoredBlock(b []byte) (block []byte, ok bool) {
	if len(b) < storedHead || b[0] > 1 {
		return nil, false
	}
	n := binary.LittleEndian.Uint16(b[1:])
	if ^n != binary.LittleEndian.Uint16(b[3:]) || len(b)-storedHead < int(n) {
		return nil, false
	}
	return b[storedHead : storedHead+int(n)], true
}
