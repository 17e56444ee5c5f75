package graph

import (
	"fmt"

	"codeidx/facts"
)

// Resolve binds the references of every file. A resolver whose edges point
// outside the program is an error: nothing it made may be stored.
func Resolve(p *Program, resolvers []Resolver) ([]FileEdges, error) {
	out := make([]FileEdges, len(p.Files))
	for _, r := range resolvers {
		r.Resolve(p, out)
	}
	return out, Check(p, out)
}

// Check verifies the ends and evidence of all edges of a program.
func Check(p *Program, out []FileEdges) error {
	for i := range out {
		if len(out[i].Edges) == 0 {
			continue
		}
		if err := checkEdges(p, i, out[i].Edges); err != nil {
			return fmt.Errorf("resolve %s: %w", p.Info(i).Path, err)
		}
	}
	return p.Err()
}

// checkEdges verifies the ends and evidence of a file's edges.
func checkEdges(p *Program, i int, edges []Edge) error {
	f := p.File(int32(i))
	for j := range edges {
		e := &edges[j]
		switch {
		case int(e.From) >= len(f.Defs):
			return fmt.Errorf("edge %d: source %d of %d", j, e.From, len(f.Defs))
		case e.Pos > f.Size:
			return fmt.Errorf("edge %d: position %d of %d", j, e.Pos, f.Size)
		case int(e.Name) >= len(f.Names):
			return fmt.Errorf("edge %d: name %d of %d", j, e.Name, len(f.Names))
		case e.To.File < 0 && int(-e.To.File-1) >= len(p.Dirs):
			return fmt.Errorf("edge %d: folder %d of %d", j, -e.To.File-1, len(p.Dirs))
		case e.To.File >= 0 && (int(e.To.File) >= len(p.Files) || int(e.To.Def) >= len(p.File(e.To.File).Defs)):
			return fmt.Errorf("edge %d: target %v does not exist", j, e.To)
		}
	}
	return nil
}

// Versions returns the identity of a set of resolvers.
func Versions(resolvers []Resolver) []string {
	out := make([]string, 0, len(resolvers))
	for _, r := range resolvers {
		for _, l := range r.Languages() {
			out = append(out, l.String()+"="+r.Version())
		}
	}
	return out
}

// Steers says whether a resolver reads the configuration file at path.
func Steers(resolvers []Resolver, path string) bool {
	for _, r := range resolvers {
		if r.ConfigFile(path) {
			return true
		}
	}
	return false
}

// KeyOf returns a function from targets to keys, given the symbol tables that
// are at hand; one that is nil is made from facts, without texts.
func KeyOf(p *Program, symbols []*FileSymbols) func(Target) Key {
	return func(t Target) Key {
		if t.File < 0 {
			return Key{Path: p.Dirs[-t.File-1], Kind: facts.DefModule}
		}
		if symbols[t.File] == nil {
			symbols[t.File] = SymbolsOf(p.File(t.File), nil)
		}
		return symbols[t.File].Key(int(t.Def))
	}
}
