// Package golang resolves Go: a static type computation over facts, as the
// language defines it but tolerant of what it cannot know.
//
// Every expression of every file is evaluated once, in the order of the
// expression table (children come first), and remembered: its mode (value,
// type, package, …) and its type. The evaluation that binds a name also emits
// its edge, so that nothing is looked up twice. Types of other files are
// computed on demand.
//
// What lies outside the repository has external types: they keep their
// identity ("io.Reader"), but their members are not known.
//
// Build variants: where a name has several definitions that some build takes
// together with the referring file, each is a Candidate edge; a single one is
// Resolved. Test files see what test files of their folder define, other files
// do not.
package golang

import (
	"path"

	"codeidx/facts"
	"codeidx/graph"
)

// Resolver binds the references of Go files.
type Resolver struct{}

// New returns the resolver of Go.
func New() *Resolver { return &Resolver{} }

// Languages lists Go.
func (*Resolver) Languages() []facts.Lang { return []facts.Lang{facts.Go} }

// ConfigFile says whether a path is a go.mod or go.work.
func (*Resolver) ConfigFile(p string) bool {
	base := path.Base(p)
	return base == "go.mod" || base == "go.work"
}

// Version is raised with the rules.
func (*Resolver) Version() string { return "go-1" }

// Resolve fills out for the program's Go files.
func (*Resolver) Resolve(p *graph.Program, out []graph.FileEdges) {
	r := newResolution(p, out)
	for i := range p.Files {
		if info := p.Info(i); info.Lang == facts.Go {
			r.load(folder(info.Path))
		}
	}
	for _, f := range r.files {
		if f != nil {
			f.importEdges()
			f.evalAll()
		}
	}
	r.implement()
	r.dispatch()
	if r.circular {
		p.Entangle(facts.Go)
	}
}

// sym is a name of the whole program; 0 is the empty name.
type sym int32

// resolution is the state of one Resolve.
type resolution struct {
	prog  *graph.Program
	out   []graph.FileEdges
	files []*file            // parallel to prog.Files, nil for other languages and what is not loaded
	dirs  map[string][]int32 // folder → its Go files
	mods  *modules
	build *buildSet
	types *typeTable
	uni   *universe

	syms  map[string]sym
	names []string // sym → text

	packages  []pkg
	byDir     map[string][]int32 // folder → packages
	objects   []object           // objects[0] is unused
	scope     map[uint64]int32   // package and sym → first object
	methods   map[uint64]int32   // type's object and sym → first object
	objectOf  map[defRef]int32   // type definition → its object
	selCache  map[selKey]selection
	methodsOf map[int32][]sym // type's object → its methods
	calls     []openCall      // uses of interface methods, for dispatch
	sets      methodSets
	depth     int
	externals externals
	outside   map[uint64]typeID // import path and name → external type

	circular bool  // an answer depended on where the computation began
	past     *past // where only some files are resolved, else nil
}

// defRef names a definition of the program.
type defRef struct {
	file int32
	def  facts.DefID
}

// pkg is the files of one folder with one package clause.
type pkg struct {
	dir  string
	name string
	main bool // has a file that builds import
}

// object is a definition of a package scope or a method. Build variants and
// repeated definitions of one name are chained in order of file.
type object struct {
	defRef
	next int32
}

func newResolution(p *graph.Program, out []graph.FileEdges) *resolution {
	r := &resolution{
		prog: p, out: out, files: make([]*file, len(p.Files)), dirs: map[string][]int32{}, build: newBuildSet(), types: newTypeTable(),
		uni: newUniverse(), syms: make(map[string]sym, 1<<14), names: make([]string, 1, 1<<14), byDir: map[string][]int32{},
		objects: make([]object, 1, 1<<12), scope: make(map[uint64]int32, 1<<12), methods: make(map[uint64]int32, 1<<12),
		objectOf: map[defRef]int32{}, selCache: make(map[selKey]selection, 1<<12), methodsOf: map[int32][]sym{},
		outside: make(map[uint64]typeID, 1<<10),
	}
	for i := range p.Files {
		if info := p.Info(i); info.Lang == facts.Go {
			dir := folder(info.Path)
			r.dirs[dir] = append(r.dirs[dir], int32(i))
		}
	}
	r.mods = newModules(p, func(dir string) bool { return len(r.dirs[dir]) > 0 })
	return r
}

// load declares the packages of a folder.
func (r *resolution) load(dir string) {
	if len(r.byDir[dir]) > 0 {
		return
	}
	files := make([]*file, 0, len(r.dirs[dir]))
	for _, i := range r.dirs[dir] {
		f := r.newFile(i, r.prog.File(i), r.edgesOf(i))
		f.mod = r.mods.of(dir)
		r.files[i] = f
		files = append(files, f)
	}
	for _, f := range files {
		f.declare()
	}
	for _, f := range files {
		f.declareMethods()
	}
}

func (r *resolution) sym(name string) sym {
	if s, ok := r.syms[name]; ok {
		return s
	}
	if name == "" {
		return 0
	}
	s := sym(len(r.names))
	r.names = append(r.names, name)
	r.syms[name] = s
	return s
}

// packageOf returns the package of a folder with a clause name, adding it.
func (r *resolution) packageOf(dir, name string, main bool) int32 {
	for _, id := range r.byDir[dir] {
		if r.packages[id].name == name {
			r.packages[id].main = r.packages[id].main || main
			return id
		}
	}
	id := int32(len(r.packages))
	r.packages = append(r.packages, pkg{dir, name, main})
	r.byDir[dir] = append(r.byDir[dir], id)
	return id
}

// imported returns the package that an import of a folder means, -1 where the
// folder has none or several that a build could import.
func (r *resolution) imported(dir string) int32 {
	r.load(dir)
	best := int32(-1)
	for _, id := range r.byDir[dir] {
		p := &r.packages[id]
		if !p.main {
			continue
		}
		switch {
		case best < 0 || r.packages[best].name == "main" && p.name != "main":
			best = id
		case p.name != "main":
			return -1
		}
	}
	return best
}

func pairKey(a int32, b sym) uint64 { return uint64(uint32(a))<<32 | uint64(uint32(b)) }

// addObject chains a definition under a key of m.
func (r *resolution) addObject(m map[uint64]int32, key uint64, d defRef) int32 {
	id := int32(len(r.objects))
	r.objects = append(r.objects, object{defRef: d})
	first, ok := m[key]
	if !ok {
		m[key] = id
		return id
	}
	for r.objects[first].next != 0 {
		first = r.objects[first].next
	}
	r.objects[first].next = id
	return id
}

// visible says whether file f sees what file g defines at package level.
func (r *resolution) visible(f, g *file) bool {
	if f == g {
		return true
	}
	if g.test && (!f.test || f.dir != g.dir) || g.alone {
		return false
	}
	return r.build.together(f.build, g.build)
}

// pick returns the object of a chain that f means, 0 where it sees none, and
// whether it may mean others. What the file defines itself comes first: it is
// the variant of the file's own build, and in a folder of programs that are
// built one by one the only one.
func (r *resolution) pick(f *file, first int32) (id int32, several bool) {
	for i := first; i != 0; i = r.objects[i].next {
		g := r.files[r.objects[i].file]
		if g == f {
			return i, false
		}
		if r.visible(f, g) {
			if id == 0 {
				id = i
			} else {
				several = true
			}
		}
	}
	return id, several
}
