package ecma

import (
	"codeidx/facts"
)

// typeDef appends the definition of a declaration that names a type.
func (w *walker) typeDef(n, outer uint32, k facts.DefKind) facts.DefID {
	nameNode := w.child(n, w.fields.name)
	if nameNode == 0 || w.broken(nameNode) {
		return 0
	}
	name, pos := w.name(nameNode), w.node(nameNode).Start
	id := w.b.Def(facts.Def{
		Kind: k, Flags: w.defFlags(), Name: name, Parent: w.def, Scope: w.scope, Span: w.span(outer), NamePos: pos,
		SigEnd: w.signatureEnd(n, pos), Doc: w.docOf(outer),
	})
	w.bind(facts.Bind{Kind: facts.BindDef, Name: name, Pos: pos, Def: id})
	w.exported(name, pos, id)
	return id
}

// within reads something that belongs to definition id, outside of functions'
// bodies.
func (w *walker) within(id facts.DefID, read func()) {
	outerScope, outerDef, outerFlags, outerFn := w.scope, w.def, w.flags, w.fn
	w.def = id
	w.flags &= facts.Declared
	read()
	w.scope, w.def, w.flags, w.fn = outerScope, outerDef, outerFlags, outerFn
}

func (w *walker) interfaceDecl(n, outer uint32) {
	id := w.typeDef(n, outer, facts.DefInterface)
	if id == 0 {
		return
	}
	w.within(id, func() {
		if tp := w.child(n, w.fields.typeParams); tp != 0 {
			w.typeParams(tp, id)
		}
		if e := w.first(n, kExtendsTypeClause); e != 0 {
			mark := len(w.kids)
			w.typeList(e, facts.Base)
			bases := w.take(mark)
			w.f.Defs[id].Bases = bases
		}
		w.scope = w.openScope(facts.ScopeClass, n, id)
		w.f.Defs[id].Scope = w.scope
		if b := w.child(n, w.fields.body); b != 0 {
			w.f.Defs[id].SigEnd = w.node(b).Start
			index := w.typeMembers(b)
			w.f.Defs[id].Type = index
		}
	})
}

// typeMembers reads the members of an interface or object type into the
// current scope and returns its index signature.
func (w *walker) typeMembers(b uint32) (index facts.ExprID) {
	for c := b + 1; c < w.next(b); c = w.next(c) {
		switch w.kind(c) {
		case kMethodSignature, kMethodDefinition:
			w.method(c, w.def)
		case kPropertySignature, kPublicFieldDefinition:
			w.propertySignature(c)
		case kCallSignature, kConstructSignature:
			w.signature(c)
		case kIndexSignature:
			index = w.indexSignature(c)
		case kError:
			w.recover(c)
		}
	}
	return index
}

func (w *walker) propertySignature(n uint32) {
	name, pos := w.memberName(n)
	var id facts.DefID
	if name != 0 {
		id = w.member(facts.Def{
			Kind: facts.DefProperty, Flags: w.modifiers(n), Name: name, Span: w.span(n), NamePos: pos, SigEnd: w.node(n).End, Doc: w.docOf(n),
		})
	}
	if t := w.child(n, w.fields.typ); t != 0 {
		outer := w.def
		if id != 0 {
			w.def = id
		}
		typ := w.typeExpr(t)
		w.def = outer
		if id != 0 {
			w.f.Defs[id].Type = typ
		}
	}
}

// signature reads a call or construct signature as a function type bound to
// the made-up name "()" or "new".
func (w *walker) signature(n uint32) {
	e := w.functionType(n)
	name := "()"
	if w.kind(n) == kConstructSignature {
		name = "new"
		w.f.Exprs[e].Name = w.b.InternString(name)
	}
	w.bind(facts.Bind{Kind: facts.BindVar, Name: w.b.InternString(name), Pos: w.node(n).Start, Type: e})
}

func (w *walker) typeAlias(n, outer uint32) {
	id := w.typeDef(n, outer, facts.DefType)
	if id == 0 {
		return
	}
	w.f.Defs[id].Flags |= facts.Alias
	w.within(id, func() {
		if tp := w.child(n, w.fields.typeParams); tp != 0 {
			w.typeParams(tp, id)
			w.f.Defs[id].Scope = w.scope
		}
		if v := w.child(n, w.fields.value); v != 0 {
			t := w.typeExpr(v)
			w.f.Defs[id].Type = t
		}
	})
}

func (w *walker) enumDecl(n, outer uint32) {
	id := w.typeDef(n, outer, facts.DefEnum)
	if id == 0 {
		return
	}
	w.within(id, func() {
		w.scope = w.openScope(facts.ScopeClass, n, id)
		w.f.Defs[id].Scope = w.scope
		b := w.child(n, w.fields.body)
		if b == 0 {
			return
		}
		for c := b + 1; c < w.next(b); c = w.next(c) {
			switch {
			case w.kind(c) == kEnumAssignment:
				name, pos := w.memberName(c)
				v := w.child(c, w.fields.value)
				var value facts.ExprID
				if v != 0 {
					value = w.expr(v, facts.Read)
				}
				w.enumMember(c, name, pos, value)
			case w.node(c).Field == w.fields.name && w.kind(c) == kPropertyIdentifier:
				w.enumMember(c, w.name(c), w.node(c).Start, 0)
			}
		}
	})
}

