package python

import (
	"strings"

	"codeidx/facts"
	"codeidx/graph"
)

// weakSelect keeps an attribute whose receiver is not known for the second
// pass, which may look at the calls that the first one found.
func (m *module) weakSelect(e facts.ExprID) { m.open = append(m.open, e) }

// recordCalls lists the calls of each function of the repository.
func (m *module) recordCalls() {
	at := map[uint32]graph.Target{}
	for i := range m.out.Edges {
		if e := &m.out.Edges[i]; e.Kind == graph.Calls && e.Resolution == graph.Resolved && e.To.File >= 0 {
			at[e.Pos] = e.To
		}
	}
	for i := 1; i < len(m.f.Exprs); i++ {
		x := &m.f.Exprs[i]
		if x.Kind != facts.Call || x.X == 0 {
			continue
		}
		if t, ok := at[m.f.Exprs[x.X].Pos]; ok {
			ref := defRef{m.w.byIndex(t.File), t.Def}
			m.w.calls[ref] = append(m.w.calls[ref], callRef{m, facts.ExprID(i)})
		}
	}
}

// emitWeak makes candidates of the attributes that the first pass left open.
func (m *module) emitWeak() {
	for _, e := range m.open {
		x := &m.f.Exprs[e]
		var r attrs
		m.w.attr(m.typeOf(x.X, weak), m.name(x.Name), weak, &r)
		rule := graph.PyArgument
		if len(r.hits) == 0 {
			rule = graph.PyReceiverName
			m.w.attr(m.namesake(x.X), m.name(x.Name), weak, &r)
		}
		if len(r.hits) == 0 {
			m.unresolved(x, graph.DynamicReceiver)
			continue
		}
		for _, h := range r.hits {
			m.edge(x, graph.Candidate, rule, graph.Target{File: h.m.idx, Def: h.def})
		}
	}
}

// namesake is an instance of the class that the module knows under the name of
// a receiver: PreparedRequest for prepared_request.
func (m *module) namesake(e facts.ExprID) *typ {
	x := &m.f.Exprs[e]
	if x.Kind != facts.Name && x.Kind != facts.Select {
		return nil
	}
	var class strings.Builder
	for _, part := range strings.Split(m.name(x.Name), "_") {
		if part != "" {
			class.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	id := m.global(class.String())
	if id == 0 {
		return nil
	}
	es := m.entities(m.reach(m.bindsIn(id, 0), endOfFile))
	if len(es) != 1 || es[0].kind != entityDef || !isClass(es[0].m.f.Defs[es[0].def].Kind) {
		return nil
	}
	return &typ{kind: tInstance, m: es[0].m, def: es[0].def}
}

// subclassSelect makes candidates of an attribute of self that its class lacks
// but subclasses have: the class is a mixin or leaves it to them.
func (m *module) subclassSelect(e facts.ExprID, x *facts.Expr) {
	var refs []defRef
	m.typeOf(x.X, strict).each(func(t *typ) {
		if t != nil && t.self && (t.kind == tInstance || t.kind == tClass) {
			refs = t.m.class(t.def).below(m.name(x.Name), map[*class]bool{}, refs)
		}
	})
	if len(refs) == 0 || len(refs) > maxOverriders {
		m.unresolved(x, graph.NoSuchMember)
		return
	}
	sortRefs(refs)
	for _, r := range refs {
		m.edge(x, graph.Candidate, graph.PySubclass, graph.Target{File: r.m.idx, Def: r.def})
	}
}

// below lists what name is for the nearest subclasses that have it, by
// themselves or through their other bases.
func (c *class) below(name string, seen map[*class]bool, out []defRef) []defRef {
next:
	for _, s := range c.subs {
		if seen[s] {
			continue
		}
		seen[s] = true
		o := s.find(name, nil)
		if o.def == 0 {
			out = s.below(name, seen, out)
			continue
		}
		for _, r := range out {
			if r == (defRef{o.c.m, o.def}) {
				continue next
			}
		}
		out = append(out, defRef{o.c.m, o.def})
	}
	return out
}
