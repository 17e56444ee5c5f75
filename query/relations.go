package query

import (
	"cmp"
	"slices"
	"strings"

	"codeidx/facts"
	"codeidx/graph"
)

// Limits of one traversal (spec/engine.md §6).
const (
	maxNodes = 500
	maxEdges = 1000
)

// step is one edge met by a traversal: its far end and the stored edge.
type step struct {
	end  located
	edge Edge
	raw  graph.Ref
	// A runner makes it by convention: no stored edge says so.
	implied bool
}

// want selects the edges that a traversal follows.
type want struct {
	kinds  []graph.Kind
	hard   bool   // resolved edges only
	prefix string // path filter on the far end and the evidence
}

func (w want) takes(r *graph.Ref) bool {
	return slices.Contains(w.kinds, r.Kind) && (!w.hard || r.Resolution == graph.Resolved)
}

func (w want) inside(p string) bool { return underPrefix(p, w.prefix) }

// underPrefix says whether a path is the prefix or lies below it.
func underPrefix(p, prefix string) bool {
	return prefix == "" || p == prefix || strings.HasPrefix(p, strings.TrimSuffix(prefix, "/")+"/")
}

// incomingSteps lists the edges that point at a definition, by position.
func (x *Index) incomingSteps(target graph.Key, w want) ([]step, error) {
	paths, err := x.inbound(target)
	if err != nil {
		return nil, err
	}
	var out []step
	for _, p := range paths {
		refs, err := x.Refs(p)
		if err != nil {
			return nil, err
		}
		to, ok := slices.BinarySearchFunc(refs.Targets, target, graph.Key.Compare)
		if !ok {
			return nil, errorf(StoreCorrupt, "run: git codeidx index", "the index says that %s refers to %s; its edges do not", p, target.Qualified)
		}
		if out, err = x.fileSteps(out, refs, w, func(r *graph.Ref) bool { return int(r.To) == to }); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// fileSteps appends the edges of one file that match, with their source as
// the far end.
func (x *Index) fileSteps(out []step, refs *graph.FileRefs, w want, match func(*graph.Ref) bool) ([]step, error) {
	f, err := x.Symbols(refs.Path)
	if err != nil {
		return nil, err
	}
	var ordinals []uint32
	for i := range refs.Edges {
		r := &refs.Edges[i]
		if !match(r) || !w.takes(r) {
			continue
		}
		if f == nil || int(r.From) >= len(f.Symbols) {
			return nil, errorf(StoreCorrupt, "run: git codeidx index", "the edges of %s do not fit its symbols", refs.Path)
		}
		if ordinals == nil {
			ordinals = x.ordinals(refs)
		}
		out = append(out, step{end: sourceOf(f, r), edge: edgeOf(refs, f.Key(int(r.From)), i, ordinals[i]), raw: *r})
	}
	return out, nil
}

// sourceOf is the definition that an edge of a file comes from. A base stands in
// the head of a class, which is code of what is around the class: the class
// itself is what inherits.
func sourceOf(f *graph.FileSymbols, r *graph.Ref) located {
	l := located{f, int(r.From)}
	if r.Kind != graph.Inherits && r.Kind != graph.Implements || isType(&f.Symbols[l.i]) {
		return l
	}
	if i := innermost(f, r.Line); isType(&f.Symbols[i]) {
		l.i = i
	}
	return l
}

// isType says whether a definition can have members.
func isType(s *graph.Symbol) bool {
	switch s.Kind {
	case facts.DefClass, facts.DefInterface, facts.DefTrait, facts.DefEnum, facts.DefStruct, facts.DefType:
		return true
	}
	return false
}

// outgoingSteps lists the edges of a definition and of what is nested in it
// where nested is set, with their target as the far end.
func (x *Index) outgoingSteps(from located, w want) ([]step, error) {
	refs, err := x.Refs(from.file.Path)
	if err != nil || refs == nil {
		return nil, err
	}
	steps, err := x.fileSteps(nil, refs, w, func(r *graph.Ref) bool { return int(r.From) == from.i })
	if err != nil {
		return nil, err
	}
	out := steps[:0]
	for _, s := range steps {
		k := refs.Targets[s.raw.To]
		if k.IsDir() {
			continue
		}
		if s.end, err = x.find(k); err != nil {
			return nil, err
		}
		if s.end.file != nil {
			out = append(out, s)
		}
	}
	return out, nil
}

// relationKinds are the edges that each operation follows.
var relationKinds = map[string][]graph.Kind{
	"callers":    {graph.Calls},
	"callees":    {graph.Calls},
	"references": {graph.Calls, graph.References, graph.Imports, graph.Inherits, graph.Implements, graph.Overrides, graph.TypeOf},
}

// relations answers callers, callees and references.
func relations(x *Index, p Params) (*result, error) {
	found, err := x.targets(p.Symbol)
	if err != nil {
		return nil, err
	}
	res := &result{}
	w := want{relationKinds[p.Kind], p.Hard, p.PathPrefix}
	for _, l := range x.filter(found, p) {
		res.about(x.symOf(l.file, l.i))
		if err := x.walk(res, l, w, p); err != nil {
			return nil, err
		}
	}
	if len(res.Of) == 0 {
		res.missing(x, p.Symbol)
	}
	if p.Kind != "callees" {
		if err := x.noteUnbound(res, p.Symbol); err != nil {
			return nil, err
		}
	}
	return res, nil
}

// walk adds the relations of one definition up to p.Depth steps away, nearest
// first; each definition is expanded once.
func (x *Index) walk(res *result, start located, w want, p Params) error {
	of := x.symbolID(start.key())
	seen := map[graph.Key]bool{start.key(): true}
	level := []located{start}
	for depth := 1; depth <= max(p.Depth, 1) && len(level) > 0; depth++ {
		var next []located
		for _, l := range level {
			steps, err := x.stepsOf(l, w, p.Kind)
			if err != nil {
				return err
			}
			for _, s := range steps {
				if !w.inside(s.end.file.Path) {
					res.Outside++
					continue
				}
				res.add(&Relation{Of: of, Depth: depth, Symbol: x.symOf(s.end.file, s.end.i), Edge: s.edge})
				if k := s.end.key(); !seen[k] && len(seen) < maxNodes {
					seen[k] = true
					next = append(next, s.end)
				}
			}
		}
		level = next
		if depth > 1 && (len(seen) >= maxNodes || len(res.Items) >= maxEdges) {
			res.partial("traversal stopped at its bound of nodes or edges: ask with a smaller depth or a path prefix")
			break
		}
	}
	return nil
}

func (x *Index) stepsOf(l located, w want, op string) ([]step, error) {
	if op == "callees" {
		return x.outgoingSteps(l, w)
	}
	return x.callSteps(l, w)
}

// filter keeps the definitions that the language and kind filters admit.
func (x *Index) filter(list []located, p Params) []located {
	return slices.DeleteFunc(list, func(l located) bool {
		return p.Lang != "" && l.file.Lang.String() != p.Lang ||
			p.SymbolKind != "" && l.file.Symbols[l.i].Kind.String() != p.SymbolKind
	})
}

// noteUnbound counts the sites that could mean the name but were not bound.
func (x *Index) noteUnbound(res *result, sym string) error {
	if strings.HasPrefix(sym, idPrefix) {
		if len(res.Of) == 0 {
			return nil
		}
		sym = res.Of[0].Name
	}
	name := graph.LastPart(graph.Normalize(sym))
	files, err := x.Unbound(name)
	if err != nil || len(files) == 0 {
		return err
	}
	res.Unbound = &Unbound{Name: name, Files: len(files)}
	for _, f := range files {
		res.Unbound.Sites += int(f.Count)
	}
	return nil
}

// members lists what a file or class seed expands to: itself and its nested
// definitions.
func members(l located) []located {
	out := []located{l}
	if l.i > 0 && !isType(&l.file.Symbols[l.i]) {
		return out
	}
	name := l.file.Symbols[l.i].Qualified
	for i := 1; i < len(l.file.Symbols); i++ {
		if i != l.i && (l.i == 0 || strings.HasPrefix(l.file.Symbols[i].Qualified, name+".")) {
			out = append(out, located{l.file, i})
		}
	}
	slices.SortStableFunc(out[1:], func(a, b located) int { return cmp.Compare(a.i, b.i) })
	return out
}
