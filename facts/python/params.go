package python

import (
	"codeidx/facts"
)

// parameters binds the parameters of a function in its scope. Annotations and
// defaults are read in the scope around. It returns the name of self or cls
// where the function is a method that has one.
func (w *walker) parameters(n uint32, scope facts.ScopeID, id facts.DefID) facts.NameID {
	var recv facts.NameID
	var flags facts.BindFlags
	first := true
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		if !w.named(c) {
			continue
		}
		if w.kind(c) == kKeywordSeparator {
			flags = facts.KeywordOnly
			continue
		}
		p := w.parameter(c)
		if p.name == 0 {
			continue
		}
		b := facts.Bind{
			Kind: facts.BindParam, Scope: scope, Name: w.b.Intern(w.text(p.name)), Pos: w.node(p.name).Start,
			Type: p.typ, Value: p.value, Flags: p.flags | flags,
		}
		if p.flags&facts.Variadic != 0 {
			flags = facts.KeywordOnly
		}
		if first && w.takesReceiver(id) && p.flags&(facts.Variadic|facts.KeywordRest) == 0 {
			b.Kind, recv = facts.BindReceiver, b.Name
		}
		first = false
		w.b.Bind(b)
	}
	return recv
}

// takesReceiver says whether a definition's first parameter is self or cls.
func (w *walker) takesReceiver(id facts.DefID) bool {
	d := &w.f.Defs[id]
	return d.Kind == facts.DefMethod && d.Flags&facts.Static == 0
}

type param struct {
	name       uint32
	typ, value facts.ExprID
	flags      facts.BindFlags
}

func (w *walker) parameter(n uint32) param {
	p := param{}
	switch w.kind(n) {
	case kIdentifier:
		p.name = n
	case kTypedParameter:
		if c := w.t.First(n); c != 0 {
			p = w.parameter(c)
		}
		if t := w.child(n, w.fields.typ); t != 0 {
			p.typ = w.typeExpr(t)
		}
	case kDefaultParameter, kTypedDefaultParameter:
		p.name = w.child(n, w.fields.name)
		if t := w.child(n, w.fields.typ); t != 0 {
			p.typ = w.typeExpr(t)
		}
		if v := w.child(n, w.fields.value); v != 0 {
			p.value = w.expr(v, facts.Read)
		}
		p.flags = facts.Optional
	case kListSplatPattern:
		p.name, p.flags = w.lastNamed(n), facts.Variadic
	case kDictionarySplatPattern:
		p.name, p.flags = w.lastNamed(n), facts.KeywordRest
	}
	if p.name != 0 && w.kind(p.name) != kIdentifier {
		p.name = 0
	}
	return p
}

// typeParams opens the scope of "[T: Bound, *Ts, **P]" and leaves it current.
func (w *walker) typeParams(n uint32) {
	scope := w.b.Scope(facts.Scope{Kind: facts.ScopeTypeParams, Parent: w.scope, Def: w.def, Span: w.span(n)})
	w.scope = scope
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		if !w.named(c) {
			continue
		}
		id := w.first(c, kIdentifier)
		if id == 0 {
			continue
		}
		b := facts.Bind{Kind: facts.BindTypeParam, Scope: scope, Name: w.b.Intern(w.text(id)), Pos: w.node(id).Start}
		if k := w.first(c, kConstrainedType); k != 0 {
			if last := w.lastNamed(k); last != 0 {
				b.Type = w.typeExpr(last)
			}
		}
		w.b.Bind(b)
	}
}
