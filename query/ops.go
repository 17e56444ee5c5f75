package query

import "slices"

// Op is one operation: its name, what it takes and how it runs. The command
// line, the protocols, the man pages and the docs are made from Ops.
type Op struct {
	Name      string
	Summary   string
	Args      string // as a usage line shows them
	Example   string
	Fields    []Field
	Unbounded bool // exempt from the protocol's default bounds (spec/engine.md §7)
	run       func(*Index, Params) (*result, error)
}

// Ops lists the operations in the order in which help shows them. Status is
// not among them: it is answered where there is no index, too (GetStatus).
func Ops() []Op {
	return []Op{
		{Name: "symbols", Summary: "find definitions by name, qualified name, path or words", Args: "QUERY",
			Example: "git codeidx symbols Server.Start --lang go", run: symbols,
			Fields: with(filters(), queryField())},
		{Name: "callers", Summary: "who calls it, with the line of each call", Args: "SYM",
			Example: "git codeidx callers Store.Get --depth 2", run: relations,
			Fields: with(filters(), symbolField(), depthField(1, 3), hardField())},
		{Name: "callees", Summary: "what it calls, with the line of each call", Args: "SYM",
			Example: "git codeidx callees main --hard", run: relations,
			Fields: with(filters(), symbolField(), depthField(1, 3), hardField())},
		{Name: "references", Summary: "every use of it: calls, reads, types, imports, bases", Args: "SYM",
			Example: "git codeidx references ErrClosed", run: relations,
			Fields: with(filters(), symbolField(), depthField(1, 3), hardField())},
		{Name: "impact", Summary: "what may break when it changes, each with a shortest path", Args: "SYM|PATH…",
			Example: "git codeidx impact parse.go --depth 3 --mode full", run: impact,
			Fields: with(filters(), symbolsField("symbols, paths or PATH:FIRST-LAST that change"), depthField(2, 5), modeField())},
		{Name: "explore", Summary: "the few definitions, calls and lines that answer a question", Args: "WORDS…",
			Example: "git codeidx explore where are sessions loaded", run: explore,
			Fields: with(filters(), queryField())},
		{Name: "map", Summary: "folders, files and their key definitions", Args: "[PATH]",
			Example: "git codeidx map internal --depth 2", run: mapTree,
			Fields: []Field{pathField(false, "folder to start at"), depthField(2, 5), prefixField(), langField(), limitField()}},
		{Name: "read", Summary: "captured source lines, verified", Args: "PATH[:A-B]",
			Example: "git codeidx read parse.go:10-40", run: read,
			Fields: with(lineFields(), pathField(true, "an indexed file"))},
		{Name: "code", Summary: "the source of one definition, verified", Args: "SYM",
			Example: "git codeidx code Server.Start", run: code,
			Fields: []Field{symbolField(), prefixField(), langField(), kindField()}},
		{Name: "edges", Summary: "every edge, one a line", Args: "",
			Example: "git codeidx edges --jsonl --kind calls", Unbounded: true, run: edges,
			Fields: []Field{edgeKindField(), prefixField(), limitField()}},
		{Name: "diagnostics", Summary: "unresolved references by reason, parse failures, omitted files", Args: "",
			Example: "git codeidx diagnostics --json", Unbounded: true, run: diagnostics,
			Fields: []Field{prefixField(), limitField()}},
	}
}

func with(rest []Field, first ...Field) []Field { return slices.Concat(first, rest) }

// OpByName returns the operation called name, nil where there is none.
func OpByName(name string) *Op {
	for _, op := range Ops() {
		if op.Name == name {
			return &op
		}
	}
	return nil
}
