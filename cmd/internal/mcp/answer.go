package mcp

import (
	"fmt"
	"slices"
	"strings"

	"codeidx/query"
)

// answer is the one document of every question. Places are "path:line", so
// that an agent can open them as they stand.
type answer struct {
	Summary string `json:"summary"` // says in words what was found and what that leaves open
	Repo    string `json:"repo"`    // top of the work tree that answered
	// Freshness is fresh (the index equals the files) or stale. A stale answer
	// is never complete, and its items are marked where they lean on a file
	// that differs.
	Freshness string `json:"freshness"`
	SyncedMS  int64  `json:"synced_ms,omitempty"`  // time taken to bring the index up to date first
	NotSynced string `json:"not_synced,omitempty"` // why that failed; the answer is then the old index's
	Complete  bool   `json:"complete"`
	// Of lists the definitions that the question was about; items name theirs
	// by its position from 1 where there are several.
	Of         []string `json:"of,omitempty"`
	Items      []any    `json:"items"`
	Total      int      `json:"total"`
	NextCursor string   `json:"next_cursor,omitempty"`
	Unresolved string   `json:"unresolved,omitempty"` // sites that could mean the name
	Sites      []string `json:"sites,omitempty"`      // the first of them, where nothing else was found
	Differ     []string `json:"differ,omitempty"`     // files that differ from the index
	Drift      int      `json:"drift,omitempty"`      // recorded changes that are not settled
	Notes      []string `json:"notes,omitempty"`
	Next       string   `json:"next,omitempty"` // what to ask next

	from   int                 // position of Items[0] among all
	limit  int                 // most items; 0 is no bound
	cursor func(at int) string // nil where the question has no pages
	shrink func(step int) bool // makes items smaller; false where no step is left
}

// Bounds of lists beside the items.
const (
	maxOf     = 12
	maxDiffer = 12
)

// newAnswer takes over what all answers share. The summary and the items are
// the question's own.
func (c *call) newAnswer(r *query.Response) *answer {
	a := &answer{
		Repo: c.repo().Top, Freshness: r.Freshness, SyncedMS: c.synced.Milliseconds(), Complete: r.Complete,
		Items: []any{}, Total: r.Total, Drift: r.Drift.Entries, Unresolved: unresolved(r.Unbound),
	}
	for _, w := range r.StaleWarnings {
		a.Differ = append(a.Differ, w.Path+" ("+w.Reason+")")
	}
	a.Differ = head(a.Differ, maxDiffer)
	reasons := slices.DeleteFunc(slices.Clone(r.Partial), isPaging)
	if len(reasons) == 0 && len(r.Partial) > 0 {
		a.Complete = a.Freshness == "fresh" // pages are cut here, not there
	}
	for _, part := range [][]string{reasons, r.Notes, r.Capability.Missing} {
		for _, n := range part {
			a.Notes = append(a.Notes, forTools(n))
		}
	}
	if c.unsynced != nil {
		_, why, _ := c.Explain(c.unsynced)
		a.NotSynced = clip(why, 300)
	}
	if r.Outside > 0 {
		a.Notes = append(a.Notes, fmt.Sprintf("%d more outside the path filter", r.Outside))
	}
	if a.Freshness == "stale" {
		a.Next = "sync, or read the files named in differ"
	}
	return a
}

// isPaging says whether an answer is partial for its limit alone.
func isPaging(reason string) bool { return strings.HasPrefix(reason, "limit:") }

// forTools turns a hint for the command line into one for tools.
func forTools(s string) string {
	return strings.NewReplacer(": git codeidx sync", ": call sync", "git codeidx index", "sync", "git codeidx sync", "sync").Replace(clip(s, 300))
}

// about lists the definitions that the question was bound to and returns the
// position of each by its id.
func (a *answer) about(of []query.Sym) map[string]int {
	pos := map[string]int{}
	for i := range of {
		s := &of[i]
		pos[s.ID] = i + 1
		a.Of = append(a.Of, fmt.Sprintf("%s %s %s", s.Qualified, s.Kind, place(s.Path, s.Line)))
	}
	a.Of = head(a.Of, maxOf)
	return pos
}

// head cuts a list and says how much is left out.
func head(list []string, n int) []string {
	if len(list) <= n {
		return list
	}
	return append(list[:n:n], fmt.Sprintf("and %d more", len(list)-n))
}

func unresolved(u *query.Unbound) string {
	if u == nil {
		return ""
	}
	return fmt.Sprintf("%s of the name %s in %s: any could mean it", unbound(u), clip(u.Name, 80), plural(u.Files, "file"))
}

// nothing says what an empty answer means: none known is not none.
func (a *answer) nothing(what string, u *query.Unbound) string {
	s := "no " + what + " found"
	switch {
	case a.Freshness == "stale":
		s += " in the index, and files differ from it: there may be some"
	case u != nil:
		s += "; " + unbound(u) + " could mean it"
	case !a.Complete:
		s += ", but the answer is not complete"
	default:
		s += ", and no unresolved site has its name"
	}
	return s
}

// unknown is the summary where no definition has the name.
func (a *answer) unknown(r *query.Response, name string) string {
	a.Notes = nil
	a.Next = "symbols with a part of the name, or grep"
	s := fmt.Sprintf("no indexed definition is called %q", clip(name, 120))
	switch {
	case a.Freshness == "stale":
		s += ", but files differ from the index: call sync"
	case r.Unbound != nil:
		s += "; " + unbound(r.Unbound) + " with that name: it may come from outside the repository"
	default:
		s += "; nothing refers to that name either"
	}
	return s
}

// unbound counts the sites that could not be bound.
func unbound(u *query.Unbound) string {
	if u.Sites == 1 {
		return "1 unresolved site"
	}
	return fmt.Sprintf("%d unresolved sites", u.Sites)
}

// plural counts what its first word names.
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	first, rest, _ := strings.Cut(what, " ")
	return strings.TrimSuffix(fmt.Sprintf("%d %ss %s", n, first, rest), " ")
}

// clip cuts a text to n bytes at a rune.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}

func place(path string, line uint32) string { return fmt.Sprintf("%s:%d", path, line) }

func span(path string, first, last uint32) string {
	if last <= first {
		return place(path, first)
	}
	return fmt.Sprintf("%s:%d-%d", path, first, last)
}
