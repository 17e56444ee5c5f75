package graph

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"codeidx/facts"
)

// Key identifies a symbol inside a store, free of positions: its file, kind,
// lexically qualified name and its ordinal among equals of that file. A
// package folder, or a file without facts, is a Key with kind DefModule, its path
// and no name.
type Key struct {
	Path      string
	Kind      facts.DefKind
	Qualified string
	Ordinal   uint32
}

// IsDir says whether the key names a place without facts.
func (k Key) IsDir() bool { return k.Kind == facts.DefModule && k.Qualified == "" }

// Compare orders keys by path, qualified name, kind and ordinal.
func (k Key) Compare(o Key) int {
	return cmp.Or(cmp.Compare(k.Path, o.Path), cmp.Compare(k.Qualified, o.Qualified), cmp.Compare(k.Kind, o.Kind), cmp.Compare(k.Ordinal, o.Ordinal))
}

// append writes the canonical, length-delimited form of the key.
func (k Key) append(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(k.Path)))
	b = append(b, k.Path...)
	b = append(b, byte(k.Kind))
	b = binary.AppendUvarint(b, uint64(len(k.Qualified)))
	b = append(b, k.Qualified...)
	return binary.AppendUvarint(b, uint64(k.Ordinal))
}

// Hash returns the 96-bit identity of the key, in hex.
func (k Key) Hash() string {
	h := sha256.Sum256(k.append([]byte("symbol\x00")))
	return hex.EncodeToString(h[:12])
}

// EdgeUID returns the position-free identity of an edge (spec/cli.md): the
// hash of its ends, its kind and the ordinal of its site among the equal ones
// of the source.
func EdgeUID(from, to Key, kind Kind, ordinal uint32) string {
	b := to.append(from.append([]byte("edge\x00")))
	b = append(b, byte(kind))
	b = binary.AppendUvarint(b, uint64(ordinal))
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:12])
}
