package python

import (
	"sort"

	"codeidx/facts"
	"codeidx/graph"
)

// emit appends the edges and the unresolved references of the file.
func (m *module) emit() {
	m.emitImports()
	for i := 1; i < len(m.f.Exprs); i++ {
		x := &m.f.Exprs[i]
		if x.Kind != facts.Name && x.Kind != facts.Select || x.Ctx == facts.Echo {
			continue
		}
		if x.Kind == facts.Name && (x.Ctx == facts.Delete || x.Ctx == facts.Write) {
			continue // binds the name
		}
		if m.broken(x.Pos) {
			m.unresolved(x, graph.ParseError)
			continue
		}
		if x.Kind == facts.Name {
			m.emitName(x)
		} else {
			m.emitSelect(facts.ExprID(i), x)
		}
	}
	m.emitOverrides()
	m.recordCalls()
}

// broken says whether a position lies in a region with syntax errors.
func (m *module) broken(pos uint32) bool {
	if !m.f.Partial {
		return false
	}
	i := sort.Search(len(m.f.Errors), func(i int) bool { return m.f.Errors[i].End > pos })
	return i < len(m.f.Errors) && m.f.Errors[i].Start <= pos
}

// kindOf is the kind of edge that an expression makes by its role.
func kindOf(c facts.Ctx) graph.Kind {
	switch c {
	case facts.Callee:
		return graph.Calls
	case facts.Base:
		return graph.Inherits
	}
	return graph.References
}

// from is the definition around an expression.
func (m *module) from(x *facts.Expr) facts.DefID { return m.f.Scopes[x.Scope].Def }

func (m *module) edge(x *facts.Expr, r graph.Resolution, rule graph.Rule, to graph.Target) *graph.Edge {
	switch {
	case r != graph.Resolved:
	case x.Ctx == facts.Base:
		rule = graph.PyBase
	case x.Ctx == facts.TypeUse && m.quoted(x.Pos):
		rule = graph.PyQuoted
	}
	m.out.Edges = append(m.out.Edges, graph.Edge{
		Kind: kindOf(x.Ctx), Resolution: r, Rule: rule, From: m.from(x), Pos: x.Pos, Name: x.Name, To: to,
	})
	return &m.out.Edges[len(m.out.Edges)-1]
}

// quoted says whether a position lies inside of a string.
func (m *module) quoted(pos uint32) bool {
	i := sort.Search(len(m.f.Texts), func(i int) bool { return m.f.Texts[i].Span.End > pos })
	return i < len(m.f.Texts) && m.f.Texts[i].Kind == facts.String && m.f.Texts[i].Span.Start <= pos
}

func (m *module) unresolved(x *facts.Expr, why graph.Reason) {
	m.out.Unresolved = append(m.out.Unresolved, graph.Unresolved{
		Kind: kindOf(x.Ctx), Reason: why, From: m.from(x), Pos: x.Pos, Name: x.Name,
	})
}

func (e entity) target() graph.Target {
	if e.kind == entityModule {
		return graph.Target{File: e.m.idx}
	}
	return graph.Target{File: e.m.idx, Def: e.def}
}

// emitName binds a plain name.
func (m *module) emitName(x *facts.Expr) {
	r := m.find(x.Name, x.Scope, x.Pos)
	rule := graph.PyName
	var es []entity
	if r.ok {
		es = m.entities(r.binds)
		if m.f.Binds[r.binds[0]].Kind == facts.BindImport {
			rule = graph.PyImported
		}
	} else {
		name := m.name(x.Name)
		if es = m.fromStars(name); es == nil {
			m.emitFree(x, name)
			return
		}
		rule = graph.PyStar
	}
	m.emitEntities(x, es, rule, graph.PyVariants)
}

// emitFree treats a name that nothing binds.
func (m *module) emitFree(x *facts.Expr, name string) {
	if sub := m.submodule(name); sub.kind == entityModule {
		m.edge(x, graph.Resolved, graph.PyModuleAttr, sub.target())
		return
	}
	switch {
	case name == "__name__" || name == "__file__" || name == "__doc__":
		m.edge(x, graph.Resolved, graph.PyModuleName, graph.Target{File: m.idx})
	case m.w.builtin(name):
		m.unresolved(x, graph.Builtin)
	case m.unreadableStar():
		m.unresolved(x, graph.StarImport)
	default:
		m.unresolved(x, graph.UndefinedName)
	}
}

