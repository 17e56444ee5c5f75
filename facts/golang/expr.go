package golang

import "codeidx/facts"

// expr visits an expression or a type and returns its node, 0 for none. ctx is
// the role of the name at its end: of N in "a.b.N", of N in "N[T]".
func (w *walker) expr(i uint32, ctx facts.Ctx) facts.ExprID {
	if i == 0 {
		return 0
	}
	e := facts.Expr{Ctx: ctx, Scope: w.scope, Pos: w.nodes[i].Start}
	fl := w.fields
	switch w.kind(i) {
	case kIdentifier, kFieldIdentifier:
		return w.name(i, ctx)
	case kTypeIdentifier:
		if string(w.text(i)) == "nil" {
			return w.literal(i, facts.NilLit)
		}
		return w.name(i, asType(ctx))
	case kSelector:
		return w.selectName(i, fl.operand, fl.field, ctx)
	case kQualifiedType:
		return w.selectName(i, fl.packageName, fl.name, asType(ctx))
	case kParenthesized, kLiteralElement:
		return w.expr(w.inner(i), ctx)
	case kTypeElem:
		return w.typeElem(i, ctx)
	case kCall:
		return w.call(i)
	case kTypeConversion:
		e.Kind, e.Ctx = facts.Call, facts.Read
		e.X = w.expr(w.child(i, fl.typ), facts.TypeUse)
		return w.withKids(e, w.expr(w.child(i, fl.operand), facts.Read))
	case kIndexExpr:
		e.Kind = facts.Index
		e.X = w.expr(w.child(i, fl.operand), inner(ctx))
		return w.withKids(e, w.expr(w.child(i, fl.index), facts.Read))
	case kGenericType:
		e.Kind, e.Ctx = facts.Index, facts.TypeUse
		e.X = w.expr(w.child(i, fl.typ), asType(ctx))
		return w.withList(e, w.child(i, fl.typeArguments), facts.TypeUse)
	case kTypeInstantiation:
		e.Kind = facts.Index
		typ := w.child(i, fl.typ)
		e.X = w.expr(typ, ctx)
		mark := len(w.kids)
		w.restOf(i, typ, facts.TypeUse)
		e.Kids = w.popKids(mark)
		return w.b.Expr(e)
	case kSliceExpr:
		e.Kind = facts.Slice
		operand := w.child(i, fl.operand)
		e.X = w.expr(operand, facts.Read)
		mark := len(w.kids)
		w.restOf(i, operand, facts.Read)
		e.Kids = w.popKids(mark)
		return w.b.Expr(e)
	case kUnary:
		return w.unary(i, e)
	case kBinary:
		e.Kind, e.Op, e.Ctx = facts.Binary, w.binaryOp(i), facts.Read
		x := w.expr(w.child(i, fl.left), facts.Read)
		y := w.expr(w.child(i, fl.right), facts.Read)
		return w.withKids(e, x, y)
	case kTypeAssertion:
		e.Kind = facts.Assert
		e.X = w.expr(w.child(i, fl.operand), facts.Read)
		return w.withKids(e, w.expr(w.child(i, fl.typ), facts.TypeUse))
	case kComposite:
		e.Kind, e.Ctx = facts.Composite, facts.Read
		e.X = w.expr(w.child(i, fl.typ), facts.TypeUse)
		return w.withList(e, w.child(i, fl.body), facts.Read)
	case kLiteralValue:
		e.Kind, e.Ctx = facts.Composite, facts.Read
		return w.withList(e, i, facts.Read)
	case kKeyedElement:
		e.Kind, e.Ctx = facts.KeyValue, facts.Read
		k := w.expr(w.child(i, fl.key), facts.CaseField)
		v := w.expr(w.child(i, fl.value), facts.Read)
		return w.withKids(e, k, v)
	case kFuncLiteral:
		return w.funcLiteral(i)
	case kVariadicArgument:
		e.Kind = facts.Spread
		e.X = w.expr(w.inner(i), facts.Read)
		return w.b.Expr(e)
	}
	if id, ok := w.typeExpr(i, e); ok {
		return id
	}
	return w.atom(i, ctx, e)
}

