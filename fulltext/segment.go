package fulltext

import "slices"

// Field is one of the texts that a symbol is found by.
type Field uint8

// Fields, in descending weight. The numbers are stored: append only.
const (
	Name      Field = iota
	Qualified       // lexically qualified name
	Path            // slash-separated, relative to the work tree's top
	Signature
	Docstring
	Code    // identifiers of the symbol's own lines
	Comment // comments that are no docstring
	String  // string literals
	NumFields

	numSymbolFields = Code // those before are of the symbol itself, the others of its body
)

var fieldNames = [NumFields]string{"name", "qualified", "path", "signature", "doc", "code", "comment", "string"}

// String returns the name of output.
func (f Field) String() string { return fieldNames[f] }

// Fields is a set of fields, by bit.
type Fields uint16

// Sets of fields: what describes a symbol, and what its body holds.
const (
	SymbolFields Fields = 1<<numSymbolFields - 1
	AllFields    Fields = 1<<NumFields - 1
	BodyFields          = AllFields &^ SymbolFields
)

// FieldsOf returns the set of the given fields.
func FieldsOf(fields ...Field) Fields {
	set := Fields(0)
	for _, f := range fields {
		set |= 1 << f
	}
	return set
}

// Has reports whether the set holds f.
func (s Fields) Has(f Field) bool { return s>>f&1 != 0 }

// any reports whether the set holds one of the fields of list.
func (s Fields) any(list []Field) bool {
	return slices.ContainsFunc(list, s.Has)
}

// Flags of a Doc. The bits are stored: append only.
const (
	Test      byte = 1 << iota // test code
	Generated                  // generated-looking code
)

// Doc is one symbol as the index sees it. Path and Sym identify it.
type Doc struct {
	Path  string // path of the file: no NUL byte
	Sym   uint32 // number of the symbol within its file, ascending by position
	Kind  byte   // of definition; a smaller one ranks first among equals
	Lang  byte
	Flags byte

	Fields [NumFields]string // the texts; Path stands in for Fields[Path]
}

// Block is one independently readable piece of a segment.
type Block struct {
	Key  []byte
	Data []byte
}

// Limits of a segment. A run above them gives several segments.
const (
	maxDocs  = 4096 // what one roaring container holds as an array
	maxFiles = 512
)

// Boundary reports whether a run of files ends after the file whose path has
// the hash pathHash (see PathHash). The run then holds files files and docs
// docs, that file's included. Cuts follow the paths, so that an added or
// deleted file moves the boundaries near to it only. Most runs have 1,500 to
// 2,500 docs: larger ones make an edit dear, smaller ones a query.
func Boundary(pathHash uint64, files, docs int) bool {
	switch {
	case docs >= maxDocs*3/4 || files >= maxFiles:
		return true
	case docs >= 2560:
		return pathHash%4 == 0
	case docs >= 1536:
		return pathHash%16 == 0
	}
	return false
}

// PathHash hashes a path for Boundary: FNV-1a with a final mix.
func PathHash(path string) uint64 {
	h := fnv(path)
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	return h ^ h>>32
}

func fnv(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// Under reports whether path is prefix itself or lies in the folder prefix.
// The empty prefix holds every path.
func Under(path, prefix string) bool {
	n := len(prefix)
	if n == 0 {
		return true
	}
	if len(path) < n || path[:n] != prefix {
		return false
	}
	return len(path) == n || prefix[n-1] == '/' || path[n] == '/'
}
