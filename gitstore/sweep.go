package gitstore

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// tempGrace protects a temporary file between its creation and its lock.
const tempGrace = 10 * time.Second

// sweepTemps removes the temporary files that killed writers left.
func sweepTemps(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), tempPackPrefix) && !strings.HasPrefix(e.Name(), tempIndexPrefix) {
			continue
		}
		st, err := e.Info()
		if err != nil || time.Since(st.ModTime()) < tempGrace {
			continue
		}
		if err := removeUnlocked(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// removeUnlocked removes a file unless somebody holds its lock.
func removeUnlocked(path string) error {
	f, _, err := openOwn(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	if tryFlock(f, true) != nil {
		return nil
	}
	return removeFile(path)
}

// removeLeftovers removes what no one can be using while the store is opened
// exclusively: loose objects, which are packed by now, unfinished files, packs
// without index and the other way round, and locks of the past.
func (s *Store) removeLeftovers() error {
	keep := map[string]bool{}
	packs, _, err := s.packList(true)
	if err != nil {
		return err
	}
	for _, p := range packs {
		for _, ext := range append(packFiles[:], ".keep") {
			keep[p.base+ext] = true
		}
	}
	return filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return ignoreNoFile(err)
		}
		if d.IsDir() {
			return nil
		}
		rel, err := filepath.Rel(s.dir, path)
		if err != nil {
			return err
		}
		if isLeftover(filepath.ToSlash(rel)) && !keep[path] {
			return removeFile(path)
		}
		return nil
	})
}

// isLeftover says by its place in the store whether a file is one of those that
// come and go.
func isLeftover(path string) bool {
	dir, name, _ := strings.Cut(path, "/")
	switch dir {
	case "objects":
		return !strings.HasPrefix(name, "info/")
	case "refs":
		return strings.HasSuffix(name, lockSuffix)
	case "locks":
		return strings.HasPrefix(name, "build-") || strings.HasPrefix(name, "ledger-")
	}
	return strings.Contains(path, ".tmp-")
}
