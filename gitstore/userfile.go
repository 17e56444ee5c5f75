package gitstore

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A file of the user is replaced by way of a temporary file beside it, called
// .codeidx-<hex>.tmp and locked while its writer lives.
const (
	userTempPrefix = ".codeidx-"
	userTempSuffix = ".tmp"
)

// ReplaceFile gives a file of the user, such as a git hook, new content and mode
// in one step that survives a power cut: readers see the old file or the new
// one, and where it fails the old one stays. The folder must be there.
func ReplaceFile(path string, text []byte, mode fs.FileMode) error {
	SweepReplaced(filepath.Dir(path))
	f, err := os.OpenFile(filepath.Join(filepath.Dir(path), userTempPrefix+randomHex()+userTempSuffix), os.O_RDWR|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return err
	}
	// The lock only keeps others from taking the file for one that was left.
	_ = tryFlock(f, true)
	if _, err = f.Write(text); err == nil {
		err = errors.Join(f.Chmod(mode), f.Sync())
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // else the next run does
		return errors.Join(err, f.Close())
	}
	return f.Close()
}

// SweepReplaced removes what a killed ReplaceFile left in a folder. Failing to
// is no error: the next run tries again.
func SweepReplaced(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if e.Type().IsRegular() && strings.HasPrefix(e.Name(), userTempPrefix) && strings.HasSuffix(e.Name(), userTempSuffix) {
			_ = removeUnlocked(filepath.Join(dir, e.Name()))
		}
	}
}
