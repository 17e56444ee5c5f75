package cli

import (
	"fmt"
	"strings"

	"codeidx/query"
)

// renderExplore prints each seed with its first lines and the calls around it.
func (a *app) renderExplore(r *query.Response) {
	around := map[string][]*query.Finding{}
	var seeds []*query.Finding
	for _, it := range r.Items {
		f := it.(*query.Finding)
		if f.Role == "seed" {
			seeds = append(seeds, f)
		} else {
			around[f.Of] = append(around[f.Of], f)
		}
	}
	for i, s := range seeds {
		if i > 0 {
			fmt.Fprintln(a.out)
		}
		a.renderSeed(s)
		var lines []listed
		for _, f := range around[s.Symbol.ID] {
			lines = append(lines, findingLine(f))
		}
		a.printListed(lines, "  ")
	}
	a.renderMatches(around[""])
}

// renderMatches lists what else the words fit, one definition a file.
func (a *app) renderMatches(more []*query.Finding) {
	if len(more) == 0 {
		return
	}
	fmt.Fprintln(a.out, "\n"+a.paint(bold, "also:"))
	var lines []listed
	for _, f := range more {
		l := symbolLine(f.Symbol, f.Stale.Stale)
		if l.mark = plain; f.Doc != "" {
			l.rest = f.Doc
		}
		lines = append(lines, l)
	}
	a.printListed(lines, "  ")
}

func (a *app) renderSeed(s *query.Finding) {
	a.printListed([]listed{symbolLine(s.Symbol, s.Stale.Stale)}, "")
	var facts []string
	if s.Doc != "" {
		facts = append(facts, s.Doc)
	}
	if s.Callers > 0 {
		facts = append(facts, plural(s.Callers, "caller")+fmt.Sprintf(" (%s)", plural(s.Tests, "test")))
	}
	if s.SameName > 0 {
		facts = append(facts, plural(s.SameName, "more definition")+" of this name: git codeidx symbols "+s.Symbol.Name)
	}
	if s.Why != "" {
		facts = append(facts, s.Why)
	}
	for _, f := range facts {
		fmt.Fprintln(a.out, "  "+a.paint(dim, clip(printable(f), a.width-2)))
	}
	if s.Text != nil {
		a.printSource(s.Text, "  ")
	}
}

func findingLine(f *query.Finding) listed {
	l := symbolLine(f.Symbol, f.Stale.Stale)
	l.kind, l.mark = f.Role, plain
	if len(f.Steps) > 0 {
		l.rest, l.whole = witnessPath(f.Steps), true
	}
	if e := f.Edge; e != nil {
		l.rest = "at " + place(e.Path, e.Line, e.Col) + "  " + howBound(e.Resolution, e.Dispatch, e.Rule, e.Confidence)
	}
	return l
}

// renderSource prints captured lines with their numbers.
func (a *app) renderSource(r *query.Response) {
	for _, it := range r.Items {
		s := it.(*query.Snippet)
		if s.Symbol != nil {
			a.printListed([]listed{symbolLine(*s.Symbol, s.Stale.Stale)}, "")
		}
		a.printSource(s, "")
	}
}

func (a *app) printSource(s *query.Snippet, indent string) {
	n := len(fmt.Sprint(s.Last))
	for i, line := range strings.SplitAfter(s.Text, "\n") {
		if line == "" {
			continue
		}
		number := fmt.Sprintf("%*d", n, s.First+i)
		fmt.Fprintf(a.out, "%s%s  %s\n", indent, a.paint(dim, number), printable(strings.TrimRight(line, "\r\n")))
	}
}
