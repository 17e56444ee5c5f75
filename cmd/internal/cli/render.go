package cli

import (
	"fmt"
	"slices"
	"strings"

	"codeidx/query"
)

// render prints an answer for people: path:line first, then what it is. One
// blank line parts the groups; the last lines say how complete and how fresh
// the answer is.
func (a *app) render(r *query.Response) {
	switch r.Operation.Kind {
	case "callers", "callees", "references":
		a.renderRelations(r)
	case "impact", "impact-changes":
		a.renderImpact(r)
	case "tests":
		a.renderTests(r)
	case "live-read":
		a.renderLive(r)
	case "changes":
		a.renderChanges(r)
	case "explore":
		a.renderExplore(r)
	case "map":
		a.renderMap(r)
	case "search":
		a.renderSearch(r)
	case "read", "code":
		a.renderSource(r)
	default:
		a.renderList(r)
	}
	if !a.quiet && !a.nul {
		a.renderFooter(r)
	}
}

// place is PATH:LINE[:COL] as terminals and editors link it.
func place(path string, line, col uint32) string {
	if col > 0 {
		return fmt.Sprintf("%s:%d:%d", path, line, col)
	}
	return fmt.Sprintf("%s:%d", path, line)
}

// listed is one line of a list: a place, what stands there and a dim rest.
type listed struct {
	place string
	kind  string
	name  string
	rest  string
	stale bool
	mark  style
	whole bool // rest is evidence: it goes on in further lines rather than being cut
}

// widestPlace bounds the first column, so that one long path does not push
// everything off the screen.
const widestPlace = 60

func (a *app) printListed(lines []listed, indent string) {
	wide, kind := 0, 0
	for _, l := range lines {
		if n := columns(printable(l.place)); n <= widestPlace {
			wide = max(wide, n)
		}
		kind = max(kind, len(l.kind))
	}
	for _, l := range lines {
		at := printable(l.place)
		used := len(indent) + max(columns(at), wide) + 2 + columns(l.name) + 2
		line := indent + a.paint(cyan, at) + strings.Repeat(" ", max(wide-columns(at), 0)) + "  "
		if kind > 0 {
			used += kind + 2
			line += a.paint(dim, pad(l.kind, kind)) + "  "
		}
		look := l.mark
		if look == plain {
			look = bold
		}
		line += a.paint(look, l.name)
		if l.stale {
			line += a.paint(yellow, " [stale]")
			used += 8
		}
		a.printRest(line, printable(l.rest), indent+"    ", a.width-used, l.whole)
	}
}

// leastRest is the room, in columns, that the rest of a line is cut to; on a
// terminal it goes into lines of its own where there is less.
const leastRest = 20

// printRest ends a line with its rest: behind it where there is room, else cut,
// or below it.
func (a *app) printRest(line, rest, indent string, room int, whole bool) {
	var below []string
	switch {
	case columns(rest) <= room || whole && !a.tty:
	case whole:
		below, rest = wrap(rest, a.width-len(indent)), ""
	case a.tty && room < leastRest:
		below, rest = []string{clip(rest, a.width-len(indent))}, ""
	default:
		rest = clip(rest, max(room, leastRest))
	}
	if rest != "" {
		line += "  " + a.paint(dim, rest)
	}
	fmt.Fprintln(a.out, strings.TrimRight(line, " "))
	for _, l := range below {
		fmt.Fprintln(a.out, indent+a.paint(dim, l))
	}
}

// printNote prints a sentence, on a terminal in lines that fit.
func (a *app) printNote(look style, text string) {
	lines := []string{text}
	if a.tty {
		lines = wrap(printable(text), a.width)
	}
	for _, l := range lines {
		fmt.Fprintln(a.out, a.paint(look, l))
	}
}

func symbolLine(s query.Sym, stale bool) listed {
	l := listed{place: place(s.Path, s.Line, 0), kind: s.Kind, name: s.Qualified, rest: s.Signature, stale: stale}
	if s.Parse == "partial" {
		l.rest += "  (the file has syntax errors)"
	}
	return l
}

// renderList prints operations whose items are single lines.
func (a *app) renderList(r *query.Response) {
	var lines []listed
	for _, it := range r.Items {
		switch it := it.(type) {
		case *query.Definition:
			lines = append(lines, symbolLine(it.Symbol, it.Stale.Stale))
		case *query.EdgeLine:
			lines = append(lines, edgeLine(it))
		case *query.Diagnostic:
			lines = append(lines, diagnosticLine(it))
		}
	}
	if r.Operation.Kind == "diagnostics" {
		a.renderReasons(r)
	}
	a.printListed(lines, "")
}

