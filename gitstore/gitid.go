package gitstore

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"strconv"
)

// ObjectFormat is the hash function of a repository's object ids.
type ObjectFormat uint8

// Object formats.
const (
	SHA1 ObjectFormat = iota + 1
	SHA256
)

func parseObjectFormat(s string) (ObjectFormat, error) {
	switch s {
	case "sha1":
		return SHA1, nil
	case "sha256":
		return SHA256, nil
	}
	return 0, fmt.Errorf("unknown object format %q", s)
}

// String returns git's name of the format.
func (f ObjectFormat) String() string {
	if f == SHA256 {
		return "sha256"
	}
	return "sha1"
}

// Size returns the length of an id in bytes.
func (f ObjectFormat) Size() int {
	if f == SHA256 {
		return sha256.Size
	}
	return sha1.Size
}

func (f ObjectFormat) newHash() hash.Hash {
	if f == SHA256 {
		return sha256.New()
	}
	return sha1.New()
}

// GitID is an object id of the user's repository: the raw 20 or 32 bytes, ""
// where there is none. It is never mixed with a content Digest.
type GitID string

// String returns the id in lower-case hex.
func (id GitID) String() string { return hex.EncodeToString([]byte(id)) }

func parseGitID(s string, f ObjectFormat) (GitID, error) {
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != f.Size() {
		return "", fmt.Errorf("bad %v object id %q", f, s)
	}
	return GitID(b), nil
}

// blobHash computes blob ids with one reused hash.
type blobHash struct {
	h   hash.Hash
	buf [64]byte
}

func newBlobHash(f ObjectFormat) *blobHash { return &blobHash{h: f.newHash()} }

// matches says whether git would give data the id when it stores it as it is.
func (b *blobHash) matches(data []byte, id GitID) bool {
	b.h.Reset()
	b.h.Write(strconv.AppendInt(append(b.buf[:0], "blob "...), int64(len(data)), 10))
	b.h.Write([]byte{0})
	b.h.Write(data)
	return string(b.h.Sum(b.buf[:0])) == string(id)
}
