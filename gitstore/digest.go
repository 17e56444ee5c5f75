package gitstore

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Digest is the SHA-256 of content bytes.
type Digest [sha256.Size]byte

// DigestOf returns the digest of data.
func DigestOf(data []byte) Digest { return sha256.Sum256(data) }

// ParseDigest reads a digest from 64 lower-case hex digits.
func ParseDigest(s string) (d Digest, err error) {
	if err := decodeLowerHex(d[:], s); err != nil {
		return Digest{}, fmt.Errorf("parse digest %q: %w", s, err)
	}
	return d, nil
}

// String returns the digest in lower-case hex.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// IsZero reports whether d is unset.
func (d Digest) IsZero() bool { return d == Digest{} }
