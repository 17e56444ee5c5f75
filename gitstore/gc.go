package gitstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// GCOptions say what GC keeps besides what a binding's pointers name.
type GCOptions struct {
	Retain int // further generations, the newest
}

// GCStats says what GC did.
type GCStats struct {
	Kept, Dropped           int // generations
	Objects                 int // that are left
	BytesBefore, BytesAfter int64
	// Damaged are refs that were dropped because their generation cannot be
	// read.
	Damaged []string
}

// GC drops the generations that nothing needs, joins what is left in one pack
// and removes everything else. Ledgers are kept whole. The store must be
// opened exclusively. If the current generation or a ledger is damaged, GC
// removes no object and returns an error that matches ErrCorrupt.
func (s *Store) GC(ctx context.Context, o GCOptions) (st GCStats, err error) {
	if !s.exclusive {
		return st, fmt.Errorf("reclaim: %w", errShared)
	}
	if st.BytesBefore, err = s.Size(); err != nil {
		return st, err
	}
	for again := true; again; {
		if again, err = s.reclaim(ctx, o, &st); err != nil {
			return st, fmt.Errorf("reclaim: %w", err)
		}
	}
	if st.BytesAfter, err = s.Size(); err == nil {
		// Without the note the next reclaim comes sooner or later than it
		// should: no reason to call this one failed.
		_ = noteReclaimed(s.dir, st.BytesAfter)
	}
	return st, err
}

// Clear removes a binding's pointers, and with ledger its ledger too, and
// reclaims what only they needed.
func (s *Store) Clear(ctx context.Context, binding string, ledger bool, o GCOptions) (GCStats, error) {
	if err := checkBinding(binding); err != nil {
		return GCStats{}, err
	}
	if !s.exclusive {
		return GCStats{}, fmt.Errorf("clear: %w", errShared)
	}
	err := s.updateRefs(ctx, func(tx *refUpdate) error {
		names := []RefName{Live, Current, Previous}
		if ledger {
			names = append(names, ledgerRefName)
		}
		for _, name := range names {
			if err := tx.set(bindingRef(binding, name), OID{}); err != nil {
				return err
			}
		}
		if ledger { // it may have been in a line that cannot be read
			return s.dropDamagedRefs()
		}
		return nil
	})
	if err != nil {
		return GCStats{}, fmt.Errorf("clear: %w", err)
	}
	return s.GC(ctx, o)
}

// reclaim does one round. again asks for another one: a ref was dropped
// because of damage that shows only when objects are copied.
func (s *Store) reclaim(ctx context.Context, o GCOptions, st *GCStats) (again bool, err error) {
	refs, damaged, err := s.refs(refPrefix)
	if err != nil {
		return false, err
	}
	if len(damaged) > 0 {
		return true, s.dropDamaged(ctx, damaged, st, errors.New("not an object id"))
	}
	kept, dropped := s.selectGenerations(refs, o.Retain)
	if err := s.dropRefs(ctx, dropped); err != nil {
		return false, err
	}
	st.Dropped += len(dropped)
	st.Kept = countGenerations(kept)

	reach := map[OID]bool{}
	for _, name := range slices.Sorted(maps.Keys(kept)) {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if err := s.markReachable(kept[name], reach); err != nil {
			return true, s.dropDamaged(ctx, []string{name}, st, err)
		}
	}
	st.Objects = len(reach)
	bad, cause, err := s.repack(reach)
	if err != nil {
		return false, err
	}
	if len(bad) > 0 {
		return true, s.dropDamaged(ctx, s.refsReaching(kept, bad), st, cause)
	}
	return false, s.removeLeftovers()
}

// selectGenerations splits refs into those to keep and the generation refs that
// nothing needs.
func (s *Store) selectGenerations(refs map[string]OID, retain int) (kept map[string]OID, dropped []string) {
	kept = map[string]OID{}
	needed := map[OID]bool{}
	for name, oid := range refs {
		if !strings.HasPrefix(name, genRefPrefix) {
			kept[name] = oid
			needed[oid] = true
		}
	}
	type spare struct {
		name string
		when int64
	}
	var spares []spare
	for name, oid := range refs {
		switch c, err := s.commit(oid); {
		case !strings.HasPrefix(name, genRefPrefix):
		case needed[oid]:
			kept[name] = oid
		case err != nil:
			dropped = append(dropped, name)
		default:
			spares = append(spares, spare{name, c.when.Unix()})
		}
	}
	slices.SortFunc(spares, func(a, b spare) int {
		return cmp.Or(cmp.Compare(b.when, a.when), strings.Compare(a.name, b.name))
	})
	for i, sp := range spares {
		if i < retain {
			kept[sp.name] = refs[sp.name]
		} else {
			dropped = append(dropped, sp.name)
		}
	}
	return kept, dropped
}

func countGenerations(kept map[string]OID) int {
	seen := map[OID]bool{}
	for name, oid := range kept {
		if !strings.HasSuffix(name, "/"+ledgerRefName) {
			seen[oid] = true
		}
	}
	return len(seen)
}

func (s *Store) dropRefs(ctx context.Context, names []string) error {
	if len(names) == 0 {
		return nil
	}
	return s.updateRefs(ctx, func(tx *refUpdate) error {
		for _, name := range names {
			if err := tx.set(name, OID{}); err != nil {
				return err
			}
		}
		return nil
	})
}

// dropDamaged drops refs that lead to damage. A generation that cannot answer
// is of no use, except that the current one must not vanish without a word, and
// that a ledger has no second copy.
func (s *Store) dropDamaged(ctx context.Context, names []string, st *GCStats, cause error) error {
	for _, name := range names {
		if name == packedRefsFile || strings.HasSuffix(name, "/"+string(Current)) || strings.HasSuffix(name, "/"+ledgerRefName) {
			return &CorruptError{What: "ref " + name, Err: cause}
		}
	}
	st.Damaged = append(st.Damaged, names...)
	return s.dropRefs(ctx, names)
}
