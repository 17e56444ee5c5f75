package ecma

import (
	"codeidx/facts"
)

// typeExpr reads a type: the nodes of values, names as TypeUse.
func (w *walker) typeExpr(n uint32) facts.ExprID {
	if n == 0 || w.broken(n) {
		return 0
	}
	switch w.kind(n) {
	case kTypeAnnotation, kParenthesizedType, kReadonlyType, kTypePredicateAnnotation, kAssertsAnnotation, kConstraint,
		kOptionalType, kOmittingTypeAnnotation, kOptingTypeAnnotation, kAddingTypeAnnotation, kDefaultType:
		return w.typeExpr(w.only(n))
	case kTypeIdentifier, kIdentifier:
		return w.add(n, facts.Expr{Kind: facts.Name, Ctx: facts.TypeUse, Name: w.name(n)})
	case kPredefinedType, kThisType, kThis:
		return w.add(n, facts.Expr{Kind: facts.Name, Ctx: facts.Echo, Name: w.name(n)})
	case kNestedTypeIdentifier, kNestedIdentifier, kMemberExpression:
		return w.qualified(n)
	case kGenericType:
		x := w.typeExpr(w.child(n, w.fields.name))
		if t := w.child(n, w.fields.typeArgs); t != 0 {
			return w.applied(t, x)
		}
		return x
	case kUnionType:
		return w.typeOperands(n, facts.Expr{Kind: facts.Union})
	case kIntersectionType:
		return w.typeOperands(n, facts.Expr{Kind: facts.Intersect})
	case kArrayType:
		return w.add(n, facts.Expr{Kind: facts.ArrayType, X: w.typeExpr(w.only(n))})
	case kTupleType:
		return w.tupleType(n)
	case kObjectType:
		return w.objectType(n)
	case kFunctionType:
		return w.functionType(n)
	case kConstructorType:
		e := w.functionType(n)
		w.f.Exprs[e].Name = w.b.InternString("new")
		return e
	case kLiteralType:
		return w.literalType(n)
	}
	return w.typeOperator(n)
}

func (w *walker) typeOperator(n uint32) facts.ExprID {
	switch w.kind(n) {
	case kIndexTypeQuery:
		return w.add(n, facts.Expr{Kind: facts.Unary, Op: facts.OpKeyof, X: w.typeExpr(w.only(n))})
	case kTypeQuery:
		if c := w.only(n); c != 0 {
			x := w.expr(c, facts.TypeUse)
			return w.add(n, facts.Expr{Kind: facts.Unary, Op: facts.OpTypeof, X: x})
		}
		return 0
	case kLookupType:
		return w.typeOperands(n, facts.Expr{Kind: facts.Lookup})
	case kConditionalType:
		return w.conditionalType(n)
	case kInferType:
		return w.inferType(n)
	case kRestType:
		return w.add(n, facts.Expr{Kind: facts.Spread, X: w.typeExpr(w.only(n))})
	case kTypePredicate:
		return w.predicate(n, "is")
	case kAsserts:
		if c := w.only(n); c != 0 && w.kind(c) == kTypePredicate {
			return w.predicate(c, "asserts")
		}
		return w.add(n, facts.Expr{Kind: facts.Name, Ctx: facts.Echo, Name: w.b.InternString("void")})
	case kCallExpression:
		return w.expr(n, facts.TypeUse)
	case kTemplateLiteralType:
		return w.templateType(n)
	case kRequiredParameter, kOptionalParameter:
		return w.typeExpr(w.child(n, w.fields.typ))
	case kComment:
		return 0
	}
	return w.typeOperands(n, facts.Expr{Kind: facts.Other})
}

func (w *walker) typeOperands(n uint32, e facts.Expr) facts.ExprID {
	mark := len(w.kids)
	for c := n + 1; c < w.next(n); c = w.next(c) {
		if w.named(c) {
			w.push(w.typeExpr(c))
		}
	}
	e.Kids = w.take(mark)
	return w.add(n, e)
}

// qualified reads "A.B" in type position.
func (w *walker) qualified(n uint32) facts.ExprID {
	var x facts.ExprID
	last := w.last(n)
	for c := n + 1; c < w.next(n); c = w.next(c) {
		switch {
		case !w.named(c):
		case c == last:
			if x == 0 {
				return w.typeExpr(c)
			}
			return w.add(c, facts.Expr{Kind: facts.Select, Ctx: facts.TypeUse, Name: w.name(c), X: x})
		case w.kind(c) == kCallExpression:
			x = w.expr(c, facts.Read)
		default:
			x = w.typeExpr(c)
		}
	}
	return x
}

