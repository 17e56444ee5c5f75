package query

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"codeidx/facts"
	"codeidx/gitstore"
	"codeidx/graph"
)

// States of an index (spec/engine.md §6).
const (
	stateMissing = "missing"
	stateReady   = "ready"
	stateStale   = "stale"
	stateFailed  = "failed"
)

// Status is the answer of the status operation. It is given where there is no
// index, too.
type Status struct {
	Schema      string             `json:"schema"`
	State       string             `json:"state"`
	Freshness   string             `json:"freshness"`
	Mode        string             `json:"freshness_mode"`
	Binding     string             `json:"binding"`
	Fingerprint string             `json:"fingerprint"`
	Manifest    string             `json:"manifest"`
	Commit      string             `json:"commit"`
	Dirty       bool               `json:"dirty"`
	Format      string             `json:"git_object_format"`
	CheckedAt   string             `json:"checked_at"`
	BuiltAt     string             `json:"built_at,omitempty"`
	Top         string             `json:"top"`
	Store       string             `json:"store"`
	StoreBytes  int64              `json:"store_bytes"`
	Serving     string             `json:"serving,omitempty"` // live, current or previous
	Problem     string             `json:"problem,omitempty"`
	Changed     Changed            `json:"changed"`
	Coverage    *gitstore.Coverage `json:"coverage,omitempty"`
	Graph       *graph.Stats       `json:"graph,omitempty"`
	Languages   []Language         `json:"languages"`
	Versions    map[string]string  `json:"versions"`
	Config      map[string]string  `json:"configuration"`
	Ledger      int                `json:"ledger_entries"`
}

// Changed lists what differs from the index, at most changedShown of each.
type Changed struct {
	Modified   []string `json:"modified"`
	Added      []string `json:"added"`
	Deleted    []string `json:"deleted"`
	Unreadable []string `json:"unreadable"`
	Total      int      `json:"total"`
}

const changedShown = 50

// Language is one language of the registry and what it offers.
type Language struct {
	Name       string   `json:"name"`
	Grammar    string   `json:"grammar"`
	Extractor  int      `json:"extractor"`
	Extensions []string `json:"extensions"`
	Resolved   bool     `json:"resolved"` // has a resolver
}

// GetStatus reports the state of a work tree's index.
func GetStatus(ctx context.Context, env *Env, mode string, resolvers []graph.Resolver) (*Status, error) {
	st := &Status{
		Schema: "codeidx.status.v1", State: stateMissing, Freshness: "unknown", Mode: mode, Binding: env.Binding, Commit: string(env.Repo.Head),
		Format: env.Repo.Format.String(), CheckedAt: time.Now().UTC().Format(time.RFC3339), Top: env.Repo.Top, Store: env.Repo.StoreDir(),
		Languages: languages(resolvers), Versions: map[string]string{"tree-sitter": facts.Runtime}, Config: configOf(env.Config),
		Changed: Changed{Modified: []string{}, Added: []string{}, Deleted: []string{}, Unreadable: []string{}},
	}
	if env.Ledger != nil {
		st.Ledger, _ = env.Ledger()
	}
	pin, err := open(env)
	var missing *Error
	switch {
	case errors.As(err, &missing) && missing.Code == IndexMissing:
		return st, nil
	case err != nil:
		st.State, st.Problem = stateFailed, err.Error()
		return st, nil
	}
	if st.StoreBytes, err = env.Store.Size(); err != nil {
		return nil, err
	}
	return st, pin.status(ctx, env, mode, st)
}

func (pin *pinned) status(ctx context.Context, env *Env, mode string, st *Status) error {
	g := pin.gen
	st.Fingerprint, st.Manifest, st.Serving = pin.index.Fingerprint, g.Manifest.String(), string(g.Ref)
	st.BuiltAt = g.Time.UTC().Format(time.RFC3339)
	if g.Fallback != nil {
		st.Problem = g.Fallback.Error()
	}
	cov, err := pin.index.coverage()
	if err != nil {
		return err
	}
	st.Coverage, st.Graph = &cov, &graph.Stats{}
	if err := json.Unmarshal(g.Meta[graph.StatsMeta], st.Graph); err != nil {
		return pin.index.corrupt(graph.StatsMeta, "root", err)
	}
	diff, err := pin.check(ctx, env, mode)
	if err != nil {
		return verification(err)
	}
	st.Mode = pin.how.String()
	if err := env.countUntracked(ctx, &cov); err != nil {
		return err
	}
	st.State, st.Freshness = stateReady, "fresh"
	if !diff.Clean() {
		st.State, st.Freshness = stateStale, "stale"
		st.Changed = changedOf(diff)
	}
	st.Dirty, err = pin.dirty(ctx, env, diff)
	return err
}

// countUntracked adds the source files that are left out because git does not
// track them. They are no part of the index: the count is of this moment.
func (env *Env) countUntracked(ctx context.Context, c *gitstore.Coverage) error {
	if env.Policy.IncludeUntracked {
		return nil
	}
	n, err := gitstore.CountUntracked(ctx, env.Repo, env.Policy)
	if err != nil {
		return verification(err)
	}
	if n > 0 {
		c.Omitted[string(gitstore.UntrackedFile)] = n
	}
	return nil
}

func changedOf(d *gitstore.Diff) Changed {
	head := func(list []string) []string { return append([]string{}, list[:min(len(list), changedShown)]...) }
	return Changed{head(d.Modified), head(d.Added), head(d.Deleted), head(d.Unreadable), len(changedPaths(d))}
}

func languages(resolvers []graph.Resolver) []Language {
	resolved := map[facts.Lang]bool{}
	for _, r := range resolvers {
		for _, l := range r.Languages() {
			resolved[l] = true
		}
	}
	var out []Language
	for i := range facts.Languages {
		l := &facts.Languages[i]
		out = append(out, Language{l.Name, l.Grammar + " " + l.Version, l.Extractor, l.Extensions, resolved[l.ID]})
	}
	return out
}

func configOf(c *gitstore.Config) map[string]string {
	return map[string]string{"stale": c.Stale, "freshness": c.Freshness.String()}
}
