package gitstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// RefName is one of the three pointers of a binding.
type RefName string

// The pointers of a binding.
const (
	// Current is what the last explicit index or sync published.
	Current RefName = "current"
	// Previous is what Current was before.
	Previous RefName = "previous"
	// Live is what was published last, be it by an automatic sync.
	Live RefName = "live"
)

const (
	refPrefix     = "refs/codeidx/"
	genRefPrefix  = refPrefix + "gen/"
	ledgerRefName = "ledger"
	bindingLen    = 16
)

var (
	// ErrRefChanged is returned when a ref is not what its writer had seen.
	ErrRefChanged = errors.New("ref has changed")
	// ErrNoRef is returned for a ref that does not exist.
	ErrNoRef = errors.New("no such ref")
)

func checkBinding(binding string) error {
	if len(binding) != bindingLen || !isLowerHex(binding) {
		return fmt.Errorf("bad binding id %q", binding)
	}
	return nil
}

func bindingRef(binding string, name RefName) string {
	return refPrefix + binding + "/" + string(name)
}

func genRef(manifest Digest) string { return genRefPrefix + manifest.String() }

// Ref returns what a ref of the store points at.
func (s *Store) Ref(name string) (OID, error) {
	b, err := readOwn(filepath.Join(s.dir, name), maxSmallFile)
	switch {
	case err == nil:
		oid, perr := ParseOID(strings.TrimSuffix(string(b), "\n"))
		if perr != nil {
			return OID{}, &CorruptError{What: "ref " + name, Err: perr}
		}
		return oid, nil
	case errors.Is(err, errForeignFile):
		return OID{}, &CorruptError{What: "ref " + name, Err: err}
	case !isNoFile(err):
		return OID{}, fmt.Errorf("read ref: %w", err)
	}
	packed, damaged, err := s.packedRefs()
	if err != nil {
		return OID{}, err
	}
	if oid, ok := packed[name]; ok {
		return oid, nil
	}
	if damaged != nil {
		return OID{}, damaged
	}
	return OID{}, fmt.Errorf("%w: %s", ErrNoRef, name)
}

// isNoFile also covers a directory where a file is asked for and the other way
// round.
func isNoFile(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.EISDIR) || errors.Is(err, syscall.ENOTDIR)
}

// refs returns all refs under prefix, and the names of those that cannot be
// read, "packed-refs" among them where it has lines that cannot.
func (s *Store) refs(prefix string) (all map[string]OID, damaged []string, err error) {
	all = map[string]OID{}
	packed, bad, err := s.packedRefs()
	if err != nil {
		return nil, nil, err
	}
	if bad != nil {
		damaged = append(damaged, packedRefsFile)
	}
	for name, oid := range packed {
		if strings.HasPrefix(name, prefix) {
			all[name] = oid
		}
	}
	err = filepath.WalkDir(filepath.Join(s.dir, filepath.FromSlash(prefix)), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, lockSuffix) {
			if isNoFile(err) {
				return nil
			}
			return err
		}
		rel, err := filepath.Rel(s.dir, path)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		if checkRefName(name) != nil {
			return nil // nothing that we, or git, would write
		}
		switch oid, err := s.Ref(name); {
		case err == nil:
			all[name] = oid
		case errors.Is(err, ErrCorrupt):
			delete(all, name)
			damaged = append(damaged, name)
		case !errors.Is(err, ErrNoRef):
			return err
		}
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("list refs: %w", err)
	}
	slices.Sort(damaged)
	return all, damaged, nil
}

// CompareAndSwap moves a ref from old to new. A zero old means that the ref
// must not exist, a zero new removes it.
func (s *Store) CompareAndSwap(ctx context.Context, name string, old, new OID) error {
	return s.updateRefs(ctx, func(tx *refUpdate) error {
		have, err := tx.get(name)
		if err != nil {
			return err
		}
		if have != old {
			return fmt.Errorf("%w: %s is %v, not %v", ErrRefChanged, name, have, old)
		}
		return tx.set(name, new)
	})
}

// refUpdate changes refs under the ref lock.
type refUpdate struct {
	s    *Store
	lock *Lock
	sync durability
}

// updateRefs runs change while nobody else changes refs. What change has set
// stays when it fails later: it sets refs in an order that allows for that.
func (s *Store) updateRefs(ctx context.Context, change func(*refUpdate) error) error {
	lock, err := acquireLock(ctx, lockRequest{path: filepath.Join(s.dir, "locks", "refs"), exclusive: true, purpose: "moving refs"})
	if err != nil {
		return err
	}
	err = change(&refUpdate{s: s, lock: lock})
	return errors.Join(err, lock.Unlock())
}

// get returns a ref's value, zero where there is none or none that can be read.
func (tx *refUpdate) get(name string) (OID, error) {
	oid, err := tx.s.Ref(name)
	if errors.Is(err, ErrNoRef) || errors.Is(err, ErrCorrupt) {
		return OID{}, nil
	}
	return oid, err
}

// set writes or, with a zero oid, removes a ref.
func (tx *refUpdate) set(name string, oid OID) error {
	if err := tx.s.checkRefFolders(name); err != nil {
		return fmt.Errorf("write ref: %w", err)
	}
	path := filepath.Join(tx.s.dir, filepath.FromSlash(name))
	if oid.IsZero() {
		return tx.remove(name, path)
	}
	err := makeDirs(filepath.Dir(path), tx.sync)
	var f *outFile
	if err == nil {
		f, err = createRefLock(path)
	}
	if err == nil {
		err = f.publish(path, []byte(oid.String()+"\n"), tx.sync)
	}
	if err != nil {
		return fmt.Errorf("write ref: %w", err)
	}
	return nil
}

// remove takes a ref out of packed-refs first: else it would come back.
func (tx *refUpdate) remove(name, path string) error {
	err := tx.s.removePackedRef(name)
	if err == nil {
		err = removeFile(path)
	}
	if err != nil {
		return fmt.Errorf("remove ref: %w", err)
	}
	return nil
}

// Git takes a lock on a file by creating <file>.lock, so we do the same: then
// `git gc` of the user does not overwrite what we write. Such a file does not
// go away with a process that is killed; but it is only held for moments, so
// one of staleRefLock's age is left over.
const (
	lockSuffix   = ".lock"
	staleRefLock = time.Second
)

func createRefLock(path string) (*outFile, error) {
	for {
		f, err := createFile(path + lockSuffix)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
		st, err := os.Stat(path + lockSuffix)
		switch {
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return nil, err
		case err == nil && time.Since(st.ModTime()).Abs() > staleRefLock:
			if err := removeFile(path + lockSuffix); err != nil {
				return nil, err
			}
		case err == nil:
			time.Sleep(10 * time.Millisecond)
		}
	}
}
