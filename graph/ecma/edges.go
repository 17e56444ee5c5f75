package ecma

import (
	"slices"
	"sort"
	"strings"

	"codeidx/facts"
	"codeidx/graph"
)

// emit appends the edges and the unresolved references of the file.
func (m *module) emit() {
	m.emitImports()
	for i := 1; i < len(m.f.Exprs); i++ {
		x := &m.f.Exprs[i]
		if x.Kind != facts.Name && x.Kind != facts.Select || x.Ctx == facts.Echo || m.broken(x.Pos) {
			continue
		}
		if x.Kind == facts.Name {
			m.emitName(facts.ExprID(i), x)
		} else {
			m.emitSelect(facts.ExprID(i), x)
		}
	}
	m.emitOverrides()
}

// broken says whether a position lies in a broken region.
func (m *module) broken(pos uint32) bool {
	e := m.errors
	i := sort.Search(len(e), func(i int) bool { return e[i].End > pos })
	return i < len(e) && e[i].Start <= pos
}

// kindOf is the kind of the edge that a reference in a role gives.
func kindOf(c facts.Ctx) graph.Kind {
	switch c {
	case facts.Callee:
		return graph.Calls
	case facts.Base:
		return graph.Inherits
	case facts.Implement:
		return graph.Implements
	}
	return graph.References
}

func (m *module) site(x *facts.Expr) graph.Edge {
	return graph.Edge{Kind: kindOf(x.Ctx), From: m.f.Scopes[x.Scope].Def, Pos: x.Pos, Name: x.Name}
}

func (m *module) unresolved(x *facts.Expr, why graph.Reason) {
	m.out.Unresolved = append(m.out.Unresolved, graph.Unresolved{
		Kind: kindOf(x.Ctx), Reason: why, From: m.f.Scopes[x.Scope].Def, Pos: x.Pos, Name: x.Name,
	})
}

func target(m *module, def facts.DefID) graph.Target { return graph.Target{File: m.idx, Def: def} }

// spaceOf is the space in which a name in a role is looked up.
func spaceOf(c facts.Ctx) space {
	if c == facts.TypeUse || c == facts.Implement {
		return types
	}
	return values
}

func (m *module) emitName(e facts.ExprID, x *facts.Expr) {
	switch m.name(x.Name) {
	case "this", "undefined", "import", "arguments", "import.meta":
		return
	case "super":
		if x.Ctx == facts.Callee {
			m.emitSuper(x)
		}
		return
	}
	es := m.nameEntities(e, x)
	rule := graph.JsName
	if found := m.find(x.Name, x.Scope, spaceOf(x.Ctx)); len(found) == 0 {
		rule = graph.JsGlobal
	} else if m.f.Binds[found[0]].Kind == facts.BindImport {
		rule = graph.JsImported
	}
	switch x.Ctx {
	case facts.Base:
		rule = graph.JsBase
	case facts.Implement:
		rule = graph.JsImplements
	case facts.Export:
		rule = graph.JsExport
	}
	if p := m.parent[e]; p != 0 && m.expr(p).Kind == facts.Element && m.expr(p).X == e {
		rule = graph.JsElement
	}
	m.emitEntities(x, es, rule)
}

// nameEntities resolves a name; in type positions a qualifier may be a
// namespace, and a value's name may stand after typeof.
func (m *module) nameEntities(e facts.ExprID, x *facts.Expr) []entity {
	s := spaceOf(x.Ctx)
	if p := m.parent[e]; p != 0 && x.Ctx == facts.TypeUse {
		switch o := m.expr(p); {
		case o.Kind == facts.Select:
			if es := m.resolve(x.Name, x.Scope, namespaces); len(es) > 0 {
				return es
			}
			return m.resolve(x.Name, x.Scope, values)
		case o.Kind == facts.Unary && o.Op == facts.OpTypeof:
			return m.resolve(x.Name, x.Scope, values)
		}
	}
	if x.Ctx == facts.Base && m.extendedType(e) {
		return m.resolve(x.Name, x.Scope, types)
	}
	es := m.resolve(x.Name, x.Scope, s)
	if len(es) == 0 && x.Ctx == facts.Export {
		es = m.resolve(x.Name, x.Scope, types)
	}
	if len(es) > 1 && (x.Ctx == facts.TypeUse || x.Ctx == facts.Implement) {
		sort.SliceStable(es, func(i, j int) bool { return typeRank(es[i]) < typeRank(es[j]) })
	}
	return es
}

// extendedType says whether a base belongs to an interface.
func (m *module) extendedType(e facts.ExprID) bool {
	for p := m.parent[e]; p != 0; p = m.parent[p] {
		e = p
	}
	for i := range m.f.Defs {
		if d := &m.f.Defs[i]; d.Kind == facts.DefInterface && slices.Contains(m.f.KidsOf(d.Bases), e) {
			return true
		}
	}
	return false
}

