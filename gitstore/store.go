package gitstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

var (
	// ErrNoStore is returned where there is no store, or one of an older
	// format, which counts as none.
	ErrNoStore = errors.New("no store")
	// ErrNewerStore is returned for a store that a newer version made. It
	// is left as it is.
	ErrNewerStore = errors.New("store was made by a newer version")
	errShared     = errors.New("store is not opened exclusively")
)

// storeFormat is the version of the layout. It stands in the file "format",
// which is written last: a store without it is not there yet.
const storeFormat = 1

// storeConfig makes the directory a repository for git, and keeps git from
// undoing what reading fast rests on: objects stay whole and uncompressed even
// when somebody runs `git gc`.
const storeConfig = `[core]
	repositoryformatversion = 0
	filemode = true
	bare = true
	logallrefupdates = false
	compression = 0
	commitGraph = false
	multiPackIndex = false
[gc]
	auto = 0
	packRefs = false
	writeCommitGraph = false
[maintenance]
	auto = false
[pack]
	compression = 0
	window = 0
[repack]
	writeBitmaps = false
`

// Options say how a store is opened. The zero value opens one that exists, for
// reading and building.
type Options struct {
	Create bool // make the store where there is none
	// Exclusive waits until no other process has the store open, and keeps
	// others out. GC and Clear need it.
	Exclusive bool
	// OnWait, if set, is called once when opening has to wait.
	OnWait func(Holder)

	noWait bool // fail with ErrLocked at once
}

// Store is an open private store. It holds the store lock until Close: while
// anyone has it open, nothing that is reachable goes away. Its methods are safe
// for concurrent use.
type Store struct {
	dir       string
	lock      *Lock
	exclusive bool

	mu      sync.RWMutex
	scanned bool
	packs   []*pack
	retired []*pack // folded away by others, open for readers at work
}

// Open opens the store in dir. It waits for a running gc until ctx ends.
func Open(ctx context.Context, dir string, o Options) (*Store, error) {
	if err := checkFolders(dir); err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	if err := checkFormat(dir); err != nil {
		if !o.Create || !errors.Is(err, ErrNoStore) {
			return nil, fmt.Errorf("open store: %w", err)
		}
		if err := createStore(dir); err != nil {
			return nil, fmt.Errorf("create store: %w", err)
		}
	}
	if o.Create {
		if err := writeMissing(dir, storeFiles()); err != nil && !isReadOnly(err) {
			return nil, fmt.Errorf("create store: %w", err)
		}
	}
	lock, err := acquireLock(ctx, lockRequest{
		path: filepath.Join(dir, "locks", "store"), exclusive: o.Exclusive, purpose: "reclaiming space", onWait: o.OnWait, noWait: o.noWait,
	})
	if err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	return &Store{dir: dir, lock: lock, exclusive: o.Exclusive}, nil
}

// Close releases the lock and all files.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, p := range append(s.packs, s.retired...) {
		errs = append(errs, p.close())
	}
	s.packs, s.retired, s.scanned = nil, nil, false
	return errors.Join(append(errs, s.lock.Unlock())...)
}

// Dir returns the store's directory.
func (s *Store) Dir() string { return s.dir }

func (s *Store) objectsDir() string { return filepath.Join(s.dir, "objects") }
func (s *Store) packDir() string    { return filepath.Join(s.dir, "objects", "pack") }

func checkFormat(dir string) error {
	b, err := readOwn(filepath.Join(dir, "format"), maxSmallFile)
	if isNoFile(err) || errors.Is(err, errForeignFile) {
		return ErrNoStore
	}
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(b)))
	switch {
	case err != nil || n < storeFormat:
		return fmt.Errorf("%w: format %q", ErrNoStore, b)
	case n > storeFormat:
		return fmt.Errorf("%w: format %d, this version knows %d", ErrNewerStore, n, storeFormat)
	}
	return nil
}

// createStore makes what is not there yet. Two processes may do so at once:
// each file appears whole, with the same content.
func createStore(dir string) error {
	for _, d := range []string{"objects/pack", "objects/info", "refs", "locks"} {
		if err := makeDir(filepath.Join(dir, d)); err != nil {
			return err
		}
	}
	for _, f := range append(storeFiles(), [2]string{"format", fmt.Sprintf("%d\n", storeFormat)}) {
		if err := writeFile(filepath.Join(dir, f[0]), []byte(f[1]), rebuildable); err != nil {
			return err
		}
	}
	return nil
}

// storeFiles are the names and contents of what makes a repository for git.
func storeFiles() [][2]string {
	return [][2]string{
		{"HEAD", "ref: refs/heads/main\n"},
		{"config", storeConfig},
		{"description", "index of git codeidx; see `git codeidx fsck`\n"},
	}
}

// writeMissing writes those files that somebody has removed, as fsck advises
// where they are not as they were made.
func writeMissing(dir string, files [][2]string) error {
	for _, f := range files {
		path := filepath.Join(dir, f[0])
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			if err := writeFile(path, []byte(f[1]), rebuildable); err != nil {
				return err
			}
		}
	}
	return nil
}

// LockBuild takes the one build lock of a binding. onWait, which may be nil, is
// called once when another build has it.
func (s *Store) LockBuild(ctx context.Context, binding string, onWait func(Holder)) (*Lock, error) {
	if err := checkBinding(binding); err != nil {
		return nil, err
	}
	return acquireLock(ctx, lockRequest{
		path: filepath.Join(s.dir, "locks", "build-"+binding), exclusive: true, purpose: "building the index", onWait: onWait,
	})
}
