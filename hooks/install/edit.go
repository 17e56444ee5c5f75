package install

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"

	"codeidx/gitstore"
)

// newMode is the mode of a hook file that we make: git passes over one that is
// not executable.
const newMode fs.FileMode = 0o755

// edit is a change of one hook file. nil text stands for no file.
type edit struct {
	event    string
	path     string
	mode     fs.FileMode // of the old file
	old, new []byte
}

func (e *edit) changes() bool { return (e.old == nil) != (e.new == nil) || !bytes.Equal(e.old, e.new) }

// write makes the change in one step: git sees the old file or the new one.
func (e *edit) write() error {
	switch {
	case !e.changes():
		return nil
	case e.new == nil:
		return os.Remove(e.path)
	case e.old == nil:
		e.mode = newMode
		if err := os.MkdirAll(filepath.Dir(e.path), 0o777); err != nil {
			return err
		}
	}
	return gitstore.ReplaceFile(e.path, e.new, e.mode)
}
