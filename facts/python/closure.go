package python

import (
	"codeidx/facts"
)

func (w *walker) lambda(n uint32) facts.ExprID {
	outer, outerFn, outerFlow := w.scope, w.fn, w.flow
	scope := w.b.Scope(facts.Scope{Kind: facts.ScopeFunction, Parent: w.scope, Def: w.def, Span: w.span(n)})
	if p := w.child(n, w.fields.params); p != 0 {
		w.parameters(p, scope, 0)
	}
	w.scope, w.flow = scope, flow{}
	if b := w.child(n, w.fields.body); b != 0 {
		w.fn.scope, w.fn.globals = scope, nil
		v := w.expr(b, facts.Read)
		if v != 0 {
			w.b.Bind(facts.Bind{Kind: facts.BindReturn, Scope: scope, Pos: w.f.Exprs[v].Pos, Value: v})
		}
	}
	w.scope, w.fn, w.flow = outer, outerFn, outerFlow
	id := w.add(n, facts.Expr{Kind: facts.Func})
	w.f.Exprs[id].Scope = scope
	return id
}

// comprehension reads its clauses before its element, so that bindings come
// first. The first iterable belongs to the scope around.
func (w *walker) comprehension(n uint32) facts.ExprID {
	outer, outerFlow := w.scope, w.flow
	inner := w.b.Scope(facts.Scope{Kind: facts.ScopeComprehension, Parent: w.scope, Def: w.def, Span: w.span(n)})
	w.flow.cond = false
	first := true
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		switch w.kind(c) {
		case kForInClause:
			w.forIn(c, inner, first)
			first = false
		case kIfClause:
			w.scope = inner
			if t := w.lastNamed(c); t != 0 {
				w.expr(t, facts.Read)
				w.narrow(t, true, w.node(n).Start, w.node(n).End)
			}
		}
	}
	w.scope = inner
	e := facts.Expr{Kind: facts.Comp, Lit: facts.ListLit}
	mark := len(w.kids)
	b := w.child(n, w.fields.body)
	switch w.kind(n) {
	case kSetComprehension:
		e.Lit = facts.SetLit
	case kGeneratorExpression:
		e.Lit = facts.GenLit
	case kDictionaryComprehension:
		e.Lit = facts.DictLit
	}
	switch {
	case b != 0 && w.kind(b) == kPair:
		if k := w.child(b, w.fields.key); k != 0 {
			e.X = w.expr(k, facts.Read)
		}
		if v := w.child(b, w.fields.value); v != 0 {
			w.push(w.expr(v, facts.Read))
		}
	case b != 0:
		e.X = w.expr(b, facts.Read)
	}
	w.scope, w.flow = outer, outerFlow
	return w.finish(n, e, mark)
}

func (w *walker) forIn(n uint32, inner facts.ScopeID, first bool) {
	if !first {
		w.scope = inner
	}
	var value facts.ExprID
	if r := w.child(n, w.fields.right); r != 0 {
		value = w.expr(r, facts.Read)
	}
	w.scope = inner
	if l := w.child(n, w.fields.left); l != 0 {
		w.target(l, source{value: value, part: facts.PartElem})
	}
}
