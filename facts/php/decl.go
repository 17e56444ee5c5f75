package php

import (
	"bytes"

	"codeidx/facts"
)

// namespace reads "namespace A\B;", which lasts to the next one or the end of
// the block around, and "namespace A\B {…}".
func (w *walker) namespace(n uint32) {
	outer := w.scope
	name := w.child(n, w.fields.name)
	body := w.child(n, w.fields.body)
	span := w.span(n)
	parent := w.scope
	if w.f.Scopes[parent].Kind == facts.ScopeNamespace {
		parent = w.f.Scopes[parent].Parent
	}
	scope := w.b.Scope(facts.Scope{Kind: facts.ScopeNamespace, Parent: parent, Def: w.def, Span: span})
	if body == 0 {
		w.f.Scopes[scope].Span.End = uint32(len(w.src))
	}
	if name != 0 && !w.broken(name) {
		id := w.b.Intern(w.text(name))
		if w.f.Package == 0 {
			w.f.Package = id
		}
		d := facts.Def{Kind: facts.DefNamespace, Name: id, Parent: w.def, Scope: scope, Span: span, NamePos: w.node(name).Start, SigEnd: w.node(name).End}
		w.b.Def(d)
	}
	w.scope = scope
	if body != 0 {
		w.block(body)
		w.scope = outer
	}
}

// use reads the imports of one use statement.
func (w *walker) use(n uint32) {
	imp := facts.Import{Kind: facts.ImportName, Scope: w.scope, Stmt: w.span(n), Flags: w.useType(n)}
	group := w.first(n, kUseGroup)
	if group == 0 {
		w.each(n, func(c uint32) {
			if w.kind(c) == kImportClause {
				w.useClause(c, imp)
			}
		})
		return
	}
	if p := w.first(n, kNamespaceName); p != 0 {
		imp.Module, imp.ModulePos = w.b.Intern(w.text(p)), w.node(p).Start
	}
	w.each(group, func(c uint32) {
		if w.kind(c) == kImportClause {
			w.useClause(c, imp)
		}
	})
}

// useType reads the "function" or "const" of a use statement or clause.
func (w *walker) useType(n uint32) facts.ImportFlags {
	t := w.child(n, w.fields.typ)
	switch {
	case t == 0:
		return 0
	case equalFold(w.text(t), "function"):
		return facts.ImportsFunc
	case equalFold(w.text(t), "const"):
		return facts.ImportsConst
	}
	return 0
}

