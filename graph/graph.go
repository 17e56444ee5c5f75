package graph

import (
	"slices"

	"codeidx/facts"
)

// Kind is the kind of an edge.
type Kind uint8

// Kinds of edges. The numbers are stored: append only.
const (
	Contains Kind = iota
	Imports
	Calls
	Inherits
	Implements
	Overrides
	References
	TypeOf
	Kinds // number of kinds
)

var kindNames = [Kinds]string{"contains", "imports", "calls", "inherits", "implements", "overrides", "references", "type_of"}

// String returns the name of spec and output.
func (k Kind) String() string { return kindNames[k] }

// KindByName returns the kind called name.
func KindByName(name string) (Kind, bool) {
	for k, n := range kindNames {
		if n == name {
			return Kind(k), true
		}
	}
	return 0, false
}

// Resolution says how an edge was bound.
type Resolution uint8

// Resolutions. The numbers are stored: append only.
const (
	Resolved Resolution = iota
	Candidate
)

// String returns the name of spec and output.
func (r Resolution) String() string {
	if r == Candidate {
		return "candidate"
	}
	return "resolved_static"
}

// Target is the end of an edge: definition Def of file File of the Program,
// or, where File is negative, the package folder Dirs[-File-1].
type Target struct {
	File int32
	Def  facts.DefID
}

// Edge is one relation of a file's definition, with its evidence.
type Edge struct {
	Kind       Kind
	Resolution Resolution
	Open       bool // the target can be overridden or is an interface's or abstract method
	Rule       Rule
	From       facts.DefID  // innermost definition around the site; 0 is the file
	Pos        uint32       // of the referring name token, in the file of From
	Name       facts.NameID // as written there
	To         Target
}

// Reason says why a reference was not bound.
type Reason uint8

// Reasons. The numbers are stored: append only.
const (
	ExternalImport  Reason = iota // bound to a module outside the repository
	DynamicReceiver               // the receiver's type is not known
	Builtin                       // a name of the language itself
	UndefinedName                 // no binding in reach
	AmbiguousModule               // several modules of the repository fit
	StarImport                    // could come from a star import that is not readable
	ParseError                    // inside or reached through a broken region
	ExternalType                  // the receiver's type lives outside the repository
	NoSuchMember                  // the receiver's type is known and has no such member
	AmbiguousTarget               // several definitions fit and none is more likely
	DepthLimit                    // gave up at a recursion bound
	Reasons                       // number of reasons
)

var reasonNames = [Reasons]string{
	"external_import", "dynamic_receiver", "builtin", "undefined_name", "ambiguous_module", "star_import", "parse_error",
	"external_type", "no_such_member", "ambiguous_target", "depth_limit",
}

// String returns the name of spec and output.
func (r Reason) String() string { return reasonNames[r] }

// Unresolved is a reference that was not bound. References to parameters and
// local variables are bound inside the function and are not listed.
type Unresolved struct {
	Kind   Kind // what the edge would have been
	Reason Reason
	From   facts.DefID
	Pos    uint32
	Name   facts.NameID
}

// FileEdges is what resolving one file gives.
type FileEdges struct {
	Edges      []Edge
	Unresolved []Unresolved
}

// Program is the input of resolution: the facts of every included file,
// sorted by path, and the bytes of the configuration files that steer it.
type Program struct {
	Files     []*facts.File
	Config    []ConfigFile // sorted by path
	Roots     []string     // codeidx.sourceRoots, slash-separated, "" for the top
	Includes  []string     // codeidx.phpIncludes: what an include of an unknown path may mean
	Callbacks []string     // codeidx.callbacks: "function:2", whose second argument is a callable
	Others    []string     // sorted: tracked files that hold no facts, such as a style sheet
	Dirs      []string     // places without facts that edges point at; see Dir

	dirs  map[string]int32
	index []FileInfo // of a partial program
	load  func(i int) (*facts.File, error)
	err   error

	entangled map[string]bool
}

// ConfigFile is a file such as go.mod or pyproject.toml whose content steers
// resolution.
type ConfigFile struct {
	Path string
	Data []byte
}

// HasOther says whether a file without facts is in the work tree.
func (p *Program) HasOther(path string) bool {
	_, ok := slices.BinarySearch(p.Others, path)
	return ok
}

// Dir returns the Target of a place without facts: a package folder, or one of
// Others.
func (p *Program) Dir(path string) Target {
	if p.dirs == nil {
		p.dirs = map[string]int32{}
	}
	i, ok := p.dirs[path]
	if !ok {
		i = int32(len(p.Dirs))
		p.dirs[path] = i
		p.Dirs = append(p.Dirs, path)
	}
	return Target{File: -i - 1}
}

// Resolver binds the references of one language's files.
type Resolver interface {
	// Languages lists the languages that it resolves.
	Languages() []facts.Lang
	// ConfigFile says whether the file at path steers resolution.
	ConfigFile(path string) bool
	// Version is part of every generation's identity: raise it with the rules.
	Version() string
	// Resolve fills out[i] for each file i of its languages. Edges need no
	// order: Build sorts them. It must give the same edges for the same program.
	Resolve(p *Program, out []FileEdges)
}