func (w *walker) enumMember(n uint32, name facts.NameID, pos uint32, value facts.ExprID) {
	if name != 0 {
		w.member(facts.Def{Kind: facts.DefEnumMember, Name: name, Span: w.span(n), NamePos: pos, SigEnd: w.node(n).End, Value: value})
	}
}

// namespaceDecl reads "namespace A.B {}", "declare module 'x' {}" and "declare
// global {}".
func (w *walker) namespaceDecl(n, outer uint32) {
	nameNode, body := w.child(n, w.fields.name), w.child(n, w.fields.body)
	if nameNode == 0 || w.broken(nameNode) {
		return
	}
	if w.kind(nameNode) == kString {
		w.ambientModule(n, nameNode, body)
		return
	}
	w.namespace(n, outer, nameNode, body)
}

// namespace reads one name of a namespace; nested names nest.
func (w *walker) namespace(n, outer, nameNode, body uint32) {
	rest := uint32(0)
	head := nameNode
	if w.kind(nameNode) == kNestedIdentifier {
		head, rest = w.child(nameNode, w.fields.object), w.child(nameNode, w.fields.property)
	}
	if head == 0 {
		return
	}
	name := w.name(head)
	id := w.b.Def(facts.Def{
		Kind: facts.DefNamespace, Flags: w.defFlags(), Name: name, Parent: w.def, Span: w.span(outer), NamePos: w.node(head).Start,
		SigEnd: w.node(nameNode).End, Doc: w.docOf(outer),
	})
	w.bind(facts.Bind{Kind: facts.BindDef, Name: name, Pos: w.node(head).Start, Def: id})
	w.exported(name, w.node(head).Start, id)
	w.within(id, func() {
		w.scope = w.openScope(facts.ScopeBlock, n, id)
		w.f.Defs[id].Scope = w.scope
		w.fn = function{}
		switch {
		case rest != 0:
			w.flags |= facts.Exported
			w.namespace(n, n, rest, body)
		case body != 0:
			w.statements(body)
		}
	})
}

// ambientModule reads "declare module 'name' {…}": a module of its own or the
// augmentation of one.
func (w *walker) ambientModule(n, nameNode, body uint32) {
	name := w.b.Intern(w.content(nameNode))
	id := w.b.Def(facts.Def{
		Kind: facts.DefModule, Flags: facts.Declared, Name: name, Parent: w.def, Span: w.span(n), NamePos: w.node(nameNode).Start,
		SigEnd: w.node(nameNode).End, Doc: w.docOf(n),
	})
	w.within(id, func() {
		w.scope = w.openScope(facts.ScopeBlock, n, id)
		w.f.Defs[id].Scope = w.scope
		w.flags = facts.Declared
		if body != 0 {
			w.statements(body)
		}
	})
}

// ambient reads what follows "declare".
func (w *walker) ambient(n, outer uint32) {
	outerFlags := w.flags
	w.flags |= facts.Declared
	for c := n + 1; c < w.next(n); c = w.next(c) {
		switch {
		case w.kind(c) == kStatementBlock: // declare global
			w.b.Mark("global", "")
			global := w.b.Def(facts.Def{
				Kind: facts.DefModule, Flags: facts.Declared, Name: w.b.InternString("global"), Parent: w.def, Span: w.span(n),
				NamePos: w.node(n).Start, SigEnd: w.node(c).Start,
			})
			w.within(global, func() {
				w.scope = w.openScope(facts.ScopeBlock, c, global)
				w.f.Defs[global].Scope = w.scope
				w.statements(c)
			})
		case w.named(c) && w.kind(c) != kPropertyIdentifier:
			w.declared(c, outer)
		}
	}
	w.flags = outerFlags
}

// declared reads a declaration that spans outer.
func (w *walker) declared(c, outer uint32) {
	switch w.kind(c) {
	case kFunctionDeclaration, kGeneratorFunctionDeclaration, kFunctionSignature:
		w.functionDecl(c, outer)
	case kClassDeclaration, kAbstractClassDeclaration, kClass:
		w.classDecl(c, outer)
	case kInterfaceDeclaration:
		w.interfaceDecl(c, outer)
	case kTypeAliasDeclaration:
		w.typeAlias(c, outer)
	case kEnumDeclaration:
		w.enumDecl(c, outer)
	case kInternalModule, kModule:
		w.namespaceDecl(c, outer)
	case kAmbientDeclaration:
		w.ambient(c, outer)
	default:
		w.statement(c)
	}
}

// typeParams opens a scope with the type parameters at n.
func (w *walker) typeParams(n uint32, def facts.DefID) {
	w.scope = w.openScope(facts.ScopeTypeParams, n, def)
	for c := n + 1; c < w.next(n); c = w.next(c) {
		if w.kind(c) != kTypeParameter {
			continue
		}
		b := facts.Bind{Kind: facts.BindTypeParam}
		nameNode := w.child(c, w.fields.name)
		if nameNode == 0 {
			continue
		}
		b.Name, b.Pos = w.name(nameNode), w.node(nameNode).Start
		if k := w.first(c, kConstraint); k != 0 {
			b.Type = w.typeExpr(w.only(k))
		}
		if d := w.first(c, kDefaultType); d != 0 {
			b.Value = w.typeExpr(w.only(d))
		}
		w.bind(b)
	}
}
