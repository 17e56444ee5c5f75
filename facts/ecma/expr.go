package ecma

import (
	"bytes"

	"codeidx/facts"
)

// valueExpr reads an expression whose object literals give definitions: the
// value of a variable, field or export, or a returned value.
func (w *walker) valueExpr(n uint32) facts.ExprID {
	outer := w.depth
	w.depth = 1
	e := w.expr(n, facts.Read)
	w.depth = outer
	return e
}

// expr reads one expression and returns its node, 0 for what is broken or
// stands for nothing.
func (w *walker) expr(n uint32, ctx facts.Ctx) facts.ExprID {
	if w.broken(n) {
		if w.kind(n) == kError {
			w.recover(n)
		}
		return 0
	}
	depth := w.depth
	switch w.kind(n) {
	case kObject, kParenthesizedExpression, kAsExpression, kSatisfiesExpression, kTernaryExpression, kAssignmentExpression,
		kArray, kBinaryExpression, kAwaitExpression, kCallExpression, kNonNullExpression:
	default:
		w.depth = 0
	}
	e := w.exprOf(n, ctx)
	w.depth = depth
	return e
}

func (w *walker) exprOf(n uint32, ctx facts.Ctx) facts.ExprID {
	switch w.kind(n) {
	case kIdentifier, kThis, kSuper, kUndefined, kShorthandPropertyIdentifier, kImport, kPropertyIdentifier:
		return w.add(n, facts.Expr{Kind: facts.Name, Ctx: ctx, Name: w.name(n)})
	case kMemberExpression:
		return w.memberExpr(n, ctx)
	case kCallExpression:
		return w.call(n)
	case kNewExpression:
		return w.newExpr(n)
	case kSubscriptExpression:
		return w.subscript(n)
	case kParenthesizedExpression:
		if c := w.only(n); c != 0 {
			return w.cast(n, w.expr(c, ctx))
		}
		return 0
	case kNonNullExpression:
		return w.nonNull(n, ctx)
	case kAsExpression, kSatisfiesExpression, kTypeAssertion:
		return w.asExpr(n)
	case kInstantiationExpression:
		return w.instantiation(n, ctx)
	case kString, kNumber, kTrue, kFalse, kNull, kRegex:
		return w.literal(n)
	case kTemplateString:
		return w.template(n)
	case kArray:
		return w.sequence(n, facts.Expr{Kind: facts.List})
	case kObject:
		return w.object(n)
	case kSpreadElement:
		return w.operand(n, facts.Expr{Kind: facts.Spread})
	case kArrowFunction, kFunctionExpression, kGeneratorFunction:
		return w.functionExpr(n)
	case kClass, kClassDeclaration:
		return w.classExpr(n)
	case kJsxElement, kJsxSelfClosingElement:
		return w.jsx(n)
	}
	return w.operation(n, ctx)
}

// nonNull reads "x!". The grammar takes "void x!" for "(void x)!": there the
// operand is what the mark stands behind.
func (w *walker) nonNull(n uint32, ctx facts.Ctx) facts.ExprID {
	c := w.only(n)
	if c == 0 {
		return 0
	}
	e := w.expr(c, ctx)
	if k := w.kind(c); (k == kUnaryExpression || k == kAwaitExpression) && e != 0 {
		return w.f.Exprs[e].X
	}
	return e
}

// operation reads operators and whatever only has operands.
func (w *walker) operation(n uint32, ctx facts.Ctx) facts.ExprID {
	switch w.kind(n) {
	case kAssignmentExpression:
		return w.assignment(n)
	case kAugmentedAssignmentExpression:
		return w.augmented(n)
	case kBinaryExpression:
		return w.binary(n)
	case kUnaryExpression:
		return w.unary(n)
	case kTernaryExpression:
		return w.ternary(n)
	case kAwaitExpression:
		return w.operand(n, facts.Expr{Kind: facts.Await})
	case kYieldExpression:
		return w.yield(n)
	case kSequenceExpression:
		return w.sequence(n, facts.Expr{Kind: facts.Tuple})
	case kUpdateExpression:
		return w.operand(n, facts.Expr{Kind: facts.Unary, Op: facts.OpArith})
	case kMetaProperty:
		return w.add(n, facts.Expr{Kind: facts.Name, Ctx: facts.Echo, Name: w.name(n)})
	case kComment, kHtmlComment:
		return 0
	}
	return w.sequence(n, facts.Expr{Kind: facts.Other})
}

func (w *walker) operand(n uint32, e facts.Expr) facts.ExprID {
	if c := w.last(n); c != 0 {
		e.X = w.expr(c, facts.Read)
	}
	return w.add(n, e)
}

