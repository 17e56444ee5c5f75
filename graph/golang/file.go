package golang

import (
	"sort"
	"strings"

	"codeidx/facts"
	"codeidx/graph"
)

// file is one Go file under resolution.
type file struct {
	*facts.File
	r     *resolution
	index int32
	dir   string
	pkg   int32
	mod   *module
	build int32
	test  bool
	alone bool // never built with its package, see outOfBuild
	out   *graph.FileEdges

	syms      []sym   // NameID → sym; 0: not looked up yet
	localFrom []int32 // NameID → its first entry of locals; one more at the end
	locals    []int32 // indexes of Binds of inner scopes, by name, then by From
	bindOf    []int32 // DefID → 1 + the Bind of a package-level variable or constant

	firstMember []facts.DefID // ScopeID of a struct or interface → first field or method
	nextMember  []facts.DefID // DefID → next one of its scope
	typeParams  map[facts.ScopeID][]uint32

	owners []facts.DefID // top-level definitions in order of their span
	owner  int           // the last answer of from

	imported bool // imports and dots are read
	imports  []importRef
	dots     []importRef
	outer    []entity // NameID → what it means outside of all functions

	modes     []mode
	types     []typeID
	bindTypes []typeID // 0: not computed yet, -1: being computed or not known
	defTypes  []typeID // likewise
}

// importRef is one import: a package of the repository, or one outside.
type importRef struct {
	name    sym
	pkg     int32 // -1: outside the repository or ambiguous
	path    sym
	reason  graph.Reason
	guessed bool // name is derived from a path that need not end with it
}

func (r *resolution) newFile(i int32, f *facts.File, out *graph.FileEdges) *file {
	g := &file{File: f, r: r, index: i, dir: folder(f.Path), out: out}
	g.build = r.build.of(f)
	g.alone = r.build.alone(g.build) || outOfBuild(f)
	g.test = strings.HasSuffix(f.Path, "_test.go")
	g.pkg = r.packageOf(g.dir, f.Name(f.Package), !g.test && !g.alone)
	g.syms = make([]sym, len(f.Names))
	g.outer = make([]entity, len(f.Names))
	g.modes = make([]mode, len(f.Exprs))
	g.types = make([]typeID, len(f.Exprs))
	g.bindTypes = make([]typeID, len(f.Binds))
	g.defTypes = make([]typeID, len(f.Defs))
	g.indexBinds()
	g.indexDefs()
	return g
}

// outOfBuild says whether builds pass over a file: by its name, or because it
// only documents.
func outOfBuild(f *facts.File) bool {
	base := f.Path[strings.LastIndexByte(f.Path, '/')+1:]
	return base[0] == '_' || base[0] == '.' || f.Name(f.Package) == "documentation"
}

// indexBinds groups the bindings of inner scopes by name.
func (f *file) indexBinds() {
	f.localFrom = make([]int32, len(f.Names)+1)
	f.bindOf = make([]int32, len(f.Defs))
	n := 0
	for i := range f.Binds {
		switch b := &f.Binds[i]; {
		case b.Scope != 0:
			f.localFrom[b.Name]++
			n++
			if b.Kind == facts.BindTypeParam {
				if f.typeParams == nil {
					f.typeParams = map[facts.ScopeID][]uint32{}
				}
				f.typeParams[b.Scope] = append(f.typeParams[b.Scope], uint32(i))
			}
		case b.Def != 0:
			f.bindOf[b.Def] = int32(i + 1)
		}
	}
	sum := int32(0)
	for i, c := range f.localFrom {
		f.localFrom[i] = sum
		sum += c
	}
	f.locals = make([]int32, n)
	next := append([]int32(nil), f.localFrom...)
	for i := range f.Binds {
		if b := &f.Binds[i]; b.Scope != 0 {
			f.locals[next[b.Name]] = int32(i)
			next[b.Name]++
		}
	}
}

// indexDefs chains the members of struct and interface types and lists the
// top-level definitions.
func (f *file) indexDefs() {
	f.firstMember = make([]facts.DefID, len(f.Scopes))
	f.nextMember = make([]facts.DefID, len(f.Defs))
	for i := len(f.Defs) - 1; i > 0; i-- {
		d := &f.Defs[i]
		switch {
		case d.Kind == facts.DefField || d.Kind == facts.DefMethod && d.Recv == 0:
			f.nextMember[i] = f.firstMember[d.Scope]
			f.firstMember[d.Scope] = facts.DefID(i)
		case d.Parent == 0:
			f.owners = append(f.owners, facts.DefID(i))
		}
	}
	sort.Slice(f.owners, func(a, b int) bool {
		x, y := &f.Defs[f.owners[a]], &f.Defs[f.owners[b]]
		if x.Span.Start != y.Span.Start {
			return x.Span.Start < y.Span.Start
		}
		return f.owners[a] < f.owners[b]
	})
}

// from returns the top-level definition around an offset, 0 for the file.
// Sites come nearly in order, so the last answer is tried first.
func (f *file) from(pos uint32) facts.DefID {
	at := func(i int) facts.DefID {
		if i >= 0 && i < len(f.owners) {
			if s := f.Defs[f.owners[i]].Span; s.Start <= pos && pos < s.End {
				return f.owners[i]
			}
		}
		return 0
	}
	if id := at(f.owner); id != 0 {
		return id
	}
	i := sort.Search(len(f.owners), func(i int) bool { return f.Defs[f.owners[i]].Span.Start > pos }) - 1
	for i > 0 && f.Defs[f.owners[i-1]].Span == f.Defs[f.owners[i]].Span {
		i--
	}
	f.owner = max(i, 0)
	return at(i)
}

