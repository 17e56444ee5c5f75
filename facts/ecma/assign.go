package ecma

import (
	"codeidx/facts"
)

// assignment reads "target = value" and returns the value.
func (w *walker) assignment(n uint32) facts.ExprID {
	l, r := w.child(n, w.fields.left), w.child(n, w.fields.right)
	if l == 0 {
		return 0
	}
	switch w.kind(l) {
	case kMemberExpression:
		return w.memberAssignment(n, l, r)
	case kIdentifier, kUndefined:
		var v facts.ExprID
		if r != 0 {
			v = w.valueExpr(r)
		}
		w.assignName(l, source{value: v, assign: true})
		return v
	}
	var v facts.ExprID
	if r != 0 {
		v = w.expr(r, facts.Read)
	}
	w.pattern(l, source{value: v, assign: true})
	return v
}

func (w *walker) augmented(n uint32) facts.ExprID {
	l, r := w.child(n, w.fields.left), w.child(n, w.fields.right)
	var x, v facts.ExprID
	if l != 0 {
		x = w.expr(l, facts.Write)
	}
	if r != 0 {
		v = w.expr(r, facts.Read)
	}
	if x == 0 {
		return v
	}
	if o := w.child(n, w.fields.operator); o != 0 && len(w.text(o)) == 3 && w.text(o)[2] == '=' && w.f.Exprs[x].Kind == facts.Name {
		w.bind(facts.Bind{Kind: facts.BindAssign, Name: w.f.Exprs[x].Name, Pos: w.f.Exprs[x].Pos, Value: v})
	}
	return w.orElse(n, x, v)
}

// memberAssignment reads "x.name = value". In JavaScript it may define a
// member of x.
func (w *walker) memberAssignment(n, l, r uint32) facts.ExprID {
	e := w.memberExpr(l, facts.Write)
	if e == 0 {
		if r != 0 {
			return w.expr(r, facts.Read)
		}
		return 0
	}
	x := w.f.Exprs[e]
	place := w.place(e)
	if place.export != 0 && r != 0 && w.isModuleExports(e) && w.listsNames(r) {
		return w.exportObject(e, r)
	}
	if owner := w.prototypeOf(&x); owner != 0 && r != 0 && w.kind(r) == kObject {
		return w.prototypeObject(owner, r)
	}
	var id facts.DefID
	if place.ok {
		id = w.assignedMember(n, l, r, &x, place)
	}
	var v facts.ExprID
	if r != 0 {
		v = w.valueOf(r, id)
	}
	if id != 0 && v != 0 {
		w.describe(id, v)
	}
	w.bind(facts.Bind{Kind: facts.BindAttr, Name: x.Name, Pos: x.Pos, Value: v, On: x.X, Def: id})
	if place.export != 0 && !(r != 0 && w.kind(r) == kUnaryExpression) {
		w.b.Bind(facts.Bind{Kind: facts.BindExport, Name: place.export, Pos: x.Pos, Value: v, Def: id})
	}
	return v
}

// assignMember binds a member that a pattern assigns to.
func (w *walker) assignMember(n uint32, s source) {
	e := w.memberExpr(n, facts.Write)
	if e == 0 {
		return
	}
	x := w.f.Exprs[e]
	w.bind(facts.Bind{Kind: facts.BindAttr, Part: s.part, Index: s.index, Name: x.Name, Pos: x.Pos, Value: s.value, On: x.X})
}

// place is where an assignment to a member defines that member.
type place struct {
	ok     bool
	owner  facts.DefID
	scope  facts.ScopeID // holds the member; 0: the exports of the module
	static bool
	export facts.NameID // exported name
}

// place finds out what "x.name = …" defines.
func (w *walker) place(e facts.ExprID) place {
	if !w.js {
		return w.expando(e)
	}
	x := &w.f.Exprs[e]
	on := &w.f.Exprs[x.X]
	switch {
	case w.is(x.X, "exports"), w.isModuleExports(x.X):
		return place{ok: true, export: x.Name}
	case w.isModuleExports(e):
		return place{ok: true, export: w.b.InternString("export=")}
	case w.is(x.X, "this"):
		return w.thisPlace()
	case on.Kind == facts.Select && w.f.Names[on.Name] == "prototype":
		if d := w.ownerOf(on.X); d != 0 {
			return place{ok: true, owner: d, scope: w.memberScope(d)}
		}
	}
	return w.expando(e)
}

// expando is the place of a member of a function, class or object variable.
func (w *walker) expando(e facts.ExprID) place {
	x := &w.f.Exprs[e]
	d := w.ownerOf(x.X)
	if d == 0 || w.f.Names[x.Name] == "prototype" {
		return place{}
	}
	if k := w.f.Defs[d].Kind; !w.js && k != facts.DefFunction {
		return place{}
	}
	return place{ok: true, owner: d, scope: w.memberScope(d), static: true}
}

// thisPlace is the place of "this.name = …": the class around, or the function
// as a constructor.
func (w *walker) thisPlace() place {
	switch {
	case w.fn.members != 0:
		return place{ok: true, owner: w.fn.owner, scope: w.fn.members, static: w.fn.static}
	case w.fn.owner != 0 && w.f.Defs[w.fn.owner].Kind == facts.DefFunction:
		return place{ok: true, owner: w.fn.owner, scope: w.memberScope(w.fn.owner)}
	}
	return place{}
}

// is says whether e is the free name text.
func (w *walker) is(e facts.ExprID, text string) bool {
	x := &w.f.Exprs[e]
	return x.Kind == facts.Name && w.f.Names[x.Name] == text
}

