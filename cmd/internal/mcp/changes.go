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
	files := 0
	for i, it := range r.Items {
		v := changeOf(it.(*query.Change))
		if v.Kind == "file" {
			files++
		}
		if i >= g.from {
			a.Items = append(a.Items, v)
		}
	}
	a.paged(g, r)
	a.Summary = fmt.Sprintf("%s and %s differ from the baseline", plural(files, "file"), plural(len(r.Items)-files, "definition"))
	if a.Next == "" && len(r.Items) > 0 {
		a.Next = "relations impact or tests of a changed definition"
	}
	return a, nil
}

// testHit is a test that a change may concern.
type testHit struct {
	At        string   `json:"at"`
	Name      string   `json:"name"`
	Reason    string   `json:"reason"` // changed, calls, setup, class, imports or name
	Run       string   `json:"run"`    // command line, from the top
	Certainty string   `json:"certainty"`
	Via       []string `json:"via"`
	Stale     bool     `json:"stale,omitempty"`
}

// runners are the commands of the test runners.
var runners = map[string]string{"pytest": "pytest", "unittest": "pytest", "go": "go test", "jest": "npx jest", "phpunit": "vendor/bin/phpunit"}

func testHitOf(h *query.TestHit) *testHit {
	out := &testHit{
		At: place(h.Symbol.Path, h.Symbol.Line), Name: h.Symbol.Qualified, Reason: h.Reason, Run: runners[h.Runner] + " " + h.Selector,
		Certainty: h.Certainty, Stale: h.Stale.Stale, Via: []string{},
	}
	for i := range h.Witness {
		out.Via = append(out.Via, site(&h.Witness[i]))
	}
	return out
}
