package gitstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
)

// Every publication adds a pack, and every lookup may have to ask all of them.
const (
	// maxPacks is how many there may be before some are folded into one.
	maxPacks = 8
	// foldRatio keeps a large pack from being copied for small ones: it is
	// only folded into what comes to this part of it.
	foldRatio = 3
)

// fold joins small packs into one and returns how many. No object is dropped;
// readers that have the old packs open go on with them, others find the new one
// when they look again. The new pack is on disk before an old one goes.
func (s *Store) fold() (folded int, err error) {
	packs, _, err := s.packList(true)
	if err != nil || len(packs) <= maxPacks {
		return 0, err
	}
	lock, err := s.tryLock("fold")
	if lock == nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	if packs, _, err = s.packList(true); err != nil {
		return 0, err
	}
	chosen := choosePacks(packs)
	if len(chosen) < 2 {
		return 0, nil
	}
	if err := s.foldPacks(chosen); err != nil {
		return 0, fmt.Errorf("fold packs: %w", err)
	}
	_, _, err = s.packList(true)
	return len(chosen), err
}

// tryLock takes a lock of the store, or returns nil if somebody holds it.
func (s *Store) tryLock(name string) (*Lock, error) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	lock, err := acquireLock(ctx, lockRequest{path: filepath.Join(s.dir, "locks", name), exclusive: true, purpose: "folding packs"})
	if errors.Is(err, ErrLocked) {
		return nil, nil
	}
	return lock, err
}

// choosePacks returns the packs to fold: from the smallest up, as long as the
// next one is at most foldRatio times what is chosen already.
func choosePacks(packs []*pack) []*pack {
	var chosen []*pack
	for _, p := range packs {
		if !p.isKept() {
			chosen = append(chosen, p)
		}
	}
	slices.SortFunc(chosen, func(a, b *pack) int { return cmp.Compare(a.end, b.end) })
	sum := int64(0)
	for i, p := range chosen {
		if i > 0 && p.end > foldRatio*sum {
			return chosen[:i]
		}
		sum += p.end
	}
	return chosen
}

func (s *Store) foldPacks(packs []*pack) (err error) {
	w := newPackWriter(s.packDir())
	defer func() { err = errors.Join(err, w.abort()) }()
	copied := map[OID]bool{}
	var gone []*pack
	for _, p := range packs {
		whole, err := p.copyEntries(w, func(oid OID) bool {
			again := copied[oid]
			copied[oid] = true
			return !again
		})
		if err != nil {
			return err
		}
		if whole {
			gone = append(gone, p)
		}
	}
	base, err := w.finish(durable)
	if err != nil {
		return err
	}
	return s.removePacks(gone, base)
}