// typeExpr visits the nodes that only types have.
func (w *walker) typeExpr(i uint32, e facts.Expr) (facts.ExprID, bool) {
	fl := w.fields
	e.Ctx = facts.TypeUse
	switch w.kind(i) {
	case kPointerType:
		e.Kind, e.X = facts.Deref, w.expr(w.inner(i), facts.TypeUse)
	case kArrayType:
		e.Kind = facts.ArrayType
		n := w.expr(w.child(i, fl.length), facts.Read)
		e.X = w.expr(w.child(i, fl.element), facts.TypeUse)
		return w.withKids(e, n), true
	case kImplicitArray:
		e.Kind = facts.ArrayType
		e.X = w.expr(w.child(i, fl.element), facts.TypeUse)
		return w.withKids(e, w.b.Expr(facts.Expr{Kind: facts.Literal, Lit: facts.EllipsisLit, Scope: w.scope, Pos: e.Pos})), true
	case kSliceType:
		e.Kind, e.X = facts.ArrayType, w.expr(w.child(i, fl.element), facts.TypeUse)
	case kMapType:
		e.Kind = facts.MapType
		k := w.expr(w.child(i, fl.key), facts.TypeUse)
		e.X = w.expr(w.child(i, fl.value), facts.TypeUse)
		return w.withKids(e, k), true
	case kChanType:
		e.Kind, e.Op, e.X = facts.ChanType, w.direction(i), w.expr(w.child(i, fl.value), facts.TypeUse)
	case kFuncType:
		return w.signature(w.child(i, fl.parameters), w.child(i, fl.result), e.Pos, 0, false), true
	case kStructType:
		return w.structType(i), true
	case kInterfaceType:
		return w.interfaceType(i), true
	case kNegatedType:
		e.Kind, e.X = facts.Unary, w.expr(w.inner(i), facts.TypeUse)
	default:
		return 0, false
	}
	return w.b.Expr(e), true
}

// direction reads the arrow of a channel type.
func (w *walker) direction(i uint32) facts.Op {
	chanSeen := false
	end := w.nodes[i].Next
	for c := i + 1; c < end; c = w.nodes[c].Next {
		switch w.kind(c) {
		case tChan:
			chanSeen = true
		case tArrow:
			if chanSeen {
				return facts.OpSend
			}
			return facts.OpReceive
		}
	}
	return facts.OpOther
}

// atom visits literals; anything else keeps its operands.
func (w *walker) atom(i uint32, ctx facts.Ctx, e facts.Expr) facts.ExprID {
	switch w.kind(i) {
	case kString:
		return w.literal(i, facts.StringLit)
	case kInt:
		return w.literal(i, facts.IntLit)
	case kFloat:
		return w.literal(i, facts.FloatLit)
	case kImaginary:
		return w.literal(i, facts.ComplexLit)
	case kRune:
		return w.literal(i, facts.RuneLit)
	case kBool:
		return w.literal(i, facts.BoolLit)
	case kNil:
		return w.literal(i, facts.NilLit)
	case kIota: // a predeclared name that code does use for its own
		return w.name(i, ctx)
	}
	e.Kind, e.Ctx = facts.Other, facts.Read
	mark := len(w.kids)
	w.restOf(i, 0, facts.Read)
	e.Kids = w.popKids(mark)
	return w.b.Expr(e)
}

func (w *walker) literal(i uint32, lit facts.Lit) facts.ExprID {
	e := facts.Expr{Kind: facts.Literal, Lit: lit, Scope: w.scope, Pos: w.nodes[i].Start}
	text := w.text(i)
	switch lit {
	case facts.IntLit, facts.FloatLit:
		e.Name = w.b.Intern(text)
	case facts.StringLit:
		if len(text) >= 2 && len(text) <= maxStringName {
			e.Name = w.b.Intern(text[1 : len(text)-1])
		}
	}
	return w.b.Expr(e)
}

// maxStringName is the longest string token, in bytes, that is kept as a name.
const maxStringName = 34

func asType(ctx facts.Ctx) facts.Ctx {
	if ctx == facts.Read {
		return facts.TypeUse
	}
	return ctx
}

// inner is the role of X in X[i]: storing into an element reads X.
func inner(ctx facts.Ctx) facts.Ctx {
	if ctx == facts.Callee || ctx == facts.TypeUse {
		return ctx
	}
	return facts.Read
}

// name visits an identifier. The blank one, and one that the parser inserted,
// name nothing.
func (w *walker) name(i uint32, ctx facts.Ctx) facts.ExprID {
	text := w.text(i)
	if blank(text) {
		return w.b.Expr(facts.Expr{Kind: facts.Bad, Scope: w.scope, Pos: w.nodes[i].Start})
	}
	return w.b.Expr(facts.Expr{Kind: facts.Name, Ctx: ctx, Scope: w.scope, Pos: w.nodes[i].Start, Name: w.b.Intern(text)})
}

