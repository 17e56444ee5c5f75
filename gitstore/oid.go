package gitstore

import (
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
)

// OID is the id of an object of the private store, which is a SHA-1
// repository whatever the user's is. It is an address; what vouches for
// content is its Digest.
type OID [sha1.Size]byte

// ParseOID reads an id from 40 lower-case hex digits.
func ParseOID(s string) (o OID, err error) {
	if err := decodeLowerHex(o[:], s); err != nil {
		return OID{}, fmt.Errorf("parse object id %q: %w", s, err)
	}
	return o, nil
}

// String returns the id in lower-case hex.
func (o OID) String() string { return hex.EncodeToString(o[:]) }

// IsZero reports whether o is unset.
func (o OID) IsZero() bool { return o == OID{} }

var errNotHex = errors.New("not lower-case hex of the right length")

func decodeLowerHex(dst []byte, s string) error {
	if len(s) != hex.EncodedLen(len(dst)) || !isLowerHex(s) {
		return errNotHex
	}
	_, err := hex.Decode(dst, []byte(s))
	return err
}

func isLowerHex(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// objectID computes the id that git gives an object.
func objectID(t objectType, data []byte) (o OID) {
	var head [32]byte
	h := sha1.New()
	b := append(append(head[:0], t.String()...), ' ')
	h.Write(append(strconv.AppendInt(b, int64(len(data)), 10), 0))
	h.Write(data)
	h.Sum(o[:0])
	return o
}

// BlobRef names a stored payload: where it is, and what its raw bytes are.
type BlobRef struct {
	OID    OID
	Digest Digest
	Len    uint32 // of the raw bytes
}

const blobRefSize = len(OID{}) + len(Digest{}) + 4

// Append appends the ref's encoding of fixed size to b: id, digest, length
// (little-endian).
func (r BlobRef) Append(b []byte) []byte {
	b = append(append(b, r.OID[:]...), r.Digest[:]...)
	return binary.LittleEndian.AppendUint32(b, r.Len)
}

// CutBlobRef reads a ref from the front of b and returns what follows it.
func CutBlobRef(b []byte) (r BlobRef, rest []byte, err error) {
	if len(b) < blobRefSize {
		return BlobRef{}, nil, errors.New("blob ref is cut short")
	}
	n := copy(r.OID[:], b)
	n += copy(r.Digest[:], b[n:])
	r.Len = binary.LittleEndian.Uint32(b[n:])
	return r, b[blobRefSize:], nil
}