func typeRank(e entity) int {
	if e.kind != entDef {
		return 0
	}
	switch e.m.f.Defs[e.def].Kind {
	case facts.DefClass, facts.DefInterface, facts.DefType, facts.DefEnum:
		return 0
	}
	return 1
}

// emitEntities makes the edge of a name to the first thing that it leads to.
func (m *module) emitEntities(x *facts.Expr, es []entity, rule graph.Rule) {
	if len(es) == 0 {
		if len(m.find(x.Name, x.Scope, spaceOf(x.Ctx))) > 0 {
			m.unresolved(x, graph.UndefinedName)
			return
		}
		m.unresolved(x, graph.Builtin)
		return
	}
	e := m.site(x)
	e.Rule = rule
	switch t := es[0]; t.kind {
	case entDef:
		e.To = target(t.m, t.def)
	case entModule:
		e.To = target(t.m, 0)
	case entExternal:
		m.unresolved(x, graph.ExternalImport)
		return
	default:
		return
	}
	m.out.Edges = append(m.out.Edges, e)
}

// emitSuper binds "super(…)" to the constructor of the base, else to the base.
func (m *module) emitSuper(x *facts.Expr) {
	t := m.superType(x.Scope)
	if t == nil || t.kind != tInst {
		m.unresolved(x, graph.ExternalType)
		return
	}
	e := m.site(x)
	e.Rule, e.To = graph.JsSuper, target(t.m, t.def)
	for c, n := t, 0; c != nil && c.kind == tInst && n < maxBases; n++ {
		if defs := c.m.membersIn(c.m.f.Defs[c.def].Scope, "constructor"); len(defs) > 0 {
			e.To = target(c.m, defs[len(defs)-1])
			break
		}
		bases := c.m.bases(c.def)
		if len(bases) == 0 {
			break
		}
		c = bases[0]
	}
	m.out.Edges = append(m.out.Edges, e)
}

func (m *module) emitSelect(e facts.ExprID, x *facts.Expr) {
	if x.Ctx == facts.TypeUse || x.Ctx == facts.Implement {
		m.emitQualified(e, x)
		return
	}
	on := m.typeOf(x.X)
	name := m.name(x.Name)
	if on != nil && on.kind == tExternal && on.name == "module" && name == "exports" {
		m.emitModuleExports(x)
		return
	}
	f := m.w.lookup(on, name)
	if m.declares(&f, x) || name == "constructor" {
		return
	}
	if len(f.hits) == 0 {
		m.emitMissing(x, on, f)
		return
	}
	rule := m.selectRule(x, &f)
	for i := range f.hits {
		h := &f.hits[i]
		t := m.site(x)
		t.Rule, t.To = rule, target(h.m, h.def)
		if rule == graph.JsPartial || rule == graph.JsUnion { // one of several: not uniquely bound
			t.Resolution = graph.Candidate
		}
		m.emitMember(t, h, len(f.hits) > 1)
	}
}

// declares says whether a member is defined by the very assignment to it.
func (m *module) declares(f *found, x *facts.Expr) bool {
	for _, h := range f.hits {
		if h.m == m && h.m.f.Defs[h.def].NamePos == x.Pos {
			return true
		}
	}
	return false
}

// selectRule names the rule by which a member was found.
func (m *module) selectRule(x *facts.Expr, f *found) graph.Rule {
	on := m.expr(x.X)
	switch {
	case f.unknown || f.outside:
		return graph.JsPartial
	case m.metaProperty(x.X):
		return graph.JsPartial
	case len(f.hits) > 1:
		return graph.JsUnion
	case on.Kind == facts.Name && m.name(on.Name) == "this":
		return graph.JsThis
	case on.Kind == facts.Name && m.name(on.Name) == "super":
		return graph.JsSuper
	}
	return f.hits[0].rule
}

// metaProperty says whether e is import.meta: which of the declarations that
// extend it are in force, the files do not say.
func (m *module) metaProperty(e facts.ExprID) bool {
	x := m.expr(e)
	return x.Kind == facts.Name && m.name(x.Name) == "import.meta"
}

// emitMember adds the edge to a member and candidates to what may stand behind
// it at run time.
func (m *module) emitMember(e graph.Edge, h *hit, union bool) {
	var below []defRef
	if h.recv != nil && h.recv.kind == tInst && e.Kind == graph.Calls && e.Rule != graph.JsSuper {
		d := &h.m.f.Defs[h.def]
		if d.Kind == facts.DefMethod || d.Flags&facts.Accessor != 0 || d.Kind == facts.DefProperty {
			below = m.w.overriders(defRef{h.m, d.Parent}, h.m.name(d.Name))
		}
	}
	d := &h.m.f.Defs[h.def]
	interfaced := d.Kind == facts.DefMethod && h.m.f.Defs[d.Parent].Kind == facts.DefInterface
	e.Open = union || len(below) > 0 || e.Kind == graph.Calls && (interfaced || d.Flags&facts.Abstract != 0)
	m.out.Edges = append(m.out.Edges, e)
	for _, b := range below {
		c := e
		c.Open, c.Resolution, c.Rule, c.To = false, graph.Candidate, graph.JsDispatch, target(b.m, b.def)
		m.out.Edges = append(m.out.Edges, c)
	}
}

