package ecma

import (
	"codeidx/facts"
)

// space says what a name is looked up as.
type space uint8

const (
	values space = iota
	types
	namespaces // left side of a qualified type
)

// entity is what a name leads to.
type entity struct {
	kind entityKind
	m    *module
	def  facts.DefID  // entDef
	bind uint32       // entLocal
	expr facts.ExprID // entValue
	name string       // entExternal
}

type entityKind uint8

const (
	entDef      entityKind = iota + 1
	entLocal               // parameter, local variable or type parameter
	entModule              // module m
	entValue               // value of an exported expression
	entExternal            // outside of the repository
)

// fits says whether a bind can be meant in a space.
func (m *module) fits(b *facts.Bind, s space) bool {
	switch b.Kind {
	case facts.BindImport:
		return true
	case facts.BindTypeParam:
		return s == types
	case facts.BindDef:
		return fitsKind(m.f.Defs[b.Def].Kind, s)
	case facts.BindConst:
		return s == values || b.Def == 0 && b.Value != 0 && m.expr(b.Value).Ctx == facts.TypeUse
	}
	return s == values
}

func fitsKind(k facts.DefKind, s space) bool {
	switch k {
	case facts.DefClass, facts.DefEnum:
		return true
	case facts.DefInterface, facts.DefType:
		return s == types
	case facts.DefNamespace, facts.DefModule:
		return true
	case facts.DefEnumMember:
		return s == values
	}
	return s == values
}

// find returns the binds of a name in the nearest scope that has one for the
// space. Class bodies and object types give no names to the code in them,
// enums do.
func (m *module) find(name facts.NameID, scope facts.ScopeID, s space) []uint32 {
	all := m.names.Of(uint32(name))
	if len(all) == 0 {
		return nil
	}
	for at := scope; ; at = m.f.Scopes[at].Parent {
		if sc := &m.f.Scopes[at]; sc.Kind != facts.ScopeClass || m.f.Defs[sc.Def].Kind == facts.DefEnum && m.owner[at].def != 0 {
			if found := m.inScope(all, at, s); len(found) > 0 {
				return found
			}
			if d := m.owner[at].def; d != 0 && m.f.Defs[d].Kind == facts.DefNamespace {
				if found := m.sibling(name, d, s); len(found) > 0 {
					return found
				}
			}
		}
		if at == 0 {
			return nil
		}
	}
}

func (m *module) inScope(all []uint32, scope facts.ScopeID, s space) []uint32 {
	var found []uint32
	for _, i := range all {
		if b := &m.f.Binds[i]; b.Scope == scope && m.fits(b, s) {
			found = append(found, i)
		}
	}
	return found
}

// sibling looks into the other bodies of a namespace in the same file.
func (m *module) sibling(name facts.NameID, d facts.DefID, s space) []uint32 {
	for _, i := range m.spaces {
		if i != d && m.sameSpace(i, d) {
			if found := m.inScope(m.names.Of(uint32(name)), m.f.Defs[i].Scope, s); len(found) > 0 {
				return found
			}
		}
	}
	return nil
}

// sameSpace says whether two definitions are bodies of one namespace.
func (m *module) sameSpace(a, b facts.DefID) bool {
	for a != b {
		x, y := &m.f.Defs[a], &m.f.Defs[b]
		if x.Kind != y.Kind || x.Name != y.Name || x.Kind != facts.DefNamespace && x.Kind != facts.DefModule {
			return false
		}
		a, b = x.Parent, y.Parent
	}
	return true
}

// resolve follows a name from where it stands.
func (m *module) resolve(name facts.NameID, scope facts.ScopeID, s space) []entity {
	if found := m.find(name, scope, s); len(found) > 0 {
		return m.entities(found, s)
	}
	all := m.w.globals[m.name(name)]
	var out []entity
	for _, d := range all {
		if fitsKind(d.m.f.Defs[d.def].Kind, s) && (len(all) == 1 || under(m.dir, d.m.dir)) {
			out = append(out, entity{kind: entDef, m: d.m, def: d.def})
		}
	}
	return out
}

func under(dir, top string) bool {
	return top == "" || dir == top || len(dir) > len(top) && dir[:len(top)] == top && dir[len(top)] == '/'
}

// entities follows the imports among binds.
func (m *module) entities(binds []uint32, s space) []entity {
	var out []entity
	for _, i := range binds {
		b := &m.f.Binds[i]
		switch {
		case b.Kind == facts.BindImport:
			out = append(out, pick(m.imported(b.Import), s)...)
		case b.Kind == facts.BindConst && b.Def == 0 && b.Value != 0 && m.expr(b.Value).Ctx == facts.TypeUse:
			out = append(out, m.named(b.Value, s)...)
		case m.js && m.aliasOf(b) != nil:
			out = append(out, m.aliasOf(b)...)
		case b.Def != 0 && b.Kind != facts.BindParam:
			out = append(out, entity{kind: entDef, m: m, def: b.Def})
		default:
			out = append(out, entity{kind: entLocal, m: m, bind: i})
		}
	}
	return preferred(out)
}

// aliasOf follows "var x = require('m')" and "= require('m').y", which name in
// JavaScript what they require; nil for other variables.
func (m *module) aliasOf(b *facts.Bind) []entity {
	if b.Kind != facts.BindVar && b.Kind != facts.BindConst || b.Value == 0 || b.Part != facts.PartWhole {
		return nil
	}
	root := b.Value
	for m.expr(root).Kind == facts.Select {
		root = m.expr(root).X
	}
	if m.expr(root).Kind != facts.Call || m.importedBy(root) == nil {
		return nil
	}
	return m.named(b.Value, values)
}

