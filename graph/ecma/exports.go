package ecma

import (
	"codeidx/facts"
)

// exportTable returns the exports of the file by name.
func (m *module) exportTable() map[string][]uint32 {
	if m.exports == nil {
		m.exports = map[string][]uint32{}
		for i := range m.f.Binds {
			if b := &m.f.Binds[i]; b.Kind == facts.BindExport && m.fileLevel(b.Scope) {
				n := m.name(b.Name)
				m.exports[n] = append(m.exports[n], uint32(i))
			}
		}
	}
	return m.exports
}

// fileLevel says whether an export in a scope is the file's: not within a
// namespace or ambient module.
func (m *module) fileLevel(s facts.ScopeID) bool {
	k := m.f.Defs[m.f.Scopes[s].Def].Kind
	return s == 0 || k != facts.DefNamespace && k != facts.DefModule
}

// exported returns what the module exports under a name, through re-exports
// and "export *" chains.
func (m *module) exported(name string) []entity {
	if m.exporting[name] {
		return nil
	}
	m.exporting[name] = true
	defer delete(m.exporting, name)
	var out []entity
	for _, i := range m.exportTable()[name] {
		out = append(out, m.exportedBind(&m.f.Binds[i])...)
	}
	if len(out) > 0 {
		return distinct(preferred(out))
	}
	for id := 1; id < len(m.f.Imports); id++ {
		i := &m.f.Imports[id]
		as := i.Alias
		if as == 0 {
			as = i.Name
		}
		if i.Kind == facts.ImportReexport && m.name(as) == name && m.fileLevel(i.Scope) {
			return m.imported(facts.ImportID(id))
		}
	}
	if name != "default" {
		for _, s := range m.stars {
			if es := m.w.placeMember(m.moduleOf(m.f.Imports[s].Module), name); len(es) > 0 && es[0].kind != entExternal {
				return es
			}
		}
	}
	return m.assignedExport(name)
}

// assignedExport looks into "export =" and "module.exports =".
func (m *module) assignedExport(name string) []entity {
	if name == "export=" {
		return nil
	}
	if whole := m.exported("export="); len(whole) > 0 {
		if name == "default" {
			return whole
		}
		var out []entity
		for _, e := range whole {
			if es := m.w.memberOf(e, name); len(es) > 0 {
				out = append(out, es...)
				continue
			}
			for _, h := range m.w.lookup(m.w.entityType(e), name).hits {
				out = append(out, entity{kind: entDef, m: h.m, def: h.def})
			}
		}
		return distinct(out)
	}
	if name == "default" && m.js && m.commonJS() {
		return []entity{{kind: entModule, m: m}}
	}
	return nil
}

// commonJS says whether a file exports by assignment only.
func (m *module) commonJS() bool {
	for i := range m.f.Binds {
		if b := &m.f.Binds[i]; b.Kind == facts.BindAttr && m.f.Exprs[b.On].Kind != 0 {
			on := m.expr(b.On)
			if n := m.name(on.Name); n == "exports" || n == "module" && m.name(b.Name) == "exports" {
				return true
			}
		}
	}
	return false
}

func distinct(es []entity) []entity {
	out := es[:0:0]
	for _, e := range es {
		dup := false
		for _, o := range out {
			dup = dup || o == e
		}
		if !dup {
			out = append(out, e)
		}
	}
	return out
}

// exportedBind follows one export.
func (m *module) exportedBind(b *facts.Bind) []entity {
	if b.Def != 0 {
		return []entity{{kind: entDef, m: m, def: b.Def}}
	}
	if b.Value == 0 {
		return nil
	}
	switch x := m.expr(b.Value); x.Kind {
	case facts.Name:
		out := m.resolve(x.Name, x.Scope, values)
		if len(out) == 0 || out[0].kind == entDef {
			out = append(out, m.resolve(x.Name, x.Scope, types)...)
		}
		return distinct(out)
	case facts.Select:
		if out := m.named(b.Value, values); len(out) > 0 {
			return out
		}
		if f := m.w.lookup(m.typeOf(x.X), m.name(x.Name)); len(f.hits) > 0 {
			return []entity{{kind: entDef, m: f.hits[0].m, def: f.hits[0].def}}
		}
	case facts.Call:
		if p := m.importedBy(b.Value); p != nil {
			return m.w.whole(p, true)
		}
	}
	return []entity{{kind: entValue, m: m, expr: b.Value}}
}

// whole is a module as one value: for require (and default imports of
// CommonJS) what it assigns to its exports.
func (w *world) whole(p *place, require bool) []entity {
	switch {
	case p.m != nil:
		if es := p.m.exported("export="); len(es) > 0 {
			return es
		}
		return []entity{{kind: entModule, m: p.m}}
	case p.def.m != nil:
		return []entity{{kind: entDef, m: p.def.m, def: p.def.def}}
	case p.external:
		return []entity{{kind: entExternal}}
	}
	return nil
}

// placeMember is an export of the module at a place.
func (w *world) placeMember(p *place, name string) []entity {
	switch {
	case p.m != nil:
		return p.m.exported(name)
	case p.def.m != nil:
		return w.ambientMember(p.def, name)
	case p.external:
		return []entity{{kind: entExternal, name: name}}
	}
	return nil
}

// ambientMember is an export of a "declare module".
func (w *world) ambientMember(d defRef, name string) []entity {
	if es := d.m.inNamespace(d.def, name); len(es) > 0 {
		return es
	}
	whole := d.m.inNamespace(d.def, "export=")
	if name == "default" {
		return whole
	}
	var out []entity
	for _, e := range whole {
		out = append(out, w.memberOf(e, name)...)
	}
	return distinct(out)
}

// imported returns what an import binds.
func (m *module) imported(id facts.ImportID) []entity {
	i := &m.f.Imports[id]
	p := m.moduleOf(i.Module)
	name := m.name(i.Name)
	switch {
	case i.Kind == facts.ImportModule && name == "export=":
		return m.w.whole(p, true)
	case i.Kind == facts.ImportModule, name == "*":
		return m.w.whole(p, false)
	}
	if p.external {
		if es := m.w.augmented(m, m.name(i.Module), name); len(es) > 0 {
			return es
		}
		return []entity{{kind: entExternal, name: name}}
	}
	return m.w.placeMember(p, name)
}

// augmented returns the interfaces of a name that the repository adds to a
// module outside of it.
func (w *world) augmented(m *module, module, name string) []entity {
	var out []entity
	for _, d := range w.augments[module] {
		for _, e := range d.m.inNamespace(d.def, name) {
			if e.kind == entDef && e.m.f.Defs[e.def].Kind == facts.DefInterface {
				out = append(out, e)
			}
		}
	}
	return out
}

// foreign says whether an interface adds to one outside of the repository.
func (m *module) foreign(def facts.DefID) bool {
	p := m.f.Defs[def].Parent
	if m.f.Defs[p].Kind != facts.DefModule {
		return false
	}
	for _, d := range m.w.augments[m.name(m.f.Defs[p].Name)] {
		if d.m == m && d.def == p {
			return true
		}
	}
	return false
}

// beside returns what "exports.name = …" adds to the definition that the file
// assigns to its exports as a whole.
func (m *module) beside(def facts.DefID, name string) []entity {
	table := m.exportTable()
	if len(table["export="]) == 0 || len(table[name]) == 0 {
		return nil
	}
	for _, e := range m.exported("export=") {
		if e.kind == entDef && e.m == m && e.def == def {
			return m.exported(name)
		}
	}
	return nil
}
