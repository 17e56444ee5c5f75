package ecma

import (
	"sort"

	"codeidx/facts"
)

// linkClasses finds the direct subclasses and implementations of every class
// and interface.
func (w *world) linkClasses() {
	w.subs = map[defRef][]defRef{}
	for _, m := range w.order {
		for i := range m.f.Defs {
			d := &m.f.Defs[i]
			if d.Kind != facts.DefClass && d.Kind != facts.DefInterface {
				continue
			}
			own := defRef{m, facts.DefID(i)}
			for _, b := range append(m.bases(own.def), m.annotations(m.f.KidsOf(d.Implements))...) {
				b.each(func(t *typ) {
					if t.kind == tInst && (t.m != m || t.def != own.def) {
						p := defRef{t.m, t.def}
						w.subs[p] = append(w.subs[p], own)
					}
				})
			}
		}
	}
}

const maxOverriders = 32

// overriders lists the definitions of a member in the classes below its owner.
func (w *world) overriders(owner defRef, name string) []defRef {
	seen := map[defRef]bool{}
	var out, queue []defRef
	for _, d := range owner.m.merged(owner.def) {
		seen[defRef{owner.m, d}] = true
		queue = append(queue, defRef{owner.m, d})
	}
	for len(queue) > 0 && len(out) < maxOverriders {
		for _, s := range w.subs[queue[0]] {
			if seen[s] {
				continue
			}
			seen[s] = true
			queue = append(queue, s)
			for _, d := range s.m.filterStatic(s.m.membersIn(s.m.f.Defs[s.def].Scope, name), false) {
				if s.m.f.Defs[d].Flags&(facts.Overload|facts.Setter) == 0 {
					out = append(out, defRef{s.m, d})
					break
				}
			}
		}
		queue = queue[1:]
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].m != out[j].m {
			return out[i].m.f.Path < out[j].m.f.Path
		}
		return out[i].def < out[j].def
	})
	return out
}
