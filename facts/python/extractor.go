// Package python extracts the facts of Python files from the flat tree of the
// tree-sitter grammar.
//
// Beyond the shared vocabulary it states:
//
//   - Module variables and attributes are Defs at their first assignment; every
//     assignment is a Bind with the same Def. Locals of functions are Binds only.
//   - Bind.From is the end of the assignment (the value does not see the name).
//     A bind with CondBind holds for sure in From:To, its branch, and may hold
//     from Merge on, the end of the branching statement; the Merge of a branch
//     that never falls through is the end of the file. A "try" body counts as
//     unconditional.
//   - BindNarrow: Type is what isinstance tests; Value is a class object test
//     (issubclass) or, where it is a Call, a type guard to be looked at. On is
//     the object where the test is on an attribute.
//   - BindReturn: PartYield for yield, PartElem for "yield from".
//   - Names and Selects of quoted annotations stand at their place in the string.
package python

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
	name, alias, module, left, right, typ, value, body, cond, consequence, alternative,
	params, typeParams, result, superclasses, definition, function, arguments, object, attribute,
	subscript, operator, argument, key, guard, subject, expression, operators uint8
}

// New prepares the extraction from trees of grammar g.
func New(g *syntax.Grammar) *Extractor {
	x := &Extractor{kinds: make([]kind, len(g.Kinds))}
	byName := make(map[string]kind, len(kindNames))
	for k, n := range kindNames {
		byName[n] = kind(k)
	}
	for i, n := range g.Kinds {
		if g.Named[i] || keywordToken(n) {
			x.kinds[i] = byName[n]
		}
	}
	x.fields = fieldIDs{
		name: g.Field("name"), alias: g.Field("alias"), module: g.Field("module_name"),
		left: g.Field("left"), right: g.Field("right"), typ: g.Field("type"), value: g.Field("value"),
		body: g.Field("body"), cond: g.Field("condition"), consequence: g.Field("consequence"),
		alternative: g.Field("alternative"), params: g.Field("parameters"), typeParams: g.Field("type_parameters"),
		result: g.Field("return_type"), superclasses: g.Field("superclasses"), definition: g.Field("definition"),
		function: g.Field("function"), arguments: g.Field("arguments"), object: g.Field("object"),
		attribute: g.Field("attribute"), subscript: g.Field("subscript"), operator: g.Field("operator"),
		argument: g.Field("argument"), key: g.Field("key"), guard: g.Field("guard"), subject: g.Field("subject"),
		expression: g.Field("expression"), operators: g.Field("operators"),
	}
	return x
}

// Extract returns the facts of one file. The tree may be reused afterwards.
func (x *Extractor) Extract(path string, t *syntax.Tree) (*facts.File, error) {
	b := facts.NewBuilder(path, facts.Python, t.Src)
	w := &walker{Extractor: x, b: b, f: b.File, t: t, src: t.Src, vars: make(map[varKey]facts.DefID, 32)}
	w.tests = facts.ByID(facts.Python).TestFile(path)
	if len(t.Nodes) > 0 {
		w.f.Defs[0].Doc = w.docstring(0)
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

	scope facts.ScopeID // in which names are bound and looked up
	def   facts.DefID   // innermost definition
	fn    function
	flow  flow
	vars  map[varKey]facts.DefID // first definition of a variable or attribute
	kids  []facts.ExprID         // stack of child lists under construction
	tests bool                   // the file holds tests by its name
}

// varKey names a variable of a module or an attribute of a class by its scope.
type varKey struct {
	scope facts.ScopeID
	name  facts.NameID
}

// function is what the innermost function adds to the surroundings.
type function struct {
	scope   facts.ScopeID // 0 outside of functions
	def     facts.DefID
	recv    facts.NameID  // name of self or cls in reach, 0 where none is
	class   facts.DefID   // class of recv
	members facts.ScopeID // scope of that class
	globals []facts.NameID
}

// flow places the statements being read in the branches around them.
type flow struct {
	cond      bool
	to, merge uint32
	flags     facts.DefFlags // Conditional below any condition of the scope
	imports   facts.ImportFlags
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

func (w *walker) named(n uint32) bool {
	return w.t.Nodes[n].Flags&(syntax.Named|syntax.Extra) == syntax.Named
}
