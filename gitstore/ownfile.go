package gitstore

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// What lies in the store and in the folder of a binding may have been put there
// by somebody else, with the whole git directory: a link out of it, a pipe that
// never ends, a file of any size. So files are opened without following links
// or waiting, and read up to a limit.

// errForeignFile says that something of that kind is in the place of a file.
var errForeignFile = errors.New("is not a file that we wrote")

const ownFlags = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// Limits of what is read whole, in bytes.
const (
	maxSmallFile  = 4 << 10 // refs, the binding, the format and their like
	maxPackedRefs = 64 << 20
	maxSpool      = 256 << 20
)

// openOwn opens a regular file for reading and returns its size.
func openOwn(path string) (*os.File, int64, error) { return openOwnAs(path, os.O_RDONLY) }

func openOwnAs(path string, flags int) (*os.File, int64, error) {
	f, err := os.OpenFile(path, flags|ownFlags, fileMode)
	if err != nil {
		if errors.Is(err, syscall.ELOOP) || errors.Is(err, syscall.ENXIO) {
			err = fmt.Errorf("%w: %s", errForeignFile, path)
		}
		return nil, 0, err
	}
	st, err := f.Stat()
	switch {
	case err != nil:
	case st.IsDir():
		err = &fs.PathError{Op: "open", Path: path, Err: syscall.EISDIR}
	case !st.Mode().IsRegular():
		err = fmt.Errorf("%w: %s", errForeignFile, path)
	default:
		return f, st.Size(), nil
	}
	f.Close()
	return nil, 0, err
}

// readOwn reads a regular file of at most limit bytes.
func readOwn(path string, limit int64) ([]byte, error) {
	f, size, err := openOwn(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if size > limit {
		return nil, fmt.Errorf("%w: %s has %d bytes, at most %d are read", errForeignFile, path, size, limit)
	}
	b := make([]byte, size)
	n, err := io.ReadFull(f, b)
	if err == io.ErrUnexpectedEOF || err == io.EOF {
		err = nil // it was cut since
	}
	return b[:n], err
}

// storeFolders are the folders in which files come and go.
var storeFolders = [...]string{".", "objects", "objects/pack", "refs", "refs/codeidx", "locks"}

// checkFolders refuses a store of which a folder is a link: what is written and
// removed there would be written and removed somewhere else.
func checkFolders(dir string) error {
	for _, f := range storeFolders {
		if err := checkFolder(filepath.Join(dir, filepath.FromSlash(f))); err != nil {
			return err
		}
	}
	return nil
}

// checkFolder refuses what is there and no folder.
func checkFolder(path string) error {
	st, err := os.Lstat(path)
	if err == nil && !st.IsDir() {
		return fmt.Errorf("%s is no folder of its own: move what is there away, then run git codeidx index", path)
	}
	return ignoreNoFile(err)
}

// checkRefName refuses names that lead out of the store or beside its refs.
func checkRefName(name string) error {
	rest, ok := strings.CutPrefix(name, "refs/")
	for word := range strings.SplitSeq(rest, "/") {
		ok = ok && word != "" && word[0] != '.' && !strings.HasSuffix(word, lockSuffix) && !strings.ContainsAny(word, "\x00\\")
	}
	if !ok {
		return fmt.Errorf("bad ref name %q", name)
	}
	return nil
}

// checkRefFolders refuses a ref that lies below a link.
func (s *Store) checkRefFolders(name string) error {
	if err := checkRefName(name); err != nil {
		return err
	}
	dir := s.dir
	for words := strings.Split(name, "/"); len(words) > 1; words = words[1:] {
		dir = filepath.Join(dir, words[0])
		if err := checkFolder(dir); err != nil {
			return err
		}
	}
	return nil
}
