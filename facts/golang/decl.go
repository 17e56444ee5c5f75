package golang

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"codeidx/facts"
)

// newDef starts a definition whose name is node name and whose declaration is
// span; the signature ends with the declaration until its visitor knows better.
func (w *walker) newDef(kind facts.DefKind, name uint32, span facts.Span) facts.DefID {
	text := w.text(name)
	d := facts.Def{
		Kind: kind, Name: w.b.Intern(text), Parent: w.def, Scope: w.scope, Span: span,
		NamePos: w.nodes[name].Start, SigEnd: span.End, Doc: w.docBefore(span.Start),
	}
	if r, _ := utf8.DecodeRune(text); unicode.IsUpper(r) {
		d.Flags |= facts.Exported
	}
	if w.local {
		d.Flags |= facts.Local
	}
	return w.b.Def(d)
}

// function visits a function or method declaration.
func (w *walker) function(i uint32) {
	name := w.child(i, w.fields.name)
	params := w.child(i, w.fields.parameters)
	if name == 0 || params == 0 {
		return
	}
	recv := w.child(i, w.fields.receiver)
	body := w.child(i, w.fields.body)
	result := w.child(i, w.fields.result)
	kind := facts.DefFunction
	if recv != 0 {
		kind = facts.DefMethod
	}
	id := w.newDef(kind, name, w.span(i))
	text := w.text(name)
	broken := w.brokenHead(i)
	if recv == 0 && !broken && !blank(text) && string(text) != "init" {
		w.bind(facts.Bind{Kind: facts.BindDef, Name: w.f.Defs[id].Name, Pos: w.nodes[name].Start, Def: id})
	}
	w.def, w.local = id, true
	outer := w.open(facts.ScopeFunction, w.span(i))
	from := w.nodes[i].End
	if body != 0 {
		from = w.nodes[body].Start
	}
	var recvType facts.ExprID
	if recv != 0 {
		recvType = w.receiver(recv, from)
	}
	w.typeParams(w.child(i, w.fields.typeParameters))
	sig := w.signature(params, result, w.nodes[i].Start, from, true)
	d := &w.f.Defs[id]
	d.Scope, d.Recv, d.Type, d.Result = w.scope, recvType, sig, w.f.Exprs[sig].X
	if recvType != 0 {
		if w.f.Exprs[recvType].Kind == facts.Deref {
			d.Flags |= facts.Pointer
		}
		if !broken {
			d.Container = w.baseName(recvType)
		}
	}
	d.SigEnd = w.nodes[params].End
	if result != 0 {
		d.SigEnd = w.nodes[result].End
	}
	if body == 0 {
		d.Flags |= facts.Declared
	} else {
		w.stmts(body)
	}
	if w.test && recv == 0 && isTestName(text) {
		w.f.Defs[id].Flags |= facts.Test
	}
	w.scope, w.def, w.local = outer, 0, false
}

// isTestName says whether the testing package runs a function of that name.
func isTestName(name []byte) bool {
	for _, p := range []string{"Test", "Benchmark", "Fuzz", "Example"} {
		if rest, ok := bytes.CutPrefix(name, []byte(p)); ok {
			r, _ := utf8.DecodeRune(rest)
			return len(rest) == 0 || !unicode.IsLower(r)
		}
	}
	return false
}

// receiver binds a method's receiver and its type parameters and returns the
// receiver's type.
func (w *walker) receiver(list, from uint32) facts.ExprID {
	p := w.inner(list)
	if p == 0 {
		return 0
	}
	typ := w.child(p, w.fields.typ)
	if typ == 0 {
		return 0
	}
	base := typ
	for base != 0 && (w.kind(base) == kPointerType || w.kind(base) == kParenthesized) {
		base = w.inner(base)
	}
	if base != 0 && w.kind(base) == kGenericType {
		w.receiverTypeParams(w.child(base, w.fields.typeArguments))
	}
	t := w.expr(typ, facts.TypeUse)
	if n := w.child(p, w.fields.name); n != 0 && !blank(w.text(n)) {
		w.bind(facts.Bind{Kind: facts.BindReceiver, Name: w.b.Intern(w.text(n)), Pos: w.nodes[n].Start, From: from, Type: t})
	}
	return t
}

// receiverTypeParams binds the names in "T[A, B]" of a receiver.
func (w *walker) receiverTypeParams(args uint32) {
	if args == 0 {
		return
	}
	index := uint16(0)
	end := w.nodes[args].Next
	for c := args + 1; c < end; c = w.nodes[c].Next {
		if !w.solid(c) {
			continue
		}
		n := c
		for n != 0 && w.kind(n) == kTypeElem {
			n = w.inner(n)
		}
		if n != 0 && w.kind(n) == kTypeIdentifier && !blank(w.text(n)) {
			w.bind(facts.Bind{Kind: facts.BindTypeParam, Name: w.b.Intern(w.text(n)), Pos: w.nodes[n].Start, Index: index})
		}
		index++
	}
}

// baseName returns the type name of a receiver or embedded type.
func (w *walker) baseName(t facts.ExprID) facts.NameID {
	for t != 0 {
		switch e := &w.f.Exprs[t]; e.Kind {
		case facts.Deref, facts.Index:
			t = e.X
		case facts.Name, facts.Select:
			return e.Name
		default:
			return 0
		}
	}
	return 0
}

// typeParams binds the type parameters of a declaration.
func (w *walker) typeParams(list uint32) {
	if list == 0 {
		return
	}
	index := uint16(0)
	end := w.nodes[list].Next
	// Constraints may name parameters that follow them: bind all first.
	first := len(w.f.Binds)
	for c := list + 1; c < end; c = w.nodes[c].Next {
		if w.kind(c) != kTypeParameterDeclaration {
			continue
		}
		w.eachName(c, func(n uint32) {
			w.bind(facts.Bind{Kind: facts.BindTypeParam, Name: w.b.Intern(w.text(n)), Pos: w.nodes[n].Start, Index: index})
			index++
		})
	}
	next := first
	for c := list + 1; c < end; c = w.nodes[c].Next {
		if w.kind(c) != kTypeParameterDeclaration {
			continue
		}
		t := w.expr(w.child(c, w.fields.typ), facts.TypeUse)
		w.eachName(c, func(uint32) {
			w.f.Binds[next].Type = t
			next++
		})
	}
}

// eachName calls f for each child with the field "name".
func (w *walker) eachName(i uint32, f func(n uint32)) {
	end := w.nodes[i].Next
	for c := i + 1; c < end; c = w.nodes[c].Next {
		if w.nodes[c].Field == w.fields.name && w.solid(c) {
			f(c)
		}
	}
}