// sequence reads all named children as kids of e.
func (w *walker) sequence(n uint32, e facts.Expr) facts.ExprID {
	mark := len(w.kids)
	for c := n + 1; c < w.next(n); c = w.next(c) {
		switch {
		case !w.named(c):
			if w.kind(c) == kError {
				w.recover(c)
			}
		case w.statementNode(c):
			w.statement(c)
		default:
			w.push(w.expr(c, facts.Read))
		}
	}
	e.Kids = w.take(mark)
	return w.add(n, e)
}

// statementNode says whether a node below an unknown expression is a statement.
func (w *walker) statementNode(n uint32) bool {
	switch w.kind(n) {
	case kStatementBlock, kExpressionStatement, kReturnStatement, kLexicalDeclaration, kVariableDeclaration, kIfStatement:
		return true
	}
	return false
}

func (w *walker) memberExpr(n uint32, ctx facts.Ctx) facts.ExprID {
	o, p := w.child(n, w.fields.object), w.child(n, w.fields.property)
	if o == 0 || p == 0 || w.broken(p) {
		w.parts(n)
		return 0
	}
	x := w.expr(o, facts.Read)
	if x == 0 {
		return 0
	}
	return w.add(p, facts.Expr{Kind: facts.Select, Ctx: ctx, Name: w.name(p), X: x})
}

func (w *walker) call(n uint32) facts.ExprID {
	fn, args := w.child(n, w.fields.function), w.child(n, w.fields.args)
	depth := w.depth
	w.depth = 0
	var x facts.ExprID
	if fn != 0 {
		x = w.expr(fn, facts.Callee)
	}
	if t := w.child(n, w.fields.typeArgs); t != 0 {
		x = w.applied(t, x)
	}
	if fn != 0 && bytes.HasPrefix(w.text(fn), []byte("Object.")) {
		w.depth = depth // Object.freeze and Object.assign keep their argument
	}
	mark := len(w.kids)
	switch {
	case args == 0:
	case w.kind(args) == kTemplateString:
		w.push(w.expr(args, facts.Read))
	default:
		w.importCall(fn, args)
		w.arguments(args)
	}
	w.depth = depth
	return w.add(n, facts.Expr{Kind: facts.Call, X: x, Kids: w.take(mark)})
}

// arguments reads an argument list onto the stack.
func (w *walker) arguments(n uint32) {
	for c := n + 1; c < w.next(n); c = w.next(c) {
		if w.named(c) {
			w.push(w.expr(c, facts.Read))
		} else if w.kind(c) == kError {
			w.recover(c)
		}
	}
}

func (w *walker) newExpr(n uint32) facts.ExprID {
	var x facts.ExprID
	if c := w.child(n, w.fields.constructor); c != 0 {
		x = w.expr(c, facts.Callee)
	}
	if t := w.child(n, w.fields.typeArgs); t != 0 {
		x = w.applied(t, x)
	}
	mark := len(w.kids)
	if a := w.child(n, w.fields.args); a != 0 {
		w.arguments(a)
	}
	return w.add(n, facts.Expr{Kind: facts.New, X: x, Kids: w.take(mark)})
}

// applied is x with the type arguments at t.
func (w *walker) applied(t uint32, x facts.ExprID) facts.ExprID {
	mark := len(w.kids)
	w.typeArguments(t)
	kids := w.take(mark)
	if x == 0 {
		return 0
	}
	return w.add(t, facts.Expr{Kind: facts.Index, Ctx: facts.TypeUse, X: x, Kids: kids})
}

func (w *walker) typeArguments(t uint32) {
	for c := t + 1; c < w.next(t); c = w.next(c) {
		if w.named(c) {
			w.push(w.typeExpr(c))
		}
	}
}

func (w *walker) instantiation(n uint32, ctx facts.Ctx) facts.ExprID {
	var x facts.ExprID
	for c := n + 1; c < w.next(n); c = w.next(c) {
		switch {
		case w.kind(c) == kTypeArguments:
			x = w.applied(c, x)
		case w.named(c):
			x = w.expr(c, ctx)
		}
	}
	return x
}

// subscript reads "x[i]". A literal string or number stays readable.
func (w *walker) subscript(n uint32) facts.ExprID {
	o, i := w.child(n, w.fields.object), w.child(n, w.fields.index)
	var x facts.ExprID
	if o != 0 {
		x = w.expr(o, facts.Read)
	}
	mark := len(w.kids)
	if i != 0 {
		w.push(w.expr(i, facts.Read))
	}
	return w.add(n, facts.Expr{Kind: facts.Index, X: x, Kids: w.take(mark)})
}

