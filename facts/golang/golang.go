package golang

import (
	"fmt"

	"codeidx/facts"
	"codeidx/facts/syntax"
)

// Extractor extracts Go files. It may be used by several goroutines.
type Extractor struct {
	kinds  []kind // grammar symbol → kind
	fields fields
}

// New prepares an extractor for trees of the grammar g.
func New(g *syntax.Grammar) *Extractor {
	e := &Extractor{kinds: make([]kind, len(g.Kinds)), fields: fieldsOf(g)}
	named, tokens := kindNames()
	for i, name := range g.Kinds {
		if g.Named[i] {
			e.kinds[i] = named[name]
		} else {
			e.kinds[i] = tokens[name]
		}
	}
	return e
}

// Extract returns the facts of the file at path, whose tree is t.
func (e *Extractor) Extract(path string, t *syntax.Tree) (*facts.File, error) {
	if len(t.Nodes) == 0 {
		return nil, fmt.Errorf("extract %s: empty tree", path)
	}
	w := &walker{
		e: e, fields: &e.fields, src: t.Src, nodes: t.Nodes,
		b: facts.NewBuilder(path, facts.Go, t.Src), test: isTestFile(path),
	}
	w.f = w.b.File
	w.texts()
	w.marks(path)
	w.file()
	w.brokenNames()
	return w.f, nil
}

// walker is the state of one extraction.
type walker struct {
	e      *Extractor
	fields *fields
	src    []byte
	nodes  []syntax.Node
	b      *facts.Builder
	f      *facts.File
	test   bool

	scope facts.ScopeID // of the node that is visited
	def   facts.DefID   // innermost definition
	local bool          // inside a function

	regions []uint32 // nodes of broken regions, in order

	kids []facts.ExprID // stack of children lists under construction
	last []int32        // NameID → 1 + its latest Bind
	prev []int32        // Bind → 1 + the earlier Bind of its name
}

func (w *walker) kind(i uint32) kind {
	if k := w.nodes[i].Kind; int(k) < len(w.e.kinds) {
		return w.e.kinds[k]
	}
	return kOther
}

func (w *walker) span(i uint32) facts.Span {
	return facts.Span{Start: w.nodes[i].Start, End: w.nodes[i].End}
}

func (w *walker) text(i uint32) []byte { return w.src[w.nodes[i].Start:w.nodes[i].End] }

// child returns the first child with the field, or 0.
func (w *walker) child(i uint32, field uint8) uint32 {
	end := w.nodes[i].Next
	for c := i + 1; c < end; c = w.nodes[c].Next {
		if w.nodes[c].Field == field && w.solid(c) {
			return c
		}
	}
	return 0
}

// solid says whether c is a named node with meaning: no token, comment or
// broken region.
func (w *walker) solid(c uint32) bool {
	return w.nodes[c].Flags&(syntax.Named|syntax.Extra|syntax.Error) == syntax.Named
}

// inner returns the first solid child, or 0.
func (w *walker) inner(i uint32) uint32 {
	end := w.nodes[i].Next
	for c := i + 1; c < end; c = w.nodes[c].Next {
		if w.solid(c) {
			return c
		}
	}
	return 0
}

// token returns the kind of the first token child that has one.
func (w *walker) token(i uint32) kind {
	end := w.nodes[i].Next
	for c := i + 1; c < end; c = w.nodes[c].Next {
		if w.nodes[c].Flags&syntax.Named == 0 {
			if k := w.kind(c); k != kOther {
				return k
			}
		}
	}
	return kOther
}

// open enters a new scope and returns the one to come back to.
func (w *walker) open(kind facts.ScopeKind, span facts.Span) (outer facts.ScopeID) {
	outer = w.scope
	w.scope = w.b.Scope(facts.Scope{Kind: kind, Parent: outer, Def: w.def, Span: span})
	return outer
}

// bind appends a binding to the current scope.
func (w *walker) bind(x facts.Bind) {
	x.Scope = w.scope
	if x.From == 0 && w.scope != 0 {
		x.From = w.f.Scopes[w.scope].Span.Start
	}
	for int(x.Name) >= len(w.last) {
		w.last = append(w.last, make([]int32, len(w.f.Names)+64-len(w.last))...)
	}
	w.prev = append(w.prev, w.last[x.Name])
	w.b.Bind(x)
	w.last[x.Name] = int32(len(w.f.Binds))
}

// bound says whether the current scope already binds the name.
func (w *walker) bound(name facts.NameID) bool {
	if int(name) >= len(w.last) {
		return false
	}
	start := w.f.Scopes[w.scope].Span.Start
	for i := w.last[name]; i != 0; i = w.prev[i-1] {
		b := &w.f.Binds[i-1]
		if b.Scope == w.scope {
			return true
		}
		if b.Pos < start {
			return false
		}
	}
	return false
}

func blank(name []byte) bool { return len(name) == 0 || len(name) == 1 && name[0] == '_' }

// file visits the top level.
func (w *walker) file() {
	end := w.nodes[0].Next
	for c := uint32(1); c < end; c = w.nodes[c].Next {
		if !w.solid(c) || !w.sound(c) {
			continue
		}
		switch w.kind(c) {
		case kPackageClause:
			if n := w.inner(c); n != 0 {
				w.f.Package = w.b.Intern(w.text(n))
			}
			w.f.Defs[0].Doc = w.docBefore(w.nodes[c].Start)
		case kImportDeclaration:
			w.imports(c, w.span(c))
		case kFunctionDeclaration, kMethodDeclaration:
			w.function(c)
		default:
			w.stmt(c)
		}
	}
}

// imports visits an import declaration or a list of its specs.
func (w *walker) imports(i uint32, stmt facts.Span) {
	end := w.nodes[i].Next
	for c := i + 1; c < end; c = w.nodes[c].Next {
		if !w.solid(c) {
			continue
		}
		switch w.kind(c) {
		case kImportSpecList:
			w.imports(c, stmt)
		case kImportSpec:
			w.importSpec(c)
		}
	}
}

func (w *walker) importSpec(i uint32) {
	path := w.child(i, w.fields.path)
	if path == 0 || w.nodes[path].End-w.nodes[path].Start < 2 {
		return
	}
	text := w.text(path)
	im := facts.Import{
		Kind: facts.ImportModule, Module: w.b.Intern(text[1 : len(text)-1]),
		ModulePos: w.nodes[path].Start, Stmt: w.span(i),
	}
	x := facts.Bind{Kind: facts.BindImport, Pos: im.ModulePos}
	if n := w.child(i, w.fields.name); n != 0 {
		im.Alias = w.b.Intern(w.text(n))
		x.Name, x.Pos = im.Alias, w.nodes[n].Start
		switch w.kind(n) {
		case kDot:
			im.Kind = facts.ImportStar
		case kBlank:
			im.Kind = facts.ImportEffect
		}
	}
	x.Import = w.b.Import(im)
	if im.Kind == facts.ImportModule {
		w.bind(x)
	}
}