// useClause reads one imported name below the prefix in imp.
func (w *walker) useClause(n uint32, imp facts.Import) {
	imp.Flags |= w.useType(n)
	alias := w.child(n, w.fields.alias)
	c := uint32(0)
	w.each(n, func(k uint32) {
		if k != alias && (w.kind(k) == kName || w.kind(k) == kQualifiedName) {
			c = k
		}
	})
	if c == 0 || w.broken(c) {
		return
	}
	at, text := w.node(c).Start, w.text(c)
	if imp.ModulePos == 0 {
		imp.ModulePos = at
	}
	if i := bytes.LastIndexByte(text, '\\'); i >= 0 {
		module := bytes.TrimLeft(text[:i], `\`)
		if imp.Module != 0 {
			module = append([]byte(w.f.Names[imp.Module]+`\`), module...)
		}
		imp.Module = w.b.Intern(module)
		at, text = at+uint32(i)+1, text[i+1:]
	}
	imp.Name, imp.NamePos = w.b.Intern(text), at
	if alias != 0 {
		imp.Alias = w.b.Intern(w.text(alias))
	}
	id := w.b.Import(imp)
	name := imp.Name
	if alias != 0 {
		name = imp.Alias
	}
	w.b.Bind(facts.Bind{Kind: facts.BindImport, Scope: w.scope, Name: name, Pos: at, Import: id})
}

// attributes reads the attributes of a declaration.
func (w *walker) attributes(n uint32) facts.Range {
	list := w.child(n, w.fields.attributes)
	if list == 0 {
		return facts.Range{}
	}
	mark := len(w.kids)
	w.each(list, func(g uint32) {
		w.each(g, func(a uint32) {
			if w.kind(a) == kAttribute {
				w.push(w.oneAttribute(a))
			}
		})
	})
	r := w.b.Range(w.kids[mark:])
	w.kids = w.kids[:mark]
	return r
}

// oneAttribute reads one attribute: it constructs a class, seen as New.
func (w *walker) oneAttribute(n uint32) facts.ExprID {
	c := w.firstNamed(n)
	if c == 0 {
		return 0
	}
	args := w.child(n, w.fields.parameters)
	if args == 0 {
		return w.className(c, facts.Decorator)
	}
	x := w.className(c, facts.Callee)
	mark := len(w.kids)
	w.arguments(args)
	return w.finish(n, facts.Expr{Kind: facts.New, X: x}, mark)
}

// begin returns a definition of the declaration n, from its first part behind
// attributes up to its body.
func (w *walker) begin(n, name uint32, k facts.DefKind) facts.Def {
	d := facts.Def{Kind: k, Flags: w.flow.flags, Parent: w.def, Span: w.span(n), NamePos: w.node(n).Start}
	if name != 0 {
		d.Name, d.NamePos = w.b.Intern(w.text(name)), w.node(name).Start
	}
	if a := w.child(n, w.fields.attributes); a != 0 {
		d.Span.Start = w.node(w.nextNamedOrToken(n, a)).Start
	}
	d.SigEnd = d.Span.End
	if b := w.child(n, w.fields.body); b != 0 {
		d.SigEnd = w.node(b).Start
		for d.SigEnd > d.Span.Start && isSpace(w.src[d.SigEnd-1]) {
			d.SigEnd--
		}
	}
	if w.doc != 0 {
		d.Doc = w.span(w.doc)
	}
	return d
}

// nextNamedOrToken returns the child of n behind c that is no comment.
func (w *walker) nextNamedOrToken(n, c uint32) uint32 {
	for c = w.t.Nodes[c].Next; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		if w.kind(c) != kComment {
			return c
		}
	}
	return n
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }

// modifiers reads the modifiers among the children of n.
func (w *walker) modifiers(n uint32) facts.DefFlags {
	var f facts.DefFlags
	visible := facts.Exported
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		switch w.kind(c) {
		case kVisibility:
			switch t := bytes.ToLower(w.text(c)); {
			case bytes.HasPrefix(t, []byte("private")):
				visible = facts.Private
			case bytes.HasPrefix(t, []byte("protected")):
				visible = facts.Protected
			}
		case kStaticModifier:
			f |= facts.Static
		case kAbstract:
			f |= facts.Abstract
		case kFinal:
			f |= facts.Final
		case kReadonly:
			f |= facts.Readonly
		}
	}
	return f | visible
}

// classLike reads a class, interface, trait, enum or anonymous class and
// returns its scope.
func (w *walker) classLike(n uint32) facts.ScopeID {
	name := w.child(n, w.fields.name)
	kinds := map[kind]facts.DefKind{kInterface: facts.DefInterface, kTrait: facts.DefTrait, kEnum: facts.DefEnum}
	k, ok := kinds[w.kind(n)]
	if !ok {
		k = facts.DefClass
	}
	if k != facts.DefClass && name == 0 {
		return w.scope
	}
	d := w.begin(n, name, k)
	if name == 0 {
		d.Name, d.Flags = w.b.InternString("class@anonymous"), d.Flags|facts.Local
	}
	d.Flags |= w.modifiers(n)
	if w.vars != 0 {
		d.Flags |= facts.Local
	}
	doc := w.doc
	id := w.b.Def(d)
	decorators := w.attributes(n)
	w.f.Defs[id].Decorators = decorators
	bases, implements := w.bases(n)
	scope := w.b.Scope(facts.Scope{Kind: facts.ScopeClass, Parent: w.scope, Def: id, Span: w.span(n)})
	w.f.Defs[id].Scope = scope
	w.b.Bind(facts.Bind{Kind: facts.BindDef, Scope: w.f.Scopes[scope].Parent, Name: d.Name, Pos: d.NamePos, Def: id})

	outer, outerDef, outerClass := state{w.scope, w.vars, w.flow, 0}, w.def, w.class
	w.scope, w.vars, w.def, w.class, w.flow, w.doc = scope, scope, id, id, flow{}, 0
	if doc != 0 {
		w.docClass(doc, id)
	}
	mark := len(w.kids)
	w.kids = append(w.kids, bases...)
	if b := w.child(n, w.fields.body); b != 0 {
		w.block(b)
	}
	w.f.Defs[id].Bases = w.b.Range(w.kids[mark:])
	w.kids = w.kids[:mark]
	w.f.Defs[id].Implements = w.b.Range(implements)
	w.scope, w.vars, w.flow, w.doc = outer.scope, outer.vars, outer.flow, outer.doc
	w.def, w.class = outerDef, outerClass
	return scope
}

// bases reads the extends and implements clauses. Traits are added while the
// body is read.
func (w *walker) bases(n uint32) (bases, implements []facts.ExprID) {
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		switch w.kind(c) {
		case kBaseClause:
			w.each(c, func(b uint32) { bases = append(bases, w.className(b, facts.Base)) })
		case kInterfaceClause:
			w.each(c, func(b uint32) { implements = append(implements, w.className(b, facts.Implement)) })
		}
	}
	return bases, implements
}

// function reads a named function.
func (w *walker) function(n uint32) {
	name := w.child(n, w.fields.name)
	if name == 0 || w.broken(name) {
		return
	}
	d := w.begin(n, name, facts.DefFunction)
	d.Flags |= facts.Exported
	if w.vars != 0 {
		d.Flags |= facts.Local
	}
	if w.tests && (bytes.HasPrefix(w.text(name), []byte("test_")) || bytes.Equal(w.text(name), []byte("test"))) {
		d.Flags |= facts.Test
	}
	w.routine(n, d)
}

// routine reads attributes, parameters, result and body of a function or method.
func (w *walker) routine(n uint32, d facts.Def) facts.DefID {
	doc := w.doc
	id := w.b.Def(d)
	decorators := w.attributes(n)
	w.f.Defs[id].Decorators = decorators
	w.b.Bind(facts.Bind{Kind: facts.BindDef, Scope: w.scope, Name: d.Name, Pos: d.NamePos, Def: id})
	outerDef := w.def
	outer := state{w.scope, w.vars, w.flow, 0}
	w.def = id
	w.scope = w.b.Scope(facts.Scope{Kind: facts.ScopeFunction, Parent: outer.scope, Def: id, Span: w.span(n)})
	w.f.Defs[id].Scope = w.scope
	w.vars, w.flow, w.doc = w.scope, flow{}, 0
	if p := w.child(n, w.fields.parameters); p != 0 {
		w.parameters(p)
	}
	if t := w.child(n, w.fields.returnType); t != 0 {
		r := w.typeExpr(t)
		w.f.Defs[id].Result = r
	}
	if doc != 0 {
		w.docFunction(doc, id)
	}
	if b := w.child(n, w.fields.body); b != 0 {
		if w.kind(b) == kCompound {
			w.block(b)
		} else {
			v := w.expr(b, facts.Read) // property hook "get => value"
			w.b.Bind(facts.Bind{Kind: facts.BindReturn, Scope: w.vars, Pos: w.node(b).Start, Value: v})
		}
	}
	w.scope, w.vars, w.flow, w.doc, w.def = outer.scope, outer.vars, outer.flow, outer.doc, outerDef
	return id
}

// parameters binds the parameters of the function whose scope is current.
func (w *walker) parameters(n uint32) {
	w.each(n, func(c uint32) {
		switch w.kind(c) {
		case kParameter, kVariadic, kPromoted:
			w.parameter(c)
		}
	})
}

func (w *walker) parameter(n uint32) {
	name := w.child(n, w.fields.name)
	if name == 0 {
		return
	}
	if w.kind(name) == kByRef {
		if name = w.firstNamed(name); name == 0 {
			return
		}
	}
	decorators := w.attributes(n)
	b := facts.Bind{Kind: facts.BindParam, Scope: w.vars, Name: w.b.Intern(w.text(name)), Pos: w.node(name).Start}
	if t := w.child(n, w.fields.typ); t != 0 {
		b.Type = w.typeExpr(t)
	}
	if v := w.child(n, w.fields.defaultValue); v != 0 {
		b.Value, b.Flags = w.expr(v, facts.Read), facts.Optional
	}
	if w.kind(n) == kVariadic {
		b.Flags |= facts.Variadic
	}
	if w.kind(n) == kPromoted {
		b.Def = w.promoted(n, name, b, decorators)
	}
	w.b.Bind(b)
}

// promoted defines the property that a constructor's parameter declares.
func (w *walker) promoted(n, name uint32, b facts.Bind, decorators facts.Range) facts.DefID {
	d := facts.Def{
		Kind: facts.DefProperty, Flags: w.modifiers(n), Name: w.b.Intern(w.text(name)[1:]), Parent: w.class,
		Scope: w.f.Defs[w.class].Scope, Span: w.span(n), NamePos: w.node(name).Start, SigEnd: w.node(n).End,
		Decorators: decorators, Type: b.Type, Value: b.Value,
	}
	return w.b.Def(d)
}

// constants reads "const A = 1, B = 2;" of a file or a class.
func (w *walker) constants(n uint32) {
	var typ facts.ExprID
	if t := w.child(n, w.fields.typ); t != 0 {
		typ = w.typeExpr(t)
	}
	decorators := w.attributes(n)
	doc := w.doc
	w.each(n, func(c uint32) {
		name := w.firstNamed(c)
		if w.kind(c) != kConstElement || name == 0 {
			return
		}
		d := w.begin(n, name, facts.DefConstant)
		d.Flags |= w.modifiers(n)
		d.Scope, d.Type, d.Decorators = w.scope, typ, decorators
		if v := w.nextNamed(c, w.t.Nodes[name].Next); v != 0 {
			d.Value = w.expr(v, facts.Read)
		}
		d.SigEnd = w.lineEnd(facts.Span{Start: d.NamePos, End: w.node(c).End})
		id := w.b.Def(d)
		w.b.Bind(facts.Bind{Kind: facts.BindConst, Scope: w.scope, Name: d.Name, Pos: d.NamePos, Type: typ, Value: d.Value, Def: id})
		if doc != 0 {
			w.docVar(doc, id)
		}
	})
}
