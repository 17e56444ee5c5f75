package hooks

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"

	"codeidx/facts"
	"codeidx/facts/worker"
	"codeidx/gitstore"
	"codeidx/graph"
)

// Analyst works out what changes mean for definitions and edges. It extracts
// facts in worker processes where the serving index does not have them.
type Analyst struct {
	Repo    *gitstore.Repo
	Store   *gitstore.Store
	Binding string
	Config  *gitstore.Config
	Command func() *exec.Cmd // of a worker process

	Resolvers []graph.Resolver
	Policy    gitstore.Policy // which files are read
}

// sources gives versions of files by the ids that entries name: git's blobs, the
// sources of the serving index, files on disk.
type sources struct {
	*Analyst
	index *index
	pool  *worker.Pool
	blobs map[string][]byte // by git's id in hex
}

func (a *Analyst) sources(x *index) *sources {
	return &sources{Analyst: a, index: x, blobs: map[string][]byte{}, pool: worker.NewPool(worker.Options{
		Workers: a.Config.Workers, MemoryLimit: uint64(a.Config.WorkerMemory) / uint64(max(a.Config.Workers, 1)),
		Timeout: a.Config.ParseTimeout, Command: a.Command,
	})}
}

func (s *sources) close() { s.pool.Close() }

// maxFetched bounds the bytes of blobs that are held at once.
const maxFetched = 256 << 20

// fetch reads blobs from git, as far as they are there and within limits, in
// place of those that it read before.
func (s *sources) fetch(ctx context.Context, ids []string) error {
	clear(s.blobs)
	if len(ids) == 0 {
		return nil
	}
	sizes, err := s.sizes(ctx, ids)
	if err != nil {
		return err
	}
	var wanted []string
	total := int64(0)
	for line := range strings.Lines(string(sizes)) {
		f := strings.Fields(line)
		if len(f) != 3 || f[1] != "blob" {
			continue
		}
		if n, err := strconv.ParseInt(f[2], 10, 64); err == nil && n <= s.Config.MaxFileSize && total+n <= maxFetched {
			total += n
			wanted = append(wanted, f[0])
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	out, err := s.Repo.Run(ctx, list(wanted), "cat-file", "--batch")
	if err != nil {
		return fmt.Errorf("read blobs: %w", err)
	}
	return s.take(out)
}

// sizes asks for type and size of objects: lines "ID TYPE SIZE".
func (s *sources) sizes(ctx context.Context, ids []string) ([]byte, error) {
	out, err := s.Repo.Run(ctx, list(ids), "cat-file", "--batch-check=%(objectname) %(objecttype) %(objectsize)")
	var git *gitstore.GitError
	if errors.As(err, &git) {
		// In a partial clone some versions of git give up at the first object that
		// is not here.
		if ids, err = s.present(ctx, ids); err == nil && len(ids) > 0 {
			out, err = s.Repo.Run(ctx, list(ids), "cat-file", "--batch-check=%(objectname) %(objecttype) %(objectsize)")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("read blobs: %w", err)
	}
	return out, nil
}

// present keeps the objects that a partial clone has.
func (s *sources) present(ctx context.Context, ids []string) ([]string, error) {
	out, err := s.Repo.Run(ctx, list(ids), "rev-list", "--objects", "--no-walk", "--missing=allow-any", "--ignore-missing", "--stdin")
	var here []string
	for line := range strings.Lines(string(out)) {
		if f := strings.Fields(line); len(f) > 0 {
			here = append(here, f[0])
		}
	}
	return here, err
}

// list is what git reads ids from.
func list(ids []string) io.Reader { return strings.NewReader(strings.Join(ids, "\n") + "\n") }

var errBatch = errors.New("read blobs: unexpected answer of git cat-file")

// take reads the output of cat-file --batch: "ID TYPE SIZE\n", the bytes, "\n".
func (s *sources) take(out []byte) error {
	r := bufio.NewReader(bytes.NewReader(out))
	for {
		head, err := r.ReadString('\n')
		if err == io.EOF && head == "" {
			return nil
		}
		f := strings.Fields(head)
		if err != nil || len(f) != 3 {
			return errBatch
		}
		n, err := strconv.ParseUint(f[2], 10, 32)
		if err != nil || n > uint64(len(out)) {
			return errBatch
		}
		data := make([]byte, n+1)
		if _, err := io.ReadFull(r, data); err != nil {
			return errBatch
		}
		s.blobs[f[0]] = data[:n:n]
	}
}

// bytes returns the bytes that an entry names by git's id or by SHA-256; either
// may be "".
func (s *sources) bytes(path, blob, sum string) ([]byte, bool) {
	if f := s.index.file(path); f != nil && sum != "" && f.SHA256.String() == sum {
		if src, ok := s.index.source(path); ok {
			return src, true
		}
	}
	if src, ok := s.blobs[blob]; ok && blob != "" {
		return src, true
	}
	return s.onDisk(path, sum)
}

// onDisk reads a file of the work tree that has a SHA-256.
func (a *Analyst) onDisk(path, sum string) ([]byte, bool) {
	if sum == "" {
		return nil, false
	}
	src, err := a.Repo.ReadFile(path, a.Config.MaxFileSize)
	return src, err == nil && gitstore.DigestOf(src).String() == sum
}

// included says of each path whether it is a source file that the policy includes:
// of no other is the content read.
func (a *Analyst) included(paths []string) []bool {
	in := make([]bool, len(paths))
	for i, class := range gitstore.SelectPaths(a.Policy, paths) {
		in[i] = class == gitstore.ClassSource
	}
	return in
}

// isSource says whether a path is one that definitions are taken from.
func isSource(path string) bool { return facts.Detect(path) != facts.NoLang }

// Why the definitions of a file are not known.
const (
	noteGone     = "its bytes are no longer there"
	noteUnparsed = "it could not be parsed"
	noteReturned = "as it was indexed"
)

// version returns the definitions of a file with some bytes, or a note why they
// are not known.
func (s *sources) version(ctx context.Context, path, blob, sum string) (*version, string, error) {
	src, ok := s.bytes(path, blob, sum)
	if !ok {
		return nil, noteGone, nil
	}
	if f := s.index.file(path); f != nil && f.SHA256 == gitstore.DigestOf(src) && f.Facts.Len > 0 {
		if t := s.index.symbols(path); t != nil {
			return &version{path: path, src: src, table: t}, "", nil
		}
	}
	f, err := s.extract(ctx, path, src)
	if err != nil || f == nil {
		return nil, noteUnparsed, err
	}
	return &version{path: path, src: src, table: graph.SymbolsOf(f, src)}, "", nil
}

// extract parses a file, nil where no parser finishes it.
func (s *sources) extract(ctx context.Context, path string, src []byte) (*facts.File, error) {
	res, err := s.pool.Extract(ctx, worker.Request{Path: path, Lang: facts.Detect(path), Src: src})
	if err != nil {
		return nil, fmt.Errorf("extract facts: %w", err)
	}
	if len(res.Facts) == 0 {
		return nil, nil
	}
	f, err := facts.Decode(res.Facts)
	if err != nil {
		return nil, fmt.Errorf("decode facts: %w", err)
	}
	return f, nil
}

// isHex says whether a text can be git's id of a blob.
func isHex(id string) bool {
	_, err := hex.DecodeString(id)
	return err == nil && id != ""
}