func (m *module) emitMissing(x *facts.Expr, on *typ, f found) {
	switch {
	case on == nil || f.unknown:
		m.unresolved(x, graph.DynamicReceiver)
	case on.kind == tExternal:
		m.unresolved(x, graph.ExternalImport)
	case f.outside || len(f.types) > 0:
		m.unresolved(x, graph.ExternalType)
	default:
		m.unresolved(x, graph.NoSuchMember)
	}
}

// emitModuleExports binds "module.exports" to what the module exports as a
// whole.
func (m *module) emitModuleExports(x *facts.Expr) {
	e := m.site(x)
	e.Rule = graph.JsModuleMember
	es := m.exported("export=")
	switch {
	case len(es) == 0:
		e.To = target(m, 0)
	case es[0].kind == entDef:
		e.To = target(es[0].m, es[0].def)
	case es[0].kind == entModule:
		e.To = target(es[0].m, 0)
	default:
		return
	}
	m.out.Edges = append(m.out.Edges, e)
}

// emitQualified binds "B" of the type "A.B".
func (m *module) emitQualified(e facts.ExprID, x *facts.Expr) {
	s := types
	if p := m.parent[e]; p != 0 {
		switch o := m.expr(p); {
		case o.Kind == facts.Select:
			s = namespaces
		case o.Kind == facts.Unary && o.Op == facts.OpTypeof:
			s = values
		}
	}
	rule := graph.JsModuleMember
	if x.Ctx == facts.Implement {
		rule = graph.JsImplements
	}
	var es []entity
	for _, on := range m.named(x.X, namespaces) {
		es = append(es, pick(m.w.memberOf(on, m.name(x.Name)), s)...)
	}
	if s == values && len(es) == 0 {
		f := m.w.lookup(m.typeOf(x.X), m.name(x.Name))
		for _, h := range f.hits {
			es = append(es, entity{kind: entDef, m: h.m, def: h.def})
		}
	}
	if len(es) == 0 {
		m.unresolved(x, graph.ExternalType)
		return
	}
	m.emitEntities(x, es, rule)
}

// emitImports makes the edges of imports: one for the module, one for each
// name.
func (m *module) emitImports() {
	last := ^uint32(0)
	for id := 1; id < len(m.f.Imports); id++ {
		i := &m.f.Imports[id]
		if m.broken(i.ModulePos) {
			continue
		}
		from := m.f.Scopes[i.Scope].Def
		p := m.moduleOf(i.Module)
		if i.ModulePos != last && !m.seenDynamic(id) {
			m.emitModule(i, from, p)
			last = i.ModulePos
		}
		if i.Kind == facts.ImportName || i.Kind == facts.ImportReexport && m.name(i.Name) != "*" {
			m.emitImportName(facts.ImportID(id), i, from, p)
		} else if i.Kind == facts.ImportModule && i.Alias != 0 || i.Kind == facts.ImportReexport {
			m.emitNamespace(facts.ImportID(id), i, from)
		}
	}
}

// seenDynamic says whether the require of a pattern was listed already.
func (m *module) seenDynamic(id int) bool {
	i := &m.f.Imports[id]
	return id > 1 && m.f.Imports[id-1].ModulePos == i.ModulePos
}

func (m *module) emitModule(i *facts.Import, from facts.DefID, p *place) {
	e := graph.Edge{Kind: graph.Imports, Rule: graph.JsImport, From: from, Pos: i.ModulePos, Name: i.Module}
	switch {
	case p.m != nil:
		e.To = target(p.m, 0)
	case p.near != nil:
		e.Resolution, e.Rule, e.To = graph.Candidate, graph.JsAmbiguousModule, target(p.near, 0)
	case p.def.m != nil && m.queried(i) != nil:
		e.To = target(m.queried(i), 0)
	case m.otherFile(i) != "":
		e.To = m.w.p.Dir(m.otherFile(i))
	case p.def.m != nil && !m.asset(i):
		e.Resolution, e.Rule, e.To = graph.Candidate, graph.JsGlobal, target(p.def.m, p.def.def)
	default:
		why := graph.ExternalImport
		if strings.HasPrefix(m.name(i.Module), ".") {
			why = graph.UndefinedName
		}
		m.out.Unresolved = append(m.out.Unresolved, graph.Unresolved{Kind: graph.Imports, Reason: why, From: from, Pos: i.ModulePos, Name: i.Module})
		return
	}
	m.out.Edges = append(m.out.Edges, e)
}

