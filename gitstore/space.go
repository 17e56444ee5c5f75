//go:build linux || darwin

package gitstore

import "golang.org/x/sys/unix"

// FreeSpace returns the bytes that this user can still write to the file
// system that holds dir.
func FreeSpace(dir string) (int64, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, err
	}
	return int64(st.Bavail) * int64(st.Bsize), nil
}
