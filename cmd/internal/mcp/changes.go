package mcp

import (
	"fmt"

	"codeidx/query"
)

// change is a file or a definition that differs from the baseline.
type change struct {
	Change    string   `json:"change"` // files: added, modified, deleted; definitions: added, removed, changed
	Kind      string   `json:"kind"`   // file, or that of the definition
	At        string   `json:"at"`     // where it stands; where it stood, if it is gone
	Name      string   `json:"name,omitempty"`
	What      []string `json:"what,omitempty"` // signature, body
	Signature string   `json:"sig,omitempty"`
	Was       string   `json:"was,omitempty"` // the signature before, where it differs
	From      string   `json:"from,omitempty"`
	To        string   `json:"to,omitempty"`
	// Broken lists the sites that were bound to a removed definition and are
	// bound to nothing now; Callers those that call one whose signature differs.
	// Both are path:line,line,… by file.
	Broken  []string `json:"broken,omitempty"`
	Callers []string `json:"callers,omitempty"`
}

// Bounds of what a change has affected: files of one definition, and
// definitions that are looked at.
const (
	maxFiles    = 20
	maxAffected = 200
)

// affects fills in the sites that a change may have broken and returns how many
// are broken for certain.
func (v *change) affects(c *query.Change) (broken int, err error) {
	if v.To != "" {
		return 0, nil // moved: its users follow the name
	}
	sites, known, err := c.Affected()
	if err != nil || !known {
		return 0, err
	}
	if v.Change == "removed" {
		v.Broken = byFile(sites)
		return len(sites), nil
	}
	v.Callers = byFile(sites)
	return 0, nil
}

// byFile joins the lines of sites, which come by path and line.
func byFile(sites []query.Site) []string {
	var out []string
	last := ""
	for _, s := range sites {
		if s.Path == last {
			out[len(out)-1] += fmt.Sprintf(",%d", s.Line)
			continue
		}
		last = s.Path
		out = append(out, place(s.Path, s.Line))
	}
	return head(out, maxFiles)
}

func changeOf(c *query.Change) *change {
	out := &change{Change: c.Change, Kind: "file", At: c.Path, What: c.What, From: c.RenamedFrom + c.MovedFrom, To: c.RenamedTo + c.MovedTo}
	s := c.After
	if s == nil {
		s = c.Before
	}
	if s == nil {
		return out
	}
	out.Kind, out.At, out.Name, out.Signature = s.Kind, place(s.Path, s.Line), s.Qualified, clip(s.Signature, maxSignature)
	if c.Before != nil && c.After != nil && c.Before.Signature != c.After.Signature {
		out.Was = clip(c.Before.Signature, maxSignature)
	}
	return out
}

// changes lists what differs from the index that a person made last.
func changes(c *call) (document, error) {
	r, g, err := c.listed("changes")
	if err != nil {
		return nil, err
	}
	a := c.newAnswer(r)
	files, broken := 0, 0
	for i, it := range r.Items {
		v := changeOf(it.(*query.Change))
		if v.Kind == "file" {
			files++
		}
		if i-files < maxAffected || i >= g.from && i < g.from+g.limit {
			n, err := v.affects(it.(*query.Change))
			if err != nil {
				return nil, err
			}
			broken += n
		}
		if i >= g.from {
			a.Items = append(a.Items, v)
		}
	}
	a.paged(g, r)
	a.Summary = fmt.Sprintf("%s and %s differ from the baseline", plural(files, "file"), plural(len(r.Items)-files, "definition"))
	if broken > 0 {
		a.Summary += fmt.Sprintf("; %s to a removed definition", sitesRefer(broken))
	}
	if a.Next == "" && len(r.Items) > 0 {
		a.Next = "relations impact or tests of a changed definition"
	}
	return a, nil
}

func sitesRefer(n int) string {
	if n == 1 {
		return "1 site still refers"
	}
	return fmt.Sprintf("%d sites still refer", n)
}
