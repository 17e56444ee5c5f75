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
		{Name: "search", Summary: "lines of the indexed files by words, by text or by expression", Args: "QUERY",
			Example: "git codeidx search --regex 'func \\w+Handler\\(' --lang go", run: search,
			Fields: with([]Field{prefixField(), langField(), limitField()}, searchFields()...)},
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
		{Name: "tests", Summary: "tests that a change may concern, each with the path that leads to it", Args: "PATH|SYM…",
			Example: "git codeidx tests parse.go --format go", run: tests,
			Fields: []Field{
				pathsField("changed files"), optional(symbolsField("changed symbols, or PATH:FIRST-LAST")), depthField(8, 12),
				prefixField(), langField(), limitField(),
			}},
		{Name: "changes", Summary: "files and definitions that differ from the index before", Args: "",
			Example: "git codeidx changes --path src", run: changes, Fields: filters()},
		{Name: "impact-changes", Summary: "what the changes may break: uses of the old definitions and of the new ones", Args: "[PATH…]",
			Example: "git codeidx impact-changes --depth 3", run: impactChanges,
			Fields: []Field{pathsField("only changes in these files"), beforeField(), depthField(2, 5), modeField(), prefixField(), limitField()}},
		{Name: "explore", Summary: "the few definitions, calls and lines that answer a question", Args: "WORDS…",
			Example: "git codeidx explore where are sessions loaded", run: explore,
			Fields: with(filters(), queryField())},
		{Name: "map", Summary: "folders, files and their key definitions", Args: "[PATH]",
			Example: "git codeidx map internal --budget 2000", run: mapTree,
			Fields: []Field{pathField(false, "folder to start at"), depthField(2, 5), budgetField(), prefixField(), langField(), limitField()}},
		{Name: "read", Summary: "captured source lines, verified", Args: "PATH[:A-B]",
			Example: "git codeidx read parse.go:10-40", run: read,
			Fields: with(lineFields(), pathField(true, "an indexed file"))},
		{Name: "live-read", Summary: "lines of a file as it is now, with what differs from the index", Args: "PATH[:A-B]",
			Example: "git codeidx live-read parse.go:10-40", run: liveRead,
			Fields: with(lineFields(), pathField(true, "a file of the work tree that may be indexed"))},
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

func optional(f Field) Field {
	f.Required, f.Min = false, 0
	return f
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
