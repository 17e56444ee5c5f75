package php

import (
	"bytes"

	"codeidx/facts"
	"codeidx/facts/syntax"
)

// maxStringName bounds the strings whose text becomes a name: those that may
// name a path, a callable, a key or a constant.
const maxStringName = 160

// literal reads what is left: literals, strings and plain operand lists.
func (w *walker) literal(n uint32) facts.ExprID {
	e := facts.Expr{Kind: facts.Literal}
	switch w.kind(n) {
	case kString, kEncapsed, kHeredoc, kNowdoc:
		return w.string(n)
	case kInteger:
		e.Lit, e.Name = facts.IntLit, w.b.Intern(w.text(n))
	case kFloat:
		e.Lit, e.Name = facts.FloatLit, w.b.Intern(w.text(n))
	case kBoolean:
		e.Lit = facts.BoolLit
	case kNull:
		e.Lit = facts.NilLit
	default:
		return w.operands(n, facts.Expr{Kind: facts.Other})
	}
	return w.add(n, e)
}

// string reads a string literal and the expressions in an interpolated one.
func (w *walker) string(n uint32) facts.ExprID {
	mark := len(w.kids)
	w.interpolated(n)
	if len(w.kids) > mark {
		return w.finish(n, facts.Expr{Kind: facts.Template, Lit: facts.StringLit}, mark)
	}
	e := facts.Expr{Kind: facts.Literal, Lit: facts.StringLit}
	if s, ok := w.plain(n); ok {
		e.Name = w.b.Intern(s)
	}
	return w.add(n, e)
}

// interpolated pushes the expressions inside of a string.
func (w *walker) interpolated(n uint32) {
	if w.kind(n) == kString || w.kind(n) == kNowdoc {
		return
	}
	w.each(n, func(c uint32) {
		switch w.kind(c) {
		case kHeredocBody:
			w.interpolated(c)
		case kStringContent, kEscape, kOther:
		default:
			w.push(w.expr(c, facts.Read))
		}
	})
}

// plain returns the text of a short one-line string in quotes. Of escapes it
// knows the doubled backslash, which class names are written with.
func (w *walker) plain(n uint32) ([]byte, bool) {
	s := w.text(n)
	if k := w.kind(n); k != kString && k != kEncapsed || len(s) < 2 || len(s) > maxStringName {
		return nil, false
	}
	s = bytes.TrimLeft(s, "bB")
	if len(s) < 2 || bytes.IndexByte(s, '\n') >= 0 {
		return nil, false
	}
	double := s[0] == '"'
	s = s[1 : len(s)-1]
	if bytes.IndexByte(s, '\\') < 0 {
		return s, true
	}
	t := bytes.ReplaceAll(s, []byte(`\\`), []byte{0})
	if i := bytes.IndexByte(t, '\\'); i >= 0 && (double || bytes.Contains(t, []byte(`\'`))) {
		return nil, false
	}
	return bytes.ReplaceAll(t, []byte{0}, []byte(`\`)), true
}

// texts lists comments, strings and markup in source order, and the broken
// regions.
func (w *walker) texts() {
	for i := uint32(0); i < uint32(len(w.t.Nodes)); i++ {
		nd := &w.t.Nodes[i]
		if nd.Kind == syntax.ErrorKind || nd.Flags&(syntax.Error|syntax.Missing) != 0 {
			w.broke(nd)
			continue
		}
		span := facts.Span{Start: nd.Start, End: nd.End}
		switch w.kinds[nd.Kind] {
		case kComment:
			if bytes.HasPrefix(w.src[nd.Start:nd.End], []byte("/**")) {
				w.b.Text(facts.DocComment, span)
			} else {
				w.b.Text(facts.Comment, span)
			}
		case kString, kEncapsed, kHeredoc, kNowdoc, kShell:
			w.b.Text(facts.String, span)
		case kMarkup:
			w.b.Text(facts.Markup, span)
		}
	}
}

// broke adds a broken region that lies outside of those already listed.
func (w *walker) broke(nd *syntax.Node) {
	w.f.Partial = true
	if n := len(w.f.Errors); n > 0 && w.f.Errors[n-1].End >= nd.End {
		return
	}
	w.f.Errors = append(w.f.Errors, facts.Span{Start: nd.Start, End: nd.End})
}
