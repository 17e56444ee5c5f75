package gitstore

import (
	"errors"
	"fmt"
	"strings"
)

// StatKey identifies a state of a file as far as stat can tell. The zero key
// equals no file's.
type StatKey struct {
	Dev, Ino     uint64
	Size         int64 // bytes
	Mtime, Ctime int64 // ns since 1970
	Mode         uint32
}

// fileMode returns git's mode of a regular file with this key.
func (k *StatKey) fileMode() uint32 {
	if k.Mode&0o100 != 0 {
		return modeExecutable
	}
	return modeRegular
}

// special says whether a pipe, a socket or a device has this key.
func (k *StatKey) special() bool {
	switch k.Mode & 0o170000 {
	case 0, 0o040000, 0o100000, 0o120000: // unknown, folder, file, link
		return false
	}
	return true
}

// errNotIncluded is how the opener says that a path is no regular file that may
// be read: the reason is an answer, not a failure.
type errNotIncluded Reason

func (e errNotIncluded) Error() string { return string(e) }

// opener opens files below one folder by handle. No component of a path may be
// a symbolic link, so that nothing outside the tree is reached however the
// tree changes meanwhile. It keeps the last folder open: sorted paths open
// each folder once. Not for concurrent use.
type opener struct {
	root int    // handle of the top, owned by the caller of newOpener
	dir  int    // handle of the folder of the last path
	name string // that folder's path; "" is the top
}

func newOpener(root int) *opener { return &opener{root: root, dir: root} }

// enter opens the folder of path and returns its handle with the last
// component of path.
func (o *opener) enter(path string) (dir int, base string, err error) {
	folder := ""
	base = path
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		folder, base = path[:i], path[i+1:]
	}
	if folder == o.name {
		return o.dir, base, nil
	}
	o.close()
	if folder != "" {
		fd, err := openFolder(o.root, folder)
		if err != nil {
			return 0, "", folderError(err)
		}
		o.dir, o.name = fd, folder
	}
	return o.dir, base, nil
}

// close gives back the folder handle.
func (o *opener) close() {
	if o.dir != o.root {
		closeHandle(o.dir)
	}
	o.dir, o.name = o.root, ""
}

// open opens a regular file for reading.
func (o *opener) open(path string) (fd int, key StatKey, err error) {
	dir, base, err := o.enter(path)
	if err != nil {
		return 0, key, fmt.Errorf("open %s: %w", path, err)
	}
	if fd, err = openFile(dir, base); err != nil {
		return 0, key, fmt.Errorf("open %s: %w", path, fileError(err))
	}
	regular, err := statHandle(fd, &key)
	if err == nil && !regular {
		err = errNotIncluded(NotRegular)
	}
	if err != nil {
		closeHandle(fd)
		return 0, key, fmt.Errorf("open %s: %w", path, err)
	}
	return fd, key, nil
}

// stat reads the key of whatever stands at the path, without following it.
func (o *opener) stat(path string) (key StatKey, err error) {
	dir, base, err := o.enter(path)
	if err == nil {
		if err = statAt(dir, base, &key); err != nil {
			err = fileError(err)
		}
	}
	if err != nil {
		return key, fmt.Errorf("stat %s: %w", path, err)
	}
	return key, nil
}

// reasonOf splits an error of an opener into an answer and a failure.
func reasonOf(err error) (Reason, error) {
	if err == nil {
		return "", nil
	}
	var not errNotIncluded
	if errors.As(err, &not) {
		return Reason(not), nil
	}
	return "", err
}
