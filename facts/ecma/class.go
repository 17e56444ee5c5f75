package ecma

import (
	"codeidx/facts"
)

// classDecl reads a class declaration.
func (w *walker) classDecl(n, outer uint32) {
	nameNode := w.child(n, w.fields.name)
	if nameNode == 0 || w.broken(nameNode) {
		w.expr(n, facts.Read)
		return
	}
	w.classDef(n, outer, w.name(nameNode), w.node(nameNode).Start)
}

func (w *walker) classDef(n, outer uint32, name facts.NameID, pos uint32) facts.DefID {
	id := w.b.Def(facts.Def{
		Kind: facts.DefClass, Flags: w.defFlags() | w.modifiers(n), Name: name, Parent: w.def, Span: w.span(outer), NamePos: pos,
		SigEnd: pos, Doc: w.docOf(outer),
	})
	w.vars[varKey{w.scope, name}] = id
	w.bind(facts.Bind{Kind: facts.BindDef, Name: name, Pos: pos, Def: id})
	w.exported(name, pos, id)
	outerFlags := w.flags
	w.flags &= facts.Declared
	decorators := w.decorators(n)
	if outer != n {
		decorators = w.moreDecorators(outer, decorators)
	}
	w.f.Defs[id].Decorators = decorators
	w.class(n, id)
	w.flags = outerFlags
	return id
}

// decorators reads the decorators of a declaration or member.
func (w *walker) decorators(n uint32) facts.Range {
	return w.moreDecorators(n, facts.Range{})
}

func (w *walker) moreDecorators(n uint32, also facts.Range) facts.Range {
	mark := len(w.kids)
	w.kids = append(w.kids, w.f.KidsOf(also)...)
	for c := n + 1; c < w.next(n); c = w.next(c) {
		if w.kind(c) == kDecorator {
			w.push(w.decorator(c))
		}
	}
	return w.take(mark)
}

func (w *walker) decorator(n uint32) facts.ExprID {
	if c := w.only(n); c != 0 {
		return w.expr(c, facts.Decorator)
	}
	return 0
}

// class reads type parameters, heritage and body of a class node.
func (w *walker) class(n uint32, id facts.DefID) facts.ScopeID {
	outerScope, outerDef, outerFn := w.scope, w.def, w.fn
	w.def = id
	if tp := w.child(n, w.fields.typeParams); tp != 0 {
		w.typeParams(tp, id)
	}
	if h := w.first(n, kClassHeritage); h != 0 {
		w.heritage(h, id)
	}
	scope := w.openScope(facts.ScopeClass, n, id)
	w.f.Defs[id].Scope = scope
	w.members[id] = scope
	w.scope = scope
	if b := w.child(n, w.fields.body); b != 0 {
		w.f.Defs[id].SigEnd = w.node(b).Start
		w.classBody(b, id)
	}
	w.scope, w.def, w.fn = outerScope, outerDef, outerFn
	return scope
}

// heritage reads what a class extends and implements.
func (w *walker) heritage(h uint32, id facts.DefID) {
	mark := len(w.kids)
	for c := h + 1; c < w.next(h); c = w.next(c) {
		switch {
		case w.kind(c) == kExtendsClause:
			w.extends(c)
		case w.kind(c) == kImplementsClause || !w.named(c):
		default:
			w.push(w.expr(c, facts.Base))
		}
	}
	bases := w.take(mark)
	for c := h + 1; c < w.next(h); c = w.next(c) {
		if w.kind(c) == kImplementsClause {
			w.typeList(c, facts.Implement)
		}
	}
	impl := w.take(mark)
	w.f.Defs[id].Bases, w.f.Defs[id].Implements = bases, impl
}

// extends reads "extends Base<T>" onto the stack.
func (w *walker) extends(n uint32) {
	for c := n + 1; c < w.next(n); c = w.next(c) {
		switch {
		case w.node(c).Field == w.fields.value && w.named(c):
			w.push(w.expr(c, facts.Base))
		case w.kind(c) == kTypeArguments:
			mark := len(w.kids) - 1
			if mark < 0 {
				w.typeArguments(c)
				continue
			}
			x := w.kids[mark]
			w.kids[mark] = w.applied(c, x)
		}
	}
}

