package python

import (
	"strings"

	"codeidx/facts"
	"codeidx/graph"
)

// place is where a dotted module name leads: a file, a folder without
// __init__ (namespace package), or outside of the repository.
type place struct {
	m   *module
	dir string // namespace package
	ok  bool
}

// entity is what a name denotes once imports are followed.
type entity struct {
	kind entityKind
	m    *module     // of the definition, or the module itself
	def  facts.DefID // entityDef
	bind uint32      // entityLocal and variables: the bind
	name string      // entityExternal: dotted path; entityNamespace: folder
}

type entityKind uint8

const (
	entityExternal entityKind = iota
	entityModule
	entityNamespace
	entityDef
	entityLocal
)

type importMemo struct {
	found []entity
	state graph.Memo
}

// at looks for the module file or package folder at path without extension.
func (w *world) at(path string) place {
	for _, suffix := range [...]string{"/__init__.py", ".py", "/__init__.pyi", ".pyi"} {
		if m := w.files[path+suffix]; m != nil {
			return place{m: m, ok: true}
		}
	}
	if path == "" {
		if m := w.files["__init__.py"]; m != nil {
			return place{m: m, ok: true}
		}
	}
	if w.dirs[path] {
		return place{dir: path, ok: true}
	}
	return place{}
}

// absolute finds the module that m means by a dotted name. A folder without
// __init__ counts only where no search folder has a module of that name, and
// never under the name of a standard module.
func (m *module) absolute(dotted string) (found []place) {
	rel := strings.ReplaceAll(dotted, ".", "/")
	top, _, _ := strings.Cut(rel, "/")
	standard := standardModule(top)
	var namespace []place
	search := func(root string) bool {
		first := m.w.at(join(root, top))
		if !first.ok {
			return false
		}
		p := m.w.at(join(root, rel))
		if first.m == nil {
			if p.ok && !standard {
				namespace = append(namespace, p)
			}
			return false
		}
		found = append(found, p)
		return true
	}
	for _, root := range m.searchPath() {
		if search(root) {
			return found
		}
	}
	for _, root := range m.w.roots {
		search(root)
	}
	if len(found) == 0 && !standard {
		for _, root := range m.besides() {
			search(root)
		}
	}
	found = distinct(found)
	if len(found) == 0 && len(namespace) > 0 {
		found = distinct(namespace)[:1]
	}
	return found
}

func distinct(ps []place) []place {
	var out []place
next:
	for _, p := range ps {
		for _, q := range out {
			if p == q {
				continue next
			}
		}
		out = append(out, p)
	}
	return out
}

// relative finds the module of a relative import.
func (m *module) relative(level int, dotted string) place {
	d := m.dir
	for ; level > 1; level-- {
		if d == "" {
			return place{}
		}
		d = parentDir(d)
	}
	return m.w.at(join(d, strings.ReplaceAll(dotted, ".", "/")))
}

// moduleOf finds the modules that an import statement names. outside says that
// none of them is in the repository.
func (m *module) moduleOf(i *facts.Import) (found []place, outside bool) {
	if i.Level > 0 {
		p := m.relative(int(i.Level), m.name(i.Module))
		if !p.ok {
			return nil, true
		}
		return []place{p}, false
	}
	for _, p := range m.absolute(m.name(i.Module)) {
		if p.ok && (p.m != nil || m.w.holds(p.dir, m.name(i.Name))) {
			found = append(found, p)
		}
	}
	return found, len(found) == 0
}

// holds says whether a namespace package has a submodule: alone its folder
// proves nothing, since any folder may share its name with a distribution.
func (w *world) holds(dir, name string) bool { return name != "" && w.at(join(dir, name)).ok }

// imported returns what the local name of import id denotes.
func (m *module) imported(id facts.ImportID) []entity {
	memo := &m.imports[id]
	if memo.state == graph.Done || !m.w.Enter(&memo.state) {
		return memo.found
	}
	i := &m.f.Imports[id]
	var found []entity
	switch i.Kind {
	case facts.ImportModule:
		found = m.importedModule(i)
	case facts.ImportName:
		found = m.importedName(i)
	}
	m.w.Leave(&memo.state)
	if memo.state == graph.Done {
		memo.found = found
	}
	return found
}

