package hooks

import (
	"fmt"
	"strings"
	"unicode"
)

// maxMarkdown bounds the text of a report, in bytes.
const maxMarkdown = 200 << 10

// markdown tells a report to a person.
func (r *Report) markdown() string {
	var b strings.Builder
	c := &r.Counts
	fmt.Fprintf(&b, "# What changed in the index\n\n%s, from index `%.16s` to `%.16s`", r.Time, r.From, r.Generation)
	if r.Commit != "" {
		fmt.Fprintf(&b, ", commit `%.12s`", r.Commit)
	}
	fmt.Fprintf(&b, ".\n\n| | |\n| --- | --- |\n| files | %d added, %d modified, %d deleted, %d renamed |\n", c.FilesAdded, c.FilesModified, c.FilesDeleted, c.FilesRenamed)
	fmt.Fprintf(&b, "| definitions | %d added, %d removed, %d changed, %d moved |\n", c.Added, c.Removed, c.Changed, c.Moved)
	fmt.Fprintf(&b, "| stale edges | %d, of these %d confirmed and %d not |\n", c.StaleEdges, c.Confirmed, c.StaleEdges-c.Confirmed)
	fmt.Fprintf(&b, "| slice boundaries | %d |\n| ledger entries | %d |\n", c.Boundaries, c.Entries)
	if r.Note != "" {
		fmt.Fprintf(&b, "\n%s.\n", r.Note)
	}
	for i := range r.Files {
		r.Files[i].markdown(&b)
		if b.Len() > maxMarkdown {
			fmt.Fprintf(&b, "\n… and %d more files.\n", len(r.Files)-i-1+r.MoreFiles)
			return b.String()
		}
	}
	if r.MoreFiles > 0 {
		fmt.Fprintf(&b, "\n… and %d more files.\n", r.MoreFiles)
	}
	if len(r.Boundaries) > 0 {
		b.WriteString("\n## Slice boundaries\n\n")
	}
	for _, x := range r.Boundaries {
		fmt.Fprintf(&b, "- %d lines from %s in %s into %s in %s\n", x.Lines, code(x.From), code(x.FromPath), code(x.To), code(x.ToPath))
	}
	if len(r.Unconfirmed) > 0 {
		b.WriteString("\n## Edges that were not confirmed\n\n")
	}
	for _, e := range r.Unconfirmed {
		if b.Len() > maxMarkdown {
			break
		}
		fmt.Fprintf(&b, "- %s %s %s (was at %s:%d)\n", code(e.From), e.Kind, code(e.To), code(e.Path), e.Line)
	}
	return b.String()
}

func (f *ReportFile) markdown(b *strings.Builder) {
	fmt.Fprintf(b, "\n## %s %s\n\n", f.Kind, code(f.Path))
	if f.OldPath != "" {
		fmt.Fprintf(b, "Before: %s\n\n", code(f.OldPath))
	}
	for _, x := range f.Added {
		fmt.Fprintf(b, "- added %s %s\n", x.Kind, code(x.Name))
	}
	for _, x := range f.Removed {
		fmt.Fprintf(b, "- removed %s %s\n", x.Kind, code(x.Name))
	}
	for _, x := range f.Changed {
		if x.FromPath+x.FromName != "" {
			fmt.Fprintf(b, "- %s %s %s from %s\n", x.How[0], x.Kind, code(x.Name), code(strings.TrimSpace(x.FromPath+" "+x.FromName)))
			continue
		}
		fmt.Fprintf(b, "- changed %s %s: %s\n", x.Kind, code(x.Name), strings.Join(x.How, ", "))
	}
}

// code quotes a text of the repository so that it is no markup, and neither
// drives a terminal nor turns the direction of what stands around it.
func code(text string) string {
	text = strings.Map(func(r rune) rune {
		if r == '`' || !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, text)
	return "`" + text + "`"
}
