package mcp

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"codeidx/query"
)

// explore answers with definitions, their first lines and the calls around
// them.
func explore(c *call) (document, error) {
	r, err := c.question("explore", nil, nil)
	if err != nil {
		return nil, err
	}
	a := c.newAnswer(r)
	if len(r.Of) == 0 {
		a.Summary = a.unknown(r, c.args.text("query"))
		return a, nil
	}
	names := map[string]string{}
	for i := range r.Of {
		names[r.Of[i].ID] = r.Of[i].Qualified
	}
	var found []*finding
	seeds := 0
	for _, it := range r.Items {
		f := findingOf(it.(*query.Finding), names)
		if f.Role == "seed" {
			seeds++
		}
		found = append(found, f)
		a.Items = append(a.Items, f)
	}
	a.Summary = fmt.Sprintf("%s, %s around", plural(seeds, "definition"), plural(len(found)-seeds, "call"))
	a.Next = cmp.Or(a.Next, "relations for all callers of one; read for the lines in cut")
	a.shrink = func(step int) bool { return shorten(found, step) }
	return a, nil
}

// shorten cuts the code of findings: to 8 lines, then to none.
func shorten(found []*finding, step int) bool {
	if step > 2 {
		return false
	}
	lines := []int{8, 0}[step-1]
	for _, f := range found {
		parts := strings.SplitAfterN(f.Code, "\n", lines+1)
		if f.Code == "" || len(parts) <= lines {
			continue
		}
		f.Code = strings.Join(parts[:lines], "")
		f.Cut = f.At
	}
	return true
}

// symbols finds definitions.
func symbols(c *call) (document, error) {
	a, r, err := c.best("symbols", nil, func(it query.Item) any { return definitionOf(it.(*query.Definition)) })
	if err != nil {
		return nil, err
	}
	a.Summary = plural(r.Total, "definition") + ", best first"
	if len(r.Items) == 0 {
		a.Summary = a.unknown(r, c.args.text("query"))
	}
	return a, nil
}

// search finds lines.
func search(c *call) (document, error) {
	match := "substring"
	if c.args["regex"] == true {
		match = "regex"
	}
	a, r, err := c.best("search", map[string]any{"match": match}, func(it query.Item) any { return hitOf(it.(*query.SearchHit)) })
	if err != nil {
		return nil, err
	}
	a.Summary = plural(r.Total, "line")
	if r.AtLeast {
		a.Summary = "at least " + a.Summary
	}
	switch {
	case len(r.Items) > 0:
	case a.Freshness == "stale":
		a.Summary = "no line found in the index, and files differ from it: there may be some"
	default:
		a.Summary = "no line of the indexed files matches; grep looks into others, too"
	}
	return a, nil
}

// best asks for the first items of a list that is not worked out to its end,
// and makes a page of it.
func (c *call) best(kind string, more map[string]any, item func(query.Item) any) (*answer, *query.Response, error) {
	var g *pages
	r, err := c.question(kind, more, func(p *query.Params) (err error) {
		g, err = c.pages(*p)
		p.Limit = g.from + g.limit
		return err
	})
	if err == nil {
		err = g.check(r)
	}
	if err != nil {
		return nil, nil, err
	}
	a := c.newAnswer(r)
	for _, it := range r.Items[min(g.from, len(r.Items)):] {
		a.Items = append(a.Items, item(it))
	}
	a.paged(g, r)
	return a, r, nil
}

// relations answers callers, callees, references, impact and tests.
func relations(c *call) (document, error) {
	kind := c.args.text("kind")
	delete(c.args, "kind") // an operation means definitions by it
	op := query.OpByName(kind)
	if err := c.unused(op, kind); err != nil {
		return nil, err
	}
	symbol := c.args.text("symbol")
	r, pages, err := c.listed(kind)
	if err != nil {
		return nil, err
	}
	a := c.newAnswer(r)
	pos := a.about(r.Of)
	proven := 0
	var hits []*query.TestHit
	for i, it := range r.Items {
		var item any
		guessed := false
		switch x := it.(type) {
		case *query.Relation:
			v := relationOf(x, kind, pos)
			item, guessed = v, v.Candidate != ""
		case *query.Impact:
			v := reachOf(x)
			item, guessed = v, v.Candidate != ""
		case *query.TestHit:
			item, guessed = testHitOf(x), x.Certainty != "hard"
			if i >= pages.from {
				hits = append(hits, x)
			}
		}
		if !guessed {
			proven++
		}
		if i >= pages.from {
			a.Items = append(a.Items, item)
		}
	}
	shareRuns(hits, a.Items)
	a.paged(pages, r)
	a.Summary = a.related(r, kind, symbol, proven)
	if r.Unbound == nil || r.Total > 0 {
		return a, nil
	}
	sites, err := r.Unbound.Places(maxUnbound)
	a.Sites = sitesOf(sites, maxUnbound)
	return a, err
}

