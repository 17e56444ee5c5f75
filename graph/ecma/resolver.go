// Package ecma resolves the references of JavaScript and TypeScript files as
// the language's checker and Node's loader do, from facts alone.
//
//   - world: all modules; where a specifier leads (config.go, paths.go).
//   - module: the facts of one file with its indexes (module.go), the lookup of
//     names (lookup.go) and what it exports (exports.go).
//   - typ: what is known about a value (types.go); types as written in
//     annotate.go, types of expressions in infer.go and call.go, members in
//     member.go, narrowing in narrow.go, the language's own classes in builtin.go.
//   - edges.go walks the facts of a file and emits edges by the rules of
//     graph/rule_ecma.go.
package ecma

import (
	"sort"
	"strings"

	"codeidx/facts"
	"codeidx/graph"
)

// Resolver implements graph.Resolver for JavaScript and TypeScript.
type Resolver struct{}

// New returns the resolver of JavaScript and TypeScript files.
func New() *Resolver { return &Resolver{} }

// Languages lists JavaScript and both forms of TypeScript.
func (*Resolver) Languages() []facts.Lang {
	return []facts.Lang{facts.JavaScript, facts.TypeScript, facts.TSX}
}

// ConfigFile says whether a file steers where imports lead.
func (*Resolver) ConfigFile(path string) bool {
	base := path[strings.LastIndexByte(path, '/')+1:]
	switch base {
	case "package.json", "pnpm-workspace.yaml":
		return true
	}
	return strings.HasSuffix(base, ".json") && (strings.HasPrefix(base, "tsconfig") || strings.HasPrefix(base, "jsconfig"))
}

// Version changes with the rules.
func (*Resolver) Version() string { return "ecma-1" }

// Resolve fills out for the JavaScript and TypeScript files of p, in order of
// their paths whatever their order in p, because inference that runs into a
// cycle depends on where it started.
func (*Resolver) Resolve(p *graph.Program, out []graph.FileEdges) {
	w := newWorld(p)
	for _, m := range w.order {
		m.out = &out[m.idx]
		m.emit()
	}
}

// world is everything that the resolution of one program shares.
type world struct {
	p        *graph.Program
	order    []*module          // by path
	files    map[string]*module // by path
	dirs     map[string]bool    // folders that hold files, at any depth
	configs  configs
	ambient  map[string][]defRef // "declare module" by name; with a star: by pattern
	patterns []string            // ambient names with a star
	augments map[string][]defRef // "declare module" that adds to a module, by name
	globals  map[string][]defRef // ambient declarations outside of modules
	subs     map[defRef][]defRef // direct subclasses and implementations
	graph.Cycle
	lookups int // member look-ups within each other
	steps   int // types left for the outermost one
}

// defRef names a definition across modules.
type defRef struct {
	m   *module
	def facts.DefID
}

func newWorld(p *graph.Program) *world {
	w := &world{
		Cycle: graph.Cycle{MaxDepth: maxDepth, MaxFuel: maxFuel},
		p:     p, files: map[string]*module{}, dirs: map[string]bool{}, ambient: map[string][]defRef{}, augments: map[string][]defRef{}, globals: map[string][]defRef{},
	}
	for i, f := range p.Files {
		if f == nil || f.Lang != facts.JavaScript && f.Lang != facts.TypeScript && f.Lang != facts.TSX {
			continue
		}
		m := newModule(w, f, int32(i))
		w.order = append(w.order, m)
		w.files[f.Path] = m
		for d := m.dir; d != "" && !w.dirs[d]; d = parentDir(d) {
			w.dirs[d] = true
		}
	}
	sort.Slice(w.order, func(i, j int) bool { return w.order[i].f.Path < w.order[j].f.Path })
	w.configs = readConfigs(p.Config)
	for _, m := range w.order {
		m.ambientDefs()
	}
	sort.Strings(w.patterns)
	w.linkAugments()
	w.linkClasses()
	return w
}

// linkAugments gives the files of the repository what other files add to them
// by "declare module './file'".
func (w *world) linkAugments() {
	names := make([]string, 0, len(w.augments))
	for n := range w.augments {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		for _, d := range w.augments[n] {
			if t := d.m.w.resolve(d.m, n).m; t != nil {
				t.added = append(t.added, d)
			}
		}
	}
}

// ambientDefs notes the modules and globals that a file declares.
func (m *module) ambientDefs() {
	isModule := m.isModule()
	script := strings.HasSuffix(m.f.Path, ".d.ts") && !isModule
	for i := range m.f.Binds {
		b := &m.f.Binds[i]
		if b.Def == 0 || b.Kind != facts.BindDef && b.Kind != facts.BindVar && b.Kind != facts.BindConst {
			continue
		}
		s := b.Scope
		global := s == 0 && script || s != 0 && m.f.Defs[m.f.Scopes[s].Def].Kind == facts.DefModule && m.name(m.f.Defs[m.f.Scopes[s].Def].Name) == "global" &&
			m.f.Scopes[s].Kind == facts.ScopeBlock
		if global && !m.stub(b.Def) {
			n := m.name(b.Name)
			m.w.globals[n] = append(m.w.globals[n], defRef{m, b.Def})
		}
	}
	for i := range m.f.Defs {
		d := &m.f.Defs[i]
		n := m.name(d.Name)
		if d.Kind != facts.DefModule || n == "global" {
			continue
		}
		if isModule {
			m.w.augments[n] = append(m.w.augments[n], defRef{m, facts.DefID(i)})
		} else {
			if m.w.ambient[n] == nil && strings.Contains(n, "*") {
				m.w.patterns = append(m.w.patterns, n)
			}
			m.w.ambient[n] = append(m.w.ambient[n], defRef{m, facts.DefID(i)})
		}
	}
}

// stub says whether a declaration is an interface without members: it only lets
// a name of the language stand where its library is absent.
func (m *module) stub(def facts.DefID) bool {
	d := &m.f.Defs[def]
	if d.Kind != facts.DefInterface || d.Bases.N > 0 || d.Type != 0 {
		return false
	}
	for i := range m.f.Defs {
		if m.f.Defs[i].Parent == def && i != 0 {
			return false
		}
	}
	return true
}

// isModule says whether a file imports or exports anything.
func (m *module) isModule() bool {
	for i := 1; i < len(m.f.Imports); i++ {
		if m.f.Imports[i].Flags&facts.Dynamic == 0 && m.f.Imports[i].Scope == 0 {
			return true
		}
	}
	for i := range m.f.Binds {
		if b := &m.f.Binds[i]; b.Kind == facts.BindExport && b.Scope == 0 {
			return true
		}
	}
	return false
}

// Bounds of one inference, see graph.Cycle.
const (
	maxDepth = 60
	maxFuel  = 6000
)
