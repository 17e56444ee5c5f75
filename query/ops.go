package query

// Op is one operation: its name, what it takes and how it runs. The command
// line, the protocols, the man pages and the docs are made from Ops.
type Op struct {
	Name       string
	Summary    string
	Args       string // as a usage line shows them
	Example    string
	Depth      int // default depth; 0: takes none
	MaxDepth   int
	NeedsQuery bool
	Unbounded  bool // exempt from max_bytes (spec/engine.md §7)
	run        func(*Index, Params) (*result, error)
}

// Ops lists the operations in the order in which help shows them.
func Ops() []Op {
	return []Op{
		{Name: "symbols", Summary: "find definitions by name, qualified name, path or words", Args: "QUERY",
			Example: "git codeidx symbols Server.Start --lang go", NeedsQuery: true, run: symbols},
		{Name: "callers", Summary: "who calls it, with the line of each call", Args: "SYM",
			Example: "git codeidx callers Store.Get --depth 2", Depth: 1, MaxDepth: 3, run: relations},
		{Name: "callees", Summary: "what it calls, with the line of each call", Args: "SYM",
			Example: "git codeidx callees main --hard", Depth: 1, MaxDepth: 3, run: relations},
		{Name: "references", Summary: "every use of it: calls, reads, types, imports, bases", Args: "SYM",
			Example: "git codeidx references ErrClosed", Depth: 1, MaxDepth: 3, run: relations},
		{Name: "impact", Summary: "what may break when it changes, each with a shortest path", Args: "SYM|PATH…",
			Example: "git codeidx impact parse.go --depth 3 --mode full", Depth: 2, MaxDepth: 5, run: impact},
		{Name: "explore", Summary: "the few definitions, calls and lines that answer a question", Args: "WORDS…",
			Example: "git codeidx explore where are sessions loaded", NeedsQuery: true, run: explore},
		{Name: "map", Summary: "folders, files and their key definitions", Args: "[PATH]",
			Example: "git codeidx map internal --depth 2", Depth: 2, MaxDepth: 5, run: mapTree},
		{Name: "read", Summary: "captured source lines, verified", Args: "PATH[:A-B]",
			Example: "git codeidx read parse.go:10-40", run: read},
		{Name: "code", Summary: "the source of one definition, verified", Args: "SYM",
			Example: "git codeidx code Server.Start", run: code},
		{Name: "edges", Summary: "every edge, one a line", Args: "",
			Example: "git codeidx edges --jsonl --kind calls", Unbounded: true, run: edges},
		{Name: "diagnostics", Summary: "unresolved references by reason, parse failures, omitted files", Args: "",
			Example: "git codeidx diagnostics --json", Unbounded: true, run: diagnostics},
	}
}

// OpByName returns the operation called name, nil where there is none.
func OpByName(name string) *Op {
	for _, op := range Ops() {
		if op.Name == name {
			return &op
		}
	}
	return nil
}
