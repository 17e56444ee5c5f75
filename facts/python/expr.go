package python

import (
	"codeidx/facts"
)

// expr reads one expression and returns its node, 0 for what is broken or
// stands for nothing.
func (w *walker) expr(n uint32, ctx facts.Ctx) facts.ExprID {
	if w.broken(n) {
		if w.kind(n) == kError {
			w.recover(n)
		}
		return 0
	}
	switch w.kind(n) {
	case kIdentifier:
		return w.name(n, ctx)
	case kAttribute:
		return w.attribute(n, ctx)
	case kCall:
		return w.call(n)
	case kSubscript:
		return w.subscript(n, ctx)
	case kString:
		return w.string(n)
	case kConcatenatedString:
		return w.concatenated(n)
	case kParenthesized:
		if c := w.lastNamed(n); c != 0 {
			return w.expr(c, ctx)
		}
		return 0
	case kTuple, kExpressionList, kPatternList, kTuplePattern:
		return w.sequence(n, facts.Expr{Kind: facts.Tuple}, ctx)
	case kList, kListPattern:
		return w.sequence(n, facts.Expr{Kind: facts.List}, ctx)
	case kSet:
		return w.sequence(n, facts.Expr{Kind: facts.Set}, ctx)
	case kDictionary:
		return w.sequence(n, facts.Expr{Kind: facts.Dict}, ctx)
	case kPair:
		return w.sequence(n, facts.Expr{Kind: facts.KeyValue}, ctx)
	case kInteger, kFloat, kTrue, kFalse, kNone, kEllipsis:
		return w.literal(n)
	case kListSplat, kListSplatPattern, kDictionarySplat, kDictionarySplatPattern:
		return w.splat(n)
	case kConditionalExpression:
		return w.conditional(n)
	case kBooleanOperator:
		return w.boolean(n)
	case kNamedExpression:
		return w.walrus(n)
	case kLambda:
		return w.lambda(n)
	case kListComprehension, kSetComprehension, kDictionaryComprehension, kGeneratorExpression:
		return w.comprehension(n)
	case kAwait:
		return w.operand(n, facts.Expr{Kind: facts.Await})
	case kYield:
		return w.yield(n)
	case kType, kGenericType, kUnionType, kMemberType, kConstrainedType:
		return w.typeExpr(n)
	case kAssignment:
		return w.assignment(n)
	case kAsPattern:
		v, _ := w.asPattern(n)
		return v
	case kComment:
		return 0
	}
	return w.operation(n)
}

// operation reads operators and everything that only has operands.
func (w *walker) operation(n uint32) facts.ExprID {
	e := facts.Expr{Kind: facts.Other}
	switch w.kind(n) {
	case kNotOperator:
		return w.operand(n, facts.Expr{Kind: facts.Unary, Op: facts.OpNot})
	case kUnaryOperator:
		return w.operand(n, facts.Expr{Kind: facts.Unary, Op: facts.OpArith})
	case kComparisonOperator:
		e = facts.Expr{Kind: facts.Binary, Op: facts.OpCompare}
	case kBinaryOperator:
		e = facts.Expr{Kind: facts.Binary, Op: facts.OpArith}
		if op := w.child(n, w.fields.operator); op != 0 {
			switch string(w.text(op)) {
			case "|":
				e.Op = facts.OpBitOr
			case "<<", ">>":
				e.Op = facts.OpShift
			}
		}
	case kSlice:
		e.Kind = facts.Slice
	}
	return w.sequence(n, e, facts.Read)
}

func (w *walker) add(n uint32, e facts.Expr) facts.ExprID {
	e.Scope, e.Pos = w.scope, w.node(n).Start
	return w.b.Expr(e)
}

func (w *walker) name(n uint32, ctx facts.Ctx) facts.ExprID {
	return w.add(n, facts.Expr{Kind: facts.Name, Ctx: ctx, Name: w.b.Intern(w.text(n))})
}

func (w *walker) attribute(n uint32, ctx facts.Ctx) facts.ExprID {
	o, a := w.child(n, w.fields.object), w.child(n, w.fields.attribute)
	if o == 0 || a == 0 || w.broken(a) {
		w.children(n)
		return 0
	}
	x := w.expr(o, facts.Read)
	return w.add(a, facts.Expr{Kind: facts.Select, Ctx: ctx, Name: w.b.Intern(w.text(a)), X: x})
}

func (w *walker) subscript(n uint32, ctx facts.Ctx) facts.ExprID {
	v := w.child(n, w.fields.value)
	var x facts.ExprID
	inner := facts.Read
	if ctx == facts.TypeUse || ctx == facts.Base {
		inner = facts.TypeUse
	} else {
		ctx = facts.Read
	}
	if v != 0 {
		x = w.expr(v, ctx)
	}
	literal := inner == facts.TypeUse && w.lastName(x) == "Literal"
	mark := len(w.kids)
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		if c == v || !w.named(c) {
			continue
		}
		if inner == facts.TypeUse && !literal {
			w.push(w.typeExpr(c))
		} else {
			w.push(w.expr(c, inner))
		}
	}
	return w.finish(n, facts.Expr{Kind: facts.Index, X: x}, mark)
}

