package ecma

import (
	"codeidx/facts"
)

// object reads an object literal. Where w.depth says so, its members are
// definitions in a scope of its own.
func (w *walker) object(n uint32) facts.ExprID {
	var scope facts.ScopeID
	if w.depth > 0 {
		scope = w.openScope(facts.ScopeClass, n, w.def)
	}
	return w.objectIn(n, scope)
}

// objectIn reads an object literal whose members are defined in scope, or not
// at all where that is 0.
func (w *walker) objectIn(n uint32, scope facts.ScopeID) facts.ExprID {
	outerFn := w.fn
	mark := len(w.kids)
	for c := n + 1; c < w.next(n); c = w.next(c) {
		switch w.kind(c) {
		case kPair:
			w.push(w.pair(c, scope))
		case kShorthandPropertyIdentifier:
			w.push(w.shorthand(c, scope))
		case kMethodDefinition:
			w.push(w.objectMethod(c, scope))
		case kSpreadElement:
			w.push(w.operand(c, facts.Expr{Kind: facts.Spread}))
		case kObjectAssignmentPattern:
			w.parts(c)
		case kError:
			w.recover(c)
		}
	}
	w.fn = outerFn
	return w.add(n, facts.Expr{Kind: facts.Dict, Scope: scope, Kids: w.take(mark)})
}

// inScope calls read with s as the scope in which members are bound.
func (w *walker) inScope(s facts.ScopeID, read func()) {
	outer := w.scope
	w.scope = s
	read()
	w.scope = outer
}

// memberOf defines a member of an object literal; no definition without scope.
func (w *walker) memberOf(scope facts.ScopeID, d facts.Def) (id facts.DefID) {
	if scope == 0 || d.Name == 0 {
		return 0
	}
	w.inScope(scope, func() { id = w.member(d) })
	return id
}

func (w *walker) pair(c uint32, scope facts.ScopeID) facts.ExprID {
	name, pos := w.memberName(c)
	v := w.child(c, w.fields.value)
	id := w.memberOf(scope, facts.Def{
		Kind: facts.DefProperty, Name: name, Span: w.span(c), NamePos: pos, SigEnd: w.signatureEnd(c, pos), Doc: w.docOf(c),
	})
	var x facts.ExprID
	if v != 0 {
		x = w.memberValue(v, id)
	}
	if name == 0 {
		mark := len(w.kids)
		w.push(w.b.Expr(facts.Expr{Kind: facts.Other, Ctx: facts.Echo, Scope: w.scope, Pos: pos}))
		w.push(x)
		return w.add(c, facts.Expr{Kind: facts.KeyValue, Kids: w.take(mark)})
	}
	e := w.add(c, facts.Expr{Kind: facts.Keyword, Name: name, X: x})
	w.f.Exprs[e].Pos = pos
	return e
}

// memberValue reads the value of a member.
func (w *walker) memberValue(v uint32, id facts.DefID) facts.ExprID {
	depth := w.depth
	var x facts.ExprID
	if id != 0 {
		x = w.valueOf(v, id)
		w.describe(id, x)
	} else {
		x = w.expr(v, facts.Read)
	}
	w.depth = depth
	return x
}

func (w *walker) shorthand(c uint32, scope facts.ScopeID) facts.ExprID {
	name := w.name(c)
	id := w.memberOf(scope, facts.Def{Kind: facts.DefProperty, Name: name, Span: w.span(c), NamePos: w.node(c).Start, SigEnd: w.node(c).End})
	x := w.expr(c, facts.Read)
	if id != 0 {
		w.f.Defs[id].Value = x
	}
	return w.add(c, facts.Expr{Kind: facts.Keyword, Name: name, X: x})
}

// objectMethod reads "name() {…}" of an object literal.
func (w *walker) objectMethod(c uint32, scope facts.ScopeID) facts.ExprID {
	name, pos := w.memberName(c)
	flags := w.modifiers(c)
	id := w.memberOf(scope, facts.Def{Kind: facts.DefMethod, Flags: flags, Name: name, Span: w.span(c), NamePos: pos, Doc: w.docOf(c)})
	def := w.def
	if id != 0 {
		def = id
	}
	depth := w.depth
	w.fn.owner, w.fn.members = 0, 0
	fs, result := w.function(c, def, id)
	w.depth = depth
	kind := "function"
	if flags&facts.Generator != 0 {
		kind += "*"
	}
	if flags&facts.Async != 0 {
		kind = "async " + kind
	}
	x := w.add(c, facts.Expr{Kind: facts.Func, Name: w.b.InternString(kind), X: result, Scope: fs})
	if name == 0 {
		return x
	}
	e := w.add(c, facts.Expr{Kind: facts.Keyword, Name: name, X: x})
	w.f.Exprs[e].Pos = pos
	if flags&facts.Accessor != 0 {
		w.f.Exprs[e].Ctx = facts.Echo
	}
	return e
}