func edgeLine(e *query.EdgeLine) listed {
	target := place(e.DefPath, e.DefLine, 0)
	if e.DefLine == 0 {
		target = e.DefPath
	}
	rest := fmt.Sprintf("-> %s  %s", target, howBound(e.Resolution, e.Dispatch, e.Rule, e.Confidence))
	return listed{place: place(e.Path, e.Line, e.Col), kind: e.Kind, name: e.Name, rest: rest, stale: e.Stale.Stale}
}

// howBound says how an edge was resolved and how sure it is.
func howBound(resolution, dispatch, rule string, confidence float64) string {
	s := rule
	if resolution == "candidate" {
		s = fmt.Sprintf("candidate %.2f  %s", confidence, rule)
	}
	if dispatch != "" {
		s += "  (can be overridden)"
	}
	return s
}

func diagnosticLine(d *query.Diagnostic) listed {
	l := listed{place: d.Path, kind: d.Type, name: d.Reason, stale: d.Stale.Stale}
	if d.Line > 0 {
		l.place = place(d.Path, d.Line, d.Col)
		l.rest = fmt.Sprintf("%s %s in %s", d.Kind, d.Name, d.From)
	}
	return l
}

// renderReasons sums the diagnostics up before they are listed.
func (a *app) renderReasons(r *query.Response) {
	counts := map[string]int{}
	var order []string
	for _, it := range r.Items {
		if d, ok := it.(*query.Diagnostic); ok {
			k := d.Type + " " + d.Reason
			if counts[k] == 0 {
				order = append(order, k)
			}
			counts[k]++
		}
	}
	for _, k := range order {
		fmt.Fprintf(a.out, "%7d  %s\n", counts[k], k)
	}
	if len(order) > 0 {
		fmt.Fprintln(a.out)
	}
}

// renderFooter says what the answer leaves out, how sure it is and how fresh.
func (a *app) renderFooter(r *query.Response) {
	lines := slices.Clone(r.Notes)
	if u := r.Unbound; u != nil {
		lines = append(lines, fmt.Sprintf("%s more in %s could not be bound and may mean %q: git codeidx diagnostics",
			plural(u.Sites, "use"), plural(u.Files, "file"), u.Name))
	}
	if r.Outside > 0 {
		lines = append(lines, plural(r.Outside, "more relation")+" outside the path filter")
	}
	if r.Next != "" {
		atLeast := ""
		if r.AtLeast {
			atLeast = "at least "
		}
		lines = append(lines, fmt.Sprintf("%d of %s%d shown; the rest: --cursor %s", len(r.Items), atLeast, r.Total, r.Next))
	}
	for _, p := range r.Partial {
		if r.Next == "" || !strings.HasSuffix(p, query.GoOn) {
			lines = append(lines, "partial: "+p)
		}
	}
	lines = append(lines, r.Capability.Missing...)
	if len(r.Items) > 0 && (len(lines) > 0 || r.Freshness != "fresh") {
		fmt.Fprintln(a.out)
	}
	for _, l := range lines {
		a.printNote(dim, l)
	}
	a.renderFreshness(r)
}

// warningsShown bounds the stale paths that text output lists.
const warningsShown = 8

func (a *app) renderFreshness(r *query.Response) {
	if r.Freshness == "fresh" {
		if len(r.Items) == 0 {
			a.printNote(dim, emptyWords(r))
		}
		return
	}
	for i, w := range r.StaleWarnings {
		if i == warningsShown {
			fmt.Fprintln(a.out, a.paint(yellow, fmt.Sprintf("… and %d more stale files", len(r.StaleWarnings)-i)))
			break
		}
		fmt.Fprintln(a.out, a.paint(yellow, fmt.Sprintf("%s was %s after it was indexed", w.Path, w.Reason)))
	}
	words := "stale: 1 file differs from the index; bring it up to date: git codeidx sync"
	if n := r.Drift.Files; n != 1 {
		words = fmt.Sprintf("stale: %d files differ from the index; bring it up to date: git codeidx sync", n)
	}
	if len(r.Items) == 0 {
		words = "nothing in the index, which is stale: this is no proof that there is none. " + words
	}
	a.printNote(yellow, words)
}

func emptyWords(r *query.Response) string {
	if r.Before != nil && len(r.Of) == 0 {
		return "no difference in " + plural(r.Coverage.Files, "indexed file") + " (fresh)"
	}
	if len(r.Of) > 0 {
		return "none in " + plural(r.Coverage.Files, "indexed file") + " (fresh)"
	}
	return "no match in " + plural(r.Coverage.Files, "indexed file") + " (fresh)"
}
