package php

import (
	"bytes"

	"codeidx/facts"
)

// typeExpr reads a native type. Names of classes are TypeUse, those of the
// language's own types Echo.
func (w *walker) typeExpr(n uint32) facts.ExprID {
	if w.broken(n) {
		return 0
	}
	switch w.kind(n) {
	case kNamedType:
		if c := w.firstNamed(n); c != 0 {
			return w.name(c, facts.TypeUse)
		}
	case kName, kQualifiedName, kRelativeName:
		return w.name(n, facts.TypeUse)
	case kPrimitiveType, kBottomType:
		return w.primitive(n)
	case kOptionalType:
		mark := len(w.kids)
		if c := w.firstNamed(n); c != 0 {
			w.push(w.typeExpr(c))
		}
		w.push(w.add(n, facts.Expr{Kind: facts.Literal, Lit: facts.NilLit}))
		return w.finish(n, facts.Expr{Kind: facts.Union}, mark)
	case kUnionType, kDisjunctiveType, kTypeList:
		return w.typeOperands(n, facts.Union)
	case kIntersectionType:
		return w.typeOperands(n, facts.Intersect)
	}
	return 0
}

func (w *walker) primitive(n uint32) facts.ExprID {
	t := bytes.ToLower(w.text(n))
	if string(t) == "null" {
		return w.add(n, facts.Expr{Kind: facts.Literal, Lit: facts.NilLit})
	}
	return w.add(n, facts.Expr{Kind: facts.Name, Ctx: facts.Echo, Name: w.b.Intern(t)})
}

// typeOperands reads the parts of a union or an intersection; a single part
// stands for itself.
func (w *walker) typeOperands(n uint32, k facts.ExprKind) facts.ExprID {
	mark := len(w.kids)
	w.each(n, func(c uint32) {
		if t := w.typeExpr(c); t != 0 {
			w.push(t)
		}
	})
	if len(w.kids) == mark+1 {
		t := w.kids[mark]
		w.kids = w.kids[:mark]
		return t
	}
	return w.finish(n, facts.Expr{Kind: k}, mark)
}
