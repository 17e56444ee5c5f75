package gitstore

import (
	"errors"
	"maps"
	"slices"
)

// refsReaching returns the names of the refs from which one of the objects can
// be reached.
func (s *Store) refsReaching(refs map[string]OID, objects map[OID]bool) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(refs)) {
		reach := map[OID]bool{}
		err := s.markReachable(refs[name], reach)
		for oid := range objects {
			if err != nil || reach[oid] {
				names = append(names, name)
				break
			}
		}
	}
	return names
}

// markReachable adds to reach all objects that a commit needs, its history
// included. A tree that is marked already is taken as walked.
func (s *Store) markReachable(oid OID, reach map[OID]bool) error {
	for queue := []OID{oid}; len(queue) > 0; {
		oid, queue = queue[len(queue)-1], queue[:len(queue)-1]
		if reach[oid] {
			continue
		}
		c, err := s.commit(oid)
		if err != nil {
			return err
		}
		if err := s.markTree(c.tree, reach); err != nil {
			return err
		}
		reach[oid] = true
		queue = append(queue, c.parents...)
	}
	return nil
}

// maxTreeDepth is far above what section names give.
const maxTreeDepth = 64

func (s *Store) markTree(oid OID, reach map[OID]bool) error {
	var walk func(oid OID, depth int) error
	walk = func(oid OID, depth int) error {
		if reach[oid] {
			return nil
		}
		if depth > maxTreeDepth {
			return corruptObject(oid, errors.New("trees are nested too deep"))
		}
		entries, err := s.tree(oid)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if !e.isDir {
				reach[e.oid] = true
			} else if err := walk(e.oid, depth+1); err != nil {
				return err
			}
		}
		reach[oid] = true
		return nil
	}
	return walk(oid, 0)
}