// typeList reads the types below n onto the stack, the outermost name of each
// in role ctx.
func (w *walker) typeList(n uint32, ctx facts.Ctx) {
	for c := n + 1; c < w.next(n); c = w.next(c) {
		if w.named(c) {
			w.push(w.roleType(c, ctx))
		}
	}
}

// roleType reads a type whose outermost name stands in role ctx.
func (w *walker) roleType(n uint32, ctx facts.Ctx) facts.ExprID {
	e := w.typeExpr(n)
	for x := e; x != 0; x = w.f.Exprs[x].X {
		if k := w.f.Exprs[x].Kind; k == facts.Name || k == facts.Select {
			if w.f.Exprs[x].Ctx == facts.TypeUse {
				w.f.Exprs[x].Ctx = ctx
			}
			break
		} else if k != facts.Index {
			break
		}
	}
	return e
}

func (w *walker) classBody(b uint32, id facts.DefID) {
	w.fn = function{scope: 0, members: w.scope, owner: id}
	for c := b + 1; c < w.next(b); c = w.next(c) {
		w.fn.static = false
		switch w.kind(c) {
		case kMethodDefinition, kMethodSignature, kAbstractMethodSignature:
			w.method(c, id)
		case kPublicFieldDefinition, kFieldDefinition:
			w.field(c, id)
		case kClassStaticBlock:
			w.staticBlock(c)
		case kDecorator:
			w.decorator(c)
		case kIndexSignature:
			w.indexSignature(c)
		case kError:
			w.recover(c)
		}
	}
}

func (w *walker) staticBlock(n uint32) {
	outer, outerFn := w.scope, w.fn
	w.fn.static = true
	w.scope = w.openScope(facts.ScopeFunction, n, w.def)
	w.fn.scope = w.scope
	if b := w.child(n, w.fields.body); b != 0 {
		w.statements(b)
	}
	w.scope, w.fn = outer, outerFn
}

// memberName returns the name of a member and where it stands; 0 for computed
// names, whose expression is read.
func (w *walker) memberName(n uint32) (facts.NameID, uint32) {
	c := w.child(n, w.fields.name)
	if c == 0 {
		if c = w.child(n, w.fields.property); c == 0 {
			c = w.child(n, w.fields.key)
		}
	}
	if c == 0 || w.broken(c) {
		return 0, w.node(n).Start
	}
	switch w.kind(c) {
	case kPropertyIdentifier, kPrivatePropertyIdentifier, kIdentifier, kNumber:
		return w.name(c), w.node(c).Start
	case kString:
		if s := w.content(c); len(s) > 0 && len(s) <= maxStringName {
			return w.b.Intern(s), w.node(c).Start
		}
	case kComputedPropertyName:
		if e := w.only(c); e != 0 {
			x := w.expr(e, facts.Read)
			return w.symbolName(x), w.node(c).Start
		}
	}
	return 0, w.node(c).Start
}

// symbolName is the made-up name of a member such as "[Symbol.iterator]".
func (w *walker) symbolName(e facts.ExprID) facts.NameID {
	x := &w.f.Exprs[e]
	if x.Kind == facts.Select && w.f.Exprs[x.X].Kind == facts.Name && w.f.Names[w.f.Exprs[x.X].Name] == "Symbol" {
		return w.b.InternString("@@" + w.f.Names[x.Name])
	}
	return 0
}

// member appends the definition of a member of the scope around and binds it.
func (w *walker) member(d facts.Def) facts.DefID {
	d.Parent = w.def
	if d.Flags&(facts.Private|facts.Protected) == 0 && !(len(w.f.Names[d.Name]) > 0 && w.f.Names[d.Name][0] == '#') {
		d.Flags |= facts.Exported
	} else if d.Flags&facts.Protected == 0 {
		d.Flags |= facts.Private
	}
	if w.fn.scope != 0 {
		d.Flags |= facts.Local
	}
	d.Flags |= w.flags & facts.Declared
	if d.Scope == 0 {
		d.Scope = w.scope
	}
	id := w.b.Def(d)
	w.vars[varKey{w.scope, d.Name}] = id
	w.bind(facts.Bind{Kind: facts.BindDef, Name: d.Name, Pos: d.NamePos, Def: id})
	return id
}

