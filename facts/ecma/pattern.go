package ecma

import (
	"strconv"

	"codeidx/facts"
)

// source is what a binding pattern takes its value from.
type source struct {
	value  facts.ExprID
	part   facts.Part
	index  uint16
	typ    facts.ExprID
	assign bool   // assigns to names that exist
	hoist  bool   // declared by var
	stmt   uint32 // node of the whole declaration, 0 where it gives no definition
	def    facts.DefID
	konst  bool
	param  bool
	flags  facts.BindFlags
}

// pattern binds every name of a binding or assignment pattern.
func (w *walker) pattern(n uint32, s source) {
	switch w.kind(n) {
	case kIdentifier, kUndefined, kShorthandPropertyIdentifierPattern, kThis:
		if s.assign {
			w.assignName(n, s)
			return
		}
		w.variable(n, s)
	case kObjectPattern:
		w.objectPattern(n, s)
	case kArrayPattern:
		w.arrayPattern(n, s)
	case kAssignmentPattern, kObjectAssignmentPattern:
		w.defaulted(n, s)
	case kRestPattern:
		if c := w.only(n); c != 0 {
			if s.part != facts.PartWhole || !s.param {
				s.part = facts.PartRest
			}
			s.flags |= facts.Variadic
			w.pattern(c, s)
		}
	case kParenthesizedExpression, kNonNullExpression:
		if c := w.only(n); c != 0 {
			w.pattern(c, s)
		}
	case kMemberExpression:
		w.assignMember(n, s)
	case kArray:
		w.arrayPattern(n, s)
	case kObject:
		w.objectPattern(n, s)
	default:
		w.expr(n, facts.Read)
	}
}

// defaulted reads "pattern = value".
func (w *walker) defaulted(n uint32, s source) {
	l, r := w.child(n, w.fields.left), w.child(n, w.fields.right)
	if r != 0 {
		v := w.valueExpr(r)
		s.flags |= facts.Optional
		if s.value == 0 || s.param && s.part == facts.PartWhole {
			s.value = v
		} else if s.part == facts.PartWhole {
			s.value = w.orElse(n, s.value, v)
		}
	}
	if l != 0 {
		w.pattern(l, s)
	}
}

// orElse is "value ?? fallback".
func (w *walker) orElse(n uint32, value, fallback facts.ExprID) facts.ExprID {
	return w.b.Expr(facts.Expr{
		Kind: facts.Binary, Ctx: facts.Echo, Op: facts.OpBool, Name: w.b.InternString("??"), Scope: w.scope, Pos: w.node(n).Start,
	}, value, fallback)
}

// whole returns an expression for the value that a nested pattern takes apart.
// A plain value is its own; a part of one, or a parameter, gets a made-up name.
func (w *walker) whole(n uint32, s source) facts.ExprID {
	if s.part == facts.PartWhole && s.typ == 0 && !s.param {
		return s.value
	}
	pos := w.node(n).Start
	name := w.b.InternString("{}" + strconv.Itoa(int(pos)))
	b := facts.Bind{Kind: facts.BindVar, Part: s.part, Index: s.index, Name: name, Pos: pos, Type: s.typ, Value: s.value, Flags: s.flags}
	if s.param {
		b.Kind = facts.BindParam
	}
	w.bind(b)
	return w.b.Expr(facts.Expr{Kind: facts.Name, Ctx: facts.Echo, Name: name, Scope: w.scope, Pos: pos})
}

func (w *walker) objectPattern(n uint32, s source) {
	on := w.whole(n, s)
	inner := source{assign: s.assign, hoist: s.hoist, konst: s.konst, stmt: s.stmt}
	for c := n + 1; c < w.next(n); c = w.next(c) {
		if !w.named(c) {
			continue
		}
		switch w.kind(c) {
		case kShorthandPropertyIdentifierPattern, kShorthandPropertyIdentifier:
			inner.value = w.property(c, on)
			w.pattern(c, inner)
		case kPairPattern, kPair:
			w.pairPattern(c, on, inner)
		case kObjectAssignmentPattern, kAssignmentExpression:
			if l := w.child(c, w.fields.left); l != 0 {
				inner.value = w.property(l, on)
				w.defaulted(c, inner)
			}
		case kRestPattern, kSpreadElement:
			rest := inner
			rest.value, rest.part = on, facts.PartRest
			if t := w.only(c); t != 0 {
				w.pattern(t, rest)
			}
		}
	}
}

func (w *walker) pairPattern(c uint32, on facts.ExprID, inner source) {
	k, v := w.child(c, w.fields.key), w.child(c, w.fields.value)
	if k == 0 || v == 0 {
		return
	}
	inner.value = 0
	switch w.kind(k) {
	case kPropertyIdentifier, kPrivatePropertyIdentifier:
		inner.value = w.property(k, on)
	case kComputedPropertyName:
		if e := w.only(k); e != 0 {
			w.expr(e, facts.Read)
		}
	}
	if w.kind(v) == kAssignmentExpression {
		w.defaulted(v, inner)
		return
	}
	w.pattern(v, inner)
}

