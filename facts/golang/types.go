package golang

import "codeidx/facts"

// typeDecl visits "type …" with one spec or several.
func (w *walker) typeDecl(i uint32) {
	end := w.nodes[i].Next
	grouped := w.grouped(i)
	for c := i + 1; c < end; c = w.nodes[c].Next {
		if k := w.kind(c); k == kTypeSpec || k == kTypeAlias {
			span := w.span(c)
			if !grouped {
				span = w.span(i)
			}
			w.typeSpec(c, span, k == kTypeAlias)
		}
	}
}

// grouped says whether a declaration has parentheses.
func (w *walker) grouped(i uint32) bool {
	end := w.nodes[i].Next
	for c := i + 1; c < end; c = w.nodes[c].Next {
		if n := &w.nodes[c]; n.End == n.Start+1 && w.src[n.Start] == '(' {
			return true
		}
	}
	return false
}

func (w *walker) typeSpec(i uint32, span facts.Span, alias bool) {
	name, typ := w.child(i, w.fields.name), w.child(i, w.fields.typ)
	if name == 0 || typ == 0 {
		return
	}
	kind := facts.DefType
	switch w.kind(typ) {
	case kStructType:
		kind = facts.DefStruct
	case kInterfaceType:
		kind = facts.DefInterface
	}
	id := w.newDef(kind, name, span)
	if !blank(w.text(name)) && !w.brokenHead(i) {
		from := uint32(0)
		if w.local {
			from = w.nodes[name].Start
		}
		w.bind(facts.Bind{Kind: facts.BindDef, Name: w.f.Defs[id].Name, Pos: w.nodes[name].Start, From: from, Def: id})
	}
	outerDef, outer := w.def, w.scope
	w.def = id
	if tp := w.child(i, w.fields.typeParameters); tp != 0 {
		w.open(facts.ScopeTypeParams, w.span(i))
		w.typeParams(tp)
		w.f.Defs[id].Scope = w.scope
	}
	t := w.expr(typ, facts.TypeUse)
	d := &w.f.Defs[id]
	d.Type = t
	if alias {
		d.Flags |= facts.Alias
	}
	if kind != facts.DefType {
		d.SigEnd = w.nodes[typ+1].End // the keyword
		d.Bases = w.embedded(t)
	}
	w.def, w.scope = outerDef, outer
}

// embedded lists the embedded types of a struct or interface type.
func (w *walker) embedded(t facts.ExprID) facts.Range {
	mark := len(w.kids)
	for _, k := range w.f.KidsOf(w.f.Exprs[t].Kids) {
		if w.isBase(k) {
			w.kids = append(w.kids, k)
		}
	}
	return w.popKids(mark)
}

// isBase says whether a field's type was written as an embedded type.
func (w *walker) isBase(t facts.ExprID) bool {
	for t != 0 {
		e := &w.f.Exprs[t]
		if e.Kind == facts.Name || e.Kind == facts.Select {
			return e.Ctx == facts.Base
		}
		if e.Kind != facts.Deref && e.Kind != facts.Index {
			return false
		}
		t = e.X
	}
	return false
}

// popKids stores the children on top of the stack and removes them.
func (w *walker) popKids(mark int) facts.Range {
	r := w.b.Range(w.kids[mark:])
	w.kids = w.kids[:mark]
	return r
}

// signature visits parameters and results and returns the FuncType. With binds
// it binds their names, visible from the offset from.
func (w *walker) signature(params, result, pos, from uint32, binds bool) facts.ExprID {
	scope := w.scope
	res := w.results(result, from, binds)
	mark := len(w.kids)
	w.params(params, facts.BindParam, from, binds)
	e := facts.Expr{Kind: facts.FuncType, Ctx: facts.TypeUse, Scope: scope, Pos: pos, X: res}
	e.Kids = w.popKids(mark)
	return w.b.Expr(e)
}

// results visits a result type or list.
func (w *walker) results(result, from uint32, binds bool) facts.ExprID {
	if result == 0 {
		return 0
	}
	if w.kind(result) != kParameterList {
		return w.expr(result, facts.TypeUse)
	}
	mark := len(w.kids)
	w.params(result, facts.BindResult, from, binds)
	if len(w.kids) == mark+1 {
		t := w.kids[mark]
		w.kids = w.kids[:mark]
		return t
	}
	e := facts.Expr{Kind: facts.List, Ctx: facts.TypeUse, Scope: w.scope, Pos: w.nodes[result].Start}
	e.Kids = w.popKids(mark)
	return w.b.Expr(e)
}

// params pushes the type of each parameter or result and binds the names.
func (w *walker) params(list uint32, kind facts.BindKind, from uint32, binds bool) {
	index := uint16(0)
	end := w.nodes[list].Next
	for c := list + 1; c < end; c = w.nodes[c].Next {
		k := w.kind(c)
		if k != kParameterDeclaration && k != kVariadicParameter || !w.solid(c) {
			continue
		}
		t := w.expr(w.child(c, w.fields.typ), facts.TypeUse)
		x := facts.Bind{Kind: kind, From: from, Type: t}
		if k == kVariadicParameter {
			x.Flags = facts.Variadic
			t = w.b.Expr(facts.Expr{Kind: facts.VarType, Ctx: facts.TypeUse, Scope: w.scope, Pos: w.nodes[c].Start, X: t})
		}
		named := false
		w.eachName(c, func(n uint32) {
			named = true
			w.kids = append(w.kids, t)
			x.Index = index
			index++
			if text := w.text(n); binds && !blank(text) {
				x.Name, x.Pos = w.b.Intern(text), w.nodes[n].Start
				w.bind(x)
			}
		})
		if !named {
			w.kids = append(w.kids, t)
			index++
		}
	}
}

