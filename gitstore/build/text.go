package build

import (
	"path"

	"codeidx/facts"
	"codeidx/fulltext"
	"codeidx/graph"
)

// textBlocks makes the full-text index of all symbols, in runs of files.
func textBlocks(files []*graph.FileSymbols) ([]fulltext.Block, error) {
	var blocks []fulltext.Block
	var docs []fulltext.Doc
	run := 0
	for i, f := range files {
		docs = appendDocs(docs, f)
		run++
		if i < len(files)-1 && !fulltext.Boundary(fulltext.PathHash(f.Path), run, len(docs)) {
			continue
		}
		b, err := fulltext.EncodeSegment(docs)
		if err != nil {
			return nil, err
		}
		blocks = append(blocks, b...)
		docs, run = docs[:0], 0
	}
	return blocks, nil
}

// appendDocs adds the documents of one file: itself and its definitions.
func appendDocs(docs []fulltext.Doc, f *graph.FileSymbols) []fulltext.Doc {
	lang := facts.ByID(f.Lang)
	testFile := lang != nil && lang.TestFile(f.Path)
	for i := range f.Symbols {
		s := &f.Symbols[i]
		d := fulltext.Doc{Path: f.Path, Sym: uint32(i), Kind: byte(s.Kind), Lang: byte(f.Lang)}
		if testFile || s.IsTest() {
			d.Flags |= fulltext.Test
		}
		d.Fields[fulltext.Name] = s.Name
		d.Fields[fulltext.Qualified] = s.Qualified
		d.Fields[fulltext.Signature] = s.Signature
		d.Fields[fulltext.Docstring] = s.Doc
		if i == 0 {
			d.Fields[fulltext.Name] = path.Base(f.Path)
		}
		docs = append(docs, d)
	}
	return docs
}
