package query

import (
	"codeidx/facts"
	"codeidx/graph"
)

// Item is one element of an answer. Paths are the files that it leans on: a
// change in one of them makes the item stale.
type Item interface {
	Paths() []string
	MarkStale()
}

// Stale marks an item that leans on a file that differs from the index.
type Stale struct {
	Stale bool `json:"stale,omitempty"`
}

// MarkStale marks the item.
func (s *Stale) MarkStale() { s.Stale = true }

// Sym is a definition in an answer.
type Sym struct {
	ID        string `json:"id,omitempty"` // none in the work tree, which is not indexed
	Name      string `json:"name"`
	Qualified string `json:"qualified"`
	Kind      string `json:"kind"`
	Lang      string `json:"lang"`
	Path      string `json:"path"`
	Line      uint32 `json:"line"`
	EndLine   uint32 `json:"end_line"`
	Signature string `json:"signature,omitempty"`
	Test      bool   `json:"test,omitempty"`
	Parse     string `json:"parse,omitempty"` // "partial": the file has syntax errors
}

// Edge is a relation with its evidence and how it was bound.
type Edge struct {
	Kind       string  `json:"kind"`
	Path       string  `json:"path"`
	Line       uint32  `json:"line"`
	Col        uint32  `json:"col"`
	Name       string  `json:"name"`
	Resolution string  `json:"resolution"`
	Dispatch   string  `json:"dispatch,omitempty"`
	Rule       string  `json:"rule"`
	Confidence float64 `json:"confidence"`
	Provenance string  `json:"provenance"`
	UID        string  `json:"edge_uid,omitempty"` // none of a step that a test runner makes
}

// Relation is one direct or indirect relation of an asked definition.
type Relation struct {
	Of     string `json:"of"` // id of the asked definition
	Depth  int    `json:"depth"`
	Symbol Sym    `json:"symbol"` // the other end
	Edge   Edge   `json:"edge"`
	Stale
}

// Paths lists the files of both ends of the last step.
func (r *Relation) Paths() []string { return []string{r.Symbol.Path, r.Edge.Path} }

// Definition is a definition as an item of its own.
type Definition struct {
	Symbol Sym     `json:"symbol"`
	Doc    string  `json:"doc,omitempty"`
	Tier   string  `json:"tier,omitempty"`
	Score  float64 `json:"score,omitempty"`
	Why    string  `json:"why,omitempty"`
	Stale
}

// Paths lists the definition's file.
func (d *Definition) Paths() []string { return []string{d.Symbol.Path} }

func (d *Definition) lines() int { return 0 }

// cut leaves the prose out.
func (d *Definition) cut(int) (Item, string) {
	short := *d
	short.Symbol, short.Doc, short.Why = d.Symbol.brief(), "", ""
	return &short, "max_bytes: signatures and prose are left out"
}

// brief is the definition without its signature.
func (s Sym) brief() Sym {
	s.Signature = ""
	return s
}

// symOf makes the answer form of symbol i of a file.
func (x *Index) symOf(f *graph.FileSymbols, i int) Sym {
	s := liveSym(f, i)
	s.ID = x.symbolID(f.Key(i))
	return s
}

// liveSym makes the answer form of a symbol that no index holds.
func liveSym(f *graph.FileSymbols, i int) Sym {
	s := &f.Symbols[i]
	out := Sym{
		Name: s.Name, Qualified: s.Qualified, Kind: s.Kind.String(), Lang: f.Lang.String(),
		Path: f.Path, Line: s.Line, EndLine: s.End, Signature: s.Signature, Test: s.IsTest(),
	}
	if i == 0 {
		out.Name, out.Qualified = f.Path, f.Path
	}
	if f.Partial {
		out.Parse = "partial"
	}
	return out
}

// edgeOf makes the answer form of edge e of a file.
func edgeOf(refs *graph.FileRefs, from graph.Key, e int, ordinal uint32) Edge {
	r := &refs.Edges[e]
	info := r.Rule.Info()
	out := Edge{
		Kind: r.Kind.String(), Path: refs.Path, Line: r.Line, Col: r.Col, Name: r.Name, Resolution: r.Resolution.String(),
		Rule: info.ID, Confidence: info.Confidence, Provenance: provenance(r.Resolution),
		UID: graph.EdgeUID(from, refs.Targets[r.To], r.Kind, ordinal),
	}
	if r.Open {
		out.Dispatch = "open"
	}
	return out
}

// provenance says whether an exact line proves an edge or a heuristic made it.
func provenance(r graph.Resolution) string {
	if r == graph.Resolved {
		return "stated"
	}
	return "derived"
}

// kindByName returns the definition kind that users call name.
func kindByName(name string) (facts.DefKind, bool) {
	for k := facts.DefKind(0); k < facts.DefKinds; k++ {
		if k.String() == name {
			return k, true
		}
	}
	return 0, false
}
