// Package php resolves the references of PHP files by PHP's own rules: names
// by namespace and use, classes by their declaration anywhere in the
// repository, members by the receiver's type.
//
//   - world: all files, the classes, functions and constants that they declare
//     (world.go), composer.json (composer.go).
//   - file: the facts of one file with its indexes (file.go), the lookup of
//     names (names.go) and the memoised types of its expressions (infer.go).
//   - class: members, parents, traits, interfaces, subclasses (class.go).
//   - typ: what is known about a value (types.go). Native types and docblocks
//     are read in annotate.go, variables in flow.go, results in call.go.
//   - emit.go walks the facts of a file and emits edges by the rules of
//     graph/rule_php.go; include.go and callback.go do files and callables.
//
// A type that rests on a docblock alone makes candidates. A docblock that the
// code bears out counts as the code's own word: all values assigned to a
// property, or all returned by a function, have the type that it states.
package php

import (
	"strings"

	"codeidx/facts"
	"codeidx/graph"
)

// Resolver implements graph.Resolver for PHP.
type Resolver struct{}

// New returns the resolver of PHP files.
func New() *Resolver { return &Resolver{} }

// Languages lists PHP.
func (*Resolver) Languages() []facts.Lang { return []facts.Lang{facts.PHP} }

// ConfigFile says whether a file tells where classes are found.
func (*Resolver) ConfigFile(path string) bool {
	return path[strings.LastIndexByte(path, '/')+1:] == "composer.json"
}

// Version changes with the rules.
func (*Resolver) Version() string { return "php-2" }

// Resolve fills out for the PHP files of p. Files are taken in order of their
// paths whatever their order in p, because inference that runs into a cycle
// depends on where it started.
func (*Resolver) Resolve(p *graph.Program, out []graph.FileEdges) {
	w := newWorld(p)
	for _, f := range w.order {
		f.out = &out[f.idx]
		f.emit()
	}
}

// Bounds of one inference, see graph.Cycle.
const (
	maxDepth = 48
	maxFuel  = 4000
)

// memo is one memoised type.
type memo struct {
	t     *typ
	state graph.Memo
}

// part answers a question that belongs to the open one of memo m. circular
// says that nothing was found because the answer rests on m itself, which
// adds nothing to it.
func (w *world) part(m *memo, f func() *typ) (t *typ, circular bool) {
	onItself := w.Part(m.state, func() { t = f() })
	return t, t == nil && onItself
}

// ask answers a question by its memo, else by f.
func (w *world) ask(m *memo, f func() *typ) *typ {
	if m.state == graph.Done || !w.Enter(&m.state) {
		return m.t
	}
	t := f()
	w.Leave(&m.state)
	if m.state == graph.Done {
		m.t = t
	}
	return t
}
