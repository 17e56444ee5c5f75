package hooks

import (
	"slices"
	"strings"

	"codeidx/gitstore"
	"codeidx/graph"
)

// maxEdges bounds the edge_uids kept of one file.
const maxEdges = 100

// StaleEdge is an edge of an index that leans on a definition that changed.
type StaleEdge struct {
	UID  string    `json:"edge_uid"`
	Kind string    `json:"kind"`
	Path string    `json:"path"` // of the site
	Line uint32    `json:"line"`
	From string    `json:"from"` // qualified names
	To   string    `json:"to"`
	key  graph.Key // of the source
}

// staleEdges returns the edges of an index that a change of one file invalidates:
// those from definitions that went or changed, and those to definitions that went or
// have another signature, sorted by edge_uid. What the index cannot tell is left
// out: it may be damaged.
func (x *index) staleEdges(d *Delta) []StaleEdge {
	if x == nil || d.old == nil {
		return nil
	}
	gone, signature, body := d.goneKeys()
	path := d.old.path
	users := map[string]bool{}
	for _, in := range x.inbound(path) {
		if gone[in.Key] || signature[in.Key] {
			for _, p := range in.Paths {
				users[p] = true
			}
		}
	}
	list := x.edges(path, func(from, _ graph.Key) bool { return gone[from] || signature[from] || body[from] })
	for p := range users {
		list = append(list, x.edges(p, func(_, to graph.Key) bool { return gone[to] || signature[to] })...)
	}
	slices.SortFunc(list, func(a, b StaleEdge) int { return strings.Compare(a.UID, b.UID) })
	return slices.CompactFunc(list, func(a, b StaleEdge) bool { return a.UID == b.UID })
}

// hasNew says whether an index has the new version of a file already, as after an
// automatic sync: its edges are those of that version.
func (x *index) hasNew(d *Delta) bool {
	if d.new == nil {
		return d.old == nil || x.file(d.old.path) == nil
	}
	f := x.file(d.new.path)
	return f != nil && f.SHA256 == gitstore.DigestOf(d.new.src)
}

// keepEdges stores the first edge_uids of some edges and counts the rest.
func (d *Delta) keepEdges(edges []StaleEdge) {
	for _, e := range edges[:min(len(edges), maxEdges)] {
		d.Edges = append(d.Edges, e.UID)
	}
	d.MoreEdges = len(edges) - len(d.Edges)
}

// edges returns the edges of a file that f selects.
func (x *index) edges(path string, f func(from, to graph.Key) bool) []StaleEdge {
	table := x.symbols(path)
	row, ok, err := x.edgeRows.Row(path)
	if err != nil || !ok || table == nil {
		return nil
	}
	refs, err := graph.DecodeRefs(path, row)
	if err != nil {
		return nil
	}
	ordinals := refs.Ordinals()
	var list []StaleEdge
	for i := range refs.Edges {
		e := &refs.Edges[i]
		if int(e.From) >= len(table.Symbols) {
			return nil
		}
		from, to := table.Key(int(e.From)), refs.Targets[e.To]
		if f(from, to) {
			list = append(list, StaleEdge{
				UID: graph.EdgeUID(from, to, e.Kind, ordinals[i]), Kind: e.Kind.String(), Path: validPath(path), Line: e.Line,
				From: validPath(from.Qualified), To: validPath(to.Qualified), key: from,
			})
		}
	}
	return list
}

func (x *index) everyEdge(path string) []StaleEdge {
	return x.edges(path, func(graph.Key, graph.Key) bool { return true })
}

// symbols returns the definitions of an indexed file, nil where there are none.
func (x *index) symbols(path string) *graph.FileSymbols {
	if x == nil {
		return nil
	}
	row, ok, err := x.symbolRows.Row(path)
	if err != nil || !ok {
		return nil
	}
	t, err := graph.DecodeSymbols(path, row)
	if err != nil {
		return nil
	}
	return t
}

func (x *index) inbound(path string) []graph.Inbound {
	row, ok, err := x.incomings.Row(path)
	if err != nil || !ok {
		return nil
	}
	list, err := graph.DecodeIncoming(path, row)
	if err != nil {
		return nil
	}
	return list
}

// source returns the captured bytes of an indexed file.
func (x *index) source(path string) ([]byte, bool) {
	f := x.file(path)
	if f == nil {
		return nil, false
	}
	if f.Size == 0 {
		return nil, true
	}
	src, err := x.gen.Get(f.Source)
	return src, err == nil
}
