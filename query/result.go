package query

import (
	"fmt"
	"slices"

	"codeidx/graph"
)

// result is what an operation computes before it is bounded and verified.
type result struct {
	Items   []Item
	Total   int   // items that there are, where that is more than Items
	AtLeast bool  // there may be more than Total
	Of      []Sym // the definitions that the question was bound to
	Unbound *Unbound
	Outside int // neighbours outside the path filter, counted and not shown
	Notes   []string
	Partial []string // reasons why items may be missing
	Unknown []string // asked names that no definition has
	Before  *Endpoint
	After   *Endpoint
	Limits  []string // what this operation cannot promise
	Origin  string   // live or mixed; "" is the index
}

// Unbound counts reference sites of a name that could not be bound: any of
// them could mean the asked definition.
type Unbound struct {
	Name  string `json:"name"`
	Sites int    `json:"sites"`
	Files int    `json:"files"`

	index *Index
	in    []graph.PathCount
}

func (r *result) add(i Item)    { r.Items = append(r.Items, i) }
func (r *result) about(s Sym)   { r.Of = append(r.Of, s) }
func (r *result) note(s string) { r.Notes = append(r.Notes, s) }
func (r *result) noteOnce(s string) {
	if !slices.Contains(r.Notes, s) {
		r.note(s)
	}
}
func (r *result) partial(reason string) { r.Partial = append(r.Partial, reason) }

// missing records a name that nothing defines: an answer, not an error.
func (r *result) missing(x *Index, sym string) {
	r.Unknown = append(r.Unknown, sym)
	r.note(fmt.Sprintf("no indexed definition is called %q", sym))
}