// maxUnbound bounds the listed sites that could mean a name.
const maxUnbound = 10

func sitesOf(sites []query.Site, max int) []string {
	var out []string
	for _, s := range sites {
		out = append(out, place(s.Path, s.Line)+" in "+s.In)
	}
	return head(out, max)
}

// unused refuses an argument that the asked relation does not take.
func (c *call) unused(op *query.Op, kind string) error {
	for _, name := range slices.Sorted(maps.Keys(c.args)) {
		if slices.Contains([]string{"symbol", "cursor", "max_bytes", "repo"}, name) {
			continue
		}
		if !slices.ContainsFunc(op.Fields, func(f query.Field) bool { return f.Flag == name }) {
			return invalid("leave it out", "%s takes no %s", kind, name)
		}
	}
	return nil
}

// related says what was found.
func (a *answer) related(r *query.Response, kind, symbol string, proven int) string {
	what := map[string]string{"callers": "call", "callees": "call out of it", "references": "use", "impact": "definition that a change reaches", "tests": "test that a change may concern"}[kind]
	switch {
	case len(r.Of) == 0:
		return a.unknown(r, symbol)
	case r.Total == 0:
		return a.nothing(kind, r.Unbound)
	}
	s := plural(r.Total, what)
	if guessed := r.Total - proven; guessed > 0 {
		s += fmt.Sprintf(" (%d proven, %s)", proven, plural(guessed, "candidate"))
	}
	if len(r.Of) > 1 {
		s += fmt.Sprintf(", over %d definitions of the name", len(r.Of))
	}
	if r.Unbound != nil {
		s += "; " + unbound(r.Unbound) + " could be more"
	}
	return s
}

// question opens the work tree, decodes the arguments and asks.
func (c *call) question(kind string, more map[string]any, tune func(*query.Params) error) (*query.Response, error) {
	if err := c.begin(); err != nil {
		return nil, err
	}
	c.relative("path")
	c.relative("symbol")
	if kind == "impact" || kind == "tests" {
		more = map[string]any{"symbols": []string{c.args.text("symbol")}}
	}
	op := query.OpByName(kind)
	p, err := c.args.params(op, more)
	if err != nil {
		return nil, err
	}
	if tune != nil {
		if err := tune(&p); err != nil {
			return nil, err
		}
	}
	return c.ask(op, p)
}

// listed asks for all items of a list and finds the page in it.
func (c *call) listed(kind string) (*query.Response, *pages, error) {
	var g *pages
	r, err := c.question(kind, nil, func(p *query.Params) (err error) {
		g, err = c.pages(*p)
		p.Limit = 0
		return err
	})
	if err == nil {
		err = g.check(r)
	}
	return r, g, err
}

// pages is a place in a list: a cursor is the position with a mark of the
// question and the index, so that no page mixes two states of the code.
type pages struct {
	from, limit int
	mark        string // of the cursor given, "" for none
	asked       query.Params
}

func (c *call) pages(p query.Params) (*pages, error) {
	g := &pages{limit: p.Limit, asked: p}
	g.asked.Limit = 0
	cursor := c.args.text("cursor")
	if cursor == "" {
		return g, nil
	}
	at, mark, ok := strings.Cut(cursor, ".")
	n, err := strconv.Atoi(at)
	if !ok || err != nil || n < 0 || n > 1<<20 || mark == "" {
		return g, invalid("use next_cursor of the answer before, unchanged", "cursor %.80q is malformed", cursor)
	}
	g.from, g.mark = n, mark
	return g, nil
}

func (g *pages) markOf(r *query.Response) string {
	text, _ := json.Marshal(g.asked)
	h := sha256.Sum256(append([]byte(r.Fingerprint), text...))
	return hex.EncodeToString(h[:6])
}

func (g *pages) check(r *query.Response) error {
	if g.mark == "" || g.mark == g.markOf(r) {
		return nil
	}
	return &query.Error{Code: query.CodeChanged, Message: "the cursor belongs to another question, or the code has changed since", Hint: "ask again without cursor"}
}

// paged makes the answer one page of a list.
func (a *answer) paged(g *pages, r *query.Response) {
	mark := g.markOf(r)
	a.from, a.limit = g.from, g.limit
	a.cursor = func(at int) string { return fmt.Sprintf("%d.%s", at, mark) }
}
