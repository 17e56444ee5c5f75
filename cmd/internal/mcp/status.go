package mcp

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"codeidx/gitstore"
	"codeidx/query"
)

// statusDocument is the answer of status.
type statusDocument struct {
	Summary   string         `json:"summary"`
	Repo      string         `json:"repo"`
	State     string         `json:"state"` // missing, building, ready, stale or failed
	Freshness string         `json:"freshness"`
	Building  string         `json:"building,omitempty"`
	Problem   string         `json:"problem,omitempty"`
	Commit    string         `json:"commit,omitempty"`
	Dirty     bool           `json:"dirty"` // indexed files differ from the commit
	BuiltAt   string         `json:"built_at,omitempty"`
	Files     int            `json:"files"`
	Symbols   int            `json:"symbols"`
	Edges     map[string]int `json:"edges,omitempty"`
	Omitted   map[string]int `json:"omitted,omitempty"`
	Languages []string       `json:"languages"`
	Differ    *changed       `json:"differ,omitempty"`          // from the index that serves
	Since     *changed       `json:"since_baseline,omitempty"`  // from the last index or sync that a person ran
	Drift     int            `json:"unsettled_drift,omitempty"` // recorded by git hooks
	Stale     string         `json:"stale_policy"`
	Untracked string         `json:"untracked"`
	Next      string         `json:"next,omitempty"`
}

// changed lists paths, at most maxDiffer of each.
type changed struct {
	Modified []string `json:"modified,omitempty"`
	Added    []string `json:"added,omitempty"`
	Deleted  []string `json:"deleted,omitempty"`
	Total    int      `json:"total"`
}

func (d *statusDocument) fit(int) ([]byte, error) { return encode(d) }

// status reports without building anything.
func status(c *call) (document, error) {
	if err := c.begin(); err != nil {
		return nil, err
	}
	env := c.work.env
	st, err := c.state()
	if err != nil {
		return nil, err
	}
	d := &statusDocument{
		Repo: st.Top, State: st.State, Freshness: st.Freshness, Problem: clip(st.Problem, 300), Commit: clipCommit(st.Commit), Dirty: st.Dirty,
		BuiltAt: st.BuiltAt, Languages: resolvedLanguages(st), Drift: st.Ledger, Stale: c.Stale, Untracked: "excluded",
	}
	if env.Config.IncludeUntracked {
		d.Untracked = "included"
	}
	if st.Coverage != nil {
		d.Files, d.Symbols, d.Omitted = st.Coverage.Files, st.Coverage.Symbols, st.Coverage.Omitted
		d.Edges = map[string]int{"proven": st.Coverage.Resolved, "candidate": st.Coverage.Candidate, "unresolved": st.Coverage.Unresolved}
	}
	if ch := st.Changed; ch.Total > 0 {
		d.Differ = &changed{head(ch.Modified, maxDiffer), head(ch.Added, maxDiffer), head(slices.Concat(ch.Deleted, ch.Unreadable), maxDiffer), ch.Total}
	}
	if d.Since, err = c.sinceBaseline(st); err != nil {
		return nil, err
	}
	if j := c.jobs.current(c.repo().BindingDir()); j != nil {
		d.State, d.Building = "building", j.describe()
	}
	d.explain(c.Stale)
	return d, nil
}

// state verifies the index against the files.
func (c *call) state() (*query.Status, error) {
	env := c.work.env
	ctx, cancel := context.WithTimeout(c.ctx, env.Config.QueryDeadline)
	defer cancel()
	return query.GetStatus(ctx, env, env.Config.Freshness.String(), c.work.resolvers)
}

// sinceBaseline says what differs from the index that a person made last. It
// needs a look of its own only where a later one serves.
func (c *call) sinceBaseline(st *query.Status) (*changed, error) {
	if st.Serving != string(gitstore.Live) {
		return nil, nil
	}
	env := c.work.env
	g, err := env.Store.Generation(env.Binding, gitstore.Current)
	if errors.Is(err, gitstore.ErrNoGeneration) || errors.Is(err, gitstore.ErrCorrupt) {
		return nil, nil
	}
	if err != nil || g.Manifest.String() == st.Manifest {
		return nil, err
	}
	want, err := g.Snapshot()
	if err != nil {
		return nil, err
	}
	diff, err := gitstore.Check(c.ctx, env.Repo, env.Policy, want, gitstore.FreshnessStrict)
	if err != nil {
		return nil, err
	}
	total := len(diff.Modified) + len(diff.Added) + len(diff.Deleted) + len(diff.Unreadable)
	if total == 0 {
		return nil, nil
	}
	return &changed{head(diff.Modified, maxDiffer), head(diff.Added, maxDiffer), head(slices.Concat(diff.Deleted, diff.Unreadable), maxDiffer), total}, nil
}

// explain puts the state into words.
func (d *statusDocument) explain(stale string) {
	switch d.State {
	case "missing":
		d.Summary, d.Next = "there is no index yet", "ask anything: it is built first"
	case "building":
		d.Summary = "the index is being built: " + d.Building
	case "failed":
		d.Summary, d.Next = "the index cannot be read", "sync builds a new one"
	case "stale":
		d.Summary = fmt.Sprintf("%s differ from the index", plural(d.Differ.Total, "file"))
		if stale == "sync" {
			d.Next = "the next question brings it up to date first"
		} else {
			d.Next = "call sync"
		}
	default:
		d.Summary = fmt.Sprintf("the index equals the files: %s, %s", plural(d.Files, "file"), plural(d.Symbols, "definition"))
	}
	if d.Since != nil {
		d.Summary += fmt.Sprintf("; %s changed since the baseline", plural(d.Since.Total, "file"))
	}
}

func clipCommit(s string) string { return s[:min(len(s), 12)] }

func resolvedLanguages(st *query.Status) []string {
	out := []string{}
	for _, l := range st.Languages {
		if l.Resolved {
			out = append(out, l.Name)
		}
	}
	return out
}

// syncDocument is the answer of sync.
type syncDocument struct {
	Summary   string `json:"summary"`
	Repo      string `json:"repo"`
	Freshness string `json:"freshness"`
	TookMS    int64  `json:"took_ms"`
	Files     int    `json:"files"`
	Parsed    int    `json:"parsed"`
	Reused    int    `json:"reused"`
	Symbols   int    `json:"symbols"`
}

func (d *syncDocument) fit(int) ([]byte, error) { return encode(d) }

// syncIndex brings the index up to date and verifies that it is. A first build
// makes the baseline, and what the server adds to it comes second.
func syncIndex(c *call) (document, error) {
	d := &syncDocument{Summary: "was up to date"}
	for range 3 {
		if err := c.begin(); err != nil {
			return nil, err
		}
		st, err := c.state()
		if err != nil {
			return nil, err
		}
		d.Repo, d.Freshness, d.TookMS = st.Top, st.Freshness, c.synced.Milliseconds()
		if st.Coverage != nil {
			d.Files, d.Symbols = st.Coverage.Files, st.Coverage.Symbols
		}
		if st.Freshness == "fresh" {
			return d, nil
		}
		j, err := c.sync()
		if err != nil {
			return nil, err
		}
		d.Parsed, d.Reused = d.Parsed+j.result.Parsed, j.result.Reused
		d.Summary = fmt.Sprintf("built: %s parsed, %d reused", plural(d.Parsed, "file"), d.Reused)
	}
	d.Freshness = "stale"
	d.Summary += "; files keep changing meanwhile"
	return d, nil
}
