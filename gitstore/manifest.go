package gitstore

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Sections of the manifest.
const (
	FilesSection   = "files/included"
	OmittedSection = "files/omitted"
)

// Sections of the full-text index: over symbols and, by trigrams, over the
// bytes of all included files.
const (
	TextSection    = "fulltext/symbols"
	TrigramSection = "fulltext/trigrams"
)

// Entry is one included file of a generation. Facts are zero for files that
// are read for configuration only, Source for empty ones.
type Entry struct {
	Path   string
	Mode   uint32
	Size   int64
	SHA256 Digest
	Class  Class
	Lang   byte
	Status string // of parsing: ok, partial, parse_timeout, …; "" for configuration
	Blob   GitID  // git's id of the bytes where git proves them equal, else ""
	Key    Digest // extraction key of Facts
	Facts  BlobRef
	Source BlobRef
}

// Coverage counts what a generation holds and what it leaves out.
type Coverage struct {
	Files      int            `json:"files"`
	Partial    int            `json:"partial"` // files with syntax errors
	Failed     int            `json:"failed"`  // files that could not be parsed
	Omitted    map[string]int `json:"omitted"` // files left out, by reason
	Symbols    int            `json:"symbols"`
	Resolved   int            `json:"resolved"`
	Candidate  int            `json:"candidate"`
	Unresolved int            `json:"unresolved"`
}

// CoverageMeta is the root's record of its Coverage, as JSON.
const CoverageMeta = "coverage"

// AttributesMeta is the root's record of Snapshot.Attributes.
const AttributesMeta = "attributes"

// UntrackedMeta is the root's record of Policy.IncludeUntracked: "1" or absent.
const UntrackedMeta = "untracked"

// WithUntracked says whether the generation includes untracked files.
func (g *Generation) WithUntracked() bool { return len(g.Meta[UntrackedMeta]) > 0 }

// File returns the entry as a snapshot has it, without stat.
func (e *Entry) File() File {
	return File{Path: e.Path, Mode: e.Mode, Size: e.Size, SHA256: e.SHA256, Class: e.Class, Lang: e.Lang, GitBlob: e.Blob}
}

var errEntry = errors.New("malformed manifest entry")

// Encode returns the row of an entry; its path is the row's key:
//
//	mode, size, class byte, lang byte, status, blob id (strings),
//	sha256, extraction key (32 bytes each), facts and source refs
func (e *Entry) Encode() []byte {
	b := binary.AppendUvarint(nil, uint64(e.Mode))
	b = binary.AppendUvarint(b, uint64(e.Size))
	b = append(b, byte(e.Class), e.Lang)
	b = appendString(b, e.Status)
	b = appendString(b, string(e.Blob))
	b = append(b, e.SHA256[:]...)
	b = append(b, e.Key[:]...)
	return e.Source.Append(e.Facts.Append(b))
}

// DecodeEntry reads the row of the entry at path.
func DecodeEntry(path string, b []byte) (*Entry, error) {
	e := &Entry{Path: path}
	mode, b, ok1 := cutUvarint(b)
	size, b, ok2 := cutUvarint(b)
	if !ok1 || !ok2 || mode > 1<<32-1 || size > 1<<62 || len(b) < 2 {
		return nil, errEntry
	}
	e.Mode, e.Size, e.Class, e.Lang = uint32(mode), int64(size), Class(b[0]), b[1]
	status, b, ok1 := cutString(b[2:])
	blob, b, ok2 := cutString(b)
	if !ok1 || !ok2 || len(b) != 2*len(Digest{})+2*blobRefSize {
		return nil, errEntry
	}
	e.Status, e.Blob = status, GitID(blob)
	b = b[copy(e.SHA256[:], b):]
	b = b[copy(e.Key[:], b):]
	var err error
	if e.Facts, b, err = CutBlobRef(b); err != nil {
		return nil, err
	}
	e.Source, _, err = CutBlobRef(b)
	return e, err
}

// EncodeOmission returns the row of an omitted file: reason, size, and the
// SHA-256 where the reason was decided by content.
func EncodeOmission(o *Omission) []byte {
	b := appendString(nil, string(o.Reason))
	b = binary.AppendUvarint(b, uint64(o.Size))
	if !o.SHA256.IsZero() {
		b = append(b, o.SHA256[:]...)
	}
	return b
}

// DecodeOmission reads the row of the omitted file at path.
func DecodeOmission(path string, b []byte) (*Omission, error) {
	reason, b, ok1 := cutString(b)
	size, b, ok2 := cutUvarint(b)
	if !ok1 || !ok2 || size > 1<<62 || len(b) != 0 && len(b) != len(Digest{}) {
		return nil, errEntry
	}
	o := &Omission{Path: path, Reason: Reason(reason), Size: int64(size)}
	copy(o.SHA256[:], b)
	return o, nil
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func cutUvarint(b []byte) (uint64, []byte, bool) {
	v, n := binary.Uvarint(b)
	if n <= 0 {
		return 0, nil, false
	}
	return v, b[n:], true
}

func cutString(b []byte) (string, []byte, bool) {
	n, b, ok := cutUvarint(b)
	if !ok || n > uint64(len(b)) {
		return "", nil, false
	}
	return string(b[:n]), b[n:], true
}

// Table returns one of the generation's tables.
func (g *Generation) Table(name string) *Table { return NewTable(name, g.Sections[name], g.Get) }

// EachEntry calls f for every included file, by path.
func (g *Generation) EachEntry(f func(*Entry)) error {
	var failed error
	err := g.Table(FilesSection).Scan("", func(r Row) bool {
		e, err := DecodeEntry(r.Key, r.Data)
		if err != nil {
			failed = fmt.Errorf("read manifest of %s: %w", r.Key, errors.Join(ErrCorrupt, err))
			return false
		}
		f(e)
		return true
	})
	return errors.Join(err, failed)
}

// EachOmission calls f for every omitted file, by path.
func (g *Generation) EachOmission(f func(*Omission)) error {
	var failed error
	err := g.Table(OmittedSection).Scan("", func(r Row) bool {
		o, err := DecodeOmission(r.Key, r.Data)
		if err != nil {
			failed = fmt.Errorf("read manifest of %s: %w", r.Key, errors.Join(ErrCorrupt, err))
			return false
		}
		f(o)
		return true
	})
	return errors.Join(err, failed)
}

// Snapshot returns the manifest in the form that Check compares with. It has
// no stat; see Repo.LoadStats.
func (g *Generation) Snapshot() (*Snapshot, error) {
	s := &Snapshot{}
	copy(s.Attributes[:], g.Meta[AttributesMeta])
	err := g.EachEntry(func(e *Entry) { s.Files = append(s.Files, e.File()) })
	if err == nil {
		err = g.EachOmission(func(o *Omission) { s.Omitted = append(s.Omitted, *o) })
	}
	return s, err
}
