package php

import (
	"codeidx/facts"
)

func (w *walker) call(n uint32) facts.ExprID {
	var x facts.ExprID
	switch w.kind(n) {
	case kFunctionCall:
		f := w.child(n, w.fields.function)
		if f == 0 {
			return 0
		}
		ctx := facts.Callee
		if w.kind(f) == kParenthesized {
			ctx = facts.Read // ($this->handler)(…) reads a property
		}
		x = w.expr(f, ctx)
	case kScopedCall:
		s := w.child(n, w.fields.scope)
		if s == 0 {
			return 0
		}
		x = w.selection(n, w.className(s, facts.TypeUse), facts.Scoped, facts.Callee)
	default:
		o := w.child(n, w.fields.object)
		if o == 0 {
			return 0
		}
		x = w.selection(n, w.expr(o, facts.Read), facts.Select, facts.Callee)
	}
	mark := len(w.kids)
	if args := w.child(n, w.fields.arguments); args != 0 {
		w.arguments(args)
	}
	id := w.finish(n, facts.Expr{Kind: facts.Call, X: x}, mark)
	w.defined(n, id)
	w.asserted(n)
	return id
}

// arguments reads an argument list onto the stack.
func (w *walker) arguments(args uint32) {
	w.each(args, func(c uint32) {
		switch w.kind(c) {
		case kPlaceholder:
			w.push(w.add(c, facts.Expr{Kind: facts.Spread}))
		case kArgument:
			w.argument(c)
		case kError:
			w.recover(c)
		}
	})
}

func (w *walker) argument(n uint32) {
	name := w.child(n, w.fields.name)
	v := uint32(0)
	w.each(n, func(c uint32) {
		if c != name && w.node(c).Field != w.fields.refModifier {
			v = c
		}
	})
	if v == 0 {
		return
	}
	x := w.argumentValue(v)
	if name != 0 {
		x = w.add(name, facts.Expr{Kind: facts.Keyword, Name: w.b.Intern(w.text(name)), X: x})
	}
	w.push(x)
}

// argumentValue reads an argument or array element, "...$x" included.
func (w *walker) argumentValue(n uint32) facts.ExprID {
	if w.kind(n) != kUnpacking {
		return w.expr(n, facts.Read)
	}
	var x facts.ExprID
	if c := w.firstNamed(n); c != 0 {
		x = w.expr(c, facts.Read)
	}
	return w.add(n, facts.Expr{Kind: facts.Spread, X: x})
}

// construction reads "new Class(args)" and "new class(args) {…}".
func (w *walker) construction(n uint32) facts.ExprID {
	c := w.firstNamed(n)
	if c == 0 {
		return 0
	}
	if w.kind(c) == kAnonymousClass {
		return w.anonymousClass(n, c)
	}
	x := w.className(c, facts.Callee)
	mark := len(w.kids)
	if args := w.first(n, kArguments); args != 0 {
		w.arguments(args)
	}
	return w.finish(n, facts.Expr{Kind: facts.New, X: x}, mark)
}

func (w *walker) anonymousClass(n, c uint32) facts.ExprID {
	mark := len(w.kids)
	if args := w.first(c, kArguments); args != 0 {
		w.arguments(args)
	}
	scope := w.classLike(c)
	x := w.add(c, facts.Expr{Kind: facts.ClassExpr})
	w.f.Exprs[x].Scope = scope
	return w.finish(n, facts.Expr{Kind: facts.New, X: x}, mark)
}

// defined makes the definition that a call of define() with a literal name states.
func (w *walker) defined(n uint32, call facts.ExprID) {
	f := w.child(n, w.fields.function)
	if w.kind(n) != kFunctionCall || f == 0 {
		return
	}
	if t := w.text(f); !equalFold(t, "define") && !equalFold(t, `\define`) {
		return
	}
	kids := w.f.KidsOf(w.f.Exprs[call].Kids)
	if len(kids) < 2 {
		return
	}
	lit := &w.f.Exprs[kids[0]]
	if lit.Kind != facts.Literal || lit.Lit != facts.StringLit || lit.Name == 0 {
		return
	}
	d := facts.Def{
		Kind: facts.DefConstant, Flags: w.flow.flags | facts.Exported, Name: lit.Name, Scope: 0, Span: w.span(n), NamePos: lit.Pos + 1,
		Value: kids[1],
	}
	d.SigEnd = w.lineEnd(d.Span)
	id := w.b.Def(d)
	w.b.Bind(facts.Bind{Kind: facts.BindConst, Scope: 0, Name: lit.Name, Pos: d.NamePos, Value: kids[1], Def: id})
}

