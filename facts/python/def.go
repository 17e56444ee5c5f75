package python

import (
	"bytes"

	"codeidx/facts"
)

// decorated reads the decorators in the scope around, then the definition.
func (w *walker) decorated(n uint32) {
	d := w.child(n, w.fields.definition)
	if d == 0 {
		w.children(n)
		return
	}
	switch w.kind(d) {
	case kFunctionDefinition:
		w.functionDef(d, n)
	case kClassDefinition:
		w.classDef(d, n)
	}
}

// decorators reads the decorators of the decorated definition n.
func (w *walker) decorators(n uint32) facts.Range {
	mark := len(w.kids)
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		if w.kind(c) == kDecorator {
			if e := w.lastNamed(c); e != 0 {
				w.push(w.expr(e, facts.Decorator))
			}
		}
	}
	r := w.b.Range(w.kids[mark:])
	w.kids = w.kids[:mark]
	return r
}

// functionDef reads a function or method; outer is its decorated definition or itself.
func (w *walker) functionDef(n, outer uint32) {
	nameNode := w.child(n, w.fields.name)
	if nameNode == 0 || w.broken(nameNode) {
		return
	}
	name := w.b.Intern(w.text(nameNode))
	d := facts.Def{
		Kind: facts.DefFunction, Flags: w.defFlags(name), Name: name, Parent: w.def, Span: w.span(n),
		NamePos: w.node(nameNode).Start,
	}
	method := w.f.Scopes[w.scope].Kind == facts.ScopeClass
	if method {
		d.Kind = facts.DefMethod
	}
	id := w.b.Def(d)
	if outer != n {
		r := w.decorators(outer)
		w.f.Defs[id].Decorators = r
	}
	flags := w.decoratorFlags(id)
	if f := w.t.First(n); f != 0 && w.kind(f) == kAsync {
		flags |= facts.Async
	}
	if method && string(w.text(nameNode)) == "__init__" {
		flags |= facts.Constructor
	}
	if method && dunderStatic(string(w.text(nameNode))) {
		flags |= facts.ClassMethod
	}
	if w.tests && bytes.HasPrefix(w.text(nameNode), []byte("test")) {
		flags |= facts.Test
	}
	w.f.Defs[id].Flags |= flags
	w.addBind(facts.Bind{Kind: facts.BindDef, Name: name, Pos: d.NamePos, From: w.headerEnd(n), Def: id})
	w.functionBody(n, id, method)
}

// headerEnd is where the header of a definition ends: bases, defaults and
// annotations in it do not see the name that it binds.
func (w *walker) headerEnd(n uint32) uint32 {
	end := w.node(n).Start
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		if w.named(c) && w.kind(c) != kBlock {
			end = w.node(c).End
		}
	}
	return end
}

// dunderStatic names the methods that take the class without being decorated.
func dunderStatic(name string) bool {
	return name == "__new__" || name == "__init_subclass__" || name == "__class_getitem__"
}

func (w *walker) functionBody(n uint32, id facts.DefID, method bool) {
	outerScope, outerDef, outerFn, outerFlow := w.scope, w.def, w.fn, w.flow
	if tp := w.child(n, w.fields.typeParams); tp != 0 {
		w.typeParams(tp)
	}
	scope := w.b.Scope(facts.Scope{Kind: facts.ScopeFunction, Parent: w.scope, Def: id, Span: w.span(n)})
	w.f.Defs[id].Scope = scope
	sigEnd := w.node(n).Start
	var recv facts.NameID
	if p := w.child(n, w.fields.params); p != 0 {
		recv = w.parameters(p, scope, id)
		sigEnd = w.node(p).End
	}
	if r := w.child(n, w.fields.result); r != 0 {
		e := w.typeExpr(r)
		w.f.Defs[id].Result = e
		sigEnd = w.node(r).End
	}
	w.f.Defs[id].SigEnd = sigEnd
	w.enterFunction(id, scope, outerScope, outerDef, method, recv)
	if b := w.child(n, w.fields.body); b != 0 {
		w.f.Defs[id].Doc = w.docstring(b)
		w.block(b)
		if w.stubBody(b) {
			w.f.Defs[id].Flags |= facts.Declared
		}
	}
	w.scope, w.def, w.fn, w.flow = outerScope, outerDef, outerFn, outerFlow
}

// enterFunction sets the surroundings of a function's body. A nested function
// still sees the self of the method around it, unless a parameter hides it.
func (w *walker) enterFunction(id facts.DefID, scope, outer facts.ScopeID, class facts.DefID, method bool, recv facts.NameID) {
	w.scope, w.def, w.flow = scope, id, flow{}
	w.fn.scope, w.fn.def, w.fn.globals = scope, id, nil
	if method {
		w.fn.recv, w.fn.class, w.fn.members = recv, class, outer
		return
	}
	for i := len(w.f.Binds) - 1; i >= 0 && w.fn.recv != 0 && w.f.Binds[i].Scope == scope; i-- {
		if w.f.Binds[i].Name == w.fn.recv {
			w.fn.recv = 0
		}
	}
}

