package gitstore

import (
	"errors"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// noOpenat2 is set once the kernel, or a sandbox around us, refuses openat2.
var noOpenat2 atomic.Bool

// openFolder opens a folder below root in one call where the kernel can promise
// that the way there has no symbolic link and stays beneath root.
func openFolder(root int, folder string) (int, error) {
	if noOpenat2.Load() {
		return walkFolder(root, folder)
	}
	how := unix.OpenHow{
		Flags:   folderFlags,
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS,
	}
	fd, err := retry(func() (int, error) { return unix.Openat2(root, folder, &how) })
	switch {
	case err == nil:
		return fd, nil
	case errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EPERM), errors.Is(err, unix.EINVAL):
		noOpenat2.Store(true)
		return walkFolder(root, folder)
	case errors.Is(err, unix.EAGAIN), errors.Is(err, unix.ENOTDIR):
		// EAGAIN: a rename raced with "..". ENOTDIR: a link or a file; the walk
		// tells which.
		return walkFolder(root, folder)
	}
	return 0, err
}

func fillKey(key *StatKey, st *unix.Stat_t) {
	*key = StatKey{
		Dev: uint64(st.Dev), Ino: st.Ino, Size: st.Size,
		Mtime: st.Mtim.Nano(), Ctime: st.Ctim.Nano(), Mode: st.Mode,
	}
}
