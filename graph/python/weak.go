package python

import (
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
		if len(r.hits) == 0 {
			m.unresolved(x, graph.DynamicReceiver)
			continue
		}
		for _, h := range r.hits {
			m.edge(x, graph.Candidate, graph.PyArgument, graph.Target{File: h.m.idx, Def: h.def})
		}
	}
}
