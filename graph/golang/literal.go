package golang

import (
	"codeidx/facts"
	"codeidx/graph"
)

// literalKey evaluates a key of a literal of type t, whose core type is x: a
// field name in a struct, else a value.
func (f *file) literalKey(id facts.ExprID, t typeID, x *typ) {
	f.elided(id, x.b)
	e := &f.Exprs[id]
	if e.Kind != facts.Name || e.Ctx != facts.CaseField || f.modes[id] != mUnset {
		return
	}
	switch x.kind {
	case tStruct:
		f.modes[id] = mNone
		f.fieldKey(e, x)
	case tExternal, tNone:
		// A field name or a value: only a type that is known could tell.
		f.modes[id] = mNone
		if f.lookup(e).kind != eLocal {
			f.unbound(e, keyReason(x))
		}
	default:
		f.eval(id)
	}
}

func keyReason(x *typ) graph.Reason {
	if x.kind == tExternal {
		return graph.ExternalType
	}
	return graph.DynamicReceiver
}

func (f *file) fieldKey(e *facts.Expr, x *typ) {
	g := f.r.files[x.file]
	name := f.sym(e.Name)
	for d := g.members(*x); d != 0; d = g.nextMember[d] {
		if g.sym(g.Defs[d].Name) == name {
			f.link(e, graph.References, graph.GoLiteralKey, defRef{x.file, d}, graph.Resolved, false)
			return
		}
	}
	f.unbound(e, graph.NoSuchMember)
}
