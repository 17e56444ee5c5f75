package query

import (
	"cmp"

	"codeidx/graph"
)

// EdgeLine is one line of "edges --jsonl" (spec/cli.md).
type EdgeLine struct {
	Path       string  `json:"path"`
	Line       uint32  `json:"line"`
	Col        uint32  `json:"col"`
	Name       string  `json:"name"`
	Kind       string  `json:"kind"`
	From       string  `json:"from"`
	DefPath    string  `json:"def_path"`
	DefLine    uint32  `json:"def_line"`
	DefName    string  `json:"def_name"`
	DefKind    string  `json:"def_kind"`
	Resolution string  `json:"resolution"`
	Dispatch   string  `json:"dispatch,omitempty"`
	Rule       string  `json:"rule"`
	Confidence float64 `json:"confidence"`
	Provenance string  `json:"provenance"`
	UID        string  `json:"edge_uid"`
	Stale
}

// Paths lists the files of both ends.
func (e *EdgeLine) Paths() []string { return []string{e.Path, e.DefPath} }

// edges lists every edge of the generation in stable order. Containment is
// listed when it is asked for by kind.
func edges(x *Index, p Params) (*result, error) {
	res := &result{}
	kind, ok := graph.KindByName(p.EdgeKind)
	if p.EdgeKind != "" && !ok {
		return nil, errorf(InvalidRequest, "", "there is no edge kind %q", p.EdgeKind)
	}
	if p.EdgeKind == graph.Contains.String() {
		return x.containment(p)
	}
	var failed error
	err := x.edges.Scan(p.PathPrefix, func(r row) bool {
		if !underPrefix(r.Key, p.PathPrefix) {
			return true
		}
		failed = x.fileEdges(r.Key, func(e *EdgeLine, k graph.Kind) {
			if p.EdgeKind == "" || k == kind {
				res.add(e)
			}
		})
		return failed == nil
	})
	if err != nil {
		return nil, err
	}
	return res, failed
}

func (x *Index) fileEdges(path string, f func(*EdgeLine, graph.Kind)) error {
	refs, err := x.Refs(path)
	if err != nil {
		return err
	}
	symbols, err := x.Symbols(path)
	if err != nil {
		return err
	}
	ordinals := x.ordinals(refs)
	for i := range refs.Edges {
		e := &refs.Edges[i]
		from, to := int(e.From), refs.Targets[e.To]
		if symbols == nil || from >= len(symbols.Symbols) {
			return errorf(StoreCorrupt, "run: git codeidx index", "the edges of %s do not fit its symbols", path)
		}
		base := edgeOf(refs, symbols.Key(from), i, ordinals[i])
		line := &EdgeLine{
			Path: path, Line: e.Line, Col: e.Col, Name: e.Name, Kind: base.Kind, From: nameOf(symbols, from), Resolution: base.Resolution,
			Dispatch: base.Dispatch, Rule: base.Rule, Confidence: base.Confidence, Provenance: base.Provenance, UID: base.UID,
			DefPath: to.Path, DefKind: to.Kind.String(),
		}
		if to.IsDir() {
			line.DefPath = cmp.Or(to.Path, ".") // the top folder, as git names it
			line.DefName = line.DefPath
		} else {
			end, err := x.find(to)
			if err != nil {
				return err
			}
			if end.file == nil {
				return errorf(StoreCorrupt, "run: git codeidx index", "%s:%d points into %s, which is not indexed", path, e.Line, to.Path)
			}
			line.DefLine, line.DefName = end.file.Symbols[end.i].Line, nameOf(end.file, end.i)
		}
		f(line, e.Kind)
	}
	return nil
}

func nameOf(f *graph.FileSymbols, i int) string {
	if i == 0 {
		return f.Path
	}
	return f.Symbols[i].Qualified
}

// containment derives the contains edges from the symbol tables.
func (x *Index) containment(p Params) (*result, error) {
	res := &result{}
	err := x.eachFile(p.PathPrefix, func(f *graph.FileSymbols) {
		for i := 1; i < len(f.Symbols); i++ {
			s := &f.Symbols[i]
			from := max(int(s.Parent), 0)
			info := graph.RuleContains.Info()
			res.add(&EdgeLine{
				Path: f.Path, Line: s.Line, Col: s.Col, Name: s.Name, Kind: graph.Contains.String(), From: nameOf(f, from), DefPath: f.Path,
				DefLine: s.Line, DefName: s.Qualified, DefKind: s.Kind.String(), Resolution: graph.Resolved.String(), Rule: info.ID,
				Confidence: info.Confidence, Provenance: "stated", UID: graph.EdgeUID(f.Key(from), f.Key(i), graph.Contains, 0),
			})
		}
	})
	return res, err
}
