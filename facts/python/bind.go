package python

import (
	"bytes"

	"codeidx/facts"
)

// source is what an assignment target takes its value from.
type source struct {
	value facts.ExprID
	part  facts.Part
	index uint16
	typ   facts.ExprID
	from  uint32 // visible from here on
	stmt  uint32 // node of the whole statement, for the span of definitions
}

// addBind appends a binding of the current scope with the branch it stands in.
func (w *walker) addBind(x facts.Bind) {
	if x.Scope == 0 {
		x.Scope = w.scope
	}
	if w.flow.cond {
		x.Flags |= facts.CondBind
		x.To, x.Merge = w.flow.to, w.flow.merge
	}
	w.b.Bind(x)
}

// assignment reads "target = value", chains and annotations; it returns the value.
func (w *walker) assignment(n uint32) facts.ExprID {
	left := w.child(n, w.fields.left)
	var typ, value facts.ExprID
	if t := w.child(n, w.fields.typ); t != 0 {
		typ = w.typeExpr(t)
	}
	if r := w.child(n, w.fields.right); r != 0 {
		if typ != 0 && w.lastName(typ) == "TypeAlias" {
			value = w.typeExpr(r)
		} else {
			value = w.rightHand(r)
		}
	}
	if left == 0 || w.kind(left) == kError {
		return value
	}
	w.target(left, source{value: value, typ: typ, from: w.node(n).End, stmt: n})
	w.dunderAll(left, value, false)
	return value
}

func (w *walker) rightHand(n uint32) facts.ExprID {
	switch w.kind(n) {
	case kAssignment:
		return w.assignment(n)
	case kAugmentedAssignment:
		return w.augmented(n)
	}
	return w.expr(n, facts.Read)
}

func (w *walker) augmented(n uint32) facts.ExprID {
	left := w.child(n, w.fields.left)
	var value facts.ExprID
	if r := w.child(n, w.fields.right); r != 0 {
		value = w.rightHand(r)
	}
	if left == 0 {
		return value
	}
	if w.kind(left) == kIdentifier {
		w.expr(left, facts.Write)
	}
	w.target(left, source{value: value, part: facts.PartAugment, from: w.node(n).End, stmt: n})
	w.dunderAll(left, value, true)
	return value
}

// target binds every name that an assignment target names.
func (w *walker) target(n uint32, s source) {
	switch w.kind(n) {
	case kIdentifier:
		w.variable(n, s)
	case kAttribute:
		w.attributeTarget(n, s)
	case kSubscript:
		w.expr(n, facts.Read)
	case kPatternList, kTuplePattern, kListPattern, kTuple, kList, kExpressionList:
		w.unpack(n, s)
	case kListSplatPattern, kListSplat:
		s.part, s.index = facts.PartRest, 0
		if c := w.t.First(n); c != 0 {
			w.target(w.lastNamed(n), s)
		}
	case kParenthesized, kAsPatternTarget:
		if c := w.lastNamed(n); c != 0 {
			w.target(c, s)
		}
	default:
		w.expr(n, facts.Read)
	}
}

func (w *walker) lastNamed(n uint32) uint32 {
	last := uint32(0)
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		if w.named(c) {
			last = c
		}
	}
	return last
}

// unpack binds the elements of a tuple target. Elements of a tuple value are
// bound one to one.
func (w *walker) unpack(n uint32, s source) {
	var elems []facts.ExprID
	if s.part == facts.PartWhole && s.value != 0 {
		if e := &w.f.Exprs[s.value]; e.Kind == facts.Tuple || e.Kind == facts.List {
			elems = w.f.KidsOf(e.Kids)
		}
	}
	for _, e := range elems {
		if w.f.Exprs[e].Kind == facts.Spread {
			elems = nil
			break
		}
	}
	i, star := 0, false
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		if !w.named(c) {
			continue
		}
		star = star || w.kind(c) == kListSplatPattern || w.kind(c) == kListSplat
		w.target(c, s.element(i, star, elems))
		i++
	}
}

// element returns the source of element i of an unpacking; after a starred
// target positions are no longer known.
func (s source) element(i int, star bool, elems []facts.ExprID) source {
	e := s
	e.typ = 0
	switch {
	case star && s.part == facts.PartWhole:
		e.part = facts.PartElem
	case star:
		e.value = 0
	case i < len(elems):
		e.value = elems[i]
	case s.part == facts.PartWhole:
		e.part, e.index = facts.PartIndex, uint16(i)
	case s.part == facts.PartElem:
		e.part, e.index = facts.PartElemIndex, uint16(i)
	default:
		e.value = 0
	}
	return e
}

// variable binds a plain name. In a module or class its first binding defines it.
func (w *walker) variable(n uint32, s source) {
	name := w.b.Intern(w.text(n))
	b := facts.Bind{
		Kind: facts.BindVar, Part: s.part, Index: s.index, Name: name, Pos: w.node(n).Start, From: s.from,
		Type: s.typ, Value: s.value,
	}
	scope, parent := w.scope, w.def
	if w.isGlobal(name) {
		scope, parent = 0, 0
	}
	switch w.f.Scopes[scope].Kind {
	case facts.ScopeFile, facts.ScopeClass:
		b.Def = w.varDef(n, scope, parent, name, s)
	}
	if scope == w.scope {
		w.addBind(b)
		return
	}
	b.Scope, b.Flags, b.To, b.Merge, b.From = 0, facts.CondBind, b.Pos, 0, 0
	w.b.Bind(b)
}

