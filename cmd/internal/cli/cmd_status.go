package cli

import (
	"context"
	"fmt"
	"slices"

	"codeidx/hooks"
	"codeidx/query"
)

type statusCmd struct {
	outputFlags
	Freshness string `help:"How to verify: strict or stat." placeholder:"MODE" enum:",strict,stat" default:""`
}

func (c *statusCmd) Run(a *app) error {
	c.apply(a)
	s, err := a.open(false)
	if err != nil {
		return err
	}
	defer s.close()
	st, err := s.status(c.Freshness)
	if err != nil {
		return err
	}
	if a.json {
		b, err := encodeJSON(st)
		a.out.Write(b)
		return err
	}
	s.renderStatus(st)
	return nil
}

// status reports the state of the index. An empty mode is the configuration's.
func (s *session) status(mode string) (*query.Status, error) {
	if mode == "" {
		mode = s.config.Freshness.String()
	}
	ctx, cancel := context.WithTimeout(s.ctx, s.config.QueryDeadline)
	defer cancel()
	return query.GetStatus(ctx, s.env(), mode, s.resolvers)
}

func (s *session) renderStatus(st *query.Status) {
	line := func(label, text string) { fmt.Fprintf(s.out, "%s  %s\n", s.paint(dim, pad(label, 10)), text) }
	look := map[string]style{"ready": green, "stale": yellow, "missing": yellow, "failed": red}[st.State]
	line("index", s.paint(look, st.State))
	if st.State == "missing" {
		line("", "make one: git codeidx index")
		return
	}
	if st.Problem != "" {
		line("problem", s.paint(red, st.Problem))
		line("", "see: git codeidx fsck; rebuild: git codeidx index")
	}
	if st.Coverage == nil {
		return
	}
	line("verified", fmt.Sprintf("%s (%s)", st.Freshness, st.Mode))
	s.renderChanged(st)
	line("files", fmt.Sprintf("%d indexed, %d with syntax errors, %d not parsed", st.Coverage.Files, st.Coverage.Partial, st.Coverage.Failed))
	for _, reason := range sortedReasons(st.Coverage.Omitted) {
		line("", fmt.Sprintf("%d left out: %s", st.Coverage.Omitted[reason], reason))
	}
	line("graph", fmt.Sprintf("%s, %s, %s", plural(st.Coverage.Symbols, "definition"), plural(st.Coverage.Resolved, "proven edge"), plural(st.Coverage.Candidate, "candidate")))
	line("", plural(st.Coverage.Unresolved, "reference")+" not bound (git codeidx diagnostics)")
	line("built", st.BuiltAt)
	line("index id", st.Fingerprint[:16])
	if st.Commit != "" {
		state := "clean"
		if st.Dirty {
			state = "indexed files differ from it"
		}
		line("commit", fmt.Sprintf("%.12s (%s)", st.Commit, state))
	}
	line("store", byteCount(st.StoreBytes))
	if st.Ledger > 0 {
		line("ledger", plural(st.Ledger, "unsettled change")+" on record (git codeidx drift)")
	}
	if failures, err := hooks.ReadLog(s.repo.BindingDir()); err == nil && len(failures) > 0 {
		line("hooks", s.paint(yellow, plural(len(failures), "failure")+", the last: "+failures[len(failures)-1].Message))
	}
}

func (s *session) renderChanged(st *query.Status) {
	for _, part := range []struct {
		what string
		list []string
	}{{"modified", st.Changed.Modified}, {"new", st.Changed.Added}, {"deleted", st.Changed.Deleted}, {"unreadable", st.Changed.Unreadable}} {
		for i, p := range part.list {
			if i == warningsShown {
				fmt.Fprintf(s.out, "%s  … and more\n", pad("", 10))
				break
			}
			fmt.Fprintf(s.out, "%s  %s %s\n", pad("", 10), s.paint(yellow, pad(part.what, 10)), printable(p))
		}
	}
	if st.Changed.Total > 0 {
		fmt.Fprintf(s.out, "%s  bring it up to date: git codeidx sync\n", pad("", 10))
	}
}

func sortedReasons(m map[string]int) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