// emitEntities makes one resolved edge, or candidates where several
// definitions fit.
func (m *module) emitEntities(x *facts.Expr, es []entity, rule, several graph.Rule) {
	var targets []graph.Target
	local, outside := false, false
	for _, e := range es {
		switch e.kind {
		case entityDef, entityModule:
			targets = append(targets, e.target())
		case entityLocal:
			local = true
		case entityNamespace:
			targets = append(targets, m.w.p.Dir(e.name))
		default:
			outside = true
		}
	}
	switch {
	case len(targets) == 0:
		if outside {
			m.unresolved(x, graph.ExternalImport)
		} else if !local {
			m.unresolved(x, graph.UndefinedName)
		}
	case len(targets) == 1 && !outside && !local:
		m.edge(x, graph.Resolved, rule, targets[0])
	default:
		for _, t := range targets {
			m.edge(x, graph.Candidate, several, t)
		}
	}
}

// emitSelect binds an attribute by the type of its receiver.
func (m *module) emitSelect(e facts.ExprID, x *facts.Expr) {
	var r attrs
	m.w.attr(m.typeOf(x.X, strict), m.name(x.Name), strict, &r)
	if len(r.hits) == 0 && len(r.other) == 0 {
		switch {
		case r.unknown, r.open:
			m.weakSelect(e)
			return
		case r.outside != nil:
			m.unresolved(x, graph.ExternalType)
		case r.missing:
			m.subclassSelect(e, x)
		}
		return
	}
	for _, t := range r.other {
		if t.kind == tNamespace {
			m.edge(x, graph.Resolved, graph.PyModuleAttr, m.w.p.Dir(t.name))
		}
	}
	m.emitHits(x, &r)
}

// defines says whether the assignment to the attribute at pos is one of those
// that define h: any to self when no annotation declares the attribute.
func (m *module) defines(pos uint32, h hit) bool {
	if h.m != m || h.owner == nil {
		return false
	}
	if m.f.Defs[h.def].NamePos == pos {
		return true
	}
	if h.owner.declared(h.def) {
		return false
	}
	for _, b := range m.byDef.Of(uint32(h.def)) {
		if m.f.Binds[b].Pos == pos {
			return true
		}
	}
	return false
}

func (m *module) emitHits(x *facts.Expr, r *attrs) {
	first := len(m.out.Edges)
	var over []defRef
	for _, h := range r.hits {
		if x.Ctx == facts.Write && m.defines(x.Pos, h) {
			continue
		}
		res, rule := graph.Resolved, h.rule
		switch {
		case len(r.hits) > 1, r.outside != nil:
			res, rule = graph.Candidate, graph.PyUnion
		case r.unknown, h.mayBeExternal():
			res, rule = graph.Candidate, graph.PyPartial
		}
		refs := m.overriders(h)
		over = append(over, refs...)
		e := m.edge(x, res, rule, graph.Target{File: h.m.idx, Def: h.def})
		e.Open = len(refs) > 0 || h.interfaceMethod()
	}
	m.emitOverriders(x, over, first)
}

// interfaceMethod says whether a method is abstract or a protocol's.
func (h hit) interfaceMethod() bool {
	if h.owner == nil || h.m.f.Defs[h.def].Kind != facts.DefMethod {
		return false
	}
	if h.m.f.Defs[h.def].Flags&facts.Abstract != 0 {
		return true
	}
	for _, b := range h.owner.baseTypes() {
		if b != nil && b.kind == tExternal && canonical(b.name) == "Protocol" {
			return true
		}
	}
	return false
}

// emitOverriders adds the overrides that are not among the edges from index
// first on.
func (m *module) emitOverriders(x *facts.Expr, over []defRef, first int) {
next:
	for _, o := range over {
		to := graph.Target{File: o.m.idx, Def: o.def}
		for _, e := range m.out.Edges[first:] {
			if e.To == to {
				continue next
			}
		}
		m.edge(x, graph.Candidate, graph.PyOverrider, to)
	}
}

// mayBeExternal says whether an attribute is only assigned to, outside of the
// constructor, in a class with a base from outside, which may well declare it.
func (h hit) mayBeExternal() bool {
	if h.owner == nil || h.owner.declared(h.def) || !h.owner.find("", nil).external {
		return false
	}
	f := h.m.f
	for _, b := range h.m.byDef.Of(uint32(h.def)) {
		s := f.Binds[b].Scope
		if f.Scopes[s].Kind == facts.ScopeClass || f.Defs[f.Scopes[s].Def].Flags&facts.Constructor != 0 {
			return false
		}
	}
	return true
}

