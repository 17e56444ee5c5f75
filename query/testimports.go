package query

import (
	"cmp"

	"codeidx/graph"
)

// imported is a file met by following imports backwards.
type imported struct {
	path string
	by   Edge
	prev *imported
	deep int
}

// maxImportFiles and maxImportDepth bound the search along imports.
const (
	maxImportFiles = 500
	maxImportDepth = 3
)

// byImports finds files of tests that import a changed file, nearest first. A
// question about definitions alone asks for them only where no call was found.
func (s *testSearch) byImports() error {
	if !s.whole && len(s.res.Items) > 0 {
		s.res.note("tests that only import its file are left out: ask by path for them")
		return nil
	}
	visited := map[string]bool{}
	var level []*imported
	for _, p := range s.changed {
		visited[p] = true
		level = append(level, &imported{path: p})
	}
	for depth := 1; depth <= maxImportDepth && len(level) > 0; depth++ {
		var next []*imported
		for _, at := range level {
			importers, err := s.x.importers(at.path)
			if err != nil {
				return err
			}
			for _, e := range importers {
				if visited[e.Path] || len(visited) > maxImportFiles {
					continue
				}
				visited[e.Path] = true
				n := &imported{e.Path, e, at, depth}
				next = append(next, n)
				h := TestHit{Reason: "imports", Depth: depth, Certainty: "hard"}
				for i := n; i.prev != nil; i = i.prev {
					h.Witness = append(h.Witness, i.by)
					h.paths = append(h.paths, i.path, i.prev.path)
				}
				if err := s.addFile(e.Path, h); err != nil {
					return err
				}
			}
		}
		level = next
	}
	return nil
}

// importers lists the first import of each file that imports a file, or the
// package folder that it belongs to, by path.
func (x *Index) importers(path string) ([]Edge, error) {
	paths := map[string]bool{}
	for _, table := range []string{path, parentDir(path)} {
		list, err := x.inboundOf(table)
		if err != nil {
			return nil, err
		}
		for _, in := range list {
			if table == path || in.Key.IsDir() {
				for _, p := range in.Paths {
					paths[p] = true
				}
			}
		}
	}
	var out []Edge
	for _, p := range sortedKeys(paths) {
		e, err := x.importEdge(p, path)
		if err != nil {
			return nil, err
		}
		if e != nil {
			out = append(out, *e)
		}
	}
	return out, nil
}

// importEdge is the first edge by which one file imports another, nil for none.
func (x *Index) importEdge(from, to string) (*Edge, error) {
	refs, err := x.Refs(from)
	if err != nil || refs == nil || from == to {
		return nil, err
	}
	f, err := x.Symbols(from)
	if err != nil || f == nil {
		return nil, err
	}
	for i := range refs.Edges {
		r := &refs.Edges[i]
		k := refs.Targets[r.To]
		if r.Kind == graph.Imports && (k.Path == to || k.IsDir() && k.Path == cmp.Or(parentDir(to), k.Path)) && int(r.From) < len(f.Symbols) {
			e := edgeOf(refs, f.Key(int(r.From)), i, x.ordinals(refs)[i])
			return &e, nil
		}
	}
	return nil, nil
}
