package cli

import (
	"fmt"
	"strings"

	"codeidx/query"
)

// liveMark is what stands before a line of a kind, as in a diff.
var liveMark = map[string]struct {
	sign string
	look style
}{"same": {" ", plain}, "added": {"+", green}, "changed": {"~", yellow}, "removed": {"-", red}}

// renderLive prints the lines of a file as it is, with a sign where the index
// has something else, and the definitions that differ.
func (a *app) renderLive(r *query.Response) {
	for _, it := range r.Items {
		l := it.(*query.LiveText)
		fmt.Fprintf(a.out, "%s  %s\n", a.paint(cyan, l.Path), a.paint(dim, liveState(l.State)))
		a.printLiveLines(l)
		var touched []listed
		for _, t := range l.Touched {
			line := symbolLine(t.Symbol, false)
			line.kind, line.mark, line.rest = t.Change, changeLook[t.Change], strings.Join(t.What, " and ")
			if t.Symbol.Kind == "file" {
				line.name = "(module code)"
			}
			touched = append(touched, line)
		}
		if len(touched) > 0 {
			fmt.Fprintln(a.out)
		}
		a.printListed(touched, "")
	}
}

func liveState(state string) string {
	switch state {
	case "same":
		return "equal to the index"
	case "added":
		return "not indexed yet"
	}
	return "as it is now; differs from the index"
}

func (a *app) printLiveLines(l *query.LiveText) {
	lines := strings.SplitAfter(l.Text, "\n")
	wide := len(fmt.Sprint(l.Last))
	for _, m := range l.Marks {
		mark := liveMark[m.Kind]
		if m.Kind == "removed" {
			gone := fmt.Sprintf("%*s  - %s of the index removed, from line %d on", wide, "", plural(m.Count, "line"), m.Old)
			fmt.Fprintln(a.out, a.paint(mark.look, gone))
			continue
		}
		for n := m.First; n <= m.Last; n++ {
			text := strings.TrimRight(lines[n-l.First], "\r\n")
			fmt.Fprintf(a.out, "%s  %s\n", a.paint(dim, fmt.Sprintf("%*d", wide, n)), strings.TrimRight(a.paint(mark.look, mark.sign+" "+text), " "))
		}
	}
}
