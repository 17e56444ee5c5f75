package gitstore

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
)

// errGrew says that a file is larger than its limit although stat said less.
var errGrew = errNotIncluded(TooLarge)

// readBuffer is what one read call fetches, in bytes: most source files at once.
const readBuffer = 128 << 10

// readAll reads to the end of the file, which stat said to be size bytes long,
// and fails once it is longer than limit. A read that does not fill its buffer
// met the end, unless it came short of size: network file systems do that.
func readAll(fd int, size, limit int64) ([]byte, error) {
	if size > limit {
		return nil, errGrew
	}
	buf := make([]byte, 0, size+1)
	for {
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
		n, err := readHandle(fd, buf[len(buf):cap(buf)])
		if err != nil {
			return nil, fileError(err)
		}
		buf = buf[:len(buf)+n]
		if int64(len(buf)) > limit {
			return nil, errGrew
		}
		if n == 0 || len(buf) < cap(buf) && int64(len(buf)) >= size {
			return buf, nil
		}
	}
}

// errNotRegular says that something else stands where git keeps a file.
var errNotRegular = errors.New("not a regular file")

// readGitFile reads a file of the git directory. In place of a pipe it returns an
// error, where os.ReadFile would wait for ever.
func readGitFile(path string) ([]byte, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errNotRegular}
	}
	return os.ReadFile(path)
}

// hasher hashes files through one fixed buffer.
type hasher struct {
	h   hash.Hash
	buf []byte
	sum Digest // scratch, so that no file costs an allocation
}

func newHasher() *hasher { return &hasher{h: sha256.New(), buf: make([]byte, readBuffer)} }

// hash hashes to the end of the file, as readAll reads it.
func (s *hasher) hash(ctx context.Context, fd int, said, limit int64) (Digest, int64, error) {
	s.h.Reset()
	for size := int64(0); ; {
		n, err := readHandle(fd, s.buf)
		if err != nil {
			return Digest{}, size, fileError(err)
		}
		s.h.Write(s.buf[:n])
		if size += int64(n); size > limit {
			return Digest{}, size, errGrew
		}
		if n == 0 || n < len(s.buf) && size >= said {
			s.h.Sum(s.sum[:0])
			return s.sum, size, nil
		}
		if err := ctx.Err(); err != nil {
			return Digest{}, size, err
		}
	}
}

// chunk is how many neighbouring files one worker takes at a time: they share
// folders.
const chunk = 16

// forEach calls work for 0..n-1 on every core. Each worker has its own value of
// newWorker, which is closed at the end. The first error, or the context's end,
// stops all of them.
func forEach[W interface{ close() }](ctx context.Context, n int, newWorker func() W, work func(W, int) error) error {
	var next atomic.Int64
	var failed atomic.Bool
	var wg sync.WaitGroup
	errs := make([]error, min(runtime.GOMAXPROCS(0), (n+chunk-1)/chunk))
	run := func(slot int) {
		w := newWorker()
		defer w.close()
		for !failed.Load() {
			end := int(next.Add(chunk))
			for i := end - chunk; i < min(end, n); i++ {
				err := ctx.Err()
				if err == nil {
					err = work(w, i)
				}
				if err != nil {
					errs[slot] = err
					failed.Store(true)
					return
				}
			}
			if end >= n {
				return
			}
		}
	}
	for slot := range errs {
		wg.Go(func() { run(slot) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// openTop opens the top of the work tree.
func (r *Repo) openTop() (int, error) {
	root, err := openRoot(r.Top)
	if err != nil {
		return 0, fmt.Errorf("open work tree %s: %w", r.Top, err)
	}
	return root, nil
}
