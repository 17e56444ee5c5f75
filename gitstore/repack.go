package gitstore

import (
	"cmp"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// rawEntry is an entry of a pack with its length.
type rawEntry struct {
	packEntry
	size int64
}

// rawEntries returns all entries in the order in which they lie in the pack,
// from an index whose checksum is right.
func (p *pack) rawEntries() ([]rawEntry, error) {
	indexed, _, err := readPackIndex(p.indexFile)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(indexed, func(a, b packEntry) int { return cmp.Compare(a.offset, b.offset) })
	entries := make([]rawEntry, len(indexed))
	for i, e := range indexed {
		next := p.end
		if i+1 < len(indexed) {
			next = indexed[i+1].offset
		}
		if e.offset < packHeaderSize || next > p.end || next <= e.offset {
			return nil, fmt.Errorf("%w: offset of %v", errIndexFile, e.oid)
		}
		entries[i] = rawEntry{e, next - e.offset}
	}
	return entries, nil
}

var errDeltaEntry = errors.New("entry is a delta")

// rawEntry returns the bytes of an entry if they are what was written and can
// stand in any pack: not so a delta, which says where its base is.
func (p *pack) rawEntry(e rawEntry, buf *[]byte) ([]byte, error) {
	b, err := p.read(e.offset, int(e.size), buf)
	if err != nil {
		return nil, err
	}
	if crc32.ChecksumIEEE(b) != e.crc {
		return nil, fmt.Errorf("entry of %v does not match its checksum", e.oid)
	}
	t, _, _, err := parseEntryHead(b)
	if err == nil && t.isDelta() {
		err = errDeltaEntry
	}
	return b, err
}

// copyEntries copies those entries of p to w that want asks for. whole says
// that none of them had to be left out.
func (p *pack) copyEntries(w *packWriter, want func(OID) bool) (whole bool, err error) {
	entries, err := p.rawEntries()
	if err != nil {
		return false, nil // damaged: nothing of it can be copied as it is
	}
	buf := entryBuffers.Get().(*[]byte)
	defer putBuffer(buf)
	whole = true
	for _, e := range entries {
		if !want(e.oid) {
			continue
		}
		b, err := p.rawEntry(e, buf)
		if err != nil {
			whole = false
			continue
		}
		if err := w.add(e.oid, b); err != nil {
			return false, err
		}
	}
	return whole, nil
}

// packFiles are the extensions of what belongs to a pack, in the order of
// removal: what points at the pack goes first.
var packFiles = [...]string{".idx", ".rev", ".bitmap", ".mtimes", ".pack"}

// removePacks removes packs whose objects are in another one by now, and what
// git may have derived from the set of packs.
func (s *Store) removePacks(packs []*pack, except string) error {
	for _, derived := range []string{"pack/multi-pack-index", "info/commit-graph"} {
		if err := removeFile(filepath.Join(s.objectsDir(), filepath.FromSlash(derived))); err != nil {
			return err
		}
	}
	for _, p := range packs {
		if p.base == except {
			continue
		}
		for _, ext := range packFiles {
			if err := removeFile(p.base + ext); err != nil {
				return err
			}
		}
	}
	return nil
}

// isKept reports whether somebody asked git to leave a pack alone.
func (p *pack) isKept() bool {
	_, err := os.Stat(p.base + ".keep")
	return err == nil
}

// repack joins the objects of reach in one pack and removes all other packs. If
// some object cannot be read it changes nothing, and returns those and why.
func (s *Store) repack(reach map[OID]bool) (bad map[OID]bool, cause, err error) {
	packs, _, err := s.packList(true)
	if err != nil || s.isPacked(packs, reach) {
		return nil, nil, err
	}
	w := newPackWriter(s.packDir())
	defer func() { err = errors.Join(err, w.abort()) }()
	done := make(map[OID]bool, len(reach))
	for _, p := range packs {
		if _, err := p.copyEntries(w, func(oid OID) bool { return reach[oid] && !done[oid] }); err != nil {
			return nil, nil, err
		}
		for _, e := range w.entries[len(done):] {
			done[e.oid] = true
		}
	}
	bad = map[OID]bool{}
	for _, oid := range slices.SortedFunc(maps.Keys(reach), func(a, b OID) int { return slices.Compare(a[:], b[:]) }) {
		if done[oid] {
			continue
		}
		t, data, err := s.object(oid, maxObjectSize)
		if err != nil {
			bad[oid], cause = true, err
		} else if err := w.add(oid, appendEntry(nil, t, data)); err != nil {
			return nil, nil, err
		}
	}
	if len(bad) > 0 {
		return bad, cause, nil
	}
	base, err := w.finish(durable)
	if err != nil {
		return nil, nil, err
	}
	if err := s.removePacks(packs, base); err != nil {
		return nil, nil, err
	}
	_, _, err = s.packList(true)
	return nil, nil, err
}

// isPacked reports whether one pack holds the objects of reach and nothing
// else, undamaged.
func (s *Store) isPacked(packs []*pack, reach map[OID]bool) bool {
	if len(packs) != 1 || packs[0].index.n != len(reach) {
		return false
	}
	entries, err := packs[0].rawEntries()
	buf := entryBuffers.Get().(*[]byte)
	defer putBuffer(buf)
	return err == nil && !slices.ContainsFunc(entries, func(e rawEntry) bool {
		_, err := packs[0].rawEntry(e, buf)
		return err != nil || !reach[e.oid]
	})
}