// property is the Select of the property that a pattern names at n.
func (w *walker) property(n uint32, on facts.ExprID) facts.ExprID {
	if on == 0 {
		return 0
	}
	return w.add(n, facts.Expr{Kind: facts.Select, Name: w.name(n), X: on})
}

func (w *walker) arrayPattern(n uint32, s source) {
	on := w.whole(n, s)
	i := uint16(0)
	for c := n + 1; c < w.next(n); c = w.next(c) {
		if !w.named(c) {
			if w.node(c).Flags == 0 && w.node(c).End-w.node(c).Start == 1 && w.src[w.node(c).Start] == ',' {
				i++
			}
			continue
		}
		e := source{value: on, part: facts.PartIndex, index: i, assign: s.assign, hoist: s.hoist, konst: s.konst, stmt: s.stmt}
		if on == 0 {
			e.part = facts.PartWhole
		}
		if k := w.kind(c); k == kRestPattern || k == kSpreadElement {
			e.part = facts.PartRest
			if t := w.only(c); t != 0 {
				w.pattern(t, e)
			}
			continue
		}
		if w.kind(c) == kAssignmentExpression {
			w.defaulted(c, e)
			continue
		}
		w.pattern(c, e)
	}
}

// variable binds a plain name that is declared at n.
func (w *walker) variable(n uint32, s source) {
	b := facts.Bind{
		Kind: facts.BindVar, Part: s.part, Index: s.index, Name: w.name(n), Pos: w.node(n).Start, Type: s.typ, Value: s.value, Flags: s.flags,
	}
	switch {
	case s.param:
		b.Kind = facts.BindParam
	case s.konst:
		b.Kind = facts.BindConst
	}
	scope := w.scope
	if s.hoist {
		scope = w.varScope()
	}
	b.Scope = scope
	if s.stmt != 0 && !s.param {
		b.Def = w.variableDef(n, scope, s)
	}
	w.b.Bind(b)
	if b.Def != 0 && w.flags&facts.Exported != 0 {
		w.b.Bind(facts.Bind{Kind: facts.BindExport, Scope: scope, Name: b.Name, Pos: b.Pos, Def: b.Def})
	}
}

// varScope is the scope that "var" binds in.
func (w *walker) varScope() facts.ScopeID {
	s := w.scope
	for w.f.Scopes[s].Kind == facts.ScopeBlock && !w.namespaceScope(s) {
		s = w.f.Scopes[s].Parent
	}
	return s
}

// namespaceScope says whether a block is the body of a namespace or ambient module.
func (w *walker) namespaceScope(s facts.ScopeID) bool {
	d := &w.f.Defs[w.f.Scopes[s].Def]
	return (d.Kind == facts.DefNamespace || d.Kind == facts.DefModule) && d.Scope == s
}

// variableDef returns the definition of a variable of a module or namespace,
// or of a local one that holds a function; 0 for other locals.
func (w *walker) variableDef(n uint32, scope facts.ScopeID, s source) facts.DefID {
	if s.def != 0 {
		return s.def
	}
	if w.fn.scope != 0 {
		return 0
	}
	id := w.newVariable(n, scope, s)
	if s.part == facts.PartWhole && w.f.Defs[id].Value == 0 {
		w.f.Defs[id].Value = s.value
	}
	return id
}

// newVariable returns the definition of the name at n, making it where the
// scope has none.
func (w *walker) newVariable(n uint32, scope facts.ScopeID, s source) facts.DefID {
	name := w.name(n)
	if d, ok := w.vars[varKey{scope, name}]; ok {
		return d
	}
	d := facts.Def{
		Kind: facts.DefVariable, Flags: w.defFlags(), Name: name, Parent: w.def, Scope: scope, Span: w.span(s.stmt),
		NamePos: w.node(n).Start, Type: s.typ, Doc: w.docOf(s.stmt),
	}
	if s.konst {
		d.Kind = facts.DefConstant
	}
	d.SigEnd = w.signatureEnd(s.stmt, d.NamePos)
	id := w.b.Def(d)
	w.vars[varKey{scope, name}] = id
	return id
}

// signatureEnd is the end of the declaration's first line.
func (w *walker) signatureEnd(stmt, from uint32) uint32 {
	end := w.node(stmt).End
	for i := from; i < end; i++ {
		if w.src[i] == '\n' || w.src[i] == '\r' {
			return i
		}
	}
	return end
}

// assignName reads an assignment to a name that is declared elsewhere.
func (w *walker) assignName(n uint32, s source) {
	e := w.add(n, facts.Expr{Kind: facts.Name, Ctx: facts.Write, Name: w.name(n)})
	w.bind(facts.Bind{
		Kind: facts.BindAssign, Part: s.part, Index: s.index, Name: w.f.Exprs[e].Name, Pos: w.node(n).Start, Value: s.value,
	})
}

func (w *walker) defFlags() facts.DefFlags {
	f := w.flags
	if w.fn.scope != 0 {
		f |= facts.Local
	}
	return f
}
