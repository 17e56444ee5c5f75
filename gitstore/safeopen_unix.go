//go:build linux || darwin

package gitstore

import (
	"errors"
	"strings"

	"golang.org/x/sys/unix"
)

// openFlags never wait (a fifo), never follow a link and never leak into a
// child.
const (
	openFlags   = unix.O_RDONLY | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_CLOEXEC | unix.O_NOCTTY
	folderFlags = unix.O_RDONLY | unix.O_NOFOLLOW | unix.O_DIRECTORY | unix.O_CLOEXEC
)

// openRoot opens the top of a work tree, which the user named: links on the
// way to it are the user's own.
func openRoot(top string) (int, error) {
	return retry(func() (int, error) { return unix.Open(top, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0) })
}

func closeHandle(fd int) { _ = unix.Close(fd) }

func openFile(dir int, base string) (int, error) {
	return retry(func() (int, error) { return unix.Openat(dir, base, openFlags, 0) })
}

// walkFolder opens a folder below root one component at a time.
func walkFolder(root int, folder string) (int, error) {
	dir := root
	for more := true; more; {
		var name string
		name, folder, more = strings.Cut(folder, "/")
		next, err := retry(func() (int, error) { return unix.Openat(dir, name, folderFlags, 0) })
		if err == unix.ENOTDIR && isLink(dir, name) {
			err = unix.ELOOP
		}
		if dir != root {
			closeHandle(dir)
		}
		if err != nil {
			return 0, err
		}
		dir = next
	}
	return dir, nil
}

// isLink tells a symbolic link from a file: both are no folder to open.
func isLink(dir int, name string) bool {
	var st unix.Stat_t
	return unix.Fstatat(dir, name, &st, unix.AT_SYMLINK_NOFOLLOW) == nil && st.Mode&unix.S_IFMT == unix.S_IFLNK
}

// readHandle reads once; 0 is the end of the file.
func readHandle(fd int, buf []byte) (int, error) {
	return retry(func() (int, error) { return unix.Read(fd, buf) })
}

func retry(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if err != unix.EINTR {
			return n, err
		}
	}
}

func statHandle(fd int, key *StatKey) (regular bool, err error) {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return false, fileError(err)
	}
	fillKey(key, &st)
	return st.Mode&unix.S_IFMT == unix.S_IFREG, nil
}

func statAt(dir int, base string, key *StatKey) error {
	var st unix.Stat_t
	if err := unix.Fstatat(dir, base, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return err
	}
	fillKey(key, &st)
	return nil
}

// folderError sorts an error on the way to a file: a link or a file where a
// folder stood.
func folderError(err error) error {
	switch {
	case errors.Is(err, unix.ELOOP), errors.Is(err, unix.EXDEV):
		return errNotIncluded(EscapesTree)
	}
	return fileError(err)
}

// fileError turns an error that concerns one file into its reason and keeps
// what concerns the whole process: no handles, no memory.
func fileError(err error) error {
	switch {
	case errors.Is(err, unix.EMFILE), errors.Is(err, unix.ENFILE), errors.Is(err, unix.ENOMEM):
		return err
	case errors.Is(err, unix.ENOENT), errors.Is(err, unix.ENOTDIR):
		return errNotIncluded(Missing)
	case errors.Is(err, unix.ELOOP), errors.Is(err, unix.EMLINK):
		return errNotIncluded(Symlink)
	case errors.Is(err, unix.ENXIO), errors.Is(err, unix.ENODEV), errors.Is(err, unix.EOPNOTSUPP):
		return errNotIncluded(NotRegular)
	}
	return errNotIncluded(Unreadable)
}

func rewind(fd int) error {
	_, err := unix.Seek(fd, 0, 0)
	return err
}
