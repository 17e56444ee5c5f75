package gitstore

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"sync/atomic"
	"time"
)

// File is one included file of a snapshot.
type File struct {
	Path    string // bytes as git has them
	Mode    uint32 // 0100644 or 0100755, as on disk
	Size    int64  // bytes
	SHA256  Digest // of the bytes on disk
	Class   Class  // ClassSource or ClassConfig
	Lang    byte   // the number that Policy.Classify chose
	GitBlob GitID  // id of the index entry, where the bytes on disk hash to it
	Stat    StatKey
}

// Omission is one listed file that is not included.
type Omission struct {
	Path   string
	Reason Reason
	Size   int64  // bytes, where the reason needed the file to be opened
	SHA256 Digest // where the bytes decided the reason, zero elsewhere
	Stat   StatKey
}

// Snapshot is the state of a work tree: what is included and what is not, each
// sorted by path bytes, no path in both or twice.
type Snapshot struct {
	Files   []File
	Omitted []Omission
	// Attributes digests the attributes files that decided about inclusion.
	Attributes Digest
	// SeenAt is the time in ns since 1970 before the first byte was read. A file
	// whose mtime is not safely older may have changed without a trace in Stat.
	SeenAt int64
}

// LimitError says that the included files exceed a limit of the policy. Found
// counts what comes after the limit by stat alone, so that it can include files
// whose bytes would have kept them out.
type LimitError struct {
	What         string // "files" or "bytes of source"
	Key          string // of the configuration, "codeidx.maxFiles"
	Limit, Found int64
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("the work tree has %d included %s, %s allows %d", e.Found, e.What, e.Key, e.Limit)
}

// Capture reads the work tree. sink gets each included file with its bytes,
// which it then owns; it is called from several goroutines at once, in no
// order, and its error ends the capture. At most one file per core is held in
// memory beside what sink keeps.
//
// A file that changes meanwhile may be torn: Recheck afterwards tells.
func Capture(ctx context.Context, r *Repo, p Policy, sink func(File, []byte) error) (*Snapshot, error) {
	c := &capture{policy: &p, format: r.Format, sink: sink, seenAt: time.Now().UnixNano()}
	root, err := r.openTop()
	if err != nil {
		return nil, err
	}
	defer closeHandle(root)
	if c.cands, err = enumerate(ctx, r, &p); err != nil {
		return nil, err
	}
	var relevant bool
	if c.attributes, relevant, err = attributeSources(r, root, c.cands); err != nil {
		return nil, err
	}
	if relevant {
		if err := applyAttributes(ctx, r, c.cands, func(int) bool { return true }); err != nil {
			return nil, err
		}
	}
	c.results = make([]outcome, len(c.cands))
	newWorker := func() *reader { return newReader(root, r.Format) }
	if err := forEach(ctx, len(c.cands), newWorker, c.take); err != nil {
		return nil, fmt.Errorf("capture work tree: %w", err)
	}
	if err := c.checkLimits(); err != nil {
		return nil, fmt.Errorf("capture work tree: %w", err)
	}
	return buildSnapshot(c.cands, c.results, c.attributes, c.seenAt), nil
}

// capture is the state that the workers share.
type capture struct {
	policy       *Policy
	format       ObjectFormat
	sink         func(File, []byte) error
	cands        []candidate
	results      []outcome // of the candidate with the same index
	attributes   Digest
	seenAt       int64
	files, bytes atomic.Int64
}

// outcome is what became of one candidate: a file, or an omission where reason
// is set.
type outcome struct {
	mode   uint32
	size   int64
	sum    Digest
	class  Class
	lang   byte
	proven bool // the bytes are the index entry's
	reason Reason
	stat   StatKey
}

// reader is what one worker owns.
type reader struct {
	*opener
	*hasher
	blob *blobHash
}

func newReader(root int, format ObjectFormat) *reader {
	return &reader{opener: newOpener(root), hasher: newHasher(), blob: newBlobHash(format)}
}

// take decides one candidate and hands an included one to the sink. Over a
// limit it only counts on, so that the error can name the numbers.
func (c *capture) take(rd *reader, i int) error {
	cand, out := &c.cands[i], &c.results[i]
	over := c.overLimit()
	data, err := rd.examine(c.policy, cand, out, over)
	if err != nil || out.reason != "" {
		return err
	}
	c.files.Add(1)
	c.bytes.Add(out.size)
	if over || c.overLimit() {
		return nil
	}
	out.proven = cand.id != "" && rd.blob.matches(data, cand.id)
	return c.sink(out.file(cand), data)
}

