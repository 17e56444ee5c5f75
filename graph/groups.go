package graph

// Groups lists members by key in one flat array, in ascending order of member.
// Resolvers index the tables of a file with it: binds by name, members by
// scope, without a map.
type Groups struct {
	start []uint32
	items []uint32
}

// Of returns the members of key k. The caller may reorder them, not more.
func (g *Groups) Of(k uint32) []uint32 {
	if int(k)+1 >= len(g.start) {
		return nil
	}
	return g.items[g.start[k]:g.start[k+1]]
}

// Group builds the groups of n members under keys 0 to keys-1. key gives the
// key of member i plus one, or zero to leave it out.
func Group(keys, n int, key func(i int) int) Groups {
	g := Groups{start: make([]uint32, keys+2)}
	total := 0
	for i := range n {
		if k := key(i); k > 0 {
			g.start[k+1]++
			total++
		}
	}
	for i := 2; i < len(g.start); i++ {
		g.start[i] += g.start[i-1]
	}
	g.items = make([]uint32, total)
	for i := range n {
		if k := key(i); k > 0 {
			g.items[g.start[k]] = uint32(i)
			g.start[k]++
		}
	}
	g.start = g.start[:keys+1]
	return g
}
