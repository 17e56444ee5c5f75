package ecma

import (
	"codeidx/facts"
)

// jsx reads an element. X is its component, 0 for an HTML tag; Kids are
// attributes as Keyword, and children.
func (w *walker) jsx(n uint32) facts.ExprID {
	open := n
	mark := len(w.kids)
	if w.kind(n) == kJsxElement {
		if open = w.child(n, w.fields.openTag); open == 0 {
			return 0
		}
	}
	x := w.jsxName(open, facts.Read)
	w.jsxAttributes(open)
	if open != n {
		for c := n + 1; c < w.next(n); c = w.next(c) {
			switch w.kind(c) {
			case kJsxElement, kJsxSelfClosingElement:
				w.push(w.jsx(c))
			case kJsxExpression:
				w.push(w.jsxExpression(c))
			case kJsxClosingElement:
				w.jsxName(c, facts.Read)
			}
		}
	}
	return w.add(n, facts.Expr{Kind: facts.Element, X: x, Kids: w.take(mark)})
}

// jsxName reads the component that a tag names: a capital letter or a member.
func (w *walker) jsxName(tag uint32, ctx facts.Ctx) facts.ExprID {
	name := w.child(tag, w.fields.name)
	if name == 0 {
		return 0
	}
	if w.kind(name) == kIdentifier {
		if c := w.text(name)[0]; c >= 'a' && c <= 'z' {
			return 0
		}
	}
	if w.kind(name) == kJsxNamespaceName {
		return 0
	}
	x := w.expr(name, ctx)
	if t := w.child(tag, w.fields.typeArgs); t != 0 {
		x = w.applied(t, x)
	}
	return x
}

func (w *walker) jsxAttributes(open uint32) {
	for c := open + 1; c < w.next(open); c = w.next(c) {
		switch w.kind(c) {
		case kJsxAttribute:
			w.push(w.jsxAttribute(c))
		case kJsxExpression:
			w.push(w.jsxExpression(c))
		}
	}
}

func (w *walker) jsxAttribute(n uint32) facts.ExprID {
	name, value := w.only(n), w.last(n)
	if name == 0 {
		return 0
	}
	var x facts.ExprID
	switch {
	case value == name:
	case w.kind(value) == kJsxExpression:
		x = w.jsxExpression(value)
	default:
		x = w.expr(value, facts.Read)
	}
	if w.kind(name) != kPropertyIdentifier {
		return x
	}
	return w.add(name, facts.Expr{Kind: facts.Keyword, Name: w.name(name), X: x})
}

func (w *walker) jsxExpression(n uint32) facts.ExprID {
	if c := w.only(n); c != 0 {
		return w.expr(c, facts.Read)
	}
	return 0
}
