package gitstore

import (
	"errors"
	"fmt"
	"sync"
)

// Writer collects the payloads of one generation in one new pack. Each goes to
// disk as it comes; memory holds some hundred bytes for each. Nothing of it is
// visible to others before Publish, and every Writer ends with Publish or
// Abort. Put, Known and Get are safe for concurrent use.
type Writer struct {
	store *Store
	base  []*pack // packs at the beginning

	mu      sync.Mutex
	pack    *packWriter
	refs    map[Digest]BlobRef
	objects map[OID]int // number of the entry in pack, or inStore
	stats   WriteStats
	failed  error // the first write that failed; all later ones do
}

// inStore marks an object that the store had before.
const inStore = -1

// WriteStats counts what a Writer did, in objects and bytes.
type WriteStats struct {
	Payloads, Stored   int   // distinct ones given; those of them that were not in the store yet
	RawBytes, NewBytes int64 // of Payloads before compression; appended to the pack
}

// NewWriter begins a generation.
func (s *Store) NewWriter() (*Writer, error) {
	if err := sweepTemps(s.packDir()); err != nil {
		return nil, fmt.Errorf("begin pack: %w", err)
	}
	packs, _, err := s.packList(true)
	if err != nil {
		return nil, fmt.Errorf("begin pack: %w", err)
	}
	return &Writer{
		store: s, base: packs, pack: newPackWriter(s.packDir()),
		refs: map[Digest]BlobRef{}, objects: map[OID]int{},
	}, nil
}

// Put stores a payload and returns its ref. One that the writer has seen, or
// that is in the store undamaged, is not written again. Compression runs on
// the goroutine of the caller, outside of the writer's lock.
func (w *Writer) Put(raw []byte) (BlobRef, error) {
	if len(raw) > MaxPayload {
		return BlobRef{}, fmt.Errorf("store payload of %d bytes: %w", len(raw), ErrTooLarge)
	}
	digest := DigestOf(raw)
	w.mu.Lock()
	ref, ok := w.refs[digest]
	w.mu.Unlock()
	if ok {
		return ref, nil
	}
	content, entry := entryBuffers.Get().(*[]byte), entryBuffers.Get().(*[]byte)
	defer putBuffer(content)
	defer putBuffer(entry)
	*content = appendPayload((*content)[:0], raw, digest)
	ref = BlobRef{OID: objectID(typeBlob, *content), Digest: digest, Len: uint32(len(raw))}
	stored := w.inBase(ref.OID, typeBlob, *content)
	if !stored {
		*entry = appendEntry((*entry)[:0], typeBlob, *content)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if have, ok := w.refs[digest]; ok {
		return have, nil
	}
	if stored {
		w.objects[ref.OID] = inStore
	} else if err := w.append(ref.OID, *entry); err != nil {
		return BlobRef{}, err
	}
	w.remember(ref)
	return ref, nil
}

// remember records a payload that is stored.
func (w *Writer) remember(ref BlobRef) {
	w.refs[ref.Digest] = ref
	w.stats.Payloads++
	w.stats.RawBytes += int64(ref.Len)
}

// Known tells the writer of a payload that is stored already, so that Put finds
// it by its digest without compressing. It is ErrMissing if it is not there.
func (w *Writer) Known(ref BlobRef) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, ok := w.refs[ref.Digest]; ok {
		return nil
	}
	if _, ok := w.objects[ref.OID]; !ok {
		if !w.store.Has(ref) {
			return corruptObject(ref.OID, ErrMissing)
		}
		w.objects[ref.OID] = inStore
	}
	w.remember(ref)
	return nil
}

// inBase reports whether the store has an undamaged copy of an object. It
// compares the bytes: an index built again must mend what was damaged.
func (w *Writer) inBase(oid OID, t objectType, content []byte) bool {
	if len(w.base) == 0 {
		return false
	}
	taken, _ := offerCopies(w.base, request{oid, len(content) + maxEntryHead, len(content)}, func(got objectType, have []byte) error {
		if got != t || string(have) != string(content) {
			return errors.New("differs")
		}
		return nil
	})
	return taken
}

// putObject stores a tree or commit.
func (w *Writer) putObject(t objectType, data []byte) (OID, error) {
	oid := objectID(t, data)
	if w.inBase(oid, t, data) {
		return oid, nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return oid, w.append(oid, appendEntry(nil, t, data))
}

func (w *Writer) append(oid OID, entry []byte) error {
	if w.failed != nil {
		return w.failed
	}
	if i, ok := w.objects[oid]; ok && i != inStore {
		return nil
	}
	if err := w.pack.add(oid, entry); err != nil {
		w.failed = err
		return err
	}
	w.objects[oid] = len(w.pack.entries) - 1
	w.stats.Stored++
	w.stats.NewBytes += int64(len(entry))
	return nil
}

// Get returns the raw bytes of a payload of this writer or of the store.
func (w *Writer) Get(ref BlobRef) ([]byte, error) {
	entry, ok, err := w.entry(ref.OID)
	if err != nil {
		return nil, fmt.Errorf("read back payload: %w", err)
	}
	if !ok {
		return w.store.Get(ref)
	}
	t, size, n, err := parseEntryHead(entry)
	if err != nil {
		return nil, corruptObject(ref.OID, err)
	}
	content, _, err := parseStored(entry[n:], size)
	if err != nil {
		return nil, corruptObject(ref.OID, err)
	}
	raw, err := checkedPayload(ref, t, content)
	if err != nil {
		return nil, corruptObject(ref.OID, err)
	}
	return raw, nil
}

// entry returns the pack entry of an object that this writer wrote.
func (w *Writer) entry(oid OID) (entry []byte, ok bool, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	i, ok := w.objects[oid]
	if !ok || i == inStore || w.failed != nil {
		return nil, false, w.failed
	}
	from, to := w.pack.entries[i].offset, w.pack.size
	if i+1 < len(w.pack.entries) {
		to = w.pack.entries[i+1].offset
	}
	entry, err = w.pack.entryAt(from, int(to-from))
	return entry, true, err
}

// Stats returns what was written so far.
func (w *Writer) Stats() WriteStats {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.stats
}

// Abort drops everything that was put. After Publish it does nothing, so that
// it can be deferred.
func (w *Writer) Abort() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failed == nil {
		w.failed = errors.New("writer has ended")
	}
	return w.pack.abort()
}
