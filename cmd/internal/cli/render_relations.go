package cli

import (
	"fmt"
	"strings"

	"codeidx/query"
)

// renderRelations prints each asked definition and under it its relations.
func (a *app) renderRelations(r *query.Response) {
	byOf := map[string][]*query.Relation{}
	for _, it := range r.Items {
		rel := it.(*query.Relation)
		byOf[rel.Of] = append(byOf[rel.Of], rel)
	}
	stale := map[string]bool{}
	for _, w := range r.StaleWarnings {
		stale[w.Path] = true
	}
	for i, of := range r.Of {
		if i > 0 {
			fmt.Fprintln(a.out)
		}
		a.printListed([]listed{symbolLine(of, stale[of.Path])}, "")
		list := byOf[of.ID]
		a.printListed(relationLines(list, r.Operation.Kind), "  ")
		fmt.Fprintln(a.out, a.paint(dim, "  "+relationCount(list, r.Operation.Kind)))
	}
}

func relationLines(list []*query.Relation, op string) []listed {
	lines := make([]listed, 0, len(list))
	for _, rel := range list {
		l := listed{place: place(rel.Edge.Path, rel.Edge.Line, rel.Edge.Col), name: rel.Symbol.Qualified, stale: rel.Stale.Stale, mark: plain}
		if rel.Depth > 1 {
			l.name = strings.Repeat("· ", rel.Depth-1) + l.name
		}
		if op == "references" {
			l.kind = rel.Edge.Kind
		}
		if op == "callees" {
			l.rest = place(rel.Symbol.Path, rel.Symbol.Line, 0) + "  "
		}
		l.rest += howBound(rel.Edge.Resolution, rel.Edge.Dispatch, rel.Edge.Rule, rel.Edge.Confidence)
		if rel.Edge.Resolution == "candidate" {
			l.mark = dim
		}
		lines = append(lines, l)
	}
	return lines
}

func relationCount(list []*query.Relation, op string) string {
	sites, candidates := 0, 0
	symbols := map[string]bool{}
	for _, rel := range list {
		if rel.Edge.Resolution == "candidate" {
			candidates++
			continue
		}
		sites++
		symbols[rel.Symbol.ID] = true
	}
	words := map[string]string{"callers": "caller", "callees": "callee", "references": "user"}
	s := fmt.Sprintf("%s proven at %s", plural(len(symbols), words[op]), plural(sites, "site"))
	if candidates > 0 {
		s += ", " + plural(candidates, "candidate")
	}
	return s
}

// renderImpact groups what is reached by file, with the number of steps.
func (a *app) renderImpact(r *query.Response) {
	var lines []listed
	hard, files := 0, map[string]bool{}
	for _, it := range r.Items {
		im := it.(*query.Impact)
		files[im.Symbol.Path] = true
		l := symbolLine(im.Symbol, im.Stale.Stale)
		l.kind = plural(im.Depth, "step")
		l.rest, l.whole = witnessPath(im.Witness), true
		if im.Certainty == "hard" {
			hard++
		} else {
			l.mark, l.rest = dim, "candidate  "+l.rest
		}
		if im.Granularity == "module" {
			l.name = "(module code)"
		}
		if im.Side != "" {
			l.kind = pad(im.Side, len("before")) + "  " + l.kind
		}
		lines = append(lines, l)
	}
	a.printListed(lines, "")
	if len(r.Items) > 0 {
		fmt.Fprintln(a.out, a.paint(dim, fmt.Sprintf("%s proven, %s, in %s", plural(hard, "definition"), plural(len(r.Items)-hard, "candidate"), plural(len(files), "file"))))
	}
}
