package ecma

import (
	"strings"

	"codeidx/facts"
	"codeidx/graph"
)

// module is one file with the indexes that resolution needs.
type module struct {
	w   *world
	f   *facts.File
	idx int32
	dir string // folder of the file, "" for the top
	js  bool
	out *graph.FileEdges

	names   graph.Groups // binds that give a name something, by name
	narrows graph.Groups // by name
	assigns graph.Groups // BindAssign by name
	byDef   graph.Groups // BindAttr by definition
	returns graph.Groups // BindReturn by scope
	params  graph.Groups // BindParam by scope
	typed   graph.Groups // BindTypeParam by scope

	ids     map[string]facts.NameID          // lazily
	exports map[string][]uint32              // BindExport of the file scope, by name; lazily
	stars   []facts.ImportID                 // "export *"
	owner   []owner                          // what a scope belongs to, by scope
	extra   map[facts.DefID]facts.ScopeID    // scope of the members that assignments give a definition
	spaces  []facts.DefID                    // namespaces and ambient modules
	added   []defRef                         // bodies of "declare module" that add to the file
	errors  []facts.Span                     // broken regions, none within another
	holders map[facts.ExprID][]facts.ScopeID // of extra, by the value of the definition; lazily
	parent  []facts.ExprID                   // by expression
	uses    map[facts.ExprID]use             // what takes the value of an expression; lazily
	self    *typ

	exprs, anns, binds, defs []memo
	modules                  map[facts.NameID]*place
	exporting                map[string]bool
}

// owner is what opens a scope: a definition or an expression.
type owner struct {
	def  facts.DefID
	expr facts.ExprID
}

// memo is one memoised type.
type memo struct {
	t     *typ
	state graph.Memo
}

func newModule(w *world, f *facts.File, idx int32) *module {
	m := &module{w: w, f: f, idx: idx, dir: parentDir(f.Path), js: f.Lang == facts.JavaScript}
	m.self = &typ{kind: tModule, m: m}
	byName := func(is func(b *facts.Bind) bool) graph.Groups {
		return graph.Group(len(f.Names), len(f.Binds), func(i int) int {
			if b := &f.Binds[i]; b.Name != 0 && is(b) {
				return int(b.Name) + 1
			}
			return 0
		})
	}
	m.names = byName(binding)
	m.narrows = byName(func(b *facts.Bind) bool { return b.Kind == facts.BindNarrow })
	m.assigns = byName(func(b *facts.Bind) bool { return b.Kind == facts.BindAssign })
	m.byDef = graph.Group(len(f.Defs), len(f.Binds), func(i int) int {
		if b := &f.Binds[i]; b.Kind == facts.BindAttr && b.Def != 0 {
			return int(b.Def) + 1
		}
		return 0
	})
	byScope := func(k facts.BindKind) graph.Groups {
		return graph.Group(len(f.Scopes), len(f.Binds), func(i int) int {
			if f.Binds[i].Kind == k {
				return int(f.Binds[i].Scope) + 1
			}
			return 0
		})
	}
	m.returns, m.params, m.typed = byScope(facts.BindReturn), byScope(facts.BindParam), byScope(facts.BindTypeParam)
	for i := 1; i < len(f.Imports); i++ {
		if f.Imports[i].Kind == facts.ImportStar && f.Imports[i].Scope == 0 {
			m.stars = append(m.stars, facts.ImportID(i))
		}
	}
	m.exprs, m.anns = make([]memo, len(f.Exprs)), make([]memo, len(f.Exprs))
	m.binds, m.defs = make([]memo, len(f.Binds)), make([]memo, len(f.Defs))
	m.modules = map[facts.NameID]*place{}
	m.exporting = map[string]bool{}
	m.owners()
	for _, s := range f.Errors {
		if n := len(m.errors); n == 0 || s.End > m.errors[n-1].End {
			m.errors = append(m.errors, s)
		}
	}
	return m
}

// binding says whether a bind gives its name something in its scope.
func binding(b *facts.Bind) bool {
	switch b.Kind {
	case facts.BindNarrow, facts.BindReturn, facts.BindAttr, facts.BindAssign, facts.BindExport, facts.BindDelete:
		return false
	}
	return true
}