// stubBody says whether a body is "..." alone, or a docstring and "...".
func (w *walker) stubBody(b uint32) bool {
	stub := false
	for c := b + 1; c < w.t.Nodes[b].Next; c = w.t.Nodes[c].Next {
		if !w.named(c) {
			continue
		}
		e := w.t.First(c)
		if w.kind(c) != kExpressionStatement || e == 0 {
			return false
		}
		switch w.kind(e) {
		case kEllipsis:
			stub = true
		case kString, kConcatenatedString:
		default:
			return false
		}
	}
	return stub
}

// decoratorFlags derives flags from the names of a definition's decorators.
func (w *walker) decoratorFlags(id facts.DefID) facts.DefFlags {
	var f facts.DefFlags
	for _, e := range w.f.KidsOf(w.f.Defs[id].Decorators) {
		x := &w.f.Exprs[e]
		if x.Kind == facts.Call {
			x = &w.f.Exprs[x.X]
		}
		if x.Kind != facts.Name && x.Kind != facts.Select {
			continue
		}
		switch w.f.Names[x.Name] {
		case "staticmethod":
			f |= facts.Static
		case "classmethod":
			f |= facts.ClassMethod
		case "property", "cached_property", "locked_cached_property":
			f |= facts.Accessor
		case "abstractproperty":
			f |= facts.Accessor | facts.Abstract
		case "getter":
			if x.Kind == facts.Select {
				f |= facts.Accessor
			}
		case "setter", "deleter":
			if x.Kind == facts.Select {
				f |= facts.Accessor | facts.Setter
			}
		case "abstractmethod":
			f |= facts.Abstract
		case "overload":
			f |= facts.Overload
		}
	}
	return f
}

// classDef reads a class; outer is its decorated definition or itself.
func (w *walker) classDef(n, outer uint32) {
	nameNode := w.child(n, w.fields.name)
	if nameNode == 0 || w.broken(nameNode) {
		return
	}
	name := w.b.Intern(w.text(nameNode))
	flags := w.defFlags(name)
	if w.tests && bytes.HasPrefix(w.text(nameNode), []byte("Test")) {
		flags |= facts.Test
	}
	id := w.b.Def(facts.Def{
		Kind: facts.DefClass, Flags: flags, Name: name, Parent: w.def, Span: w.span(n),
		NamePos: w.node(nameNode).Start, SigEnd: w.node(nameNode).End,
	})
	if outer != n {
		r := w.decorators(outer)
		w.f.Defs[id].Decorators = r
	}
	w.addBind(facts.Bind{Kind: facts.BindDef, Name: name, Pos: w.node(nameNode).Start, From: w.headerEnd(n), Def: id})
	outerScope, outerDef, outerFn, outerFlow := w.scope, w.def, w.fn, w.flow
	if tp := w.child(n, w.fields.typeParams); tp != 0 {
		w.typeParams(tp)
	}
	if s := w.child(n, w.fields.superclasses); s != 0 {
		bases := w.bases(s)
		w.f.Defs[id].Bases = bases
		w.f.Defs[id].SigEnd = w.node(s).End
		w.f.Defs[id].Kind = w.classKind(bases)
	}
	scope := w.b.Scope(facts.Scope{Kind: facts.ScopeClass, Parent: w.scope, Def: id, Span: w.span(n)})
	w.f.Defs[id].Scope = scope
	w.scope, w.def, w.flow = scope, id, flow{}
	w.fn = function{scope: 0}
	if b := w.child(n, w.fields.body); b != 0 {
		w.f.Defs[id].Doc = w.docstring(b)
		w.block(b)
	}
	w.scope, w.def, w.fn, w.flow = outerScope, outerDef, outerFn, outerFlow
}

// bases reads the base classes; keywords such as metaclass= stay among them as
// Keyword nodes.
func (w *walker) bases(n uint32) facts.Range {
	mark := len(w.kids)
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		switch {
		case !w.named(c):
		case w.kind(c) == kKeywordArgument:
			w.push(w.keyword(c, typedArgs{}))
		default:
			w.push(w.expr(c, facts.Base))
		}
	}
	r := w.b.Range(w.kids[mark:])
	w.kids = w.kids[:mark]
	return r
}

// classKind tells enumerations from other classes by the names of their bases.
func (w *walker) classKind(bases facts.Range) facts.DefKind {
	for _, e := range w.f.KidsOf(bases) {
		switch w.lastName(e) {
		case "Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "ReprEnum":
			return facts.DefEnum
		}
	}
	return facts.DefClass
}

// docstring returns the span of the string that opens a body.
func (w *walker) docstring(body uint32) facts.Span {
	for c := body + 1; c < w.t.Nodes[body].Next; c = w.t.Nodes[c].Next {
		if !w.named(c) {
			continue
		}
		if s := w.t.First(c); w.kind(c) == kExpressionStatement && s != 0 && w.kind(s) == kString {
			return w.span(s)
		}
		break
	}
	return facts.Span{}
}
