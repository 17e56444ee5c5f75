// Package php extracts the facts of PHP files from the flat tree of the
// tree-sitter grammar.
//
// Beyond the shared vocabulary it states:
//
//   - Variables keep their "$" ("$this", "$db"), members go without. A variable
//     belongs to the function around it, else to the file: binds of variables
//     name that scope. Closures bind what they use, with the outer variable as
//     value; arrow functions see the variables around them.
//   - A namespace declaration is a Def with the scope of the names below it; it
//     is no parent of them. Its imports stand in that scope. A Name's X is the
//     qualifier before it, its last separator included.
//   - The class of Scoped, ScopedVar, instanceof and catch is a Name with the
//     role TypeUse, that of New has the role Callee.
//   - An assignment gives no node of its own: where its value is used, the node
//     of its right side stands. So do parentheses, clone, "@" and "&".
//   - A call "f(...)" has one argument, a Spread of nothing.
//   - Members of dynamic name are an Other: the object, then the name.
//   - Docblocks are BindDoc, with types built as expressions of role Echo. A
//     @var before an assignment stands right before the assignment's bind.
//   - Variables of the file are Defs at their first assignment, so are the
//     constants that define() names.
package php

import (
	"codeidx/facts"
	"codeidx/facts/syntax"
)

// Extractor turns trees of one grammar into facts. It holds no state between
// files and may be used by several goroutines.
type Extractor struct {
	kinds  []kind // symbol → node kind
	fields fieldIDs
}

type fieldIDs struct {
	alias, alternative, argument, arguments, attributes, body, condition, conditions, defaultValue, function, left, name, object,
	operator, parameters, refModifier, returnExpr, returnType, right, scope, typ, update, initialize, value uint8
}

// New prepares the extraction from trees of grammar g.
func New(g *syntax.Grammar) *Extractor {
	x := &Extractor{kinds: make([]kind, len(g.Kinds))}
	byName := make(map[string]kind, len(kindNames))
	for k, n := range kindNames {
		byName[n] = kind(k)
	}
	for i, n := range g.Kinds {
		if g.Named[i] || tokens[n] {
			x.kinds[i] = byName[n]
		}
	}
	x.fields = fieldIDs{
		alias: g.Field("alias"), alternative: g.Field("alternative"), argument: g.Field("argument"), arguments: g.Field("arguments"),
		attributes: g.Field("attributes"), body: g.Field("body"), condition: g.Field("condition"),
		conditions: g.Field("conditional_expressions"), defaultValue: g.Field("default_value"), function: g.Field("function"),
		left: g.Field("left"), name: g.Field("name"), object: g.Field("object"), operator: g.Field("operator"),
		parameters: g.Field("parameters"), refModifier: g.Field("reference_modifier"), returnExpr: g.Field("return_expression"),
		returnType: g.Field("return_type"), right: g.Field("right"), scope: g.Field("scope"), typ: g.Field("type"),
		update: g.Field("update"), initialize: g.Field("initialize"), value: g.Field("value"),
	}
	return x
}

// Extract returns the facts of one file. The tree may be reused afterwards.
func (x *Extractor) Extract(path string, t *syntax.Tree) (*facts.File, error) {
	b := facts.NewBuilder(path, facts.PHP, t.Src)
	w := &walker{Extractor: x, b: b, f: b.File, t: t, src: t.Src, globals: make(map[facts.NameID]facts.DefID, 16)}
	w.tests = facts.ByID(facts.PHP).TestFile(path)
	if len(t.Nodes) > 0 {
		w.block(0)
		w.texts()
	}
	return w.f, nil
}

// walker is the state of one extraction: where it is and what surrounds it.
type walker struct {
	*Extractor
	b   *facts.Builder
	f   *facts.File
	t   *syntax.Tree
	src []byte

	scope facts.ScopeID // in which names are looked up
	vars  facts.ScopeID // in which variables are bound: of the function, else the file's
	def   facts.DefID   // innermost definition
	class facts.DefID   // innermost class, 0 outside of classes
	flow  flow
	doc   uint32 // doc comment right before the node being read, 0 for none

	globals map[facts.NameID]facts.DefID // variables of the file
	kids    []facts.ExprID               // stack of child lists under construction
	tests   bool                         // the file holds tests by its name
}

// flow places the statements being read in the branches around them.
type flow struct {
	cond      bool
	to, merge uint32
	flags     facts.DefFlags // Conditional below any condition of the scope
}

func (w *walker) kind(n uint32) kind {
	if w.t.Nodes[n].Kind == syntax.ErrorKind {
		return kError
	}
	return w.kinds[w.t.Nodes[n].Kind]
}

func (w *walker) node(n uint32) *syntax.Node { return &w.t.Nodes[n] }

func (w *walker) text(n uint32) []byte {
	nd := &w.t.Nodes[n]
	return w.src[nd.Start:nd.End]
}

func (w *walker) span(n uint32) facts.Span {
	return facts.Span{Start: w.t.Nodes[n].Start, End: w.t.Nodes[n].End}
}

func (w *walker) child(n uint32, field uint8) uint32 { return w.t.Child(n, field) }

// broken says whether the parser could not read the node itself.
func (w *walker) broken(n uint32) bool {
	return w.t.Nodes[n].Kind == syntax.ErrorKind || w.t.Nodes[n].Flags&(syntax.Error|syntax.Missing) != 0
}

// named says whether a node is a proper part of its parent, no token, comment
// or text between PHP tags.
func (w *walker) named(n uint32) bool {
	return w.t.Nodes[n].Flags&(syntax.Named|syntax.Extra) == syntax.Named
}

// firstNamed returns the first named child of n, 0 for none.
func (w *walker) firstNamed(n uint32) uint32 { return w.nextNamed(n, n+1) }

// nextNamed returns the first named child of n at c or behind it, 0 for none.
func (w *walker) nextNamed(n, c uint32) uint32 {
	for ; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		if w.named(c) {
			return c
		}
	}
	return 0
}

// first returns the first child of a kind, 0 for none.
func (w *walker) first(n uint32, k kind) uint32 {
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		if w.kind(c) == k {
			return c
		}
	}
	return 0
}

func (w *walker) push(e facts.ExprID) { w.kids = append(w.kids, e) }

// add appends a node at n's position in the current scope.
func (w *walker) add(n uint32, e facts.Expr) facts.ExprID {
	e.Scope, e.Pos = w.scope, w.node(n).Start
	return w.b.Expr(e)
}

// finish is add with the children on the stack from mark on.
func (w *walker) finish(n uint32, e facts.Expr, mark int) facts.ExprID {
	e.Kids = w.b.Range(w.kids[mark:])
	w.kids = w.kids[:mark]
	return w.add(n, e)
}

// bind appends a binding of a variable with the branch it stands in.
func (w *walker) bind(x facts.Bind) {
	if w.flow.cond {
		x.Flags |= facts.CondBind
		x.To, x.Merge = w.flow.to, w.flow.merge
	}
	w.b.Bind(x)
}
