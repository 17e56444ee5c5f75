package query

import (
	"slices"

	"codeidx/graph"
)

// impactKinds are the dependencies that a change travels back along.
// Containment is none: a changed method does not touch its siblings.
var impactKinds = []graph.Kind{graph.Calls, graph.References, graph.Inherits, graph.Implements, graph.Overrides, graph.TypeOf}

// Impact is one definition that a change may reach, with a shortest witness.
type Impact struct {
	Symbol      Sym    `json:"symbol"`
	Depth       int    `json:"depth"`
	Granularity string `json:"granularity"` // "symbol", or "module" for code outside any definition
	Certainty   string `json:"certainty"`   // "hard": every step resolved; "candidate": a step is not
	Witness     []Edge `json:"witness"`     // from the reached definition to the changed one
	paths       []string
	Stale
}

// Paths lists the files along the witness.
func (i *Impact) Paths() []string { return i.paths }

// reached is a node of the breadth-first search with its predecessor.
type reached struct {
	at   located
	by   Edge
	prev *reached
	soft bool
	deep int
}

// impact answers what may break when the given symbols or files change.
func impact(x *Index, p Params) (*result, error) {
	res := &result{}
	var level []*reached
	seen := map[graph.Key]bool{}
	for _, sym := range p.Symbols {
		found, err := x.targets(sym)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			res.missing(x, sym)
		}
		for _, l := range x.filter(found, p) {
			res.about(x.symOf(l.file, l.i))
			for _, m := range members(l) {
				if k := m.key(); !seen[k] {
					seen[k] = true
					level = append(level, &reached{at: m})
				}
			}
		}
		if err := x.noteUnbound(res, sym); err != nil {
			return nil, err
		}
	}
	// Resolved steps first, so that a candidate never hides a proven path.
	if err := x.spread(res, level, seen, p, true); err != nil {
		return nil, err
	}
	if p.Mode == "full" {
		if err := x.spread(res, level, seen, p, false); err != nil {
			return nil, err
		}
		res.note("candidate paths are heuristic: they may not exist at run time")
	}
	return res, nil
}

// spread runs one breadth-first search from the seeds against the edges.
func (x *Index) spread(res *result, level []*reached, seen map[graph.Key]bool, p Params, hard bool) error {
	w := want{impactKinds, hard, p.PathPrefix}
	visited := map[graph.Key]bool{}
	for depth := 1; depth <= p.Depth && len(level) > 0; depth++ {
		var next []*reached
		for _, r := range level {
			if r.prev != nil && r.at.i == 0 {
				continue // module code has no callers of its own
			}
			steps, err := x.incomingSteps(r.at.key(), w)
			if err != nil {
				return err
			}
			for _, s := range steps {
				k := s.end.key()
				if visited[k] || seen[k] && hard {
					continue
				}
				visited[k] = true
				n := &reached{s.end, s.edge, r, r.soft || s.raw.Resolution != graph.Resolved, depth}
				next = append(next, n)
				if seen[k] {
					continue
				}
				seen[k] = true
				if !w.inside(s.end.file.Path) {
					res.Outside++
					continue
				}
				res.add(x.impactOf(n))
			}
			if len(visited) >= maxNodes {
				res.partial("traversal stopped at its bound of nodes: ask with a smaller depth or a path prefix")
				return nil
			}
		}
		level = next
	}
	return nil
}

func (x *Index) impactOf(r *reached) *Impact {
	out := &Impact{Symbol: x.symOf(r.at.file, r.at.i), Depth: r.deep, Granularity: "symbol", Certainty: "hard"}
	if r.at.i == 0 {
		out.Granularity = "module"
	}
	if r.soft {
		out.Certainty = "candidate"
	}
	for n := r; n.prev != nil; n = n.prev {
		out.Witness = append(out.Witness, n.by)
		out.paths = append(out.paths, n.at.file.Path, n.prev.at.file.Path)
	}
	slices.Sort(out.paths)
	out.paths = slices.Compact(out.paths)
	return out
}