// maxOverriders bounds the candidates of one call.
const maxOverriders = 32

// overriders lists the overrides that a method found on an instance may
// dispatch to.
func (m *module) overriders(h hit) []defRef {
	if h.owner == nil || h.recv == nil || h.rule == graph.PySuper || h.recv.kind != tInstance && !h.recv.self {
		return nil
	}
	if k := h.m.f.Defs[h.def].Kind; k != facts.DefMethod {
		return nil
	}
	c := h.recv.m.class(h.recv.def)
	out := c.overriders(h.m.name(h.m.f.Defs[h.def].Name), map[*class]bool{c: true}, nil)
	sortRefs(out)
	if len(out) > maxOverriders {
		out = out[:maxOverriders]
	}
	return out
}

// emitImports makes the edges of import statements: one for the module, one
// for each name.
func (m *module) emitImports() {
	last := ^uint32(0)
	for id := 1; id < len(m.f.Imports); id++ {
		i := &m.f.Imports[id]
		from := m.f.Scopes[i.Scope].Def
		if m.broken(i.ModulePos) {
			continue
		}
		places, outside := m.moduleOf(i)
		if i.ModulePos != last {
			m.emitModule(i, from, places, outside)
			last = i.ModulePos
		}
		if i.Kind == facts.ImportName {
			m.emitImportName(facts.ImportID(id), i, from)
		}
	}
}

func (m *module) emitModule(i *facts.Import, from facts.DefID, places []place, outside bool) {
	if outside {
		m.out.Unresolved = append(m.out.Unresolved, graph.Unresolved{
			Kind: graph.Imports, Reason: graph.ExternalImport, From: from, Pos: i.ModulePos, Name: i.Module,
		})
		return
	}
	for _, p := range places {
		e := graph.Edge{Kind: graph.Imports, Rule: graph.PyImport, From: from, Pos: i.ModulePos, Name: i.Module, To: p.target(m.w.p)}
		if len(places) > 1 {
			e.Resolution, e.Rule = graph.Candidate, graph.PyAmbiguousPath
		}
		m.out.Edges = append(m.out.Edges, e)
	}
}

func (m *module) emitImportName(id facts.ImportID, i *facts.Import, from facts.DefID) {
	es := m.imported(id)
	var inside []entity
	for _, e := range es {
		if e.kind == entityDef || e.kind == entityModule {
			inside = append(inside, e)
		}
	}
	if len(inside) == 0 {
		why := graph.UndefinedName
		for _, e := range es {
			if e.kind == entityExternal {
				why = graph.ExternalImport
			}
		}
		if places, _ := m.moduleOf(i); len(es) == 0 && len(places) == 1 && places[0].m != nil && places[0].m.unreadableStar() {
			why = graph.StarImport
		}
		m.out.Unresolved = append(m.out.Unresolved, graph.Unresolved{
			Kind: graph.Imports, Reason: why, From: from, Pos: i.NamePos, Name: i.Name,
		})
		return
	}
	for _, t := range inside {
		e := graph.Edge{Kind: graph.Imports, Rule: graph.PyImportName, From: from, Pos: i.NamePos, Name: i.Name, To: t.target()}
		if len(es) > 1 {
			e.Resolution, e.Rule = graph.Candidate, graph.PyVariants
		}
		m.out.Edges = append(m.out.Edges, e)
	}
}

// emitOverrides binds each method to the one that it overrides.
func (m *module) emitOverrides() {
	for i := range m.f.Defs {
		d := &m.f.Defs[i]
		if d.Kind != facts.DefMethod || !isClass(m.f.Defs[d.Parent].Kind) || m.broken(d.NamePos) {
			continue
		}
		c := m.class(d.Parent)
		if len(c.baseTypes()) == 0 {
			continue
		}
		o := c.find(m.name(d.Name), c)
		if o.def == 0 || o.c.m.f.Defs[o.def].Kind != facts.DefMethod {
			continue
		}
		m.out.Edges = append(m.out.Edges, graph.Edge{
			Kind: graph.Overrides, Rule: graph.PyOverride, From: facts.DefID(i), Pos: d.NamePos, Name: d.Name,
			To: graph.Target{File: o.c.m.idx, Def: o.def},
		})
	}
}
