package mcp

import (
	"fmt"
	"strings"

	"codeidx/query"
)

// Longest signature and docstring of an item, in bytes.
const (
	maxSignature = 240
	maxDoc       = 200
)

// definition is one found definition.
type definition struct {
	At        string `json:"at"` // path:first-last line of it
	Kind      string `json:"kind"`
	Name      string `json:"name"` // qualified
	Signature string `json:"sig,omitempty"`
	Doc       string `json:"doc,omitempty"`
	Test      bool   `json:"test,omitempty"`
	Partial   bool   `json:"syntax_errors,omitempty"` // its file has some
	Stale     bool   `json:"stale,omitempty"`
}

func definitionOf(d *query.Definition) *definition {
	s := &d.Symbol
	return &definition{
		At: span(s.Path, s.Line, s.EndLine), Kind: s.Kind, Name: s.Qualified, Signature: clip(s.Signature, maxSignature),
		Doc: clip(d.Doc, maxDoc), Test: s.Test, Partial: s.Parse != "", Stale: d.Stale.Stale,
	}
}

// relation is one site. For callers and references, in is the definition
// around it; for callees, to is what it calls and def where that stands.
type relation struct {
	At        string `json:"at"`
	Kind      string `json:"kind,omitempty"` // where a question has several
	In        string `json:"in,omitempty"`
	To        string `json:"to,omitempty"`
	Def       string `json:"def,omitempty"`
	Signature string `json:"sig,omitempty"`
	Of        int    `json:"of,omitempty"`
	Depth     int    `json:"depth,omitempty"` // from the second step on
	// Candidate is the rule that guessed an edge which is not proven, with the
	// share of such guesses that are right.
	Candidate string `json:"candidate,omitempty"`
	Open      bool   `json:"overridable,omitempty"` // an override may run instead
	Test      bool   `json:"test,omitempty"`
	Stale     bool   `json:"stale,omitempty"`
}

func relationOf(r *query.Relation, op string, pos map[string]int) *relation {
	s, e := &r.Symbol, &r.Edge
	out := &relation{At: place(e.Path, e.Line), Candidate: candidate(e), Open: e.Dispatch == "open", Test: s.Test, Stale: r.Stale.Stale}
	if op == "callees" {
		out.To, out.Def, out.Signature = s.Qualified, place(s.Path, s.Line), clip(s.Signature, maxSignature)
	} else {
		out.In = s.Qualified
	}
	if op == "references" {
		out.Kind = e.Kind
	}
	if len(pos) > 1 {
		out.Of = pos[r.Of]
	}
	if r.Depth > 1 {
		out.Depth = r.Depth
	}
	return out
}

func candidate(e *query.Edge) string {
	if e.Resolution == "resolved_static" {
		return ""
	}
	return fmt.Sprintf("%s %.2g", e.Rule, e.Confidence)
}

// site is a step of a witness: where, which relation, what it names. A place in
// the file here is the line alone.
func site(e *query.Edge, here string) string {
	at := place(e.Path, e.Line)
	if e.Path == here {
		at = place("", e.Line)
	}
	return fmt.Sprintf("%s %s %s", at, e.Kind, clip(e.Name, 80))
}

func sites(witness []query.Edge, here string) []string {
	out := []string{}
	for i := range witness {
		out = append(out, site(&witness[i], here))
	}
	return out
}

// reach is one definition that a change may reach, with the sites that lead
// from it to what changes.
type reach struct {
	At        string   `json:"at"`
	Kind      string   `json:"kind,omitempty"` // but for functions and methods
	Name      string   `json:"name"`
	Depth     int      `json:"depth,omitempty"` // from the second step on
	Via       []string `json:"via"`
	Candidate string   `json:"candidate,omitempty"` // the first step that is not proven
	Test      bool     `json:"test,omitempty"`
	Stale     bool     `json:"stale,omitempty"`
}

