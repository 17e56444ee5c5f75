package python

import (
	"codeidx/facts"
)

// typeExpr reads an annotation: the same nodes as for values, names as
// TypeUse, quoted types parsed.
func (w *walker) typeExpr(n uint32) facts.ExprID {
	if w.broken(n) {
		return 0
	}
	switch w.kind(n) {
	case kType, kParenthesized:
		if c := w.lastNamed(n); c != 0 {
			return w.typeExpr(c)
		}
		return 0
	case kString:
		return w.quoted(n)
	case kGenericType:
		return w.genericType(n)
	case kUnionType:
		return w.typeOperands(n, facts.Expr{Kind: facts.Binary, Op: facts.OpBitOr})
	case kBinaryOperator:
		return w.typeOperands(n, facts.Expr{Kind: facts.Binary, Op: facts.OpBitOr})
	case kMemberType:
		return w.memberType(n)
	case kSplatType, kListSplat:
		return w.splatType(n)
	case kConstrainedType:
		return w.typeOperands(n, facts.Expr{Kind: facts.Other})
	}
	return w.expr(n, facts.TypeUse)
}

func (w *walker) typeOperands(n uint32, e facts.Expr) facts.ExprID {
	mark := len(w.kids)
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		if w.named(c) {
			w.push(w.typeExpr(c))
		}
	}
	return w.finish(n, e, mark)
}

// genericType reads "name[args]", which the grammar keeps apart from subscripts.
func (w *walker) genericType(n uint32) facts.ExprID {
	var x facts.ExprID
	mark := len(w.kids)
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		switch w.kind(c) {
		case kIdentifier:
			x = w.name(c, facts.TypeUse)
		case kTypeParameter:
			literal := w.lastName(x) == "Literal"
			for a := c + 1; a < w.t.Nodes[c].Next; a = w.t.Nodes[a].Next {
				switch {
				case !w.named(a):
				case literal:
					w.push(w.expr(w.unwrapType(a), facts.Read))
				default:
					w.push(w.typeExpr(a))
				}
			}
		}
	}
	return w.finish(n, facts.Expr{Kind: facts.Index, X: x}, mark)
}

func (w *walker) unwrapType(n uint32) uint32 {
	if w.kind(n) == kType {
		if c := w.lastNamed(n); c != 0 {
			return c
		}
	}
	return n
}

func (w *walker) memberType(n uint32) facts.ExprID {
	var x facts.ExprID
	last := w.lastNamed(n)
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		switch {
		case !w.named(c):
		case c == last:
			return w.add(c, facts.Expr{Kind: facts.Select, Ctx: facts.TypeUse, Name: w.b.Intern(w.text(c)), X: x})
		default:
			x = w.typeExpr(c)
		}
	}
	return x
}

func (w *walker) splatType(n uint32) facts.ExprID {
	var x facts.ExprID
	if c := w.lastNamed(n); c != 0 {
		x = w.typeExpr(c)
	}
	return w.add(n, facts.Expr{Kind: facts.Spread, X: x})
}
