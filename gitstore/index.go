package gitstore

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// IndexEntry is one line of `git ls-files -s`.
type IndexEntry struct {
	Path         string // bytes as git has them, '/' between components
	ID           GitID
	Mode         uint32 // 0100644, 0100755, 0120000 (symlink) or 0160000 (submodule)
	Stage        uint8  // 0, or 1..3 of an unmerged path
	SkipWorktree bool
	IntentToAdd  bool // known only where the index was read in-process
}

// Modes of index entries.
const (
	modeRegular    = 0o100644
	modeExecutable = 0o100755
	modeSymlink    = 0o120000
	modeSubmodule  = 0o160000
)

// errIndexShape says that git itself must read this index: it is split, sparse,
// of a version or with an extension that is not known here, or it is damaged.
var errIndexShape = errors.New("index needs git to read it")

// Layout of an index: header, entries sorted by (path, stage), extensions,
// trailing hash of everything before it (zeros where index.skipHash is set).
const (
	indexHeader    = 12 // "DIRC", version, number of entries
	indexStat      = 40 // ctime, mtime, dev, ino, mode, uid, gid, size
	indexMode      = 24 // offset of the mode in there
	flagExtended   = 0x4000
	flagStage      = 0x3000
	flagNameLength = 0x0fff
	extSkip        = 0x4000
	extIntent      = 0x2000
	extKnown       = extSkip | extIntent
)

// maxVerify is the size in bytes up to which the trailing hash is verified: a
// millisecond at most. git verifies it in fsck alone.
const maxVerify = 1 << 20

// parseIndex reads an index of version 2, 3 or 4. Everything that it does not
// know, or that is damaged, is an error that wraps errIndexShape.
func parseIndex(data []byte, format ObjectFormat) ([]IndexEntry, error) {
	p := indexParser{idSize: format.Size()}
	if len(data) < indexHeader+p.idSize || string(data[:4]) != "DIRC" {
		return nil, fmt.Errorf("%w: no header", errIndexShape)
	}
	p.version = binary.BigEndian.Uint32(data[4:])
	if p.version < 2 || p.version > 4 {
		return nil, fmt.Errorf("%w: version %d", errIndexShape, p.version)
	}
	body := data[:len(data)-p.idSize]
	if err := verifyIndex(body, data[len(body):], format); err != nil {
		return nil, err
	}
	count := int(binary.BigEndian.Uint32(data[8:]))
	if count > len(body)/(indexStat+p.idSize+2) {
		return nil, fmt.Errorf("%w: %d entries do not fit", errIndexShape, count)
	}
	p.data, p.text, p.pos = body, string(body), indexHeader
	entries := make([]IndexEntry, 0, count)
	for range count {
		e, ok := p.entry()
		if !ok || len(entries) > 0 && !entryLess(&entries[len(entries)-1], &e) {
			return nil, fmt.Errorf("%w: bad entry at byte %d", errIndexShape, p.pos)
		}
		entries = append(entries, e)
	}
	return entries, p.extensions()
}

func verifyIndex(body, sum []byte, format ObjectFormat) error {
	if len(body) > maxVerify || bytes.Count(sum, []byte{0}) == len(sum) {
		return nil
	}
	h := format.newHash()
	h.Write(body)
	if !bytes.Equal(h.Sum(nil), sum) {
		return fmt.Errorf("%w: checksum differs", errIndexShape)
	}
	return nil
}

func entryLess(a, b *IndexEntry) bool {
	return a.Path < b.Path || a.Path == b.Path && a.Stage < b.Stage
}

type indexParser struct {
	data    []byte // without the trailing hash
	text    string // the same bytes: ids and paths are parts of it
	pos     int
	version uint32
	idSize  int
	last    string // path of the entry before, which version 4 builds on
}

// entry reads the entry at pos. ok is false where it is damaged.
func (p *indexParser) entry() (e IndexEntry, ok bool) {
	start := p.pos
	fixed := indexStat + p.idSize + 2
	if len(p.data)-start < fixed {
		return e, false
	}
	e.Mode = binary.BigEndian.Uint32(p.data[start+indexMode:])
	e.ID = GitID(p.text[start+indexStat : start+indexStat+p.idSize])
	flags := binary.BigEndian.Uint16(p.data[start+fixed-2:])
	e.Stage = uint8(flags & flagStage >> 12)
	p.pos += fixed
	if flags&flagExtended != 0 {
		if p.version < 3 || len(p.data)-p.pos < 2 {
			return e, false
		}
		ext := binary.BigEndian.Uint16(p.data[p.pos:])
		if ext&^extKnown != 0 {
			return e, false
		}
		e.SkipWorktree, e.IntentToAdd = ext&extSkip != 0, ext&extIntent != 0
		p.pos += 2
	}
	if p.version == 4 {
		e.Path, ok = p.packedPath()
	} else {
		e.Path, ok = p.paddedPath(start)
	}
	want := min(len(e.Path), flagNameLength)
	return e, ok && e.Path != "" && int(flags&flagNameLength) == want && knownMode(e.Mode)
}

func knownMode(mode uint32) bool {
	switch mode {
	case modeRegular, modeExecutable, modeSymlink, modeSubmodule:
		return true
	}
	return false
}

// paddedPath reads a path of versions 2 and 3: one to eight NULs make the
// length of the entry, which began at start, a multiple of eight.
func (p *indexParser) paddedPath(start int) (string, bool) {
	n := bytes.IndexByte(p.data[p.pos:], 0)
	if n < 0 {
		return "", false
	}
	name := p.text[p.pos : p.pos+n]
	p.pos = start + (p.pos+n-start+8)&^7
	return name, p.pos <= len(p.data)
}

// packedPath reads a path of version 4: how many bytes of the last path's end
// to drop, as a variable-length number, then what follows, up to a NUL.
func (p *indexParser) packedPath() (string, bool) {
	drop, n := offsetVarint(p.data[p.pos:])
	if n == 0 || drop > uint64(len(p.last)) {
		return "", false
	}
	p.pos += n
	end := bytes.IndexByte(p.data[p.pos:], 0)
	if end < 0 {
		return "", false
	}
	p.last = p.last[:len(p.last)-int(drop)] + p.text[p.pos:p.pos+end]
	p.pos += end + 1
	return p.last, true
}

// offsetVarint reads git's "offset" number: big-endian groups of seven bits,
// each continued group standing for one more than it says. n is 0 where the
// number is cut short or too long.
func offsetVarint(b []byte) (v uint64, n int) {
	for n < len(b) && n < 8 {
		c := b[n]
		n++
		v |= uint64(c & 0x7f)
		if c&0x80 == 0 {
			return v, n
		}
		v = (v + 1) << 7
	}
	return 0, 0
}

// extensions walks the extensions. One whose name does not begin with a
// capital must be understood (split index, sparse directories); the others
// are caches.
func (p *indexParser) extensions() error {
	for p.pos < len(p.data) {
		if len(p.data)-p.pos < 8 {
			return fmt.Errorf("%w: extension cut short", errIndexShape)
		}
		name, size := p.text[p.pos:p.pos+4], binary.BigEndian.Uint32(p.data[p.pos+4:])
		if name[0] < 'A' || name[0] > 'Z' {
			return fmt.Errorf("%w: extension %q", errIndexShape, name)
		}
		p.pos += 8
		if uint64(size) > uint64(len(p.data)-p.pos) {
			return fmt.Errorf("%w: extension %q is cut short", errIndexShape, name)
		}
		p.pos += int(size)
	}
	return nil
}
