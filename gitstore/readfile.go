package gitstore

import "fmt"

// ReadFile returns the bytes of a regular file of the work tree as they are
// now, at most limit of them. No component of the path is followed if it is a
// symbolic link. It knows no policy: the caller decides that the path may be
// read.
func (r *Repo) ReadFile(path string, limit int64) ([]byte, error) {
	root, err := r.openTop()
	if err != nil {
		return nil, err
	}
	defer closeHandle(root)
	o := newOpener(root)
	defer o.close()
	fd, key, err := o.open(path)
	if err != nil {
		return nil, err
	}
	defer closeHandle(fd)
	data, err := readAll(fd, key.Size, limit)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return data, nil
}
