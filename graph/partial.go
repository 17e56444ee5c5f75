package graph

import (
	"maps"
	"slices"
	"sort"

	"codeidx/facts"
)

// FileInfo is what is known of a file without its facts.
type FileInfo struct {
	Path string
	Lang facts.Lang
}

// Partial makes a program of files whose facts are loaded when they are asked
// for: an entry of Files is nil until then. Whoever wants one asks File.
func Partial(index []FileInfo, load func(i int) (*facts.File, error)) *Program {
	return &Program{Files: make([]*facts.File, len(index)), index: index, load: load}
}

// File returns the facts of file i. Where they cannot be loaded it gives an
// empty file, and Err says why.
func (p *Program) File(i int32) *facts.File {
	if f := p.Files[i]; f != nil || p.load == nil {
		return f
	}
	f, err := p.load(int(i))
	if err != nil {
		p.err = err
		f = &facts.File{
			Path: p.index[i].Path, Lang: p.index[i].Lang, Names: make([]string, 1), Scopes: make([]facts.Scope, 1),
			Defs: make([]facts.Def, 1), Imports: make([]facts.Import, 1), Exprs: make([]facts.Expr, 1), Lines: make([]uint32, 1),
		}
	}
	p.Files[i] = f
	return f
}

// Info returns path and language of file i, which need not be loaded.
func (p *Program) Info(i int) FileInfo {
	if p.index != nil {
		return p.index[i]
	}
	return FileInfo{p.Files[i].Path, p.Files[i].Lang}
}

// Find returns the file at path. The program's files are sorted by path.
func (p *Program) Find(path string) (int32, bool) {
	i := sort.Search(len(p.Files), func(i int) bool { return p.Info(i).Path >= path })
	return int32(i), i < len(p.Files) && p.Info(i).Path == path
}

// Err returns what went wrong when facts were loaded: no answer counts then.
func (p *Program) Err() error { return p.err }

// EntangledMeta is the root's record of Program.Entangled, joined by spaces.
const EntangledMeta = "entangled"

// Entangle records that an answer about files of a language depended on the
// order of the questions, as where a declaration needs its own type. Single
// files of that language cannot be resolved apart from all others.
func (p *Program) Entangle(l facts.Lang) {
	if p.entangled == nil {
		p.entangled = map[string]bool{}
	}
	p.entangled[l.String()] = true
}

// Entangled lists the languages that Entangle was called with, sorted.
func (p *Program) Entangled() []string { return slices.Sorted(maps.Keys(p.entangled)) }

// Changed is a file of a program that had other facts before.
type Changed struct {
	File int32
	Old  *facts.File
}

// Selective is a resolver that can tell, for changes which it understands, the
// edges of the files concerned without those of all others.
type Selective interface {
	Resolver
	// ResolveSome resolves the changed files of a partial program and those whose
	// edges can depend on what changed: it fills out as Resolve would and lists
	// them. Beside the changed files, the files and the configuration are those of
	// the program that known was made from. It answers false where it cannot
	// promise that all others keep their edges; out may hold anything then.
	ResolveSome(p *Program, changed []Changed, known Known, out []FileEdges) (some []int32, ok bool)
}

// Known gives rows of the tables of a resolved program, by path; nil where
// there is none.
type Known interface {
	Symbols(path string) (*FileSymbols, error)
	Refs(path string) (*FileRefs, error)
	Incoming(path string) ([]Inbound, error)
	// Implementers gives the symbols of the file at path that implement target.
	Implementers(path string, target Key) ([]Key, error)
	// Definitions gives the definitions of a name.
	Definitions(name string) ([]Key, error)
	// Mentioning lists the files with edges or unresolved references, of whatever
	// reason, whose name is one of names.
	Mentioning(names map[string]bool) ([]string, error)
}
