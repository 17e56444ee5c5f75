package gitstore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// entryBuffers hold pack entries while they are read and decoded.
var entryBuffers = sync.Pool{New: func() any { return new([]byte) }}

// maxPooled keeps one large object from staying in memory.
const maxPooled = 1 << 20

func putBuffer(buf *[]byte) {
	if cap(*buf) <= maxPooled {
		entryBuffers.Put(buf)
	}
}

// Get returns the raw bytes of a payload after checking their length and
// digest. Damage is an error that matches ErrCorrupt and names the object.
func (s *Store) Get(ref BlobRef) (raw []byte, err error) {
	// Source and tables shrink to about a third.
	want := request{ref.OID, min(int(ref.Len)/3+payloadHead+maxEntryHead, 64<<10), maxContent(ref.Len)}
	err = s.withObject(want, func(t objectType, content []byte) error {
		raw, err = checkedPayload(ref, t, content)
		return err
	})
	return raw, err
}

func checkedPayload(ref BlobRef, t objectType, content []byte) ([]byte, error) {
	if t != typeBlob {
		return nil, fmt.Errorf("is a %v, not a blob", t)
	}
	digest, size, err := payloadHeader(content)
	if err == nil && (digest != ref.Digest || size != ref.Len) {
		err = errors.New("holds another payload")
	}
	if err != nil {
		return nil, err
	}
	raw, _, err := decodePayload(content)
	return raw, err
}

// GetOID returns the raw bytes of the payload in the blob oid and its ref.
func (s *Store) GetOID(oid OID) (raw []byte, ref BlobRef, err error) {
	err = s.withObject(request{oid, 0, maxContent(MaxPayload)}, func(t objectType, content []byte) error {
		if t != typeBlob || objectID(t, content) != oid {
			return errors.New("is not the blob of this id")
		}
		ref.OID = oid
		raw, ref.Digest, err = decodePayload(content)
		ref.Len = uint32(len(raw))
		return err
	})
	return raw, ref, err
}

// Has reports whether the payload is stored. It does not read it.
func (s *Store) Has(ref BlobRef) bool { return s.hasObject(ref.OID) }

// maxCommit is far above what our commits take, in bytes.
const maxCommit = 1 << 20

// object returns an object of any type, of at most limit bytes, after checking
// its id.
func (s *Store) object(oid OID, limit int) (t objectType, data []byte, err error) {
	err = s.withObject(request{oid, 0, limit}, func(got objectType, content []byte) error {
		if objectID(got, content) != oid {
			return errors.New("content does not match its id")
		}
		t, data = got, slices.Clone(content)
		return nil
	})
	return t, data, err
}

func (s *Store) commit(oid OID) (*commit, error) {
	t, data, err := s.object(oid, maxCommit)
	if err != nil {
		return nil, err
	}
	if t != typeCommit {
		return nil, corruptObject(oid, fmt.Errorf("is a %v, not a commit", t))
	}
	c, err := parseCommit(data)
	if err != nil {
		return nil, corruptObject(oid, err)
	}
	return c, nil
}

func (s *Store) tree(oid OID) ([]treeEntry, error) {
	t, data, err := s.object(oid, maxObjectSize)
	if err != nil {
		return nil, err
	}
	if t != typeTree {
		return nil, corruptObject(oid, fmt.Errorf("is a %v, not a tree", t))
	}
	entries, err := parseTreeObject(data)
	if err != nil {
		return nil, corruptObject(oid, err)
	}
	return entries, nil
}

// request is an object to be read.
type request struct {
	oid   OID
	guess int // expected length of its pack entry, 0 where unknown
	limit int // greatest length of its content; a longer one is damage
}

// withObject hands the copies of an object to accept until it takes one. Bytes
// are only valid during the call. When no copy known so far will do, it looks
// once for packs that have come since.
func (s *Store) withObject(want request, accept func(objectType, []byte) error) error {
	oid := want.oid
	packs, scannedNow, err := s.packList(false)
	if err != nil {
		return fmt.Errorf("read object %v: %w", oid, err)
	}
	found, damage := offerCopies(packs, want, accept)
	if found {
		return nil
	}
	if !scannedNow {
		if packs, _, err = s.packList(true); err != nil {
			return fmt.Errorf("read object %v: %w", oid, err)
		}
		if found, damage = offerCopies(packs, want, accept); found {
			return nil
		}
	}
	t, data, err := readLoose(s.objectsDir(), want)
	if err == nil {
		err = accept(t, data)
	}
	switch {
	case err == nil:
		return nil
	case !errors.Is(err, fs.ErrNotExist):
		damage = errors.Join(damage, err)
	case damage == nil:
		damage = ErrMissing
	}
	return corruptObject(oid, damage)
}

// offerCopies hands the copies in packs to accept. It reports whether one was
// taken, else what is wrong with those that were not.
func offerCopies(packs []*pack, want request, accept func(objectType, []byte) error) (taken bool, damage error) {
	buf := entryBuffers.Get().(*[]byte)
	defer putBuffer(buf)
	for _, p := range packs {
		found, err := p.offer(want, buf, accept)
		if err != nil {
			damage = errors.Join(damage, fmt.Errorf("%s: %w", filepath.Base(p.base), err))
		} else if found {
			return true, nil
		}
	}
	return false, damage
}

// offer hands the pack's copy of an object to accept, if it has one.
func (p *pack) offer(want request, buf *[]byte, accept func(objectType, []byte) error) (found bool, err error) {
	off, found, err := p.index.find(want.oid)
	if err != nil || !found {
		return found, err
	}
	t, data, err := p.object(off, want, buf)
	if err == nil {
		err = accept(t, data)
	}
	return true, err
}

func (s *Store) hasObject(oid OID) bool {
	for _, rescan := range [...]bool{false, true} {
		packs, _, err := s.packList(rescan)
		if err != nil {
			return false
		}
		for _, p := range packs {
			if _, ok, err := p.index.find(oid); ok && err == nil {
				return true
			}
		}
	}
	_, err := os.Stat(loosePath(s.objectsDir(), oid))
	return err == nil
}
