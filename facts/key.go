package facts

import (
	"crypto/sha256"
	"encoding/binary"
)

// Runtime is the exact version of the tree-sitter library that parses.
const Runtime = "v0.25.0"

// Key identifies the facts of one file: equal keys stand for equal facts.
type Key [sha256.Size]byte

// ExtractionKey returns the key of the facts that language l's extractor gives
// for a file with this path and content digest. It covers everything that
// facts depend on: path, content, language, parser build (library and
// grammar), extractor version and Format.
func ExtractionKey(path string, content [sha256.Size]byte, l *Language) Key {
	b := make([]byte, 0, 128+len(path))
	b = appendField(b, "codeidx extraction key")
	b = appendField(b, path)
	b = appendField(b, string(content[:]))
	b = appendField(b, l.Name)
	b = appendField(b, l.Grammar)
	b = appendField(b, Runtime)
	b = appendField(b, l.Version)
	b = binary.AppendUvarint(b, uint64(l.Extractor))
	b = binary.AppendUvarint(b, Format)
	return sha256.Sum256(b)
}

// appendField appends a length and the bytes, so that no two lists of fields
// give the same text.
func appendField(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}
