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

	names   groups // binds by the name that they bind
	attrs   groups // binds and narrowings of attributes, by attribute name
	byDef   groups // binds by definition
	members groups // definitions by parent
	returns groups // BindReturn by scope

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
	state int16
}

// Modes of inference: strict answers make resolved edges, weak ones, which
// also look at defaults and call sites of unannotated parameters, candidates.
const (
	strict = 0
	weak   = 1
)

// groups lists members by key in a flat array: those of key k are
// items[start[k]:start[k+1]], in source order.
type groups struct {
	start []uint32
	items []uint32
}

func (g *groups) of(k uint32) []uint32 {
	if int(k)+1 >= len(g.start) {
		return nil
	}
	return g.items[g.start[k]:g.start[k+1]]
}

// group builds groups over n items; key gives the key of item i plus one, or
// zero to leave it out.
func group(keys, n int, key func(i int) int) groups {
	g := groups{start: make([]uint32, keys+2)}
	total := 0
	for i := range n {
		if k := key(i); k > 0 {
			g.start[k+1]++
			total++
		}
	}
	for i := 2; i < len(g.start); i++ {
		g.start[i] += g.start[i-1]
	}
	g.items = make([]uint32, total)
	for i := range n {
		if k := key(i); k > 0 {
			g.items[g.start[k]] = uint32(i)
			g.start[k]++
		}
	}
	g.start = g.start[:keys+1]
	return g
}

// byScope orders the members of each group, which are binds, by scope; those of
// one scope stay in source order.
func (g *groups) byScope(binds []facts.Bind) {
	for k := 0; k+1 < len(g.start); k++ {
		some := g.items[g.start[k]:g.start[k+1]]
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
	m.names = group(len(f.Names), len(f.Binds), func(i int) int {
		switch b := &f.Binds[i]; {
		case b.Kind == facts.BindReturn, b.Kind == facts.BindAttr, b.Kind == facts.BindNarrow && b.On != 0, b.Name == 0:
			return 0
		default:
			return int(b.Name) + 1
		}
	})
	m.attrs = group(len(f.Names), len(f.Binds), func(i int) int {
		if b := &f.Binds[i]; b.Kind == facts.BindAttr || b.Kind == facts.BindNarrow && b.On != 0 {
			return int(b.Name) + 1
		}
		return 0
	})
	m.names.byScope(f.Binds)
	m.attrs.byScope(f.Binds)
	m.byDef = group(len(f.Defs), len(f.Binds), func(i int) int { return int(f.Binds[i].Def) + min(1, int(f.Binds[i].Def)) })
	m.members = group(len(f.Defs), len(f.Defs), func(i int) int {
		if i == 0 {
			return 0
		}
		return int(f.Defs[i].Parent) + 1
	})
	m.returns = group(len(f.Scopes), len(f.Binds), func(i int) int {
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