func (w *walker) asExpr(n uint32) facts.ExprID {
	var x, t facts.ExprID
	for c := n + 1; c < w.next(n); c = w.next(c) {
		switch {
		case !w.named(c):
			if w.kind(c) == tConst {
				return x
			}
		case w.kind(n) == kTypeAssertion && w.kind(c) == kTypeArguments:
			t = w.typeExpr(w.only(c))
		case x == 0 && (w.kind(n) != kTypeAssertion || w.kind(c) != kTypeArguments):
			x = w.expr(c, facts.Read)
		default:
			t = w.typeExpr(c)
		}
	}
	e := facts.Expr{Kind: facts.Assert, X: x}
	if w.kind(n) == kSatisfiesExpression {
		e.Name = w.b.InternString("satisfies")
	}
	mark := len(w.kids)
	w.push(t)
	e.Kids = w.take(mark)
	return w.add(n, e)
}

const maxNumber = 6

func (w *walker) literal(n uint32) facts.ExprID {
	e := facts.Expr{Kind: facts.Literal}
	switch w.kind(n) {
	case kString:
		e.Lit = facts.StringLit
		if s := w.content(n); len(s) > 0 && len(s) <= maxStringName {
			e.Name = w.b.Intern(s)
		}
	case kNumber:
		e.Lit = facts.IntLit
		if s := w.text(n); len(s) <= maxNumber {
			e.Name = w.b.Intern(s)
		}
	case kTrue, kFalse:
		e.Lit, e.Name = facts.BoolLit, w.name(n)
	case kNull:
		e.Lit = facts.NilLit
	case kRegex:
		e.Lit = facts.RegexpLit
	}
	return w.add(n, e)
}

func (w *walker) template(n uint32) facts.ExprID {
	mark := len(w.kids)
	for c := n + 1; c < w.next(n); c = w.next(c) {
		if w.kind(c) == kTemplateSubstitution {
			if e := w.only(c); e != 0 {
				w.push(w.expr(e, facts.Read))
			}
		}
	}
	return w.add(n, facts.Expr{Kind: facts.Template, Lit: facts.StringLit, Kids: w.take(mark)})
}

func (w *walker) functionExpr(n uint32) facts.ExprID {
	outerFlags, outerDef, outerScope := w.flags, w.def, w.scope
	w.flags = 0
	name := "function"
	if w.kind(n) == kArrowFunction {
		name = "=>"
	}
	m := w.modifiers(n)
	if m&facts.Generator != 0 {
		name += "*"
	}
	if m&facts.Async != 0 {
		if name == "=>" {
			name = " =>"
		} else {
			name = " " + name
		}
		name = "async" + name
	}
	if id := w.child(n, w.fields.name); id != 0 {
		w.scope = w.openScope(facts.ScopeBlock, n, w.def)
	}
	scope, result := w.function(n, w.def, 0)
	e := w.add(n, facts.Expr{Kind: facts.Func, Name: w.b.InternString(name), X: result, Scope: scope})
	if id := w.child(n, w.fields.name); id != 0 {
		w.bind(facts.Bind{Kind: facts.BindConst, Name: w.name(id), Pos: w.node(id).Start, Value: e})
	}
	w.flags, w.def, w.scope = outerFlags, outerDef, outerScope
	return e
}

// classExpr reads a class expression; its definition is called like the class
// or not at all.
func (w *walker) classExpr(n uint32) facts.ExprID {
	outerFlags, outerScope := w.flags, w.scope
	w.flags = 0
	d := facts.Def{Kind: facts.DefClass, Flags: w.defFlags(), Parent: w.def, Span: w.span(n), NamePos: w.node(n).Start, SigEnd: w.node(n).Start}
	nameNode := w.child(n, w.fields.name)
	if nameNode != 0 {
		d.Name, d.NamePos = w.name(nameNode), w.node(nameNode).Start
		w.scope = w.openScope(facts.ScopeBlock, n, w.def)
	} else {
		d.Name = w.b.InternString("class")
	}
	id := w.b.Def(d)
	if nameNode != 0 {
		w.bind(facts.Bind{Kind: facts.BindDef, Name: d.Name, Pos: d.NamePos, Def: id})
	}
	decorators := w.decorators(n)
	w.f.Defs[id].Decorators = decorators
	scope := w.class(n, id)
	w.flags, w.scope = outerFlags, outerScope
	return w.add(n, facts.Expr{Kind: facts.ClassExpr, Scope: scope})
}

func (w *walker) yield(n uint32) facts.ExprID {
	part := facts.PartYield
	if w.first(n, tStar) != 0 {
		part = facts.PartElem
	}
	var x facts.ExprID
	if c := w.last(n); c != 0 {
		x = w.expr(c, facts.Read)
	}
	if x != 0 && w.fn.scope != 0 {
		w.b.Bind(facts.Bind{Kind: facts.BindReturn, Part: part, Scope: w.fn.scope, Pos: w.f.Exprs[x].Pos, Value: x})
	}
	return w.add(n, facts.Expr{Kind: facts.Yield, X: x})
}