func (w *walker) selectName(i uint32, operand, name uint8, ctx facts.Ctx) facts.ExprID {
	x := w.expr(w.child(i, operand), facts.Read)
	n := w.child(i, name)
	if n == 0 || w.nodes[n].Start == w.nodes[n].End {
		return w.withKids(facts.Expr{Kind: facts.Other, Scope: w.scope, Pos: w.nodes[i].Start}, x)
	}
	return w.b.Expr(facts.Expr{
		Kind: facts.Select, Ctx: ctx, Scope: w.scope, X: x, Pos: w.nodes[n].Start, Name: w.b.Intern(w.text(n)),
	})
}

func (w *walker) call(i uint32) facts.ExprID {
	e := facts.Expr{Kind: facts.Call, Scope: w.scope, Pos: w.nodes[i].Start}
	e.X = w.expr(w.child(i, w.fields.function), facts.Callee)
	if args := w.child(i, w.fields.typeArguments); args != 0 {
		e.X = w.withList(facts.Expr{Kind: facts.Index, Ctx: facts.Callee, Scope: w.scope, Pos: e.Pos, X: e.X}, args, facts.TypeUse)
	}
	return w.withList(e, w.child(i, w.fields.arguments), facts.Read)
}

func (w *walker) unary(i uint32, e facts.Expr) facts.ExprID {
	operand := w.child(i, w.fields.operand)
	e.Kind, e.Op = facts.Unary, facts.OpArith
	switch w.token(i) {
	case tStar:
		e.Kind, e.Op = facts.Deref, facts.OpOther
	case tAnd:
		e.Kind, e.Op = facts.AddrOf, facts.OpOther
	case tArrow:
		e.Kind, e.Op = facts.Receive, facts.OpOther
	case tNot:
		e.Op = facts.OpNot
	}
	ctx := facts.Read
	if e.Kind == facts.Deref && e.Ctx == facts.TypeUse {
		ctx = facts.TypeUse
	}
	e.X = w.expr(operand, ctx)
	return w.b.Expr(e)
}

func (w *walker) binaryOp(i uint32) facts.Op {
	switch w.token(i) {
	case tCompare:
		return facts.OpCompare
	case tShift:
		return facts.OpShift
	case tLogic:
		return facts.OpBool
	}
	return facts.OpArith
}

func (w *walker) funcLiteral(i uint32) facts.ExprID {
	e := facts.Expr{Kind: facts.Func, Pos: w.nodes[i].Start}
	params, body := w.child(i, w.fields.parameters), w.child(i, w.fields.body)
	outer, outerLocal := w.open(facts.ScopeFunction, w.span(i)), w.local
	w.local = true
	e.Scope = w.scope
	from := w.nodes[i].End
	if body != 0 {
		from = w.nodes[body].Start
	}
	if params != 0 {
		e.X = w.signature(params, w.child(i, w.fields.result), e.Pos, from, true)
	}
	if body != 0 {
		w.stmts(body)
	}
	w.scope, w.local = outer, outerLocal
	return w.b.Expr(e)
}

// exprList pushes the expressions of a list onto the stack of children.
func (w *walker) exprList(i uint32, ctx facts.Ctx) {
	switch {
	case i == 0:
	case w.kind(i) == kExpressionList:
		w.restOf(i, 0, ctx)
	default:
		w.kids = append(w.kids, w.expr(i, ctx))
	}
}

// restOf pushes the solid children of i behind child skip.
func (w *walker) restOf(i, skip uint32, ctx facts.Ctx) {
	end := w.nodes[i].Next
	for c := i + 1; c < end; c = w.nodes[c].Next {
		if c != skip && w.solid(c) {
			w.kids = append(w.kids, w.expr(c, ctx))
		}
	}
}

func (w *walker) withKids(e facts.Expr, kids ...facts.ExprID) facts.ExprID {
	return w.b.Expr(e, kids...)
}

// withList appends a node whose children are those of list.
func (w *walker) withList(e facts.Expr, list uint32, ctx facts.Ctx) facts.ExprID {
	mark := len(w.kids)
	if list != 0 {
		w.restOf(list, 0, ctx)
	}
	e.Kids = w.popKids(mark)
	return w.b.Expr(e)
}