func (c *capture) overLimit() bool {
	return c.files.Load() > c.policy.MaxFiles || c.bytes.Load() > c.policy.MaxTotal
}

func (c *capture) checkLimits() error {
	if n := c.files.Load(); n > c.policy.MaxFiles {
		return &LimitError{What: "files", Key: "codeidx.maxFiles", Limit: c.policy.MaxFiles, Found: n}
	}
	if n := c.bytes.Load(); n > c.policy.MaxTotal {
		return &LimitError{What: "bytes of source", Key: "codeidx.maxTotal", Limit: c.policy.MaxTotal, Found: n}
	}
	return nil
}

// examine opens a candidate, reads it and decides. With sizeOnly it trusts
// stat and leaves the bytes unread.
func (rd *reader) examine(p *Policy, cand *candidate, out *outcome, sizeOnly bool) ([]byte, error) {
	if out.reason = cand.reason; out.reason != "" {
		return nil, nil
	}
	fd, err := rd.openCandidate(cand, out)
	if err != nil || out.reason != "" {
		return nil, err
	}
	defer closeHandle(fd)
	if out.class, out.lang = cand.class, cand.lang; out.class == ClassMaybe {
		if err := rd.classifyHead(p, fd, out); err != nil || out.reason != "" {
			return nil, err
		}
	}
	if out.size > p.MaxFileSize {
		out.reason = TooLarge
		return nil, nil
	}
	if sizeOnly {
		return nil, nil
	}
	data, err := readAll(fd, out.size, p.MaxFileSize)
	if err != nil {
		out.reason, err = reasonOf(err)
		return nil, err
	}
	out.size, out.sum = int64(len(data)), sha256.Sum256(data)
	out.reason = judge(cand, out.class, data)
	return data, nil
}

// openCandidate opens a file and notes what stat says; where that is no file to
// read, out.reason says why and there is no handle.
func (rd *reader) openCandidate(cand *candidate, out *outcome) (fd int, err error) {
	fd, key, err := rd.open(cand.path)
	if err != nil {
		out.reason, err = reasonOf(err)
		if out.reason == Missing && cand.sparse {
			out.reason = SkipWorktree
		}
		return 0, err
	}
	out.stat, out.mode, out.size = key, key.fileMode(), key.Size
	return fd, nil
}

// classifyHead lets the first bytes decide and rewinds.
func (rd *reader) classifyHead(p *Policy, fd int, out *outcome) error {
	n, err := readHandle(fd, rd.buf[:HeadSize])
	if err == nil {
		err = rewind(fd)
	}
	if err != nil {
		out.reason, err = reasonOf(fileError(err))
		return err
	}
	if out.class, out.lang = p.ClassifyHead(rd.buf[:n]); out.class == ClassNone {
		out.reason = Unsupported
	}
	return nil
}

func (out *outcome) file(cand *candidate) File {
	f := File{
		Path: cand.path, Mode: out.mode, Size: out.size, SHA256: out.sum, Class: out.class, Lang: out.lang, Stat: out.stat,
	}
	if out.proven {
		f.GitBlob = cand.id
	}
	return f
}

func (out *outcome) omission(cand *candidate) Omission {
	o := Omission{Path: cand.path, Reason: out.reason, Stat: out.stat}
	if out.sum != (Digest{}) || out.reason == TooLarge {
		o.Size, o.SHA256 = out.size, out.sum
	}
	return o
}

// buildSnapshot joins candidates, which are sorted, with their outcomes.
func buildSnapshot(cands []candidate, results []outcome, attributes Digest, seenAt int64) *Snapshot {
	s := &Snapshot{Attributes: attributes, SeenAt: seenAt}
	n := 0
	for i := range results {
		if results[i].reason == "" {
			n++
		}
	}
	s.Files, s.Omitted = make([]File, 0, n), make([]Omission, 0, len(cands)-n)
	for i := range cands {
		if results[i].reason == "" {
			s.Files = append(s.Files, results[i].file(&cands[i]))
		} else {
			s.Omitted = append(s.Omitted, results[i].omission(&cands[i]))
		}
	}
	return s
}

// FindFile returns the included file of that path, nil where there is none.
func (s *Snapshot) FindFile(path string) *File {
	i, ok := slices.BinarySearchFunc(s.Files, path, func(f File, p string) int { return cmp.Compare(f.Path, p) })
	if !ok {
		return nil
	}
	return &s.Files[i]
}