func reachOf(i *query.Impact) *reach {
	s := &i.Symbol
	out := &reach{At: place(s.Path, s.Line), Name: s.Qualified, Test: s.Test, Stale: i.Stale.Stale, Via: sites(i.Witness, s.Path)}
	switch {
	case i.Granularity == "module":
		out.Kind = "module code"
	case s.Kind != "function" && s.Kind != "method":
		out.Kind = s.Kind
	}
	if i.Depth > 1 {
		out.Depth = i.Depth
	}
	out.Candidate = firstGuess(i.Witness)
	return out
}

// firstGuess names the first step that is not proven, "" where all are.
func firstGuess(witness []query.Edge) string {
	for i := range witness {
		if c := candidate(&witness[i]); c != "" {
			return c
		}
	}
	return ""
}

// finding is one piece of evidence of explore: a definition that the question
// names (role seed), or a call from or to one.
type finding struct {
	Role      string `json:"role"`
	At        string `json:"at"` // of a seed its lines, of others the site
	Name      string `json:"name"`
	Kind      string `json:"kind,omitempty"`
	Def       string `json:"def,omitempty"` // of a callee
	Of        string `json:"of,omitempty"`  // name of the seed
	Signature string `json:"sig,omitempty"`
	Doc       string `json:"doc,omitempty"`
	Callers   int    `json:"callers,omitempty"`
	Tests     int    `json:"tests,omitempty"` // of the callers
	// SameName counts further definitions of the name that fit as well.
	SameName  int      `json:"same_name,omitempty"`
	Via       []string `json:"via,omitempty"` // the calls that connect two seeds, where there are several
	Candidate string   `json:"candidate,omitempty"`
	Test      bool     `json:"test,omitempty"`
	Stale     bool     `json:"stale,omitempty"`
	Code      string   `json:"code,omitempty"`
	Cut       string   `json:"cut,omitempty"` // lines of it that are not shown
}

func findingOf(f *query.Finding, names map[string]string) *finding {
	s := &f.Symbol
	out := &finding{
		Role: f.Role, At: span(s.Path, s.Line, s.EndLine), Name: s.Qualified, Doc: clip(f.Doc, maxDoc), Callers: f.Callers, Tests: f.Tests,
		SameName: f.SameName, Test: s.Test, Stale: f.Stale.Stale,
	}
	if len(f.Steps) > 0 {
		out.Via = sites(f.Steps, "")
	}
	edge := f.Edge
	if edge == nil && len(f.Steps) > 0 {
		edge = &f.Steps[0]
	}
	if edge == nil {
		out.Kind, out.Signature = s.Kind, clip(s.Signature, maxSignature)
		if f.Text != nil {
			out.Code = f.Text.Text
			if uint32(f.Text.Last) < s.EndLine {
				out.Cut = span(s.Path, uint32(f.Text.Last)+1, s.EndLine)
			}
		}
		return out
	}
	out.At, out.Of, out.Candidate = place(edge.Path, edge.Line), names[f.Of], candidate(edge)
	if f.Role != "caller" {
		out.Def = place(s.Path, s.Line)
	}
	if edge.Kind != "calls" {
		out.Kind = edge.Kind
	}
	return out
}

// source is a run of lines, verified against the file.
type source struct {
	At    string `json:"at"`
	Lines int    `json:"file_lines"`
	Stale bool   `json:"stale,omitempty"`
	Code  string `json:"code"`
}

// hit is a line that search found.
type hit struct {
	At    string `json:"at"`
	In    string `json:"in,omitempty"` // the definition around it
	Text  string `json:"text,omitempty"`
	Stale bool   `json:"stale,omitempty"`
}

// maxText is the longest line that is shown, in bytes.
const maxText = 200

func hitOf(h *query.SearchHit) *hit {
	out := &hit{At: place(h.Path, h.Line), Text: clip(strings.TrimSpace(h.Text), maxText), Stale: h.Stale.Stale}
	if h.In != nil {
		out.In = h.In.Qualified
	}
	return out
}