func (w *walker) isGlobal(name facts.NameID) bool {
	for _, g := range w.fn.globals {
		if g == name {
			return true
		}
	}
	return false
}

// varDef returns the definition of a variable of a module or class.
func (w *walker) varDef(n uint32, scope facts.ScopeID, parent facts.DefID, name facts.NameID, s source) facts.DefID {
	key := varKey{scope, name}
	if d, ok := w.vars[key]; ok {
		return d
	}
	d := facts.Def{
		Kind: facts.DefVariable, Flags: w.defFlags(name), Name: name, Parent: parent, Scope: scope,
		Span: w.span(n), NamePos: w.node(n).Start, Type: s.typ,
	}
	if scope != w.scope {
		d.Flags = d.Flags&^facts.Local | facts.Conditional // bound when the function runs
	}
	switch {
	case w.f.Scopes[scope].Kind == facts.ScopeClass:
		d.Kind = facts.DefField
		if w.f.Defs[parent].Kind == facts.DefEnum && s.typ == 0 && s.value != 0 && !dunder(w.text(n)) {
			d.Kind = facts.DefEnumMember
		}
	case constantName(w.text(n)):
		d.Kind = facts.DefConstant
	}
	if s.typ != 0 && w.lastName(s.typ) == "TypeAlias" {
		d.Kind, d.Flags = facts.DefType, d.Flags|facts.Alias
	}
	w.finishVar(&d, s)
	id := w.b.Def(d)
	w.vars[key] = id
	return id
}

// finishVar gives a variable's definition the span of its statement.
func (w *walker) finishVar(d *facts.Def, s source) {
	d.SigEnd = d.Span.End
	if s.part == facts.PartWhole {
		d.Value = s.value
	}
	if s.stmt == 0 {
		return
	}
	d.Span.Start, d.Span.End = min(d.Span.Start, w.node(s.stmt).Start), w.node(s.stmt).End
	d.SigEnd = d.Span.End
	if nl := bytes.IndexByte(w.src[d.NamePos:d.Span.End], '\n'); nl >= 0 {
		d.SigEnd = d.NamePos + uint32(nl)
	}
}

// attributeTarget binds "object.name = value". The first assignment to an
// attribute of self or cls defines it.
func (w *walker) attributeTarget(n uint32, s source) {
	e := w.expr(n, facts.Write)
	if e == 0 {
		return
	}
	x := w.f.Exprs[e]
	b := facts.Bind{
		Kind: facts.BindAttr, Part: s.part, Index: s.index, Name: x.Name, Pos: x.Pos, From: s.from,
		Type: s.typ, Value: s.value, On: x.X,
	}
	if on := &w.f.Exprs[x.X]; w.fn.recv != 0 && on.Kind == facts.Name && on.Name == w.fn.recv {
		b.Def = w.fieldDef(w.child(n, w.fields.attribute), x.Name, s)
	}
	w.addBind(b)
}

func (w *walker) fieldDef(n uint32, name facts.NameID, s source) facts.DefID {
	key := varKey{w.fn.members, name}
	if d, ok := w.vars[key]; ok {
		return d
	}
	d := facts.Def{
		Kind: facts.DefField, Flags: visibility(w.text(n)), Name: name, Parent: w.fn.class, Scope: w.fn.members,
		Span: w.span(n), NamePos: w.node(n).Start, Type: s.typ,
	}
	w.finishVar(&d, s)
	id := w.b.Def(d)
	w.vars[key] = id
	return id
}

// defFlags are the flags that a definition here has by its name and place.
func (w *walker) defFlags(name facts.NameID) facts.DefFlags {
	f := visibility([]byte(w.f.Names[name])) | w.flow.flags
	if w.fn.scope != 0 {
		f |= facts.Local
	}
	return f
}

func visibility(name []byte) facts.DefFlags {
	if len(name) > 0 && name[0] == '_' && !dunder(name) {
		return facts.Private
	}
	return facts.Exported
}

func dunder(name []byte) bool {
	return len(name) > 4 && bytes.HasPrefix(name, []byte("__")) && bytes.HasSuffix(name, []byte("__"))
}

// constantName says whether a name is written as constants are.
func constantName(name []byte) bool {
	letter := false
	for _, c := range name {
		switch {
		case c >= 'A' && c <= 'Z':
			letter = true
		case c == '_' || c >= '0' && c <= '9':
		default:
			return false
		}
	}
	return letter
}

// lastName returns the name of a Name or the member of a Select.
func (w *walker) lastName(e facts.ExprID) string {
	x := &w.f.Exprs[e]
	if x.Kind == facts.Name || x.Kind == facts.Select {
		return w.f.Names[x.Name]
	}
	return ""
}
