package ecma

import (
	"bytes"
	"sort"

	"codeidx/facts"
	"codeidx/facts/syntax"
)

// maxStringName bounds the strings whose text becomes a name: those that may
// name a property, a module or a discriminant.
const maxStringName = 64

// content is the text of a string literal without its quotes.
func (w *walker) content(n uint32) []byte {
	s := w.text(n)
	if len(s) < 2 {
		return nil
	}
	return s[1 : len(s)-1]
}

// docs collects the doc comments in source order.
func (w *walker) docs() {
	for i := range w.t.Nodes {
		nd := &w.t.Nodes[i]
		if nd.Kind != syntax.ErrorKind && w.kinds[nd.Kind] == kComment && bytes.HasPrefix(w.src[nd.Start:nd.End], []byte("/**")) {
			w.doc = append(w.doc, uint32(i))
		}
	}
}

// docOf returns the doc comment that ends right before node n, decorators and
// "export" apart.
func (w *walker) docOf(n uint32) facts.Span {
	if n == 0 {
		return facts.Span{}
	}
	start := w.node(n).Start
	i := sort.Search(len(w.doc), func(i int) bool { return w.node(w.doc[i]).Start >= start })
	if i == 0 {
		return facts.Span{}
	}
	d := w.span(w.doc[i-1])
	if len(bytes.TrimSpace(w.src[d.End:start])) > 0 {
		return facts.Span{}
	}
	return d
}

// texts lists comments and strings in source order, and the broken regions.
func (w *walker) texts() {
	docs := make(map[uint32]bool, len(w.doc))
	for _, d := range w.doc {
		docs[w.node(d).Start] = true
	}
	for i := range w.t.Nodes {
		nd := &w.t.Nodes[i]
		if nd.Kind == syntax.ErrorKind || nd.Flags&(syntax.Error|syntax.Missing) != 0 {
			w.broke(nd)
			continue
		}
		span := facts.Span{Start: nd.Start, End: nd.End}
		switch w.kinds[nd.Kind] {
		case kComment, kHtmlComment:
			if docs[nd.Start] {
				w.b.Text(facts.DocComment, span)
			} else {
				w.b.Text(facts.Comment, span)
			}
		case kString, kTemplateString, kJsxText:
			if nd.Flags&syntax.Named != 0 {
				w.b.Text(facts.String, span)
			}
		}
	}
}

// broke adds a broken region that lies outside of those already listed.
func (w *walker) broke(nd *syntax.Node) {
	w.f.Partial = true
	if n := len(w.f.Errors); n > 0 && w.f.Errors[n-1].End >= nd.End && nd.End > nd.Start {
		return
	}
	w.f.Errors = append(w.f.Errors, facts.Span{Start: nd.Start, End: nd.End})
}
