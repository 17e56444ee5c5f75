package python

import (
	"bytes"
	"sort"

	"codeidx/facts"
	"codeidx/facts/syntax"
)

// content returns where the text of a plain string literal stands, without
// quotes; not ok for bytes, formatted and escaped strings.
func (w *walker) content(n uint32) (start, end uint32, ok bool) {
	s := w.text(n)
	i := 0
	for i < len(s) && s[i] != '\'' && s[i] != '"' {
		if s[i] != 'r' && s[i] != 'R' && s[i] != 'u' && s[i] != 'U' {
			return 0, 0, false
		}
		i++
	}
	q := 1
	if len(s) >= i+6 && s[i] == s[i+1] && s[i] == s[i+2] {
		q = 3
	}
	if len(s) < i+2*q || bytes.IndexByte(s, '\\') >= 0 {
		return 0, 0, false
	}
	base := w.node(n).Start
	return base + uint32(i+q), base + uint32(len(s)-q), true
}

// maxStringName bounds the strings whose text becomes a name: those that may
// name an attribute, a key or an export.
const maxStringName = 48

// string reads a string literal and the expressions in a formatted one.
func (w *walker) string(n uint32) facts.ExprID {
	e := facts.Expr{Kind: facts.Literal, Lit: facts.StringLit}
	mark := len(w.kids)
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		if w.kind(c) == kInterpolation {
			w.interpolation(c)
		}
	}
	if len(w.kids) > mark {
		return w.finish(n, facts.Expr{Kind: facts.Template, Lit: facts.StringLit}, mark)
	}
	if start, end, ok := w.content(n); ok {
		if s := w.src[start:end]; len(s) <= maxStringName && identifier(s) {
			e.Name = w.b.Intern(s)
		}
	} else if p := w.text(n); len(p) > 1 && (p[0]|0x20 == 'b' || p[0] != '\'' && p[0] != '"' && p[1]|0x20 == 'b') {
		e.Lit = facts.BytesLit
	}
	return w.add(n, e)
}

// interpolation reads "{expr:{width}}" onto the stack.
func (w *walker) interpolation(n uint32) {
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		switch k := w.kind(c); {
		case k == kFormatSpecifier:
			for d := c + 1; d < w.t.Nodes[c].Next; d = w.t.Nodes[d].Next {
				if k := w.kind(d); k == kFormatExpression || k == kInterpolation {
					w.interpolation(d)
				}
			}
		case w.node(c).Field == w.fields.expression:
			w.push(w.expr(c, facts.Read))
		}
	}
}

func (w *walker) concatenated(n uint32) facts.ExprID {
	mark := len(w.kids)
	lit := facts.StringLit
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		if w.kind(c) == kString {
			e := w.string(c)
			lit = w.f.Exprs[e].Lit
			w.push(e)
		}
	}
	return w.finish(n, facts.Expr{Kind: facts.Template, Lit: lit}, mark)
}

func identifier(s []byte) bool {
	for i, c := range s {
		if c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || i > 0 && c >= '0' && c <= '9' {
			continue
		}
		return false
	}
	return len(s) > 0
}

// texts lists comments and strings in source order, and the broken regions.
func (w *walker) texts() {
	docs := make([]uint32, 0, len(w.f.Defs))
	for i := range w.f.Defs {
		if d := w.f.Defs[i].Doc; d.End > 0 {
			docs = append(docs, d.Start)
		}
	}
	sort.Slice(docs, func(i, j int) bool { return docs[i] < docs[j] })
	for i := uint32(0); i < uint32(len(w.t.Nodes)); i++ {
		nd := &w.t.Nodes[i]
		if nd.Kind == syntax.ErrorKind || nd.Flags&(syntax.Error|syntax.Missing) != 0 {
			w.broke(nd)
			continue
		}
		switch w.kinds[nd.Kind] {
		case kComment:
			w.b.Text(facts.Comment, facts.Span{Start: nd.Start, End: nd.End})
		case kString:
			for len(docs) > 0 && docs[0] < nd.Start {
				docs = docs[1:]
			}
			k := facts.String
			if len(docs) > 0 && docs[0] == nd.Start {
				k = facts.Docstring
			}
			w.b.Text(k, facts.Span{Start: nd.Start, End: nd.End})
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