// asset says whether an import names a file that is no module itself: its
// names are declared for all files of the kind.
func (m *module) asset(i *facts.Import) bool {
	n, _, _ := strings.Cut(m.name(i.Module), "?")
	return strings.HasPrefix(n, ".") && strings.LastIndexByte(n, '.') > strings.LastIndexByte(n, '/')
}

// queried is the file that an import with a query such as "./x.js?worker" names.
func (m *module) queried(i *facts.Import) *module {
	n, _, ok := strings.Cut(m.name(i.Module), "?")
	if p, inside := join(m.dir, n); ok && inside && strings.HasPrefix(n, ".") {
		return m.w.files[p]
	}
	return nil
}

// otherFile is the file without facts that a relative import names: a style
// sheet, an image, a JSON document. "" where there is none.
func (m *module) otherFile(i *facts.Import) string {
	n, _, _ := strings.Cut(m.name(i.Module), "?")
	if !strings.HasPrefix(n, ".") {
		return ""
	}
	if p, inside := join(m.dir, n); inside && m.w.p.HasOther(p) {
		return p
	}
	return ""
}

// emitImportName makes the edge of an imported name; a default import is
// written under its local name.
func (m *module) emitImportName(id facts.ImportID, i *facts.Import, from facts.DefID, p *place) {
	name := i.Name
	if m.name(name) == "default" && i.Kind == facts.ImportName && i.Alias != 0 && m.aliasAt(i) {
		name = i.Alias
	}
	es := m.imported(id)
	e := graph.Edge{Kind: graph.Imports, Rule: graph.JsImportName, From: from, Pos: i.NamePos, Name: name}
	if i.Flags&facts.TypeOnly != 0 && len(es) > 1 {
		sort.SliceStable(es, func(a, b int) bool { return typeRank(es[a]) < typeRank(es[b]) })
	}
	if o := m.otherFile(i); o != "" && len(es) == 0 && m.name(i.Name) == "default" {
		e.To = m.w.p.Dir(o) // what it exports is the file
		m.out.Edges = append(m.out.Edges, e)
		return
	}
	if len(es) > 0 {
		switch t := es[0]; t.kind {
		case entDef:
			e.To = target(t.m, t.def)
			m.out.Edges = append(m.out.Edges, e)
			return
		case entModule:
			e.To = target(t.m, 0)
			m.out.Edges = append(m.out.Edges, e)
			return
		}
	}
	why := graph.UndefinedName
	if p.external || len(es) > 0 {
		why = graph.ExternalImport
	}
	m.out.Unresolved = append(m.out.Unresolved, graph.Unresolved{Kind: graph.Imports, Reason: why, From: from, Pos: i.NamePos, Name: name})
}

// aliasAt says whether the token of an import is its local name.
func (m *module) aliasAt(i *facts.Import) bool {
	for _, b := range m.names.Of(uint32(i.Alias)) {
		if x := &m.f.Binds[b]; x.Kind == facts.BindImport && x.Pos == i.NamePos {
			return true
		}
	}
	return false
}

// emitNamespace makes the edge of "* as ns" and of "import x = require".
func (m *module) emitNamespace(id facts.ImportID, i *facts.Import, from facts.DefID) {
	es := m.imported(id)
	if len(es) == 0 || es[0].kind != entDef && es[0].kind != entModule {
		return
	}
	m.out.Edges = append(m.out.Edges, graph.Edge{
		Kind: graph.Imports, Rule: graph.JsImportName, From: from, Pos: i.NamePos, Name: i.Alias, To: target(es[0].m, es[0].def),
	})
}

// emitOverrides binds each method to the one of a base that it overrides.
func (m *module) emitOverrides() {
	for i := range m.f.Defs {
		d := &m.f.Defs[i]
		if d.Kind != facts.DefMethod || d.Flags&(facts.Static|facts.Constructor|facts.Overload) != 0 || m.f.Defs[d.Parent].Kind != facts.DefClass ||
			m.broken(d.NamePos) {
			continue
		}
		for _, b := range m.bases(d.Parent) {
			f := m.w.lookup(b, m.name(d.Name))
			if len(f.hits) == 1 && f.hits[0].m.f.Defs[f.hits[0].def].Kind == facts.DefMethod {
				m.out.Edges = append(m.out.Edges, graph.Edge{
					Kind: graph.Overrides, Rule: graph.JsOverride, From: facts.DefID(i), Pos: d.NamePos, Name: d.Name,
					To: target(f.hits[0].m, f.hits[0].def),
				})
			}
		}
	}
}
