// Package ecma extracts the facts of JavaScript, TypeScript and TSX files from
// the flat trees of their tree-sitter grammars.
//
// Beyond the shared vocabulary it states:
//
//   - Names are bound for their whole scope (hoisting; a use before a "let" is
//     an error, not an outer name), so that Bind.From is 0. A later assignment
//     is a BindAssign.
//   - Variables of modules and namespaces are Defs; local ones are Binds only,
//     unless their value is a function or a class.
//   - Members stand as BindDef in a scope of kind ScopeClass: that of a class,
//     interface, enum, type literal (StructType) or object literal (Dict). Such an
//     expression's Scope is its own scope where it has members of its own.
//     Assignments such as "F.prototype.m = …", "F.x = …" and "this.x = …" give
//     members in a scope that belongs to F; those of F itself are Static.
//   - Destructuring is written out: every property that a pattern takes is a
//     Select on the value. A value without a name has a bind and an Echo under a
//     made-up name such as "{}12".
//   - BindExport: Name is exported, by Def or by Value. "export =" and
//     "module.exports = …" export the name "export=".
//   - BindNarrow: Value is the test; Negated says that it failed. On is the object
//     where the tested reference is a member.
//   - FuncType, Func and Defs of functions open a scope that holds parameters in
//     order; X of Func and FuncType is the declared result. FuncType named "new"
//     constructs. A Func is named "=>", "async =>", "function", "async function",
//     "function*" or "async function*".
package ecma

import (
	"slices"

	"codeidx/facts"
	"codeidx/facts/syntax"
)

// Extractor turns trees of one of the three grammars into facts. It holds no
// state between files and may be used by several goroutines.
type Extractor struct {
	lang   facts.Lang
	kinds  []kind // symbol → node kind
	fields fieldIDs
}

type fieldIDs struct {
	name, value, typ, params, param, result, body, left, right, operator, object, property, function, args,
	constructor, typeArgs, typeParams, index, key, cond, consequence, alternative, source, alias, declaration,
	pattern, initializer, argument, openTag,
	kind uint8
}

// New prepares the extraction from trees of grammar g.
func New(g *syntax.Grammar) *Extractor {
	x := &Extractor{lang: language(g), kinds: make([]kind, len(g.Kinds))}
	named, tokens := make(map[string]kind, int(kinds)), make(map[string]kind, 16)
	for k := kind(0); k < kinds; k++ {
		if n := kindNames[k]; n != "" {
			named[n] = k
		}
		if n := tokenNames[k]; n != "" {
			tokens[n] = k
		}
	}
	for i, n := range g.Kinds {
		if g.Named[i] {
			x.kinds[i] = named[n]
		} else {
			x.kinds[i] = tokens[n]
		}
	}
	f := g.Field
	x.fields = fieldIDs{
		name: f("name"), value: f("value"), typ: f("type"), params: f("parameters"), param: f("parameter"),
		result: f("return_type"), body: f("body"), left: f("left"), right: f("right"), operator: f("operator"),
		object: f("object"), property: f("property"), function: f("function"), args: f("arguments"),
		constructor: f("constructor"), typeArgs: f("type_arguments"), typeParams: f("type_parameters"), index: f("index"),
		key: f("key"), cond: f("condition"), consequence: f("consequence"), alternative: f("alternative"),
		source: f("source"), alias: f("alias"), declaration: f("declaration"), pattern: f("pattern"),
		initializer: f("initializer"), argument: f("argument"), openTag: f("open_tag"),
		kind: f("kind"),
	}
	return x
}

// language tells the grammars apart by what they have node types for.
func language(g *syntax.Grammar) facts.Lang {
	types, elements := slices.Contains(g.Kinds, "type_annotation"), slices.Contains(g.Kinds, "jsx_element")
	switch {
	case types && elements:
		return facts.TSX
	case types:
		return facts.TypeScript
	}
	return facts.JavaScript
}

