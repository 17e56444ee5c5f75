// Package python resolves the references of Python files. It never runs an
// import: modules are found by the layout of the tree, names by Python's
// scoping rules and attributes by the receiver's inferred type.
//
//   - world: all modules, and where an import leads (roots.go, imports.go).
//   - module: the facts of one file with its indexes (module.go) and the lookup
//     of names in the flow of its code (lookup.go, narrow.go).
//   - class: members, bases, C3 order, subclasses (class.go).
//   - typ: what is known about a value (types.go). Expressions are typed in
//     infer.go, names and definitions in bound.go, parameters in param.go,
//     attributes in attr.go, elements in element.go, annotations in annotate.go,
//     calls in call.go with overloads, type variables and decorators beside it.
//     What is known of the standard library stands in external.go and special.go.
//   - edges.go walks the facts of a file and emits edges by the rules of
//     graph/rule_python.go; weak.go adds the candidates that rest on defaults,
//     calls, fixtures and names, once all resolved calls are known.
//
// A question that is met again while it is open adds nothing to its own answer
// (tNever); an answer that rests on an open question is not kept (graph.Cycle).
package python

import (
	"sort"
	"strings"

	"codeidx/facts"
	"codeidx/graph"
)

// Resolver implements graph.Resolver for Python.
type Resolver struct{}

// New returns the resolver of Python files.
func New() *Resolver { return &Resolver{} }

// Languages lists Python.
func (*Resolver) Languages() []facts.Lang { return []facts.Lang{facts.Python} }

// ConfigFile says whether a file can name source roots.
func (*Resolver) ConfigFile(path string) bool {
	base := path[strings.LastIndexByte(path, '/')+1:]
	return base == "pyproject.toml" || base == "setup.cfg" || base == "setup.py"
}

// Version changes with the rules.
func (*Resolver) Version() string { return "python-1" }

// Resolve fills out for the Python files of p. Files are taken in order of
// their paths whatever their order in p, because inference that runs into a
// cycle depends on where it started.
func (*Resolver) Resolve(p *graph.Program, out []graph.FileEdges) {
	w := newWorld(p)
	for _, m := range w.order {
		m.out = &out[m.idx]
		m.emit()
	}
	for _, m := range w.order {
		m.emitWeak()
	}
}

// world is everything that the resolution of one program shares.
type world struct {
	p        *graph.Program
	order    []*module           // by path
	files    map[string]*module  // by path
	dirs     map[string]bool     // folders that hold Python files, at any depth
	roots    []string            // source roots, nearest to explicit configuration first
	rootsIn  map[string][]string // source roots by the folder that they lie in
	holders  []string            // folders that hold top-level packages
	calls    map[defRef][]callRef
	builtins map[string]bool
	graph.Cycle
}

// defRef names a definition across modules.
type defRef struct {
	m   *module
	def facts.DefID
}

// callRef is a call site.
type callRef struct {
	m *module
	e facts.ExprID
}

func newWorld(p *graph.Program) *world {
	w := &world{
		Cycle: graph.Cycle{MaxDepth: maxDepth, MaxFuel: maxFuel},
		p:     p, files: map[string]*module{}, dirs: map[string]bool{}, calls: map[defRef][]callRef{},
	}
	for i, f := range p.Files {
		if f == nil || f.Lang != facts.Python {
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
	w.roots = w.findRoots()
	w.rootsIn = map[string][]string{}
	for _, r := range w.roots {
		w.rootsIn[parentDir(r)] = append(w.rootsIn[parentDir(r)], r)
	}
	w.holders = w.findHolders()
	w.linkClasses()
	return w
}

// byIndex returns the module of file i of the program.
func (w *world) byIndex(i int32) *module { return w.files[w.p.Files[i].Path] }

// Bounds of one inference, see graph.Cycle.
const (
	maxDepth = 48
	maxFuel  = 4000
)

// answer is what a question gives that could not be entered: nothing is known
// of it, or it is open and adds nothing.
func (memo *memo) answer() *typ {
	if memo.state.IsOpen() {
		return never
	}
	return memo.t
}
