package php

import (
	"slices"
	"sort"
	"strings"

	"codeidx/facts"
	"codeidx/graph"
)

// world is everything that the resolution of one program shares.
type world struct {
	p         *graph.Program
	order     []*file          // by path
	files     map[string]*file // by path
	byIndex   []*file          // by index in the program
	classes   map[string][]*class
	functions map[string][]defRef
	constants map[string][]defRef
	globals   map[string][]defRef // variables of files, by name
	methods   map[string]int      // methods of this name in the repository
	spaces    map[string]bool     // namespaces, lower case
	suffixes  map[string][]*file  // files by base name
	autoload  []autoload

	configured []*file          // by codeidx.phpIncludes
	callbacks  map[string][]int // by codeidx.callbacks: numbers of arguments from 0, by function
	graph.Cycle
}

// defRef names a definition across files.
type defRef struct {
	f   *file
	def facts.DefID
}

func (r defRef) target() graph.Target { return graph.Target{File: r.f.idx, Def: r.def} }

func newWorld(p *graph.Program) *world {
	w := &world{
		Cycle: graph.Cycle{MaxDepth: maxDepth, MaxFuel: maxFuel},
		p:     p, files: map[string]*file{}, byIndex: make([]*file, len(p.Files)), classes: map[string][]*class{},
		functions: map[string][]defRef{}, constants: map[string][]defRef{}, globals: map[string][]defRef{},
		methods: map[string]int{}, spaces: map[string]bool{}, suffixes: map[string][]*file{},
	}
	for i, f := range p.Files {
		if f != nil && f.Lang == facts.PHP {
			x := newFile(w, f, int32(i))
			w.order = append(w.order, x)
			w.files[f.Path] = x
			w.byIndex[i] = x
		}
	}
	sort.Slice(w.order, func(i, j int) bool { return w.order[i].f.Path < w.order[j].f.Path })
	w.readComposer()
	w.readSettings()
	for _, f := range w.order {
		w.declare(f)
	}
	for _, f := range w.order {
		w.declareAliases(f)
	}
	w.linkClasses()
	return w
}

// declareAliases adds the names that class_alias() with readable arguments
// gives to classes.
func (w *world) declareAliases(f *file) {
	if !slices.ContainsFunc(f.f.Names, func(n string) bool { return strings.EqualFold(n, "class_alias") }) {
		return
	}
	for i := range f.f.Exprs {
		e := &f.f.Exprs[i]
		fn := &f.f.Exprs[e.X]
		if e.Kind != facts.Call || fn.Kind != facts.Name || e.Kids.N < 2 || !strings.EqualFold(f.name(fn.Name), "class_alias") {
			continue
		}
		kids := f.f.KidsOf(e.Kids)
		class, alias := f.literalClass(kids[0]), f.literalClass(kids[1])
		if found := f.choose(class); len(found) == 1 && alias != "" && len(w.classes[strings.ToLower(alias)]) == 0 {
			w.classes[strings.ToLower(alias)] = found
		}
	}
}

// literalClass is the full name of the class that 'A\B' or A::class names.
func (x *file) literalClass(id facts.ExprID) string {
	e := &x.f.Exprs[id]
	switch {
	case e.Kind == facts.Literal && e.Lit == facts.StringLit:
		return strings.TrimPrefix(x.name(e.Name), `\`)
	case e.Kind == facts.Scoped && strings.EqualFold(x.name(e.Name), "class") && x.f.Exprs[e.X].Kind == facts.Name:
		return x.className(&x.f.Exprs[e.X])
	}
	return ""
}

// declare lists what a file defines.
func (w *world) declare(f *file) {
	base := f.f.Path[strings.LastIndexByte(f.f.Path, '/')+1:]
	w.suffixes[base] = append(w.suffixes[base], f)
	for i := 1; i < len(f.f.Defs); i++ {
		d := &f.f.Defs[i]
		id := facts.DefID(i)
		switch {
		case isClass(d.Kind):
			c := &class{f: f, def: id, name: f.name(d.Name)}
			if outer := f.f.Scopes[d.Scope].Parent; d.Flags&facts.Local == 0 || c.name != anonymous {
				c.name = qualify(f.namespaceOf(outer), c.name)
			}
			f.classes[id] = c
			if c.name != anonymous {
				key := strings.ToLower(c.name)
				w.classes[key] = append(w.classes[key], c)
			}
		case d.Kind == facts.DefMethod:
			w.methods[strings.ToLower(f.name(d.Name))]++
		case d.Kind == facts.DefFunction:
			key := strings.ToLower(qualify(f.namespaceOf(d.Scope), f.name(d.Name)))
			w.functions[key] = append(w.functions[key], defRef{f, id})
		case d.Kind == facts.DefConstant && !isClass(f.f.Defs[d.Parent].Kind):
			name := strings.TrimPrefix(f.name(d.Name), `\`)
			if d.Scope != 0 {
				name = qualify(f.namespaceOf(d.Scope), name)
			}
			w.constants[constantKey(name)] = append(w.constants[constantKey(name)], defRef{f, id})
		case d.Kind == facts.DefVariable:
			w.globals[f.name(d.Name)] = append(w.globals[f.name(d.Name)], defRef{f, id})
		case d.Kind == facts.DefNamespace:
			for s := strings.ToLower(f.name(d.Name)); s != "" && !w.spaces[s]; s = parentSpace(s) {
				w.spaces[s] = true
			}
		}
	}
}

// anonymous is the name of classes without one.
const anonymous = "class@anonymous"

func isClass(k facts.DefKind) bool {
	switch k {
	case facts.DefClass, facts.DefInterface, facts.DefTrait, facts.DefEnum:
		return true
	}
	return false
}

// qualify joins a namespace and a name.
func qualify(space, name string) string {
	if space == "" {
		return name
	}
	return space + `\` + name
}

func parentSpace(s string) string {
	if i := strings.LastIndexByte(s, '\\'); i >= 0 {
		return s[:i]
	}
	return ""
}

// constantKey is the key of a constant: its namespace does not know case, its
// name does.
func constantKey(fqn string) string {
	if i := strings.LastIndexByte(fqn, '\\'); i >= 0 {
		return strings.ToLower(fqn[:i]) + fqn[i:]
	}
	return fqn
}
