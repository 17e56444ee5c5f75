package hooks

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"

	"codeidx/facts"
	"codeidx/gitstore"
	"codeidx/graph"
)

// index is the generation that serves queries, as far as the ledger asks it. It
// may be damaged anywhere: the ledger then knows less, and goes on. A nil index
// has no file.
type index struct {
	gen                             *gitstore.Generation
	files, omitted                  *gitstore.Table
	symbolRows, edgeRows, incomings *gitstore.Table
}

// serving opens the index that serves a binding, nil where none does.
func serving(s *gitstore.Store, binding string) (*index, error) {
	return pointed(s, binding, gitstore.Live)
}

// pointed opens the index that a pointer of a binding names.
func pointed(s *gitstore.Store, binding string, name gitstore.RefName) (*index, error) {
	if s == nil || binding == "" {
		return nil, nil
	}
	g, err := s.Generation(binding, name)
	if errors.Is(err, gitstore.ErrNoGeneration) || errors.Is(err, gitstore.ErrCorrupt) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &index{
		gen: g, files: g.Table(gitstore.FilesSection), omitted: g.Table(gitstore.OmittedSection),
		symbolRows: g.Table(graph.SymbolsTable), edgeRows: g.Table(graph.EdgesTable), incomings: g.Table(graph.IncomingTable),
	}, nil
}

// name returns the manifest digest, "" without an index.
func (x *index) name() string {
	if x == nil {
		return ""
	}
	return x.gen.Manifest.String()
}

// at returns the name of the index that served when an event happened: this one
// unless it was built later. Which one it was then is not known any more.
func (x *index) at(e *Event) string {
	if x == nil || eventTime(e.Time).Before(x.gen.Time) {
		return ""
	}
	return x.name()
}

// file returns what is indexed of a path, nil for nothing.
func (x *index) file(path string) *gitstore.Entry {
	if x == nil {
		return nil
	}
	row, ok, err := x.files.Row(path)
	if err != nil || !ok {
		return nil
	}
	f, err := gitstore.DecodeEntry(path, row)
	if err != nil {
		return nil
	}
	return f
}

// settled says whether the index has a path as an entry left it, or has no use
// for the path.
func (x *index) settled(e *Entry) bool {
	if e.Kind == Rename && x.file(e.OldPath) != nil {
		return false
	}
	f := x.file(e.Path)
	switch {
	case f == nil && e.Kind == Delete:
		return true
	case f == nil:
		return facts.Detect(e.Path) == facts.NoLang || x.omits(e.Path)
	case e.NewSHA256 != "":
		return f.SHA256.String() == e.NewSHA256
	case f.Blob != "":
		return f.Blob.String() == e.NewBlob
	}
	return e.NewBlob != "" && x.blob(f, len(e.NewBlob)) == e.NewBlob
}

func (x *index) omits(path string) bool {
	_, ok, err := x.omitted.Row(path)
	return err == nil && ok
}

// blob returns the id, of a length in hex digits, that git would give the
// captured source of a file as it is; "" where none was captured.
func (x *index) blob(f *gitstore.Entry, length int) string {
	if f.Source == (gitstore.BlobRef{}) {
		return ""
	}
	source, err := x.gen.Get(f.Source)
	if err != nil {
		return ""
	}
	return blobID(source, length)
}

// blobID returns the id, of a length in hex digits, that git gives bytes as they
// are.
func blobID(source []byte, length int) string {
	var h hash.Hash = sha1.New()
	if length == hex.EncodedLen(sha256.Size) {
		h = sha256.New()
	}
	fmt.Fprintf(h, "blob %d\x00", len(source))
	h.Write(source)
	return hex.EncodeToString(h.Sum(nil))
}