// method reads a method with or without a body.
func (w *walker) method(n uint32, class facts.DefID) {
	decorators := w.decorators(n)
	name, pos := w.memberName(n)
	flags := w.modifiers(n)
	if w.child(n, w.fields.body) == 0 {
		flags |= facts.Declared
		if w.f.Defs[class].Kind == facts.DefClass && w.flags&facts.Declared == 0 && flags&facts.Abstract == 0 {
			flags |= facts.Overload
		}
	}
	if w.kind(n) == kAbstractMethodSignature {
		flags |= facts.Abstract
	}
	if w.f.Names[name] == "constructor" && w.f.Defs[class].Kind == facts.DefClass {
		flags |= facts.Constructor
	}
	w.fn.static = flags&facts.Static != 0
	if name == 0 {
		w.function(n, w.def, 0)
		return
	}
	id := w.member(facts.Def{
		Kind: facts.DefMethod, Flags: flags, Name: name, Span: w.span(n), NamePos: pos, Doc: w.docOf(n), Decorators: decorators,
	})
	w.function(n, id, id)
}

// field reads a class field.
func (w *walker) field(n uint32, class facts.DefID) {
	decorators := w.decorators(n)
	name, pos := w.memberName(n)
	flags := w.modifiers(n)
	w.fn.static = flags&facts.Static != 0
	var id facts.DefID
	if name != 0 {
		id = w.member(facts.Def{
			Kind: facts.DefField, Flags: flags, Name: name, Span: w.span(n), NamePos: pos, SigEnd: w.signatureEnd(n, pos),
			Doc: w.docOf(n), Decorators: decorators,
		})
	}
	var typ facts.ExprID
	if t := w.child(n, w.fields.typ); t != 0 {
		typ = w.typeExpr(t)
	} else if doc := w.docOf(n); w.js && doc.End > 0 {
		typ = w.docType(doc)
	}
	var value facts.ExprID
	if v := w.child(n, w.fields.value); v != 0 {
		value = w.valueOf(v, id)
	}
	if id != 0 {
		w.f.Defs[id].Type, w.f.Defs[id].Value = typ, value
	}
}

// indexSignature reads "[k: K]: V" and "[K in Keys]: V", the latter in a scope of
// its own that binds K.
func (w *walker) indexSignature(n uint32) facts.ExprID {
	outer := w.scope
	if w.first(n, kMappedTypeClause) != 0 {
		w.scope = w.openScope(facts.ScopeTypeParams, n, w.def)
	}
	var key, value facts.ExprID
	if k := w.child(n, w.fields.index); k != 0 {
		key = w.typeExpr(k)
	}
	for c := n + 1; c < w.next(n); c = w.next(c) {
		switch k := w.kind(c); {
		case k == kMappedTypeClause:
			key = w.mappedClause(c)
		case w.node(c).Field == w.fields.typ:
			value = w.typeExpr(c)
		case key == 0 && w.named(c) && k == kPredefinedType:
			key = w.typeExpr(c)
		}
	}
	mark := len(w.kids)
	w.push(key)
	e := w.add(n, facts.Expr{Kind: facts.MapType, X: value, Kids: w.take(mark)})
	w.scope = outer
	return e
}

// mappedClause reads "K in T" and binds K.
func (w *walker) mappedClause(c uint32) facts.ExprID {
	var key facts.ExprID
	if t := w.child(c, w.fields.typ); t != 0 {
		key = w.typeExpr(t)
	}
	if n := w.child(c, w.fields.name); n != 0 {
		w.bind(facts.Bind{Kind: facts.BindTypeParam, Name: w.name(n), Pos: w.node(n).Start, Type: key})
	}
	if a := w.child(c, w.fields.alias); a != 0 {
		w.typeExpr(a)
	}
	return key
}