// pick keeps the entities that can be meant in a space.
func pick(es []entity, s space) []entity {
	out := es[:0:0]
	for _, e := range es {
		if e.kind != entDef || fitsKind(e.m.f.Defs[e.def].Kind, s) {
			out = append(out, e)
		}
	}
	return out
}

// preferred puts the implementation of an overloaded function, else its first
// signature, in place of all; other definitions that merge stay, with classes
// and functions before namespaces.
func preferred(es []entity) []entity {
	if len(es) < 2 {
		return es
	}
	best := -1
	for i, e := range es {
		if e.kind != entDef {
			return es
		}
		d := &e.m.f.Defs[e.def]
		if d.Kind == facts.DefNamespace || d.Kind == facts.DefModule {
			continue
		}
		if best < 0 || es[best].m.f.Defs[es[best].def].Flags&facts.Declared != 0 && d.Flags&facts.Declared == 0 {
			best = i
		}
	}
	if best > 0 {
		es[0], es[best] = es[best], es[0]
	}
	return es
}

// named resolves a Name or Select expression to what it names, without types.
func (m *module) named(e facts.ExprID, s space) []entity {
	x := m.expr(e)
	switch x.Kind {
	case facts.Name:
		return m.resolve(x.Name, x.Scope, s)
	case facts.Select:
		var out []entity
		for _, on := range m.named(x.X, namespaces) {
			out = append(out, pick(m.w.memberOf(on, m.name(x.Name)), s)...)
		}
		return out
	case facts.Index:
		return m.named(x.X, s)
	case facts.Call:
		if p := m.importedBy(e); p != nil {
			return m.w.whole(p, false)
		}
	}
	return nil
}

// importedBy returns the place that "import('m')" or "require('m')" names.
func (m *module) importedBy(e facts.ExprID) *place {
	x := m.expr(e)
	if x.Kind != facts.Call || m.expr(x.X).Kind != facts.Name || x.Kids.N == 0 {
		return nil
	}
	n := m.name(m.expr(x.X).Name)
	lit := m.expr(m.kids(e)[0])
	if lit.Kind != facts.Literal || lit.Lit != facts.StringLit || lit.Name == 0 || n != "require" && n != "import" {
		return nil
	}
	if n == "require" && len(m.find(m.expr(x.X).Name, x.Scope, values)) > 0 {
		return nil
	}
	return m.moduleOf(lit.Name)
}

// memberOf looks a name up in a namespace-like entity.
func (w *world) memberOf(on entity, name string) []entity {
	switch on.kind {
	case entModule:
		return on.m.exported(name)
	case entExternal:
		return []entity{{kind: entExternal, name: on.name + "." + name}}
	case entDef:
		d := &on.m.f.Defs[on.def]
		switch d.Kind {
		case facts.DefNamespace, facts.DefModule:
			return on.m.inNamespace(on.def, name)
		case facts.DefEnum, facts.DefClass:
			var out []entity
			for _, def := range on.m.membersIn(d.Scope, name) {
				out = append(out, entity{kind: entDef, m: on.m, def: def})
			}
			return out
		}
		return on.m.mergedNamespace(on.def, name)
	}
	return nil
}

// mergedNamespace looks a name up in the namespace that bears the name of a
// function, class or variable.
func (m *module) mergedNamespace(def facts.DefID, name string) []entity {
	d := &m.f.Defs[def]
	for _, i := range m.spaces {
		if o := &m.f.Defs[i]; o.Kind == facts.DefNamespace && o.Name == d.Name && o.Parent == d.Parent {
			return m.inNamespace(i, name)
		}
	}
	return nil
}

// inNamespace looks a name up in a namespace or ambient module, in all of its
// bodies in the file.
func (m *module) inNamespace(def facts.DefID, name string) []entity {
	id := m.id(name)
	if id == 0 {
		return m.namespaceStars(def, name)
	}
	d := &m.f.Defs[def]
	var binds []uint32
	for _, i := range m.spaces {
		if !m.sameSpace(i, def) {
			continue
		}
		for _, b := range m.names.Of(uint32(id)) {
			if m.f.Binds[b].Scope == m.f.Defs[i].Scope {
				binds = append(binds, b)
			}
		}
	}
	out := m.entities(binds, values)
	if len(out) == 0 {
		for i := range m.f.Binds {
			b := &m.f.Binds[i]
			if b.Kind == facts.BindExport && b.Scope == d.Scope && b.Name == id {
				out = append(out, m.exportedBind(b)...)
			}
		}
	}
	if len(out) == 0 {
		return m.namespaceStars(def, name)
	}
	return out
}

// namespaceStars follows "export *" and re-exports within an ambient module.
func (m *module) namespaceStars(def facts.DefID, name string) []entity {
	scope := m.f.Defs[def].Scope
	for id := 1; id < len(m.f.Imports); id++ {
		i := &m.f.Imports[id]
		if i.Scope != scope || scope == 0 {
			continue
		}
		as := i.Alias
		if as == 0 {
			as = i.Name
		}
		switch {
		case i.Kind == facts.ImportReexport && m.name(as) == name:
			return m.imported(facts.ImportID(id))
		case i.Kind == facts.ImportStar:
			if es := m.w.placeMember(m.moduleOf(i.Module), name); len(es) > 0 {
				return es
			}
		}
	}
	return nil
}
