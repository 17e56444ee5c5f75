package golang

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"codeidx/facts"
	"codeidx/graph"
)

func upperRune(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(r)
}

// edgeKind is the kind of edge that a role asks for.
func edgeKind(ctx facts.Ctx) graph.Kind {
	switch ctx {
	case facts.Callee:
		return graph.Calls
	case facts.Base:
		return graph.Inherits
	}
	return graph.References
}

func (f *file) unresolved(k graph.Kind, why graph.Reason, pos uint32, name facts.NameID) {
	f.out.Unresolved = append(f.out.Unresolved, graph.Unresolved{Kind: k, Reason: why, From: f.from(pos), Pos: pos, Name: name})
}

// unbound records why the name of e has no edge.
func (f *file) unbound(e *facts.Expr, why graph.Reason) {
	f.unresolved(edgeKind(e.Ctx), why, e.Pos, e.Name)
}

// link adds an edge from the name of e to a definition.
func (f *file) link(e *facts.Expr, kind graph.Kind, rule graph.Rule, to defRef, res graph.Resolution, open bool) {
	f.out.Edges = append(f.out.Edges, graph.Edge{
		Kind: kind, Resolution: res, Open: open, Rule: rule, From: f.from(e.Pos), Pos: e.Pos, Name: e.Name,
		To: graph.Target{File: to.file, Def: to.def},
	})
}

// linkObject links the name of e to the visible definitions of a chain: one is
// resolved, several are the variants of different builds.
func (f *file) linkObject(e *facts.Expr, first int32, kind graph.Kind, rule graph.Rule) {
	r := f.r
	id, several := r.pick(f, first)
	if id == 0 {
		f.unresolved(kind, graph.NoSuchMember, e.Pos, e.Name)
		return
	}
	if !several {
		f.link(e, kind, rule, r.objects[id].defRef, graph.Resolved, false)
		return
	}
	n := 0
	for i := first; i != 0; i = r.objects[i].next {
		if r.visible(f, r.files[r.objects[i].file]) {
			n++
		}
	}
	if n > maxVariants {
		f.unresolved(kind, graph.AmbiguousTarget, e.Pos, e.Name)
		return
	}
	for i := first; i != 0; i = r.objects[i].next {
		if o := &r.objects[i]; r.visible(f, r.files[o.file]) {
			f.link(e, kind, graph.GoVariant, o.defRef, graph.Candidate, false)
		}
	}
}

// maxVariants bounds the candidates of one name: more definitions than builds
// have variants are a folder of unrelated programs.
const maxVariants = 24

// objectKind is the kind of edge to a package-level definition: a conversion
// refers to its type, and calling an element of a table refers to the table.
func (f *file) objectKind(e *facts.Expr, d *facts.Def, t typeID) graph.Kind {
	k := edgeKind(e.Ctx)
	switch d.Kind {
	case facts.DefStruct, facts.DefInterface, facts.DefType:
		if k == graph.Calls {
			return graph.References
		}
	case facts.DefVariable, facts.DefField:
		if k == graph.Calls && !f.r.callable(t) {
			return graph.References
		}
	case facts.DefConstant:
		return graph.References
	}
	return k
}

// callable says whether a value may be called itself; what is not known may.
func (r *resolution) callable(t typeID) bool {
	switch r.types.kind(r.core(t)) {
	case tSlice, tArray, tMap, tPointer:
		return false
	}
	return true
}

// linkSelection adds the edges of a member s found on a receiver of type t.
func (f *file) linkSelection(e *facts.Expr, s *selection, t typeID) {
	kind := edgeKind(e.Ctx)
	if kind == graph.Inherits || s.kind == sField && kind == graph.Calls && !f.r.callable(s.typ) {
		kind = graph.References
	}
	switch {
	case s.shadowed:
		f.link(e, kind, graph.GoShadowedMember, s.defRef, graph.Candidate, s.kind == sInterface)
		return
	case f.severalVariants(s.variant):
		f.linkVariants(e, s, t, kind)
		return
	}
	rule := s.rule()
	if f.modes[e.X] == mType {
		rule = graph.GoMethodExpr
	}
	if s.kind == sMethod {
		f.linkObject(e, s.chain, kind, rule)
		return
	}
	f.link(e, kind, rule, s.defRef, graph.Resolved, s.kind == sInterface)
	if s.kind == sInterface {
		f.r.calls = append(f.r.calls, openCall{f.index, e.Pos, e.Name, kind, s.face, f.sym(e.Name)})
	}
}

// severalVariants says whether the file sees several definitions of a type.
func (f *file) severalVariants(t typeID) bool {
	if t == 0 {
		return false
	}
	x := &f.r.types.types[t]
	_, several := f.r.pick(f, f.r.owner(defRef{x.file, x.def()}))
	return several
}

// linkVariants adds a candidate for each build variant of the receiver's type
// that has the member.
func (f *file) linkVariants(e *facts.Expr, s *selection, t typeID, kind graph.Kind) {
	r := f.r
	f.link(e, kind, graph.GoVariant, s.defRef, graph.Candidate, s.kind == sInterface)
	x := r.types.types[r.types.deref(t)]
	if x.kind != tNamed {
		return
	}
	done := []defRef{s.defRef}
	for o := r.owner(defRef{x.file, x.def()}); o != 0; o = r.objects[o].next {
		g := r.files[r.objects[o].file]
		if !r.visible(f, g) || !g.isType(r.objects[o].def) {
			continue
		}
		other := r.find(g.defType(r.objects[o].def), f.sym(e.Name))
		if (other.kind == sField || other.kind == sMethod || other.kind == sInterface) && !slices.Contains(done, other.defRef) {
			done = append(done, other.defRef)
			f.link(e, kind, graph.GoVariant, other.defRef, graph.Candidate, other.kind == sInterface)
		}
	}
}
