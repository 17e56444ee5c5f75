package cli

import (
	"fmt"
	"strings"

	"codeidx/hooks"
)

// Bounds of the lists of a pre-push report.
const (
	usesShown  = 10
	filesShown = 8
)

// pushNotice writes a line beside git's own. What a hook prints on stdout would
// come out among the output of git's caller.
func (s *session) pushNotice(text string) { fmt.Fprintf(s.err, "codeidx: %s\n", oneLine(text)) }

// renderPush prints what a push does: nothing where it changes no definition.
func (s *session) renderPush(p *hooks.Push) {
	if p.Skipped != "" {
		s.pushNotice("push of " + p.Branch + " is not checked: " + p.Skipped)
		return
	}
	if p.Changed == 0 && len(p.Uses) == 0 {
		return
	}
	head := fmt.Sprintf("push of %s (%.12s..%.12s): %s changed or removed", p.Branch, p.Old, p.New, plural(p.Changed, "definition"))
	if n := p.Proven(); n > 0 {
		head += ", " + plural(n, "use") + " broken"
	}
	s.pushNotice(head)
	for i := range p.Uses {
		if i == usesShown {
			fmt.Fprintf(s.err, "  … and %d more\n", len(p.Uses)-i)
			break
		}
		u := &p.Uses[i]
		from, mark := "", "may break"
		if u.From != "" {
			from = u.From + " "
		}
		if u.Proven {
			mark = "proven"
		}
		fmt.Fprintf(s.err, "  %s:%d:%d  %s  [%s, %s]\n", printable(u.Path), u.Line, u.Col, printable(from+u.What), mark, u.Rule)
	}
	if len(p.Affected) > 0 {
		var list []string
		for _, f := range p.Affected {
			list = append(list, fmt.Sprintf("%s (%d)", printable(f.Path), f.Sites))
		}
		fmt.Fprintf(s.err, "  uses in: %s\n", some(list))
	}
	if len(p.Tests) > 0 {
		var list []string
		for _, t := range p.Tests {
			list = append(list, printable(t))
		}
		fmt.Fprintf(s.err, "  tests to run: %s\n", some(list))
	}
}

// some joins the first elements of a list and counts the rest.
func some(list []string) string {
	text := strings.Join(list[:min(len(list), filesShown)], ", ")
	if n := len(list) - filesShown; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}