// push puts a child on the stack; finish takes the children above mark.
func (w *walker) push(e facts.ExprID) {
	if e != 0 {
		w.kids = append(w.kids, e)
	}
}

func (w *walker) finish(n uint32, e facts.Expr, mark int) facts.ExprID {
	e.Kids = w.b.Range(w.kids[mark:])
	w.kids = w.kids[:mark]
	return w.add(n, e)
}

// sequence reads all named children as kids of e. In type position they are
// types as well.
func (w *walker) sequence(n uint32, e facts.Expr, ctx facts.Ctx) facts.ExprID {
	if ctx != facts.TypeUse && ctx != facts.Delete && ctx != facts.Write {
		ctx = facts.Read
	}
	mark := len(w.kids)
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		if !w.named(c) {
			continue
		}
		if ctx == facts.TypeUse {
			w.push(w.typeExpr(c))
		} else {
			w.push(w.expr(c, ctx))
		}
	}
	return w.finish(n, e, mark)
}

func (w *walker) operand(n uint32, e facts.Expr) facts.ExprID {
	if c := w.lastNamed(n); c != 0 {
		e.X = w.expr(c, facts.Read)
	}
	return w.add(n, e)
}

func (w *walker) splat(n uint32) facts.ExprID {
	k := facts.Spread
	if w.kind(n) == kDictionarySplat || w.kind(n) == kDictionarySplatPattern {
		k = facts.KeySpread
	}
	return w.operand(n, facts.Expr{Kind: k})
}

func (w *walker) literal(n uint32) facts.ExprID {
	e := facts.Expr{Kind: facts.Literal}
	switch w.kind(n) {
	case kInteger:
		e.Lit = facts.IntLit
		if w.node(n).End-w.node(n).Start <= 4 {
			e.Name = w.b.Intern(w.text(n))
		}
	case kFloat:
		e.Lit = facts.FloatLit
	case kTrue, kFalse:
		e.Lit = facts.BoolLit
	case kNone:
		e.Lit = facts.NilLit
	case kEllipsis:
		e.Lit = facts.EllipsisLit
	}
	return w.add(n, e)
}

// conditional reads "a if test else b"; its operands come in source order.
func (w *walker) conditional(n uint32) facts.ExprID {
	var parts [3]uint32
	i := 0
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		if w.named(c) && i < 3 {
			parts[i] = c
			i++
		}
	}
	if i < 3 {
		w.children(n)
		return 0
	}
	w.narrow(parts[1], true, w.node(parts[0]).Start, w.node(parts[0]).End)
	w.narrow(parts[1], false, w.node(parts[2]).Start, w.node(parts[2]).End)
	a := w.expr(parts[0], facts.Read)
	test := w.expr(parts[1], facts.Read)
	b := w.expr(parts[2], facts.Read)
	mark := len(w.kids)
	w.kids = append(w.kids, a, b)
	return w.finish(n, facts.Expr{Kind: facts.Cond, X: test}, mark)
}

func (w *walker) boolean(n uint32) facts.ExprID {
	l, r := w.child(n, w.fields.left), w.child(n, w.fields.right)
	if l == 0 || r == 0 {
		w.children(n)
		return 0
	}
	op := w.child(n, w.fields.operator)
	and := op != 0 && w.text(op)[0] == 'a'
	a := w.expr(l, facts.Read)
	w.narrow(l, and, w.node(r).Start, w.node(r).End)
	b := w.expr(r, facts.Read)
	mark := len(w.kids)
	w.kids = append(w.kids, a, b)
	return w.finish(n, facts.Expr{Kind: facts.Binary, Op: facts.OpBool, Name: w.opName(and)}, mark)
}

// opName keeps which boolean operator it is.
func (w *walker) opName(and bool) facts.NameID {
	if and {
		return w.b.InternString("and")
	}
	return w.b.InternString("or")
}

// walrus binds in the scope around comprehensions.
func (w *walker) walrus(n uint32) facts.ExprID {
	t, v := w.child(n, w.fields.name), w.child(n, w.fields.value)
	if t == 0 || v == 0 {
		return 0
	}
	value := w.expr(v, facts.Read)
	inner := w.scope
	for w.f.Scopes[w.scope].Kind == facts.ScopeComprehension {
		w.scope = w.f.Scopes[w.scope].Parent
	}
	w.variable(t, source{value: value, from: w.node(n).End})
	w.scope = inner
	return value
}

func (w *walker) yield(n uint32) facts.ExprID {
	part, c := facts.PartYield, w.lastNamed(n)
	if f := w.t.First(n); f != 0 {
		for ; f < w.t.Nodes[n].Next; f = w.t.Nodes[f].Next {
			if w.kind(f) == kFrom {
				part = facts.PartElem
			}
		}
	}
	var x facts.ExprID
	if c != 0 && w.kind(c) != kFrom {
		x = w.expr(c, facts.Read)
	}
	if w.fn.scope != 0 {
		w.f.Defs[w.fn.def].Flags |= facts.Generator
	}
	w.returns(x, part)
	return w.add(n, facts.Expr{Kind: facts.Yield, X: x})
}
