package php

import (
	"bytes"

	"codeidx/facts"
)

// member reads a member of a class. w.doc is the doc comment before it.
func (w *walker) member(n uint32) {
	if w.class == 0 {
		return // left over by error recovery
	}
	switch w.kind(n) {
	case kMethod:
		w.method(n)
	case kProperty:
		w.properties(n)
	case kEnumCase:
		w.enumCase(n)
	case kTraitUse:
		w.traitUse(n)
	}
}

func (w *walker) method(n uint32) {
	name := w.child(n, w.fields.name)
	if name == 0 || w.broken(name) {
		return
	}
	d := w.begin(n, name, facts.DefMethod)
	d.Flags |= w.modifiers(n)
	if equalFold(w.text(name), "__construct") {
		d.Flags |= facts.Constructor
	}
	if w.child(n, w.fields.body) == 0 {
		d.Flags |= facts.Declared
		if w.f.Defs[w.class].Kind == facts.DefInterface {
			d.Flags |= facts.Abstract
		}
	}
	if w.tests && w.isTest(n, w.text(name)) {
		d.Flags |= facts.Test
	}
	w.routine(n, d)
}

// isTest says whether PHPUnit would run a method.
func (w *walker) isTest(n uint32, name []byte) bool {
	if bytes.HasPrefix(name, []byte("test")) || w.doc != 0 && bytes.Contains(w.text(w.doc), []byte("@test")) {
		return true
	}
	a := w.child(n, w.fields.attributes)
	return a != 0 && bytes.Contains(w.text(a), []byte("Test"))
}

// properties reads "public A $a = 1, $b;" and hooks behind it.
func (w *walker) properties(n uint32) {
	var typ facts.ExprID
	if t := w.child(n, w.fields.typ); t != 0 {
		typ = w.typeExpr(t)
	}
	decorators := w.attributes(n)
	doc, last := w.doc, facts.DefID(0)
	w.each(n, func(c uint32) {
		switch w.kind(c) {
		case kPropertyElement:
			last = w.property(n, c, typ, decorators, doc)
		case kHookList:
			w.each(c, func(h uint32) {
				if w.kind(h) == kHook && last != 0 {
					w.hook(h, last, typ)
				}
			})
		}
	})
}

func (w *walker) property(n, c uint32, typ facts.ExprID, decorators facts.Range, doc uint32) facts.DefID {
	name := w.child(c, w.fields.name)
	if name == 0 || w.broken(name) {
		return 0
	}
	d := w.begin(n, 0, facts.DefProperty)
	d.Name, d.NamePos = w.b.Intern(w.text(name)[1:]), w.node(name).Start
	d.Flags |= w.modifiers(n)
	d.Scope, d.Type, d.Decorators = w.scope, typ, decorators
	d.SigEnd = w.lineEnd(facts.Span{Start: d.NamePos, End: w.node(c).End})
	if v := w.child(c, w.fields.defaultValue); v != 0 {
		d.Value = w.expr(v, facts.Read)
	}
	id := w.b.Def(d)
	if doc != 0 {
		w.docVar(doc, id)
	}
	return id
}

// hook reads a get or set hook: a method below the property.
func (w *walker) hook(n uint32, property facts.DefID, typ facts.ExprID) {
	name := w.first(n, kName)
	if name == 0 {
		return
	}
	d := w.begin(n, name, facts.DefMethod)
	d.Parent, d.Flags = property, w.f.Defs[property].Flags|facts.Accessor
	if equalFold(w.text(name), "set") {
		d.Flags |= facts.Setter
	} else {
		d.Result = typ
	}
	outer := w.def
	w.def = property
	id := w.routine(n, d)
	w.def = outer
	if d.Flags&facts.Setter != 0 && w.child(n, w.fields.parameters) == 0 {
		w.b.Bind(facts.Bind{
			Kind: facts.BindParam, Scope: w.f.Defs[id].Scope, Name: w.b.InternString("$value"), Pos: d.NamePos, Type: typ,
		})
	}
}

func (w *walker) enumCase(n uint32) {
	name := w.child(n, w.fields.name)
	if name == 0 || w.broken(name) {
		return
	}
	d := w.begin(n, name, facts.DefEnumMember)
	d.Flags |= facts.Exported
	d.Scope = w.scope
	d.Decorators = w.attributes(n)
	if v := w.child(n, w.fields.value); v != 0 {
		d.Value = w.expr(v, facts.Read)
	}
	w.b.Def(d)
}

// traitUse reads "use A, B {…}": the traits become bases of the class, the
// rules about their methods BindTraits.
func (w *walker) traitUse(n uint32) {
	w.each(n, func(c uint32) {
		if w.kind(c) != kUseList {
			w.push(w.className(c, facts.TraitUse))
			return
		}
		w.each(c, func(r uint32) {
			switch w.kind(r) {
			case kInsteadOf:
				w.traitRule(r, true)
			case kUseAs:
				w.traitRule(r, false)
			}
		})
	})
}

// traitRule reads "A::m insteadof B" and "A::m as protected n".
func (w *walker) traitRule(n uint32, insteadOf bool) {
	first := w.firstNamed(n)
	if first == 0 {
		return
	}
	b := facts.Bind{Kind: facts.BindTrait, Scope: w.scope, Pos: w.node(n).Start}
	method := w.text(first)
	if w.kind(first) == kClassConstant {
		b.Value = w.classConstant(first, facts.Read)
		method = []byte(w.f.Names[w.f.Exprs[b.Value].Name])
	} else {
		b.Value = w.add(first, facts.Expr{Kind: facts.Name, Ctx: facts.Echo, Name: w.b.Intern(method)})
	}
	last := uint32(0)
	for c := w.nextNamed(n, w.t.Nodes[first].Next); c != 0; c = w.nextNamed(n, w.t.Nodes[c].Next) {
		if w.kind(c) == kName || w.kind(c) == kQualifiedName {
			last = c
		}
	}
	switch {
	case insteadOf && last != 0:
		b.Name, b.Type = w.b.Intern(method), w.name(last, facts.TypeUse)
	case !insteadOf && last != 0:
		b.Name = w.b.Intern(w.text(last))
	default:
		return // only the visibility changes
	}
	w.b.Bind(b)
}
