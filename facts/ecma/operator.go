package ecma

import (
	"codeidx/facts"
)

func (w *walker) binary(n uint32) facts.ExprID {
	l, r, o := w.child(n, w.fields.left), w.child(n, w.fields.right), w.child(n, w.fields.operator)
	if l == 0 || r == 0 || o == 0 {
		w.parts(n)
		return 0
	}
	e := facts.Expr{Kind: facts.Binary, Op: facts.OpArith}
	op := string(w.text(o))
	switch op {
	case "&&", "||", "??":
		e.Op, e.Name = facts.OpBool, w.b.InternString(op)
	case "===", "!==", "==", "!=", "instanceof", "in":
		e.Op, e.Name = facts.OpCompare, w.b.InternString(op)
	case "<", ">", "<=", ">=":
		e.Op = facts.OpCompare
	}
	var a facts.ExprID
	if w.kind(l) == kPrivatePropertyIdentifier {
		a = w.add(l, facts.Expr{Kind: facts.Name, Ctx: facts.Echo, Name: w.name(l)})
	} else {
		a = w.expr(l, facts.Read)
	}
	if e.Op == facts.OpBool && op != "??" {
		w.narrow(a, op == "&&", w.span(r))
	}
	b := w.expr(r, facts.Read)
	mark := len(w.kids)
	w.push(a)
	w.push(b)
	e.Kids = w.take(mark)
	return w.add(n, e)
}

func (w *walker) unary(n uint32) facts.ExprID {
	e := facts.Expr{Kind: facts.Unary, Op: facts.OpArith}
	ctx := facts.Read
	if o := w.child(n, w.fields.operator); o != 0 {
		switch string(w.text(o)) {
		case "!":
			e.Op = facts.OpNot
		case "typeof":
			e.Op = facts.OpTypeof
		case "void":
			e.Op = facts.OpOther
		case "delete":
			e.Op, ctx = facts.OpCompare, facts.Delete
		}
	}
	if a := w.child(n, w.fields.argument); a != 0 {
		e.X = w.expr(a, ctx)
	}
	return w.add(n, e)
}

func (w *walker) ternary(n uint32) facts.ExprID {
	c, a, b := w.child(n, w.fields.cond), w.child(n, w.fields.consequence), w.child(n, w.fields.alternative)
	if c == 0 || a == 0 || b == 0 {
		w.parts(n)
		return 0
	}
	depth := w.depth
	w.depth = 0
	test := w.expr(c, facts.Read)
	w.depth = depth
	w.narrow(test, true, w.span(a))
	w.narrow(test, false, w.span(b))
	mark := len(w.kids)
	w.kids = append(w.kids, w.expr(a, facts.Read))
	w.kids = append(w.kids, w.expr(b, facts.Read))
	return w.add(n, facts.Expr{Kind: facts.Cond, X: test, Kids: w.take(mark)})
}

// narrow notes what the outcome of a test says about the references in it,
// within span.
func (w *walker) narrow(test facts.ExprID, holds bool, span facts.Span) {
	w.narrowDepth(test, holds, span, 0)
}

const maxTestDepth = 8

func (w *walker) narrowDepth(test facts.ExprID, holds bool, span facts.Span, depth int) {
	if test == 0 || span.End <= span.Start || depth > maxTestDepth {
		return
	}
	x := &w.f.Exprs[test]
	kids := w.f.KidsOf(x.Kids)
	switch x.Kind {
	case facts.Unary:
		if x.Op == facts.OpNot {
			w.narrowDepth(x.X, !holds, span, depth+1)
		}
	case facts.Binary:
		if len(kids) != 2 {
			return
		}
		switch x.Op {
		case facts.OpBool:
			if and := w.f.Names[x.Name] == "&&"; and == holds && w.f.Names[x.Name] != "??" {
				w.narrowDepth(kids[0], holds, span, depth+1)
				w.narrowDepth(kids[1], holds, span, depth+1)
			}
		case facts.OpCompare:
			w.narrowCompare(test, kids, holds, span)
		}
	case facts.Call:
		for _, a := range w.f.KidsOf(x.Kids) {
			w.narrowed(a, test, holds, span)
			break
		}
	case facts.Name, facts.Select:
		w.narrowed(test, test, holds, span)
	}
}

// narrowCompare notes what a comparison says about its left side, about the
// object of a discriminant and about what typeof tests.
func (w *walker) narrowCompare(test facts.ExprID, kids []facts.ExprID, holds bool, span facts.Span) {
	name := w.f.Names[w.f.Exprs[test].Name]
	l := &w.f.Exprs[kids[0]]
	switch {
	case name == "in":
		w.narrowed(kids[1], test, holds, span)
	case name == "":
	case l.Kind == facts.Unary && l.Op == facts.OpTypeof:
		w.narrowed(l.X, test, holds, span)
	default:
		w.narrowed(kids[0], test, holds, span)
		if l.Kind == facts.Select && name != "instanceof" {
			w.narrowed(l.X, test, holds, span)
		}
	}
}

// narrowed binds the outcome of a test to the reference e.
func (w *walker) narrowed(e, test facts.ExprID, holds bool, span facts.Span) {
	x := &w.f.Exprs[e]
	b := facts.Bind{Kind: facts.BindNarrow, Scope: w.scope, Name: x.Name, Pos: x.Pos, From: span.Start, To: span.End, Value: test}
	switch x.Kind {
	case facts.Select:
		b.On = x.X
	case facts.Name:
	default:
		return
	}
	if !holds {
		b.Flags = facts.Negated
	}
	w.b.Bind(b)
}
