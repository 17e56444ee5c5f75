package gitstore

import (
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// Bindings returns the ids of all bindings that have refs, sorted.
func (s *Store) Bindings() ([]string, error) {
	refs, damaged, err := s.refs(refPrefix)
	if err != nil {
		return nil, err
	}
	found := map[string]bool{}
	for _, name := range append(damaged, slices.Collect(maps.Keys(refs))...) {
		id, _, _ := strings.Cut(strings.TrimPrefix(name, refPrefix), "/")
		if checkBinding(id) == nil {
			found[id] = true
		}
	}
	return slices.Sorted(maps.Keys(found)), nil
}

// Size returns the bytes of all files of the store.
func (s *Store) Size() (int64, error) { return storeSize(s.dir) }

func storeSize(dir string) (total int64, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return ignoreNoFile(err)
		}
		info, err := d.Info()
		if err == nil {
			total += info.Size()
		}
		return ignoreNoFile(err)
	})
	return total, err
}

func ignoreNoFile(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
