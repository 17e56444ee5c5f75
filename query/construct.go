package query

import (
	"codeidx/facts"
	"codeidx/graph"
)

// callSteps lists the edges that point at a definition, by position. A
// construction is bound to the class: to a constructor belong the calls of its
// class and of the subclasses that have no constructor of their own.
func (x *Index) callSteps(l located, w want) ([]step, error) {
	out, err := x.incomingSteps(l.key(), w)
	s := &l.file.Symbols[l.i]
	if err != nil || s.Flags&facts.Constructor == 0 || s.Parent <= 0 {
		return out, err
	}
	calls := want{[]graph.Kind{graph.Calls}, w.hard, w.prefix}
	classes := []located{{l.file, int(s.Parent)}}
	seen := map[graph.Key]bool{classes[0].key(): true}
	for len(classes) > 0 && len(seen) < maxNodes {
		class := classes[0]
		classes = classes[1:]
		steps, err := x.incomingSteps(class.key(), calls)
		if err != nil {
			return nil, err
		}
		out = append(out, steps...)
		below, err := x.subclasses(class, w.hard)
		if err != nil {
			return nil, err
		}
		for _, sub := range below {
			if k := sub.key(); !seen[k] && !hasConstructor(sub) {
				seen[k] = true
				classes = append(classes, sub)
			}
		}
	}
	return out, nil
}

// subclasses lists the definitions that inherit from one directly, by position.
func (x *Index) subclasses(class located, hard bool) ([]located, error) {
	steps, err := x.incomingSteps(class.key(), want{kinds: []graph.Kind{graph.Inherits}, hard: hard})
	if err != nil {
		return nil, err
	}
	var out []located
	for _, st := range steps {
		if st.end.i > 0 {
			out = append(out, st.end)
		}
	}
	return out, nil
}

func hasConstructor(class located) bool {
	for i := range class.file.Symbols {
		s := &class.file.Symbols[i]
		if int(s.Parent) == class.i && s.Flags&facts.Constructor != 0 {
			return true
		}
	}
	return false
}