// Extract returns the facts of one file. The tree may be reused afterwards.
func (x *Extractor) Extract(path string, t *syntax.Tree) (*facts.File, error) {
	b := facts.NewBuilder(path, x.lang, t.Src)
	w := &walker{
		Extractor: x, b: b, f: b.File, t: t, src: t.Src, js: x.lang == facts.JavaScript,
		vars: make(map[varKey]facts.DefID, 32), members: make(map[facts.DefID]facts.ScopeID, 8),
		chained: make(map[facts.DefID]bool),
	}
	if len(t.Nodes) > 0 {
		w.docs()
		w.statements(0)
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
	js  bool

	scope   facts.ScopeID // in which names are bound and looked up
	def     facts.DefID   // innermost definition
	fn      function
	vars    map[varKey]facts.DefID // definitions of variables, functions and members by scope and name
	members map[facts.DefID]facts.ScopeID
	chained map[facts.DefID]bool // variables declared as "var x = module.exports = …"
	kids    []facts.ExprID       // stack of child lists under construction
	flags   facts.DefFlags       // of the declaration being read: Exported, Declared
	doc     []uint32             // nodes of doc comments, in source order
	block   uint32               // end of the block of statements being read
	depth   int                  // of object literals that give definitions
}

// varKey names a definition by the scope that holds it.
type varKey struct {
	scope facts.ScopeID
	name  facts.NameID
}

// function is the innermost function around.
type function struct {
	scope   facts.ScopeID // 0 outside of functions
	members facts.ScopeID // of the class that "this" is an instance of, 0 where it is none
	owner   facts.DefID   // that class or constructor function
	static  bool
}

func (w *walker) kind(n uint32) kind {
	if w.t.Nodes[n].Kind == syntax.ErrorKind {
		return kError
	}
	return w.kinds[w.t.Nodes[n].Kind]
}

func (w *walker) node(n uint32) *syntax.Node { return &w.t.Nodes[n] }

func (w *walker) next(n uint32) uint32 { return w.t.Nodes[n].Next }

func (w *walker) text(n uint32) []byte {
	nd := &w.t.Nodes[n]
	return w.src[nd.Start:nd.End]
}

func (w *walker) name(n uint32) facts.NameID { return w.b.Intern(w.text(n)) }

func (w *walker) span(n uint32) facts.Span {
	return facts.Span{Start: w.t.Nodes[n].Start, End: w.t.Nodes[n].End}
}

func (w *walker) child(n uint32, field uint8) uint32 { return w.t.Child(n, field) }

// first returns the first child of a kind, or 0.
func (w *walker) first(n uint32, k kind) uint32 {
	for c := n + 1; c < w.next(n); c = w.next(c) {
		if w.kind(c) == k {
			return c
		}
	}
	return 0
}

// only returns the first named child that is no comment, or 0.
func (w *walker) only(n uint32) uint32 {
	for c := n + 1; c < w.next(n); c = w.next(c) {
		if w.named(c) {
			return c
		}
	}
	return 0
}

// last returns the last named child, or 0.
func (w *walker) last(n uint32) uint32 {
	last := uint32(0)
	for c := n + 1; c < w.next(n); c = w.next(c) {
		if w.named(c) {
			last = c
		}
	}
	return last
}

// broken says whether the parser could not read the node itself.
func (w *walker) broken(n uint32) bool {
	return w.t.Nodes[n].Kind == syntax.ErrorKind || w.t.Nodes[n].Flags&(syntax.Error|syntax.Missing) != 0
}

func (w *walker) named(n uint32) bool {
	return w.t.Nodes[n].Flags&(syntax.Named|syntax.Extra) == syntax.Named
}

// bind appends a binding, in the current scope unless it names one.
func (w *walker) bind(x facts.Bind) {
	if x.Scope == 0 {
		x.Scope = w.scope
	}
	w.b.Bind(x)
}

// openScope opens a scope below the current one.
func (w *walker) openScope(k facts.ScopeKind, n uint32, def facts.DefID) facts.ScopeID {
	return w.b.Scope(facts.Scope{Kind: k, Parent: w.scope, Def: def, Span: w.span(n)})
}

func (w *walker) push(e facts.ExprID) {
	if e != 0 {
		w.kids = append(w.kids, e)
	}
}

// take removes the children above mark from the stack.
func (w *walker) take(mark int) facts.Range {
	r := w.b.Range(w.kids[mark:])
	w.kids = w.kids[:mark]
	return r
}

func (w *walker) add(n uint32, e facts.Expr) facts.ExprID {
	if e.Scope == 0 {
		e.Scope = w.scope
	}
	e.Pos = w.node(n).Start
	return w.b.Expr(e)
}