// members returns the first field of struct type x.
func (f *file) members(x typ) facts.DefID {
	if x.ref == 0 {
		return 0
	}
	return f.firstMember[f.Exprs[x.ref].Scope]
}

func (f *file) sym(name facts.NameID) sym {
	s := f.syms[name]
	if s == 0 {
		s = f.r.sym(f.Names[name])
		f.syms[name] = s
	}
	return s
}

// declare adds the file's package-level definitions.
func (f *file) declare() {
	for i := range f.Binds {
		if b := &f.Binds[i]; b.Scope == 0 && b.Def != 0 {
			d := defRef{f.index, b.Def}
			id := f.r.addObject(f.r.scope, pairKey(f.pkg, f.sym(b.Name)), d)
			if f.isType(b.Def) {
				f.r.objectOf[d] = id
			}
		}
	}
}

// named lists the imports that bind a package name, dotted those that bring in
// all names. Reading them loads what they name, so that is done when asked for.
func (f *file) named() []importRef {
	f.readImports()
	return f.imports
}

func (f *file) dotted() []importRef {
	f.readImports()
	return f.dots
}

func (f *file) readImports() {
	if f.imported {
		return
	}
	f.imported = true
	for i := 1; i < len(f.Imports); i++ {
		f.addImport(&f.Imports[i])
	}
}

func (f *file) isType(d facts.DefID) bool {
	switch f.Defs[d].Kind {
	case facts.DefStruct, facts.DefInterface, facts.DefType:
		return true
	}
	return false
}

// declareMethods adds the file's methods to the types that they belong to.
func (f *file) declareMethods() {
	for i := range f.Defs {
		d := &f.Defs[i]
		if d.Kind != facts.DefMethod || d.Recv == 0 || d.Container == 0 {
			continue
		}
		// Build variants of a type share their methods: all hang on the first.
		if owner := f.r.methodOwner(f.pkg, f.sym(d.Container)); owner != 0 {
			name := f.sym(d.Name)
			f.r.addObject(f.r.methods, pairKey(owner, name), defRef{f.index, facts.DefID(i)})
			f.r.methodsOf[owner] = append(f.r.methodsOf[owner], name)
		}
	}
}

// methodOwner returns the object on which methods of a receiver name hang. The
// name may be an alias of a type of the package.
func (r *resolution) methodOwner(pkg int32, name sym) int32 {
	for range maxEmbedding {
		owner := r.scope[pairKey(pkg, name)]
		if owner == 0 {
			return 0
		}
		g := r.files[r.objects[owner].file]
		d := &g.Defs[r.objects[owner].def]
		if d.Flags&facts.Alias == 0 || g.Exprs[d.Type].Kind != facts.Name {
			return owner
		}
		name = g.sym(g.Exprs[d.Type].Name)
	}
	return 0
}

func (f *file) addImport(im *facts.Import) {
	p := f.Name(im.Module)
	ref := importRef{pkg: -1, path: f.sym(im.Module), reason: graph.ExternalImport}
	if dir, ok := f.importDir(p); ok {
		ref.pkg = f.r.imported(dir)
		if ref.pkg < 0 {
			ref.reason = graph.AmbiguousModule
		}
	}
	switch {
	case im.Kind == facts.ImportStar:
		f.dots = append(f.dots, ref)
		return
	case im.Kind == facts.ImportEffect:
		return
	case im.Alias != 0:
		ref.name = f.sym(im.Alias)
	case ref.pkg >= 0:
		ref.name = f.r.sym(f.r.packages[ref.pkg].name)
	default:
		ref.name = f.r.sym(guessName(p))
		host, _, _ := strings.Cut(p, "/")
		ref.guessed = strings.Contains(host, ".") // the standard library names its packages by their paths
	}
	f.imports = append(f.imports, ref)
}

func (f *file) importDir(p string) (string, bool) {
	if strings.HasPrefix(p, "./") || strings.HasPrefix(p, "../") {
		return "", false
	}
	return f.r.mods.find(f.mod, p)
}

// guessName derives the package name that an import path most likely has:
// its last element without version, "go-" and ".go".
func guessName(p string) string {
	parts := strings.Split(p, "/")
	name := parts[len(parts)-1]
	if len(parts) > 1 && isVersion(name) {
		name = parts[len(parts)-2]
	}
	if i := strings.Index(name, ".v"); i > 0 && isVersion(name[i+1:]) {
		name = name[:i]
	}
	name = strings.TrimPrefix(strings.TrimSuffix(strings.TrimSuffix(name, ".go"), "-go"), "go-")
	return name
}

func isVersion(s string) bool {
	if len(s) < 2 || s[0] != 'v' {
		return false
	}
	return strings.Trim(s[1:], "0123456789") == ""
}

// importEdges links imports to the package folders that they name.
func (f *file) importEdges() {
	for i := 1; i < len(f.Imports); i++ {
		im := &f.Imports[i]
		if dir, ok := f.importDir(f.Name(im.Module)); ok {
			f.out.Edges = append(f.out.Edges, graph.Edge{
				Kind: graph.Imports, Rule: graph.GoImport, Pos: im.ModulePos, Name: im.Module, To: f.r.prog.Dir(dir),
			})
		} else {
			f.unresolved(graph.Imports, graph.ExternalImport, im.ModulePos, im.Module)
		}
	}
}
