package cli

import (
	"fmt"
	"strings"

	"codeidx/query"
)

// testReasons are the groups of an answer, strongest first.
var testReasons = []struct{ reason, title string }{
	{"changed", "among what changes"},
	{"calls", "reach it"},
	{"setup", "reach it by setup, fixtures or what they make (by convention)"},
	{"class", "reach its class (no call of it was found)"},
	{"imports", "import it"},
	{"name", "hints by name alone"},
}

// renderTests prints the tests by how they were found.
func (a *app) renderTests(r *query.Response) {
	for _, group := range testReasons {
		var lines []listed
		for _, it := range r.Items {
			if h := it.(*query.TestHit); h.Reason == group.reason {
				lines = append(lines, testLine(h))
			}
		}
		if len(lines) > 0 {
			fmt.Fprintln(a.out, a.paint(bold, fmt.Sprintf("%s: %s", plural(len(lines), "test"), group.title)))
			a.printListed(lines, "  ")
		}
	}
	if !a.quiet {
		a.printNote(dim, r.Limitations[len(r.Limitations)-1])
	}
}

func testLine(h *query.TestHit) listed {
	l := symbolLine(h.Symbol, h.Stale.Stale)
	l.kind, l.mark, l.rest, l.whole = h.Runner, plain, witnessPath(h.Witness), true
	if h.Granularity == "module" {
		l.name = "(whole file)"
	}
	if h.Certainty == "candidate" {
		l.mark, l.rest = dim, "candidate  "+l.rest
	}
	return l
}

// witnessPath shows a path of calls and uses as sites.
func witnessPath(edges []query.Edge) string {
	var parts []string
	for _, e := range edges {
		parts = append(parts, fmt.Sprintf("%s %s at %s", e.Kind, e.Name, place(e.Path, e.Line, 0)))
	}
	return strings.Join(parts, " → ")
}