// owners finds what opens each scope, and the parents of expressions.
func (m *module) owners() {
	f := m.f
	m.owner = make([]owner, len(f.Scopes))
	m.parent = make([]facts.ExprID, len(f.Exprs))
	for i := 1; i < len(f.Exprs); i++ {
		e := &f.Exprs[i]
		switch e.Kind {
		case facts.Func, facts.FuncType, facts.ClassExpr:
			m.owner[e.Scope].expr = facts.ExprID(i)
		case facts.Dict, facts.StructType:
			if s := &f.Scopes[e.Scope]; s.Kind == facts.ScopeClass && s.Span.Start == e.Pos {
				m.owner[e.Scope].expr = facts.ExprID(i)
			}
		}
		if e.X != 0 {
			m.parent[e.X] = facts.ExprID(i)
		}
		for _, k := range f.KidsOf(e.Kids) {
			m.parent[k] = facts.ExprID(i)
		}
	}
	for i := range f.Defs {
		d := &f.Defs[i]
		switch d.Kind {
		case facts.DefClass, facts.DefInterface, facts.DefEnum, facts.DefNamespace, facts.DefModule, facts.DefFunction, facts.DefMethod:
			if d.Scope != 0 && f.Scopes[d.Scope].Kind != facts.ScopeFile {
				m.owner[d.Scope].def = facts.DefID(i)
			}
		}
	}
	for i := range f.Defs {
		if k := f.Defs[i].Kind; k == facts.DefNamespace || k == facts.DefModule {
			m.spaces = append(m.spaces, facts.DefID(i))
		}
	}
	for i := range f.Scopes {
		if s := &f.Scopes[i]; s.Kind == facts.ScopeClass && m.owner[i] == (owner{}) {
			if m.extra == nil {
				m.extra = map[facts.DefID]facts.ScopeID{}
			}
			m.extra[s.Def] = facts.ScopeID(i)
		}
	}
}

// extraOf returns the scopes of the members that assignments give to the
// variables that hold an object literal.
func (m *module) extraOf(literal facts.ExprID) []facts.ScopeID {
	if m.extra == nil {
		return nil
	}
	if m.holders == nil {
		m.holders = map[facts.ExprID][]facts.ScopeID{}
		for d := range m.f.Defs {
			if s, ok := m.extra[facts.DefID(d)]; ok && m.f.Defs[d].Value != 0 {
				m.holders[m.f.Defs[d].Value] = append(m.holders[m.f.Defs[d].Value], s)
			}
		}
	}
	return m.holders[literal]
}

// use is what takes the value of an expression: a bind, or a definition.
type use struct {
	bind uint32
	def  facts.DefID
	ok   bool
}

func (m *module) useOf(e facts.ExprID) use {
	if m.uses == nil {
		m.uses = map[facts.ExprID]use{}
		for i := range m.f.Defs {
			if v := m.f.Defs[i].Value; v != 0 {
				m.uses[v] = use{def: facts.DefID(i), ok: true}
			}
		}
		for i := range m.f.Binds {
			if b := &m.f.Binds[i]; b.Value != 0 && b.Part == facts.PartWhole && b.Kind != facts.BindNarrow && b.Kind != facts.BindExport {
				m.uses[b.Value] = use{bind: uint32(i), ok: true}
			}
		}
	}
	return m.uses[e]
}

// id returns the module's number of a name, 0 where the file does not use it.
func (m *module) id(name string) facts.NameID {
	if m.ids == nil {
		m.ids = make(map[string]facts.NameID, len(m.f.Names))
		for i, n := range m.f.Names {
			m.ids[n] = facts.NameID(i)
		}
	}
	return m.ids[name]
}

// name is the text of a name.
func (m *module) name(id facts.NameID) string { return m.f.Names[id] }

func (m *module) expr(e facts.ExprID) *facts.Expr { return &m.f.Exprs[e] }

func (m *module) kids(e facts.ExprID) []facts.ExprID { return m.f.KidsOf(m.f.Exprs[e].Kids) }

func parentDir(p string) string {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i]
	}
	return ""
}

// join resolves a relative path against a folder; not ok above the top.
func join(dir, rel string) (string, bool) {
	parts := strings.Split(dir, "/")
	if dir == "" {
		parts = nil
	}
	for _, s := range strings.Split(rel, "/") {
		switch s {
		case "", ".":
		case "..":
			if len(parts) == 0 {
				return "", false
			}
			parts = parts[:len(parts)-1]
		default:
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, "/"), true
}
