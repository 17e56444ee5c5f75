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
func (*Resolver) Version() string { return "php-1" }

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

// cycle keeps inference from caching what it found while a question further
// out was still open.
type cycle struct {
	depth int
	low   int // least depth of an open question that was met again
	fuel  int // evaluations left for the question being answered
}

const (
	maxDepth = 48
	maxFuel  = 4000
	noLow    = 1 << 30
)

// Open states of a memo entry: the depth at which it was opened, plus openBase.
const (
	unset    = 0
	done     = 1
	openBase = 2
)

// memo is one memoised type.
type memo struct {
	t     *typ
	state int16
}

// enter opens a question. It answers false when the question is already open
// or too much was asked.
func (c *cycle) enter(state *int16) bool {
	if c.depth == 0 {
		c.low, c.fuel = noLow, maxFuel
	}
	if *state >= openBase {
		c.low = min(c.low, int(*state-openBase))
		return false
	}
	if c.depth >= maxDepth || c.fuel <= 0 {
		c.low = min(c.low, 0)
		return false
	}
	*state = int16(c.depth + openBase)
	c.depth++
	c.fuel--
	return true
}

// leave closes a question: its answer may be kept unless it rests on a
// question that is still open.
func (c *cycle) leave(state *int16) {
	c.depth--
	if c.low >= c.depth {
		*state = done
		c.low = noLow
		return
	}
	*state = unset
}

// part answers a question that belongs to the open one of memo m. circular
// says that nothing was found because the answer rests on m itself, which
// adds nothing to it.
func (c *cycle) part(m *memo, f func() *typ) (t *typ, circular bool) {
	low := c.low
	c.low = noLow
	t = f()
	circular = t == nil && m.state >= openBase && c.low == int(m.state-openBase)
	c.low = min(low, c.low)
	return t, circular
}

// ask answers a question by its memo, else by f.
func (c *cycle) ask(m *memo, f func() *typ) *typ {
	if m.state == done || !c.enter(&m.state) {
		return m.t
	}
	t := f()
	c.leave(&m.state)
	if m.state == done {
		m.t = t
	}
	return t
}
