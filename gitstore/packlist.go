package gitstore

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// packList returns the packs, after looking at the directory if they are not
// known yet or rescan asks for it.
func (s *Store) packList(rescan bool) (packs []*pack, scannedNow bool, err error) {
	s.mu.RLock()
	packs, scanned := s.packs, s.scanned
	s.mu.RUnlock()
	if scanned && !rescan {
		return packs, false, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	err = s.scanPacks()
	return s.packs, true, err
}

// maxScans bounds how often a scan starts again because a pack that was listed
// is gone when it is opened: it was folded into one that is not listed yet.
const maxScans = 10

func (s *Store) scanPacks() error {
	known := map[string]*pack{}
	for _, p := range s.packs {
		known[p.base] = p
	}
	var listed []*pack
	for again, n := true, 0; again && n < maxScans; n++ {
		names, err := packNames(s.packDir())
		if err != nil {
			return err
		}
		listed, again = openPacks(names, known)
	}
	for _, p := range listed {
		delete(known, p.base)
	}
	for _, p := range known {
		s.retired = append(s.retired, p)
	}
	s.packs, s.scanned = listed, true
	return nil
}

// openPacks opens those packs that are not in known and adds them to it. gone
// says that one is not there any more. A pack that cannot be read counts as
// having no objects: fsck tells about it.
func openPacks(names []string, known map[string]*pack) (packs []*pack, gone bool) {
	for _, base := range names {
		p := known[base]
		if p == nil {
			var err error
			if p, err = openPack(base); err != nil {
				gone = gone || errors.Is(err, fs.ErrNotExist)
				continue
			}
			known[base] = p
		}
		packs = append(packs, p)
	}
	return packs, gone
}

// packNames lists the packs that have an index: paths without extension,
// sorted.
func packNames(dir string) (bases []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".idx"); ok && strings.HasPrefix(name, "pack-") {
			bases = append(bases, filepath.Join(dir, name))
		}
	}
	return bases, nil
}