// tupleType reads "[A, name: B, ...C]".
func (w *walker) tupleType(n uint32) facts.ExprID {
	mark := len(w.kids)
	for c := n + 1; c < w.next(n); c = w.next(c) {
		if !w.named(c) {
			continue
		}
		e := w.typeExpr(c)
		if p := w.child(c, w.fields.name); p != 0 && w.kind(p) == kRestPattern && e != 0 {
			e = w.add(c, facts.Expr{Kind: facts.Spread, X: e})
		}
		w.push(e)
	}
	return w.add(n, facts.Expr{Kind: facts.Tuple, Ctx: facts.TypeUse, Kids: w.take(mark)})
}

// objectType reads "{…}"; its members are definitions of the definition around.
func (w *walker) objectType(n uint32) facts.ExprID {
	outer, outerFlags := w.scope, w.flags
	w.flags &= facts.Declared
	w.scope = w.openScope(facts.ScopeClass, n, w.def)
	scope := w.scope
	index := w.typeMembers(n)
	w.scope, w.flags = outer, outerFlags
	mark := len(w.kids)
	w.push(index)
	return w.add(n, facts.Expr{Kind: facts.StructType, Scope: scope, Kids: w.take(mark)})
}

// functionType reads parameters and result of a function type or signature.
func (w *walker) functionType(n uint32) facts.ExprID {
	outer, outerFn := w.scope, w.fn
	if tp := w.child(n, w.fields.typeParams); tp != 0 {
		w.typeParams(tp, w.def)
	}
	w.scope = w.openScope(facts.ScopeFunction, n, w.def)
	scope := w.scope
	w.fn.members = 0
	if p := w.child(n, w.fields.params); p != 0 {
		w.parameters(p, facts.Span{})
	}
	r := w.child(n, w.fields.result)
	if r == 0 {
		r = w.child(n, w.fields.typ)
	}
	x := w.typeExpr(r)
	w.scope, w.fn = outer, outerFn
	return w.add(n, facts.Expr{Kind: facts.FuncType, X: x, Scope: scope})
}

func (w *walker) literalType(n uint32) facts.ExprID {
	c := w.only(n)
	if c == 0 {
		return 0
	}
	if w.kind(c) == kUndefined {
		return w.add(n, facts.Expr{Kind: facts.Literal, Lit: facts.NilLit})
	}
	return w.expr(c, facts.Read)
}

// conditionalType reads "A extends B ? C : D": X is A, Kids are B, C, D.
func (w *walker) conditionalType(n uint32) facts.ExprID {
	outer := w.scope
	w.scope = w.openScope(facts.ScopeTypeParams, n, w.def)
	x := w.typeExpr(w.child(n, w.fields.left))
	mark := len(w.kids)
	for _, f := range [...]uint8{w.fields.right, w.fields.consequence, w.fields.alternative} {
		w.kids = append(w.kids, w.typeExpr(w.child(n, f)))
	}
	e := w.add(n, facts.Expr{Kind: facts.Cond, Ctx: facts.TypeUse, X: x, Kids: w.take(mark)})
	w.scope = outer
	return e
}

func (w *walker) inferType(n uint32) facts.ExprID {
	c := w.only(n)
	if c == 0 {
		return 0
	}
	w.bind(facts.Bind{Kind: facts.BindTypeParam, Name: w.name(c), Pos: w.node(c).Start})
	return w.add(c, facts.Expr{Kind: facts.Name, Ctx: facts.Echo, Name: w.name(c)})
}

// predicate reads "x is T" and "asserts x is T".
func (w *walker) predicate(n uint32, word string) facts.ExprID {
	name := w.child(n, w.fields.name)
	t := w.typeExpr(w.child(n, w.fields.typ))
	var x facts.ExprID
	if name != 0 {
		x = w.add(name, facts.Expr{Kind: facts.Name, Ctx: facts.Echo, Name: w.name(name)})
	}
	mark := len(w.kids)
	w.push(t)
	return w.add(n, facts.Expr{Kind: facts.Assert, Name: w.b.InternString(word), X: x, Kids: w.take(mark)})
}

func (w *walker) templateType(n uint32) facts.ExprID {
	mark := len(w.kids)
	for c := n + 1; c < w.next(n); c = w.next(c) {
		if w.kind(c) == kTemplateType {
			w.push(w.typeExpr(w.only(c)))
		}
	}
	return w.add(n, facts.Expr{Kind: facts.Template, Lit: facts.StringLit, Kids: w.take(mark)})
}
