package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"codeidx/query"
)

// renderMap prints folders and files as an indented tree with line counts.
func (a *app) renderMap(r *query.Response) {
	for _, it := range r.Items {
		p := it.(*query.Place)
		indent := strings.Repeat("  ", p.Depth)
		if p.Type == "folder" {
			fmt.Fprintf(a.out, "%s%s  %s\n", indent, a.paint(bold, strings.TrimSuffix(p.Path, "/")+"/"),
				a.paint(dim, fmt.Sprintf("%s, %s: %s", plural(p.Files, "file"), plural(p.Lines, "line"), languages(p.Langs))))
			continue
		}
		fmt.Fprintf(a.out, "%s%s  %s\n", indent, a.paint(cyan, p.Path), a.paint(dim, fileFacts(p)))
		for _, s := range p.Symbols {
			text := s.Signature
			if text == "" {
				text = s.Kind + " " + s.Qualified
			}
			fmt.Fprintf(a.out, "%s  %s  %s\n", indent, a.paint(dim, pad(fmt.Sprintf(":%d", s.Line), 6)), clip(printable(text), max(a.width-len(indent)-12, 20)))
		}
		if p.Hidden > 0 {
			fmt.Fprintf(a.out, "%s  %s\n", indent, a.paint(dim, fmt.Sprintf("… %d more", p.Hidden)))
		}
	}
}

func fileFacts(p *query.Place) string {
	s := plural(p.Lines, "line")
	if p.UsedBy > 0 {
		s += ", used by " + plural(p.UsedBy, "file")
	}
	return s
}

func languages(lines map[string]int) string {
	names := make([]string, 0, len(lines))
	for l := range lines {
		names = append(names, l)
	}
	slices.SortFunc(names, func(x, y string) int { return cmp.Or(cmp.Compare(lines[y], lines[x]), cmp.Compare(x, y)) })
	return strings.Join(names, ", ")
}