// asserted narrows by assert($x instanceof A) up to the end of the branch.
func (w *walker) asserted(n uint32) {
	f := w.child(n, w.fields.function)
	if w.kind(n) != kFunctionCall || f == 0 {
		return
	}
	if t := w.text(f); !equalFold(t, "assert") && !equalFold(t, `\assert`) {
		return
	}
	args := w.child(n, w.fields.arguments)
	if args == 0 {
		return
	}
	if a := w.first(args, kArgument); a != 0 {
		if c := w.firstNamed(a); c != 0 {
			w.narrow(c, true, w.node(n).End, w.flow.end())
		}
	}
}

// closure reads "function (…) use (…) {…}".
func (w *walker) closure(n uint32) facts.ExprID {
	w.attributes(n)
	outer := w.enter(n)
	if p := w.child(n, w.fields.parameters); p != 0 {
		w.parameters(p)
	}
	if u := w.first(n, kUseClause); u != 0 {
		w.captures(u, outer)
	}
	w.resultType(n)
	if b := w.child(n, w.fields.body); b != 0 {
		w.block(b)
	}
	inner := w.scope
	id := w.leave(n, outer)
	if u := w.first(n, kUseClause); u != 0 {
		w.writtenBack(n, u, inner)
	}
	return id
}

// writtenBack binds the variables that a closure uses by reference to what it
// may leave in them.
func (w *walker) writtenBack(n, use uint32, inner facts.ScopeID) {
	end := w.node(n).End
	w.each(use, func(c uint32) {
		if w.kind(c) != kByRef {
			return
		}
		v := w.firstNamed(c)
		if v == 0 || w.kind(v) != kVariable {
			return
		}
		name := w.b.Intern(w.text(v))
		value := w.b.Expr(facts.Expr{Kind: facts.Name, Ctx: facts.Echo, Name: name, Scope: inner, Pos: end})
		w.b.Bind(facts.Bind{
			Kind: facts.BindVar, Scope: w.vars, Name: name, Pos: end, From: end, To: end, Merge: end, Flags: facts.CondBind, Value: value,
		})
	})
}

// captures binds what a closure uses to the variables around it.
func (w *walker) captures(n uint32, outer state) {
	w.each(n, func(c uint32) {
		v := c
		if w.kind(c) == kByRef {
			v = w.firstNamed(c)
		}
		if v == 0 || w.kind(v) != kVariable {
			return
		}
		name := w.b.Intern(w.text(v))
		value := w.add(v, facts.Expr{Kind: facts.Name, Name: name})
		w.f.Exprs[value].Scope = outer.scope
		w.b.Bind(facts.Bind{Kind: facts.BindVar, Scope: w.vars, Name: name, Pos: w.node(v).Start, Value: value})
	})
}

func (w *walker) arrow(n uint32) facts.ExprID {
	w.attributes(n)
	outer := w.enter(n)
	if p := w.child(n, w.fields.parameters); p != 0 {
		w.parameters(p)
	}
	w.resultType(n)
	if b := w.child(n, w.fields.body); b != 0 {
		v := w.expr(b, facts.Read)
		w.b.Bind(facts.Bind{Kind: facts.BindReturn, Scope: w.vars, Pos: w.node(b).Start, Value: v})
	}
	return w.leave(n, outer)
}

// resultType states the declared result of a function literal.
func (w *walker) resultType(n uint32) {
	if t := w.child(n, w.fields.returnType); t != 0 {
		e := w.typeExpr(t)
		w.b.Bind(facts.Bind{Kind: facts.BindResult, Scope: w.vars, Pos: w.node(t).Start, Type: e})
	}
}

// state is what entering a function literal replaces.
type state struct {
	scope, vars facts.ScopeID
	flow        flow
	doc         uint32
}

func (w *walker) enter(n uint32) state {
	s := state{w.scope, w.vars, w.flow, w.doc}
	w.scope = w.b.Scope(facts.Scope{Kind: facts.ScopeFunction, Parent: w.scope, Def: w.def, Span: w.span(n)})
	w.vars, w.flow, w.doc = w.scope, flow{}, 0
	return s
}

func (w *walker) leave(n uint32, s state) facts.ExprID {
	scope := w.scope
	w.scope, w.vars, w.flow, w.doc = s.scope, s.vars, s.flow, s.doc
	id := w.add(n, facts.Expr{Kind: facts.Func})
	w.f.Exprs[id].Scope = scope
	return id
}
