package cli

import (
	"fmt"
	"slices"
	"strings"

	"codeidx/query"
)

// renderSearch prints a line a hit: its place, the text with the matches
// marked and the definition around it.
func (a *app) renderSearch(r *query.Response) {
	if a.nul {
		for _, it := range r.Items {
			h := it.(*query.SearchHit)
			fmt.Fprintf(a.out, "%s\x00%d:%d:%s\n", h.Path, h.Line, h.Col, h.Text)
		}
		return
	}
	wide := 0
	for _, it := range r.Items {
		h := it.(*query.SearchHit)
		if n := columns(printable(place(h.Path, h.Line, h.Col))); n <= widestPlace {
			wide = max(wide, n)
		}
	}
	for _, it := range r.Items {
		a.printHit(it.(*query.SearchHit), wide)
	}
}

// symbolColumns is how much of a terminal's line the enclosing definition may
// take.
const symbolColumns = 36

func (a *app) printHit(h *query.SearchHit, wide int) {
	at := printable(place(h.Path, h.Line, h.Col))
	line := a.paint(cyan, at) + strings.Repeat(" ", max(wide-columns(at), 0)) + "  "
	used := max(columns(at), wide) + 2
	in := ""
	if h.In != nil {
		in = "in " + printable(h.In.Qualified)
	}
	room := 0
	if a.tty {
		in = clip(in, symbolColumns)
		room = max(a.width-used-columns(in)-2, 20)
	}
	line += a.paintMatches(h, room)
	if in != "" {
		line += "  " + a.paint(dim, in)
	}
	if h.Untrusted {
		line += "  " + a.paint(magenta, h.Layer)
	}
	if h.Stale.Stale {
		line += a.paint(yellow, " [stale]")
	}
	fmt.Fprintln(a.out, strings.TrimRight(line, " "))
}

// paintMatches is the text of a hit without its indent, at most room columns
// wide where room is not 0. What is left out at either end shows as "…".
func (a *app) paintMatches(h *query.SearchHit, room int) string {
	text := strings.TrimRight(h.Text, "\r")
	start := len(text) - len(strings.TrimLeft(text, " \t"))
	if h.TextCol > 1 {
		start = 0
	}
	if len(h.Marks) > 0 {
		start = min(start, h.Marks[0][0])
	}
	var parts []span
	if h.TextCol > 1 {
		parts = append(parts, span{text: "…", look: dim})
	}
	for _, m := range h.Marks {
		if m[0] >= len(text) {
			break
		}
		end := min(m[1], len(text))
		parts = append(parts, span{text: text[start:m[0]]}, span{text: text[m[0]:end], look: matched})
		start = end
	}
	parts = append(parts, span{text: text[start:]})
	if h.TextCol > 0 && h.TextCol-1+len(h.Text) < h.Length {
		parts = append(parts, span{text: "…", look: dim})
	}
	return a.paintSpans(parts, room)
}

// span is a part of a line in one look.
type span struct {
	text string
	look style
}

// matched is the look of what was searched for.
const matched style = "1;31"

// paintSpans joins spans up to room columns, all of them where room is 0. A
// match that would fall outside shows with the end of what precedes it.
func (a *app) paintSpans(parts []span, room int) string {
	for i := range parts {
		parts[i].text = strings.ReplaceAll(printable(parts[i].text), "\t", "    ")
	}
	if room == 0 {
		var b strings.Builder
		for _, p := range parts {
			b.WriteString(a.paint(p.look, p.text))
		}
		return b.String()
	}
	showMatch(parts, room)
	var b strings.Builder
	for _, p := range parts {
		text := clip(p.text, room)
		b.WriteString(a.paint(p.look, text))
		if room -= columns(text); text != p.text {
			break
		}
	}
	return b.String()
}

// showMatch cuts the beginning of what precedes the first match where both do
// not fit into room columns.
func showMatch(parts []span, room int) {
	i := slices.IndexFunc(parts, func(p span) bool { return p.look == matched })
	if i <= 0 {
		return
	}
	match := columns(parts[i].text)
	before := &parts[i-1].text
	for _, p := range parts[:i-1] {
		match += columns(p.text)
	}
	if columns(*before)+match > room {
		*before = clipLeft(*before, max(room-match, room/3))
	}
}

// clipLeft keeps the end of a text, at most width columns of it.
func clipLeft(text string, width int) string {
	runes := []rune(text)
	if len(runes) <= width {
		return text
	}
	if width <= 1 {
		return ""
	}
	return "…" + string(runes[len(runes)-width+1:])
}
