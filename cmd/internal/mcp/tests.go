package mcp

import (
	"strings"

	"codeidx/query"
)

// testHit is a test that a change may concern.
type testHit struct {
	At        string   `json:"at"`
	Name      string   `json:"name"`
	Reason    string   `json:"reason,omitempty"` // changed, setup, class, imports or name; else it calls
	Via       []string `json:"via,omitempty"`
	Candidate string   `json:"candidate,omitempty"` // the first step that is not proven, or how else it was guessed
	Stale     bool     `json:"stale,omitempty"`
	// Run is a command line from the top. Of several tests in a row of one file
	// the first has it, for all of the file.
	Run string `json:"run,omitempty"`
}

// runners are the commands of the test runners.
var runners = map[string]string{"pytest": "pytest", "unittest": "pytest", "go": "go test", "jest": "npx jest", "phpunit": "vendor/bin/phpunit"}

func testHitOf(h *query.TestHit) *testHit {
	s := &h.Symbol
	out := &testHit{
		At: place(s.Path, s.Line), Name: s.Qualified, Reason: h.Reason, Via: sites(h.Witness, s.Path), Candidate: firstGuess(h.Witness),
		Stale: h.Stale.Stale, Run: runners[h.Runner] + " " + h.Selector,
	}
	if h.Certainty != "hard" && out.Candidate == "" {
		out.Candidate = "by " + h.Reason
	}
	if h.Reason == "calls" {
		out.Reason = ""
	}
	return out
}

// shareRuns leaves one command to tests in a row of one file. hits are those
// of a page.
func shareRuns(hits []*query.TestHit, items []any) {
	for i := 0; i < len(hits); {
		j := i + 1
		for j < len(hits) && hits[j].Symbol.Path == hits[i].Symbol.Path && hits[j].Runner == hits[i].Runner {
			items[j].(*testHit).Run = ""
			j++
		}
		if j > i+1 {
			items[i].(*testHit).Run = runners[hits[i].Runner] + " " + fileOf(hits[i])
		}
		i = j
	}
}

// fileOf is the part of a selector that means the whole file, or package.
func fileOf(h *query.TestHit) string {
	if h.Runner == "unittest" {
		return strings.TrimSuffix(h.Selector, "."+h.Symbol.Qualified)
	}
	file, _, _ := strings.Cut(h.Selector, " -")
	file, _, _ = strings.Cut(file, "::")
	return file
}