func (m *module) importedModule(i *facts.Import) []entity {
	dotted := m.name(i.Module)
	if i.Alias == 0 {
		dotted, _, _ = strings.Cut(dotted, ".")
	}
	var found []entity
	for _, p := range m.absolute(dotted) {
		if p.ok && (p.m != nil || dotted != m.name(i.Module)) {
			found = append(found, p.entity())
		}
	}
	if found == nil {
		return []entity{{kind: entityExternal, name: dotted}}
	}
	return found
}

func (m *module) importedName(i *facts.Import) []entity {
	name := m.name(i.Name)
	places, outside := m.moduleOf(i)
	if outside {
		if i.Level > 0 {
			return nil
		}
		return []entity{{kind: entityExternal, name: m.name(i.Module) + "." + name}}
	}
	var found []entity
	for _, p := range places {
		if p.m != nil {
			found = addEntities(found, p.m.export(name))
		} else if q := m.w.at(join(p.dir, name)); q.ok {
			found = append(found, q.entity())
		}
	}
	return found
}

func (p place) entity() entity {
	if p.m != nil {
		return entity{kind: entityModule, m: p.m}
	}
	return entity{kind: entityNamespace, name: p.dir}
}

// target returns the edge target of a module.
func (p place) target(g *graph.Program) graph.Target {
	if p.m != nil {
		return graph.Target{File: p.m.idx}
	}
	return g.Dir(p.dir)
}

// export returns what attribute name of module m is: what its top scope binds
// in the end, what a star import brings in, or a submodule.
func (m *module) export(name string) []entity {
	if id := m.global(name); id != 0 {
		if found := m.entities(m.reach(m.bindsIn(id, 0), endOfFile)); len(found) > 0 {
			return found
		}
	}
	if found := m.fromStars(name); len(found) > 0 {
		return found
	}
	if e := m.submodule(name); e.kind == entityModule {
		return []entity{e}
	}
	return nil
}

// submodule returns the submodule called name of a package: importing it binds
// its name in the package.
func (m *module) submodule(name string) entity {
	if m.pkg {
		if p := m.w.at(join(m.dir, name)); p.m != nil {
			return p.entity()
		}
	}
	return entity{}
}

// fromStars looks a name up in the modules that m star-imports.
func (m *module) fromStars(name string) []entity {
	for k := len(m.stars) - 1; k >= 0; k-- {
		i := &m.f.Imports[m.stars[k]]
		memo := &m.imports[m.stars[k]]
		if !m.w.Enter(&memo.state) {
			continue
		}
		var found []entity
		places, _ := m.moduleOf(i)
		for _, p := range places {
			if p.m != nil && p.m.offers(name) {
				found = addEntities(found, p.m.export(name))
			}
		}
		m.w.Leave(&memo.state)
		memo.state = graph.Unset
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// offers says whether a star import of m brings name: its __all__ where that
// is readable, else every name without underscore.
func (m *module) offers(name string) bool {
	if m.f.Exports.N > 0 && !m.dynamicAll() {
		for _, e := range m.f.KidsOf(m.f.Exports) {
			if m.name(m.f.Exprs[e].Name) == name {
				return true
			}
		}
		return false
	}
	return !strings.HasPrefix(name, "_")
}

func (m *module) dynamicAll() bool {
	for _, k := range m.f.Marks {
		if m.name(k.Key) == "dynamic_all" {
			return true
		}
	}
	return false
}

// unreadableStar says whether a name that is not found might come from a star
// import of a module outside of the repository.
func (m *module) unreadableStar() bool {
	for _, id := range m.stars {
		if _, outside := m.moduleOf(&m.f.Imports[id]); outside {
			return true
		}
	}
	return false
}

// addEntities appends what is not there yet.
func addEntities(to, from []entity) []entity {
next:
	for _, e := range from {
		for _, x := range to {
			if x == e || x.kind == entityDef && e.kind == entityDef && x.m == e.m && x.def == e.def {
				continue next
			}
		}
		to = append(to, e)
	}
	return to
}