func (w *walker) isModuleExports(e facts.ExprID) bool {
	x := &w.f.Exprs[e]
	return x.Kind == facts.Select && w.f.Names[x.Name] == "exports" && w.is(x.X, "module")
}

// ownerOf returns the definition of the name e that may have members of its
// own: a function, class or variable of this file, seen so far.
func (w *walker) ownerOf(e facts.ExprID) facts.DefID {
	x := &w.f.Exprs[e]
	if x.Kind != facts.Name {
		return 0
	}
	for s := w.scope; ; s = w.f.Scopes[s].Parent {
		if w.f.Scopes[s].Kind != facts.ScopeClass {
			if d, ok := w.vars[varKey{s, x.Name}]; ok {
				return w.owning(d)
			}
		}
		if s == 0 {
			return 0
		}
	}
}

// owning returns d where it can have members: functions, classes, and
// variables whose value is an object or function.
func (w *walker) owning(d facts.DefID) facts.DefID {
	def := &w.f.Defs[d]
	switch def.Kind {
	case facts.DefFunction, facts.DefClass:
		return d
	case facts.DefVariable, facts.DefConstant:
		if v := &w.f.Exprs[def.Value]; v.Kind == facts.Dict || v.Kind == facts.ClassExpr || w.chained[d] {
			return d
		}
	}
	return 0
}

// memberScope returns the scope of the members of a definition.
func (w *walker) memberScope(d facts.DefID) facts.ScopeID {
	if s, ok := w.members[d]; ok {
		return s
	}
	s := w.b.Scope(facts.Scope{Kind: facts.ScopeClass, Def: d, Span: w.f.Defs[d].Span})
	w.members[d] = s
	return s
}

// assignedMember returns the definition of the member that an assignment
// defines, made at the first one.
func (w *walker) assignedMember(n, l, r uint32, x *facts.Expr, p place) facts.DefID {
	key := varKey{p.scope, x.Name}
	if p.export != 0 {
		key = varKey{^facts.ScopeID(0), p.export}
		if r != 0 && w.aliasing(r, p.export == w.b.InternString("export=")) {
			return 0
		}
	}
	if d, ok := w.vars[key]; ok {
		return d
	}
	pos := x.Pos
	d := facts.Def{
		Kind: facts.DefProperty, Flags: w.defFlags() | facts.Exported, Name: x.Name, Parent: p.owner, Scope: p.scope,
		Span: w.span(n), NamePos: pos, SigEnd: w.signatureEnd(n, pos), Doc: w.docOf(n),
	}
	if w.is(x.X, "this") {
		d.Kind = facts.DefField
	}
	if p.static {
		d.Flags |= facts.Static
	}
	id := w.b.Def(d)
	w.vars[key] = id
	if p.export == 0 {
		w.b.Bind(facts.Bind{Kind: facts.BindDef, Scope: p.scope, Name: x.Name, Pos: pos, Def: id})
	}
	return id
}

// aliasing says whether an export is another name for something: a name or
// member, or an assignment of one; for all exports at once, also a require.
// "exports.x = void 0" announces an export and is none.
func (w *walker) aliasing(r uint32, whole bool) bool {
	switch w.kind(r) {
	case kIdentifier, kMemberExpression:
		return true
	case kUnaryExpression:
		return string(w.text(r)) == "void 0"
	case kAssignmentExpression:
		v := w.child(r, w.fields.right)
		return v != 0 && w.aliasing(v, whole)
	case kCallExpression:
		f := w.child(r, w.fields.function)
		return whole && f != 0 && string(w.text(f)) == "require"
	}
	return false
}

// listsNames says whether an object literal only gives names to names: such an
// object exports each of them.
func (w *walker) listsNames(n uint32) bool {
	if w.kind(n) != kObject || w.only(n) == 0 {
		return false
	}
	for c := n + 1; c < w.next(n); c = w.next(c) {
		if !w.named(c) {
			continue
		}
		v := c
		if w.kind(c) == kPair {
			if v = w.child(c, w.fields.value); v == 0 || w.kind(w.child(c, w.fields.key)) != kPropertyIdentifier {
				return false
			}
		}
		if k := w.kind(v); k != kShorthandPropertyIdentifier && k != kIdentifier {
			return false
		}
	}
	return true
}

// exportObject reads "module.exports = {a, b: c}" as exports of names.
func (w *walker) exportObject(target facts.ExprID, n uint32) facts.ExprID {
	x := w.f.Exprs[target]
	v := w.expr(n, facts.Read)
	w.bind(facts.Bind{Kind: facts.BindAttr, Name: x.Name, Pos: x.Pos, Value: v, On: x.X})
	for _, k := range w.f.KidsOf(w.f.Exprs[v].Kids) {
		e := w.f.Exprs[k]
		w.b.Bind(facts.Bind{Kind: facts.BindExport, Name: e.Name, Pos: e.Pos, Value: e.X})
	}
	return v
}

// prototypeOf returns the constructor function of "F.prototype", 0 for other
// members.
func (w *walker) prototypeOf(x *facts.Expr) facts.DefID {
	if !w.js || w.f.Names[x.Name] != "prototype" {
		return 0
	}
	return w.ownerOf(x.X)
}

// prototypeObject reads the literal of "F.prototype = {…}": its members are
// those of F's instances.
func (w *walker) prototypeObject(owner facts.DefID, n uint32) facts.ExprID {
	outer := w.def
	w.def = owner
	e := w.objectIn(n, w.memberScope(owner))
	w.def = outer
	return e
}
