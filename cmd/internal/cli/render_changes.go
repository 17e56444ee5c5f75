package cli

import (
	"strings"

	"codeidx/query"
)

// renderChanges prints each file that differs and under it its definitions.
func (a *app) renderChanges(r *query.Response) {
	a.printNote(dim, "from "+endpoint(r.Before)+" to "+endpoint(r.After))
	var inside []listed
	flush := func() {
		a.printListed(inside, "  ")
		inside = nil
	}
	for _, it := range r.Items {
		c := it.(*query.Change)
		if c.Type == "file" {
			flush()
			a.printListed([]listed{fileChangeLine(c)}, "")
			continue
		}
		inside = append(inside, symbolChangeLine(c))
	}
	flush()
}

func endpoint(e *query.Endpoint) string {
	switch e.State {
	case "worktree":
		return "the work tree as it is"
	case "live":
		return "what was synced since (" + e.BuiltAt + ")"
	}
	return "the " + e.State + " index (" + e.BuiltAt + ")"
}

var changeLook = map[string]style{"added": green, "deleted": red, "removed": red, "modified": yellow, "changed": yellow}

func fileChangeLine(c *query.Change) listed {
	l := listed{place: c.Path, name: c.Change, mark: changeLook[c.Change]}
	switch {
	case c.RenamedTo != "":
		l.rest = "the same bytes are now in " + c.RenamedTo
	case c.RenamedFrom != "":
		l.rest = "the same bytes were in " + c.RenamedFrom
	case c.Shifted > 0:
		l.rest = plural(c.Shifted, "definition") + " moved to another line"
	}
	return l
}

func symbolChangeLine(c *query.Change) listed {
	s := c.After
	if s == nil {
		s = c.Before
	}
	l := symbolLine(*s, false)
	l.kind, l.mark = c.Change, changeLook[c.Change]
	if s.Kind == "file" {
		l.name = "(module code)"
	}
	rest := []string{strings.Join(c.What, " and ")}
	if c.Before != nil && c.After != nil && c.Before.Signature != c.After.Signature {
		rest = append(rest, c.Before.Signature+" -> "+c.After.Signature)
	}
	if c.MovedFrom != "" {
		rest = append(rest, "moved from "+c.MovedFrom)
	}
	if c.MovedTo != "" {
		rest = append(rest, "moved to "+c.MovedTo)
	}
	l.rest = strings.Trim(strings.Join(rest, "  "), " ")
	if l.rest == "" {
		l.rest = s.Kind
	}
	return l
}
