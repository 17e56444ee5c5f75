package python

import (
	"sort"
	"strings"

	"codeidx/facts"
	"codeidx/graph"
)

// module is one Python file with the indexes that resolution needs.
type module struct {
	w   *world
	f   *facts.File
	idx int32
	dir string // folder of the file, "" for the top
	pkg bool   // __init__ of a package
	out *graph.FileEdges

	names   graph.Groups // binds by the name that they bind
	attrs   graph.Groups // binds and narrowings of attributes, by attribute name
	byDef   graph.Groups // binds by definition
	members graph.Groups // definitions by parent
	returns graph.Groups // BindReturn by scope

	globals map[string]facts.NameID // names bound at the top; lazily
	stars   []facts.ImportID
	search  []string // see searchPath; lazily
	// paramStart is the index of a scope's first parameter plus one; lazily
	paramStart []uint32
	lambdas    map[facts.ScopeID]facts.ExprID // scope of a lambda → call that takes it; lazily

	open []facts.ExprID // attributes left to the second pass

	self    *typ
	exprs   [2][]memo // types of expressions, by mode
	binds   [2][]memo
	anns    []memo
	defs    [2][]memo
	imports []importMemo
	classes map[facts.DefID]*class
}

// memo is one memoised type.
type memo struct {
	t     *typ
	state graph.Memo
}

// Modes of inference: strict answers make resolved edges, weak ones, which
// also look at defaults and call sites of unannotated parameters, candidates.
const (
	strict = 0
	weak   = 1
)

// byScope orders the members of each group, which are binds, by scope; those of
// one scope stay in source order.
func byScope(g *graph.Groups, keys int, binds []facts.Bind) {
	for k := range keys {
		some := g.Of(uint32(k))
		less := func(i, j int) bool { return binds[some[i]].Scope < binds[some[j]].Scope }
		if !sort.SliceIsSorted(some, less) {
			sort.SliceStable(some, less)
		}
	}
}

func newModule(w *world, f *facts.File, idx int32) *module {
	m := &module{w: w, f: f, idx: idx, dir: parentDir(f.Path)}
	base := f.Path[strings.LastIndexByte(f.Path, '/')+1:]
	m.pkg = base == "__init__.py" || base == "__init__.pyi"
	m.self = &typ{kind: tModule, m: m}
	m.names = graph.Group(len(f.Names), len(f.Binds), func(i int) int {
		switch b := &f.Binds[i]; {
		case b.Kind == facts.BindReturn, b.Kind == facts.BindAttr, b.Kind == facts.BindNarrow && b.On != 0, b.Name == 0:
			return 0
		default:
			return int(b.Name) + 1
		}
	})
	m.attrs = graph.Group(len(f.Names), len(f.Binds), func(i int) int {
		if b := &f.Binds[i]; b.Kind == facts.BindAttr || b.Kind == facts.BindNarrow && b.On != 0 {
			return int(b.Name) + 1
		}
		return 0
	})
	byScope(&m.names, len(f.Names), f.Binds)
	byScope(&m.attrs, len(f.Names), f.Binds)
	m.byDef = graph.Group(len(f.Defs), len(f.Binds), func(i int) int { return int(f.Binds[i].Def) + min(1, int(f.Binds[i].Def)) })
	m.members = graph.Group(len(f.Defs), len(f.Defs), func(i int) int {
		if i == 0 {
			return 0
		}
		return int(f.Defs[i].Parent) + 1
	})
	m.returns = graph.Group(len(f.Scopes), len(f.Binds), func(i int) int {
		if f.Binds[i].Kind == facts.BindReturn {
			return int(f.Binds[i].Scope) + 1
		}
		return 0
	})
	for i := range f.Imports {
		if i > 0 && f.Imports[i].Kind == facts.ImportStar && f.Imports[i].Scope == 0 {
			m.stars = append(m.stars, facts.ImportID(i))
		}
	}
	m.anns = make([]memo, len(f.Exprs))
	m.exprs[strict] = make([]memo, len(f.Exprs))
	m.binds[strict] = make([]memo, len(f.Binds))
	m.defs[strict] = make([]memo, len(f.Defs))
	m.imports = make([]importMemo, len(f.Imports))
	m.classes = map[facts.DefID]*class{}
	return m
}

// memoOf returns entry i of a table of one mode; the tables of the weak mode
// are made when they are first used.
func memoOf(tables *[2][]memo, mode int, i int) *memo {
	if tables[mode] == nil {
		tables[mode] = make([]memo, len(tables[strict]))
	}
	return &tables[mode][i]
}

// global returns the id of a name that the module binds at the top, 0 where it
// does not.
func (m *module) global(name string) facts.NameID {
	if m.globals == nil {
		m.globals = make(map[string]facts.NameID, 32)
		for i := range m.f.Binds {
			if b := &m.f.Binds[i]; b.Scope == 0 && b.Name != 0 && b.Kind != facts.BindAttr && b.Kind != facts.BindNarrow {
				m.globals[m.f.Names[b.Name]] = b.Name
			}
		}
	}
	return m.globals[name]
}

// name is the text of a name.
func (m *module) name(id facts.NameID) string { return m.f.Names[id] }

func parentDir(p string) string {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i]
	}
	return ""
}

func join(dir, name string) string {
	if dir == "" {
		return name
	}
	if name == "" {
		return dir
	}
	return dir + "/" + name
}
