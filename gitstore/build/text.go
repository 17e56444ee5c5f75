package build

import (
	"fmt"
	"path"

	"codeidx/facts"
	"codeidx/fulltext"
	"codeidx/gitstore"
	"codeidx/graph"
)

// textFile is a file of the text index: what names its content, and how to get
// it where its run is encoded.
type textFile struct {
	path string
	key  gitstore.Digest // extraction key: files with equal ones have equal docs
	read func() (*graph.FileSymbols, *facts.File, []byte, error)
}

// textFiles lists the files that have facts, sorted by path. Their source is
// read back from the writer, so that no build holds all of it.
func (x *extraction) textFiles(entries []gitstore.Entry) []textFile {
	var files []textFile
	for i := range entries {
		e := &entries[i]
		if !hasFacts(e) {
			continue
		}
		files = append(files, textFile{e.Path, e.Key, func() (*graph.FileSymbols, *facts.File, []byte, error) {
			return x.read(e)
		}})
	}
	return files
}

// read returns what a file's documents are made from. A file that this build did
// not extract has stored facts.
func (x *extraction) read(e *gitstore.Entry) (symbols *graph.FileSymbols, f *facts.File, src []byte, err error) {
	if e.Size > 0 {
		if src, err = x.writer.Get(e.Source); err != nil {
			return nil, nil, nil, err
		}
	}
	if out := x.files[e.Path]; out != nil {
		return out.symbols, out.facts, src, nil
	}
	if f, err = readFacts(x.store, e); err != nil {
		return nil, nil, nil, err
	}
	return graph.SymbolsOf(f, src), f, src, nil
}

// textWriter makes the full-text index in runs of files. A run whose files are
// those of a run of the generation before keeps its blocks.
type textWriter struct {
	writer *gitstore.Writer
	prior  map[string]textRun // by first path
	refs   []gitstore.BlockRef
	docs   []fulltext.Doc
}

// textBlocks returns the section of the text index over files, which are
// sorted by path. prior may be nil.
func textBlocks(w *gitstore.Writer, files []textFile, prior *gitstore.Generation) ([]gitstore.BlockRef, error) {
	t := &textWriter{writer: w, prior: textRuns(prior)}
	for len(files) > 0 {
		n := t.reuse(files)
		if n == 0 {
			var err error
			if n, err = t.encode(files); err != nil {
				return nil, err
			}
		}
		files = files[n:]
	}
	return t.refs, nil
}

// encode makes the run that begins with the first file and returns how many
// files it has.
func (t *textWriter) encode(files []textFile) (int, error) {
	t.docs = t.docs[:0]
	n := 0
	for n < len(files) && (n == 0 || !fulltext.Boundary(fulltext.PathHash(files[n-1].path), n, len(t.docs))) {
		symbols, f, src, err := files[n].read()
		if err != nil {
			return 0, fmt.Errorf("read %s for the text index: %w", files[n].path, err)
		}
		t.docs = appendDocs(t.docs, symbols, f, src)
		n++
	}
	blocks, err := fulltext.EncodeSegment(t.docs)
	if err != nil {
		return 0, err
	}
	for _, b := range blocks {
		ref, err := t.writer.Put(b.Data)
		if err != nil {
			return 0, err
		}
		t.refs = append(t.refs, gitstore.BlockRef{Key: b.Key, Blob: ref})
	}
	return n, nil
}

// appendDocs adds the documents of one file: itself and its definitions.
func appendDocs(docs []fulltext.Doc, f *graph.FileSymbols, file *facts.File, src []byte) []fulltext.Doc {
	lang := facts.ByID(f.Lang)
	testFile := lang != nil && lang.TestFile(f.Path)
	bodies := splitSource(file, src)
	for i := range f.Symbols {
		s := &f.Symbols[i]
		d := fulltext.Doc{Path: f.Path, Sym: uint32(i), Kind: byte(s.Kind), Lang: byte(f.Lang)}
		if testFile || s.IsTest() {
			d.Flags |= fulltext.Test
		}
		for field, text := range bodies[i] {
			d.Fields[field] = string(text)
		}
		d.Fields[fulltext.Name] = s.Name
		d.Fields[fulltext.Qualified] = s.Qualified
		d.Fields[fulltext.Signature] = s.Signature
		if i == 0 {
			d.Fields[fulltext.Name] = path.Base(f.Path)
		}
		docs = append(docs, d)
	}
	return docs
}
