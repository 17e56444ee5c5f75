package php

import (
	"strings"

	"codeidx/facts"
	"codeidx/graph"
)

// emitImports makes the edges of use statements.
func (x *file) emitImports() {
	for id := 1; id < len(x.f.Imports); id++ {
		m := &x.f.Imports[id]
		if m.Kind != facts.ImportName || x.broken(m.NamePos) {
			continue
		}
		fqn := qualify(x.name(m.Module), x.name(m.Name))
		var refs []defRef
		switch {
		case m.Flags&facts.ImportsFunc != 0:
			refs = x.nearest(x.w.functions[strings.ToLower(fqn)])
		case m.Flags&facts.ImportsConst != 0:
			refs = x.w.constants[constantKey(fqn)]
		default:
			refs = classRefs(x.choose(fqn))
		}
		x.emitImport(m, fqn, refs)
	}
}

func (x *file) emitImport(m *facts.Import, fqn string, refs []defRef) {
	from := x.f.Scopes[m.Scope].Def
	if len(refs) == 0 {
		why := graph.ExternalImport
		switch {
		case x.w.spaces[strings.ToLower(fqn)]:
			return // a namespace: its names are bound where they are used
		case m.Flags&facts.ImportsFunc != 0 && builtinFunction(fqn), m.Flags&facts.ImportsConst != 0 && builtinConstant(fqn),
			m.Flags&(facts.ImportsFunc|facts.ImportsConst) == 0 && builtinClass(fqn):
			why = graph.Builtin
		}
		x.out.Unresolved = append(x.out.Unresolved, graph.Unresolved{Kind: graph.Imports, Reason: why, From: from, Pos: m.NamePos, Name: m.Name})
		return
	}
	e := graph.Edge{Kind: graph.Imports, Rule: graph.PhpImport, From: from, Pos: m.NamePos, Name: m.Name}
	if len(refs) > 1 {
		e.Resolution, e.Rule = graph.Candidate, graph.PhpDuplicate
	}
	for i, r := range refs {
		if i < maxOverriders {
			e.To = r.target()
			x.out.Edges = append(x.out.Edges, e)
		}
	}
}

// emitHierarchy makes the edges from classes to their bases and from methods
// to those that they override.
func (x *file) emitHierarchy() {
	for i := 1; i < len(x.f.Defs); i++ {
		d := &x.f.Defs[i]
		id := facts.DefID(i)
		switch {
		case isClass(d.Kind):
			for _, e := range x.f.KidsOf(d.Bases) {
				x.emitBase(id, e, graph.Inherits)
			}
			for _, e := range x.f.KidsOf(d.Implements) {
				x.emitBase(id, e, graph.Implements)
			}
		case d.Kind == facts.DefMethod && !x.broken(d.NamePos):
			if c := x.classes[d.Parent]; c != nil {
				x.emitOverride(c, id, d)
			}
		}
	}
}

func (x *file) emitBase(from facts.DefID, id facts.ExprID, k graph.Kind) {
	e := &x.f.Exprs[id]
	if id == 0 || e.Kind != facts.Name || x.broken(e.Pos) {
		return
	}
	fqn := x.className(e)
	found := x.choose(fqn)
	if len(found) == 0 {
		x.out.Unresolved = append(x.out.Unresolved, graph.Unresolved{Kind: k, Reason: x.whyOutside(e, fqn), From: from, Pos: e.Pos, Name: e.Name})
		return
	}
	g := graph.Edge{Kind: k, Rule: graph.PhpBase, From: from, Pos: e.Pos, Name: e.Name}
	if len(found) > 1 {
		g.Resolution, g.Rule = graph.Candidate, graph.PhpDuplicate
	}
	for _, c := range found {
		g.To = defRef{c.f, c.def}.target()
		x.out.Edges = append(x.out.Edges, g)
	}
}

func (x *file) emitOverride(c *class, id facts.DefID, d *facts.Def) {
	if d.Flags&(facts.Private|facts.Constructor) != 0 || c.unsure {
		return
	}
	name := strings.ToLower(x.name(d.Name))
	for _, b := range c.bases() {
		o := b.find(method, name)
		if o.def == 0 || o.flags()&facts.Private != 0 {
			continue
		}
		x.out.Edges = append(x.out.Edges, graph.Edge{
			Kind: graph.Overrides, Rule: graph.PhpOverride, From: id, Pos: d.NamePos, Name: d.Name, To: graph.Target{File: o.c.f.idx, Def: o.def},
		})
		return
	}
}