// structType visits a struct type: one kid and one field definition a name.
func (w *walker) structType(i uint32) facts.ExprID {
	e := facts.Expr{Kind: facts.StructType, Ctx: facts.TypeUse, Pos: w.nodes[i].Start}
	outer := w.open(facts.ScopeClass, w.span(i))
	e.Scope = w.scope
	mark := len(w.kids)
	if list := w.inner(i); list != 0 {
		end := w.nodes[list].Next
		for c := list + 1; c < end; c = w.nodes[c].Next {
			if w.kind(c) == kFieldDeclaration && w.solid(c) {
				w.field(c, outer)
			}
		}
	}
	e.Kids = w.popKids(mark)
	w.scope = outer
	return w.b.Expr(e)
}

// field visits one field declaration. Its definitions stand in the struct's
// scope, the names of its type are looked up around the struct.
func (w *walker) field(i uint32, around facts.ScopeID) {
	typ := w.child(i, w.fields.typ)
	if typ == 0 {
		return
	}
	first := facts.DefID(len(w.f.Defs))
	w.eachName(i, func(n uint32) { w.newDef(facts.DefField, n, w.span(i)) })
	inside := w.scope
	ctx, outerDef := facts.TypeUse, w.def
	named := int(first) < len(w.f.Defs)
	if named {
		w.def = first
	} else {
		ctx = facts.Base
	}
	fields := facts.DefID(len(w.f.Defs))
	w.scope = around
	t := w.expr(typ, ctx)
	if !named && w.token(i) == tStar {
		t = w.b.Expr(facts.Expr{Kind: facts.Deref, Ctx: facts.TypeUse, Scope: around, Pos: w.nodes[i].Start, X: t})
	}
	w.scope, w.def = inside, outerDef
	if !named {
		first = w.newDef(facts.DefField, w.baseNode(typ), w.span(i))
		w.f.Defs[first].Flags |= facts.Embedded
		fields = first + 1
	}
	for id := first; id < fields; id++ {
		w.f.Defs[id].Type = t
		w.kids = append(w.kids, t)
	}
}

// baseNode returns the name node of an embedded type.
func (w *walker) baseNode(i uint32) uint32 {
	for {
		switch w.kind(i) {
		case kGenericType:
			i = w.child(i, w.fields.typ)
		case kQualifiedType:
			return w.child(i, w.fields.name)
		default:
			return i
		}
	}
}

// interfaceType visits an interface type: methods become definitions, embedded
// types and unions kids.
func (w *walker) interfaceType(i uint32) facts.ExprID {
	e := facts.Expr{Kind: facts.InterfaceType, Ctx: facts.TypeUse, Pos: w.nodes[i].Start}
	outer := w.open(facts.ScopeClass, w.span(i))
	e.Scope = w.scope
	mark := len(w.kids)
	end := w.nodes[i].Next
	for c := i + 1; c < end; c = w.nodes[c].Next {
		if !w.solid(c) {
			continue
		}
		switch w.kind(c) {
		case kMethodElem:
			w.methodElem(c, outer)
		case kTypeElem:
			inside := w.scope
			w.scope = outer
			w.kids = append(w.kids, w.typeElem(c, facts.Base))
			w.scope = inside
		}
	}
	e.Kids = w.popKids(mark)
	w.scope = outer
	return w.b.Expr(e)
}

func (w *walker) methodElem(i uint32, around facts.ScopeID) {
	name, params := w.child(i, w.fields.name), w.child(i, w.fields.parameters)
	if name == 0 || params == 0 {
		return
	}
	id := w.newDef(facts.DefMethod, name, w.span(i))
	inside := w.scope
	w.scope = around
	sig := w.signature(params, w.child(i, w.fields.result), w.nodes[i].Start, 0, false)
	w.scope = inside
	d := &w.f.Defs[id]
	d.Flags |= facts.Declared
	d.Type, d.Result = sig, w.f.Exprs[sig].X
}

// typeElem visits a constraint, a type argument or an embedded element: one
// type or a union. Only a type that stands alone is a base.
func (w *walker) typeElem(i uint32, ctx facts.Ctx) facts.ExprID {
	mark := len(w.kids)
	end := w.nodes[i].Next
	several := false
	for c := i + 1; c < end; c = w.nodes[c].Next {
		if w.solid(c) && w.nodes[c].Next < end {
			several = several || w.moreTypes(w.nodes[c].Next, end)
		}
	}
	if several {
		ctx = facts.TypeUse
	}
	for c := i + 1; c < end; c = w.nodes[c].Next {
		if w.solid(c) {
			w.kids = append(w.kids, w.expr(c, ctx))
		}
	}
	if len(w.kids) == mark+1 {
		t := w.kids[mark]
		w.kids = w.kids[:mark]
		return t
	}
	e := facts.Expr{Kind: facts.Union, Ctx: facts.TypeUse, Scope: w.scope, Pos: w.nodes[i].Start}
	e.Kids = w.popKids(mark)
	return w.b.Expr(e)
}

func (w *walker) moreTypes(c, end uint32) bool {
	for ; c < end; c = w.nodes[c].Next {
		if w.solid(c) {
			return true
		}
	}
	return false
}
