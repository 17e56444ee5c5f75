package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"codeidx/query"
)

// briefBytes bounds the note for an agent's session.
const briefBytes = 600

// brief prints what an agent that begins should know of the index.
func (s *session) brief() error {
	s.foldDrift()
	ctx, cancel := context.WithTimeout(s.ctx, s.config.QueryDeadline)
	defer cancel()
	st, err := query.GetStatus(ctx, s.env(), s.config.Freshness.String(), s.resolvers)
	if err != nil {
		return err
	}
	text := briefText(st)
	if s.json {
		b, err := encodeJSON(map[string]string{"schema": "codeidx.brief.v1", "state": st.State, "text": text})
		s.out.Write(b)
		return err
	}
	_, err = s.out.WriteString(text)
	return err
}

// briefText says the state in a line or two, and as many of the changed paths as
// there is room for.
func briefText(st *query.Status) string {
	switch {
	case st.State == "missing":
		return "codeidx: no index here; make one with: git codeidx index\n"
	case st.State == "ready" && st.Changed.Total == 0:
		return fmt.Sprintf("codeidx: the index is up to date (%d files, built %s).\n", st.Coverage.Files, st.BuiltAt)
	case st.Coverage == nil:
		return "codeidx: the index cannot be read; see: git codeidx status\n"
	}
	const tail = "Answers mark what leans on them; bring it up to date with: git codeidx sync\n"
	head := fmt.Sprintf("codeidx: %d files differ from the index built %s", st.Changed.Total, st.BuiltAt)
	var paths []string
	for _, part := range [...]struct {
		sign string
		list []string
	}{{"~", st.Changed.Modified}, {"+", st.Changed.Added}, {"-", st.Changed.Deleted}, {"?", st.Changed.Unreadable}} {
		for _, p := range part.list {
			paths = append(paths, part.sign+printable(p))
		}
	}
	slices.SortFunc(paths, func(a, b string) int { return strings.Compare(a[1:], b[1:]) })
	room := briefBytes - len(head) - len(tail) - len(":  … and 1000000 more.\n")
	var shown []string
	for _, p := range paths {
		if room -= len(p) + 1; room < 0 {
			break
		}
		shown = append(shown, p)
	}
	if len(shown) > 0 {
		head += ": " + strings.Join(shown, " ")
	}
	if left := st.Changed.Total - len(shown); left > 0 && len(shown) > 0 {
		head += fmt.Sprintf(" … and %d more", left)
	}
	return head + ".\n" + tail
}
