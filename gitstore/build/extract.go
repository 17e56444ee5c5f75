package build

import (
	"context"
	"fmt"
	"sync"

	"codeidx/facts"
	"codeidx/facts/worker"
	"codeidx/gitstore"
	"codeidx/graph"
)

// extracted is what one source file gives.
type extracted struct {
	entry   gitstore.Entry
	facts   *facts.File // nil where the file could not be parsed
	symbols *graph.FileSymbols
}

// extraction collects the files of a capture. take is called from several
// goroutines at once.
type extraction struct {
	ctx    context.Context
	store  *gitstore.Store
	writer *gitstore.Writer
	pool   *worker.Pool
	known  map[facts.Key]gitstore.Entry // of earlier generations
	// reusable are those generations.
	reusable []*gitstore.Generation
	steers   func(path string) bool
	tick     func(bytes int64)
	starts   bool // a worker is needed for sure

	mu     sync.Mutex
	files  map[string]*extracted
	config map[string][]byte
	reused int
	parsed int
}

// take turns one captured file into facts and symbols and stores them.
func (x *extraction) take(f gitstore.File, src []byte) error {
	if err := x.ctx.Err(); err != nil {
		return err
	}
	out := &extracted{entry: gitstore.Entry{
		Path: f.Path, Mode: f.Mode, Size: f.Size, SHA256: f.SHA256, Class: f.Class, Lang: f.Lang, Blob: f.GitBlob,
	}}
	if err := x.content(out, src); err != nil {
		return fmt.Errorf("index %s: %w", f.Path, err)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.files[f.Path] = out
	if x.steers(f.Path) { // a source file may be configuration, too: setup.py
		x.config[f.Path] = src
	}
	if x.tick != nil {
		x.tick(f.Size)
	}
	return nil
}

// content stores the bytes of a file and, of source, what they say.
func (x *extraction) content(out *extracted, src []byte) (err error) {
	if out.entry.Class == gitstore.ClassSource {
		return x.source(out, src)
	}
	if len(src) > 0 {
		out.entry.Source, err = x.writer.Put(src)
	}
	return err
}

func (x *extraction) source(out *extracted, src []byte) error {
	lang := facts.ByID(facts.Lang(out.entry.Lang))
	key := facts.ExtractionKey(out.entry.Path, out.entry.SHA256, lang)
	out.entry.Key = gitstore.Digest(key)
	if !x.reuse(out, key) {
		if err := x.parse(out, lang, src); err != nil {
			return err
		}
	}
	if out.facts != nil {
		out.symbols = graph.SymbolsOf(out.facts, src)
	}
	return nil
}

// reuse takes facts of an earlier generation over, or that there are none: a
// file that no parser finished would only cost its time limit again. What is
// missing, damaged or of another format is extracted again.
func (x *extraction) reuse(out *extracted, key facts.Key) bool {
	old, ok := x.known[key]
	if !ok {
		return false
	}
	if old.Facts.Len == 0 {
		return x.takeOver(out, &old, nil)
	}
	raw, err := x.store.Get(old.Facts)
	if err != nil {
		return false
	}
	f, err := facts.Decode(raw)
	if err != nil || f.Path != out.entry.Path {
		return false
	}
	return x.takeOver(out, &old, f)
}

func (x *extraction) takeOver(out *extracted, old *gitstore.Entry, f *facts.File) bool {
	out.facts = f
	out.entry.Status, out.entry.Facts = old.Status, old.Facts
	if out.entry.Size > 0 {
		out.entry.Source = old.Source
	}
	x.mu.Lock()
	x.reused++
	x.mu.Unlock()
	return true
}

func (x *extraction) parse(out *extracted, lang *facts.Language, src []byte) error {
	res, err := x.pool.Extract(x.ctx, worker.Request{Path: out.entry.Path, Lang: lang.ID, Src: src})
	if err != nil {
		return err
	}
	out.entry.Status = res.Status.String()
	if len(src) > 0 { // an empty file needs no payload
		if out.entry.Source, err = x.writer.Put(src); err != nil {
			return err
		}
	}
	x.mu.Lock()
	x.parsed++
	x.mu.Unlock()
	if len(res.Facts) == 0 {
		return nil
	}
	if out.facts, err = facts.Decode(res.Facts); err != nil {
		return fmt.Errorf("decode facts: %w", err)
	}
	out.entry.Facts, err = x.writer.Put(res.Facts)
	return err
}
