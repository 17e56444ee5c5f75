package gitstore

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"codeidx/gitstore/internal/fault"
)

// Everything that the package changes on disk goes through this file, so that
// tests can fail each change in turn. Source may be secret: nobody but the
// owner gets at it.
const (
	dirMode  fs.FileMode = 0o700
	fileMode fs.FileMode = 0o600
)

// durability says whether a written file must survive a power cut.
type durability bool

const (
	// rebuildable files are verified when they are read.
	rebuildable durability = false
	// durable files reach the disk before they get their name.
	durable durability = true
)

// outFile is a new file that is being written.
type outFile struct {
	*os.File
}

// createFile creates a file that must not exist yet, readable and writable.
func createFile(path string) (*outFile, error) {
	if err := fault.Check(fault.Create, path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return nil, err
	}
	return &outFile{f}, nil
}

// createTemp creates a file with a random name that begins with prefix.
func createTemp(prefix string) (*outFile, error) {
	for {
		f, err := createFile(prefix + randomHex())
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

func randomHex() string { return strconv.FormatUint(rand.Uint64()|1<<63, 16) }

// Write appends p.
func (f *outFile) Write(p []byte) (int, error) {
	return checkedWrite(f.Name(), p, f.File.Write)
}

// WriteAt overwrites the bytes at off.
func (f *outFile) WriteAt(p []byte, off int64) (int, error) {
	return checkedWrite(f.Name(), p, func(p []byte) (int, error) { return f.File.WriteAt(p, off) })
}

// Sync waits until the file's bytes are on disk.
func (f *outFile) Sync() error {
	return syncFile(f.File)
}

func syncFile(f *os.File) error {
	switch err := fault.Check(fault.Sync, f.Name()); err {
	case nil:
		return f.Sync()
	case fault.ErrSkip:
		return nil
	default:
		return err
	}
}

func checkedWrite(path string, p []byte, write func([]byte) (int, error)) (int, error) {
	err := fault.Check(fault.Write, path)
	if err == nil {
		return write(p)
	}
	if !errors.Is(err, fault.ErrShort) {
		return 0, err
	}
	n, err := write(p[:len(p)/2])
	if err == nil {
		err = &fs.PathError{Op: "write", Path: path, Err: syscall.ENOSPC}
	}
	return n, err
}

// writeFile gives path the content data in one step: it appears whole or not
// at all, and replaces what was there.
func writeFile(path string, data []byte, d durability) error {
	f, err := createTemp(path + ".tmp-")
	if err != nil {
		return err
	}
	return f.publish(path, data, d)
}

// publish writes data and renames the file to path. The file is closed, and on
// failure removed.
func (f *outFile) publish(path string, data []byte, d durability) error {
	_, err := f.Write(data)
	if err == nil && d == durable {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = renameFile(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, removeFile(f.Name()))
	}
	if d == durable {
		return syncDir(filepath.Dir(path))
	}
	return nil
}

func renameFile(from, to string) error {
	if err := fault.Check(fault.Rename, to); err != nil {
		return err
	}
	return os.Rename(from, to)
}

// removeFile removes path; a file that is not there is no error.
func removeFile(path string) error {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := fault.Check(fault.Remove, path); err != nil {
		return err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func makeDir(path string) error { return makeDirs(path, rebuildable) }

// makeDirs makes a directory and those above it that are missing.
func makeDirs(path string, d durability) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	parent := filepath.Dir(path)
	if parent != path {
		if err := makeDirs(parent, d); err != nil {
			return err
		}
	}
	if err := fault.Check(fault.Mkdir, path); err != nil {
		return err
	}
	if err := os.Mkdir(path, dirMode); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if d == durable {
		return syncDir(parent)
	}
	return nil
}

// syncDir makes the names in a directory durable.
func syncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	defer d.Close()
	return syncFile(d)
}

// openLockFile opens a file that is only there to be locked. Where nothing may be
// written it is opened for reading, which is enough for a lock.
func openLockFile(path string) (*os.File, error) {
	f, _, err := openOwnAs(path, os.O_RDWR)
	if isReadOnly(err) {
		f, _, err = openOwn(path)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	if err := makeDir(filepath.Dir(path)); err != nil {
		return nil, err
	}
	if err := fault.Check(fault.Create, path); err != nil {
		return nil, err
	}
	f, _, err = openOwnAs(path, os.O_RDWR|os.O_CREATE)
	return f, err
}

// isReadOnly says that an error is about writing what may only be read.
func isReadOnly(err error) bool {
	return errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission)
}

// appendFile opens a file, made if need be, of which each Write goes to the end
// at once, whoever else writes.
func appendFile(path string) (*outFile, error) {
	if err := fault.Check(fault.Create, path); err != nil {
		return nil, err
	}
	f, _, err := openOwnAs(path, os.O_RDWR|os.O_CREATE|os.O_APPEND)
	if err != nil {
		return nil, err
	}
	return &outFile{f}, nil
}
