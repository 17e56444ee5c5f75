package php

import (
	"sort"
	"strings"

	"codeidx/facts"
	"codeidx/graph"
)

// file is one PHP file with the indexes that resolution needs.
type file struct {
	w   *world
	f   *facts.File
	idx int32
	dir string // folder of the file, "" for the top
	out *graph.FileEdges

	vars    graph.Groups // binds of variables, by name
	attrs   graph.Groups // binds and narrowings of properties, by property name
	members graph.Groups // definitions by parent
	returns graph.Groups // BindReturn by scope
	params  graph.Groups // BindParam by scope
	docs    graph.Groups // BindDoc by definition
	results graph.Groups // BindResult by scope

	spaces  []string // namespace of each scope
	inside  []facts.DefID
	aliases map[facts.ScopeID]*imports
	classes map[facts.DefID]*class
	lambdas map[facts.ScopeID]lambda // function literals that are arguments; lazily
	calls   []uint32                 // positions of called names, sorted; lazily
	reached map[*file]bool           // files included, also by included ones; lazily

	exprs []memo // types of expressions
	binds []memo // types of binds
	defs  []memo // types of properties, results of functions
	anns  []memo // types that type expressions describe
}

// byScope orders the members of each group, which are binds, by scope and
// position.
func byScope(g *graph.Groups, keys int, binds []facts.Bind) {
	for k := range keys {
		some := g.Of(uint32(k))
		less := func(i, j int) bool {
			a, b := &binds[some[i]], &binds[some[j]]
			return a.Scope < b.Scope || a.Scope == b.Scope && a.Pos < b.Pos
		}
		if !sort.SliceIsSorted(some, less) {
			sort.SliceStable(some, less)
		}
	}
}

func newFile(w *world, f *facts.File, idx int32) *file {
	x := &file{w: w, f: f, idx: idx, dir: parentDir(f.Path), classes: map[facts.DefID]*class{}, aliases: map[facts.ScopeID]*imports{}}
	byBind := func(keys int, key func(b *facts.Bind) int) graph.Groups {
		return graph.Group(keys, len(f.Binds), func(i int) int { return key(&f.Binds[i]) })
	}
	x.vars = byBind(len(f.Names), func(b *facts.Bind) int {
		switch {
		case b.Kind == facts.BindParam, b.Kind == facts.BindVar, b.Kind == facts.BindGlobal, b.Kind == facts.BindNarrow && b.On == 0,
			b.Kind == facts.BindDoc && b.Index == facts.DocVar && b.Name != 0:
			return int(b.Name) + 1
		}
		return 0
	})
	x.attrs = byBind(len(f.Names), func(b *facts.Bind) int {
		if b.Kind == facts.BindAttr || b.Kind == facts.BindNarrow && b.On != 0 {
			return int(b.Name) + 1
		}
		return 0
	})
	ofKind := func(k facts.BindKind) graph.Groups {
		return byBind(len(f.Scopes), func(b *facts.Bind) int {
			if b.Kind == k {
				return int(b.Scope) + 1
			}
			return 0
		})
	}
	byScope(&x.vars, len(f.Names), f.Binds)
	byScope(&x.attrs, len(f.Names), f.Binds)
	x.returns, x.params, x.results = ofKind(facts.BindReturn), ofKind(facts.BindParam), ofKind(facts.BindResult)
	x.docs = byBind(len(f.Defs), func(b *facts.Bind) int {
		if b.Kind == facts.BindDoc && b.Def != 0 {
			return int(b.Def) + 1
		}
		return 0
	})
	x.members = graph.Group(len(f.Defs), len(f.Defs), func(i int) int {
		if i == 0 {
			return 0
		}
		return int(f.Defs[i].Parent) + 1
	})
	x.exprs, x.anns = make([]memo, len(f.Exprs)), make([]memo, len(f.Exprs))
	x.binds, x.defs = make([]memo, len(f.Binds)), make([]memo, len(f.Defs))
	x.indexScopes()
	x.indexImports()
	return x
}

// indexScopes finds the namespace and the class around each scope.
func (x *file) indexScopes() {
	f := x.f
	x.spaces = make([]string, len(f.Scopes))
	x.inside = make([]facts.DefID, len(f.Scopes))
	named := map[facts.ScopeID]string{}
	for i := range f.Defs {
		if d := &f.Defs[i]; d.Kind == facts.DefNamespace {
			named[d.Scope] = f.Names[d.Name]
		}
	}
	for i := 1; i < len(f.Scopes); i++ {
		s := &f.Scopes[i]
		x.spaces[i], x.inside[i] = x.spaces[s.Parent], x.inside[s.Parent]
		switch s.Kind {
		case facts.ScopeNamespace:
			x.spaces[i], x.inside[i] = named[facts.ScopeID(i)], 0
		case facts.ScopeClass:
			x.inside[i] = s.Def
		case facts.ScopeFunction:
			if f.Defs[s.Def].Kind == facts.DefFunction && f.Scopes[s.Parent].Kind == facts.ScopeFunction && f.Defs[s.Def].Scope == facts.ScopeID(i) {
				x.inside[i] = 0 // a function declared inside of a method is none
			}
		}
	}
}

// namespaceOf returns the namespace around a scope.
func (x *file) namespaceOf(s facts.ScopeID) string { return x.spaces[s] }

// classAt returns the class around a scope, nil outside of classes.
func (x *file) classAt(s facts.ScopeID) *class {
	if d := x.inside[s]; d != 0 {
		return x.classes[d]
	}
	return nil
}

// name is the text of a name.
func (x *file) name(id facts.NameID) string { return x.f.Names[id] }

func parentDir(p string) string {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i]
	}
	return ""
}
