package query

import "codeidx/graph"

// maxConnectNodes bounds the search for paths from one seed.
const maxConnectNodes = 150

// addConnections adds, for each seed that calls lead to from another one in
// at most exploreSteps steps, a shortest path.
func (x *Index) addConnections(res *result, seeds []seed, p Params) error {
	targets := map[graph.Key]bool{}
	for i := range seeds {
		targets[seeds[i].key()] = true
	}
	for i := range seeds {
		if err := x.connect(res, &seeds[i], targets, p); err != nil {
			return err
		}
	}
	return nil
}

// connect runs one breadth-first search along calls.
func (x *Index) connect(res *result, from *seed, targets map[graph.Key]bool, p Params) error {
	w := want{kinds: []graph.Kind{graph.Calls}, hard: true, prefix: p.PathPrefix}
	seen := map[graph.Key]bool{from.key(): true}
	level := []*reached{{at: from.located}}
	for depth := 1; depth <= exploreSteps && len(level) > 0; depth++ {
		var next []*reached
		for _, r := range level {
			steps, err := x.outgoingSteps(r.at, w)
			if err != nil {
				return err
			}
			for _, s := range steps {
				k := s.end.key()
				if seen[k] || len(seen) > maxConnectNodes || !w.inside(s.end.file.Path) {
					continue
				}
				seen[k] = true
				n := &reached{at: s.end, by: s.edge, prev: r, deep: depth}
				if targets[k] {
					res.add(x.connection(from, n))
				} else {
					next = append(next, n)
				}
			}
		}
		level = next
	}
	return nil
}

// connection shows a path by its calls, first to last.
func (x *Index) connection(from *seed, r *reached) *Finding {
	f := &Finding{Role: "connects", Symbol: x.symOf(r.at.file, r.at.i), Of: x.symbolID(from.key()), key: r.at.key()}
	for n := r; n.prev != nil; n = n.prev {
		f.Steps = append([]Edge{n.by}, f.Steps...)
	}
	if len(f.Steps) == 1 {
		f.Edge, f.Steps = &f.Steps[0], nil
	}
	return f
}
