package mcp

import (
	"context"
	"errors"
	"os/exec"

	"codeidx/gitstore"
	"codeidx/gitstore/build"
	"codeidx/graph"
	"codeidx/graph/resolvers"
	"codeidx/hooks"
	"codeidx/query"
)

// session is one work tree, opened for one call or one job.
type session struct {
	env       *query.Env
	resolvers []graph.Resolver
	baseline  *build.Builder // with the person's configuration: makes the first index
	live      *build.Builder // with what the server includes
	parser    *parser
}

// opener opens work trees.
type opener struct {
	worker    func() *exec.Cmd // a parser process
	untracked bool
}

// open finds the work tree around a folder. create makes the store and the
// binding where they are missing.
func (o *opener) open(ctx context.Context, dir string, create bool) (*session, error) {
	type configured struct {
		config *gitstore.Config
		err    error
	}
	done := make(chan configured, 1)
	go func() {
		c, err := gitstore.ReadConfig(ctx, dir)
		done <- configured{c, err}
	}()
	repo, err := gitstore.Discover(ctx, dir)
	got := <-done
	if err != nil {
		return nil, err
	}
	if got.err != nil {
		return nil, &query.Error{Code: query.InvalidRequest, Message: got.err.Error(), Hint: "see: git config --show-origin --get-regexp codeidx"}
	}
	binding, err := repo.BindingID(create)
	if err != nil {
		return nil, err
	}
	store, err := gitstore.Open(ctx, repo.StoreDir(), gitstore.Options{Create: create})
	if err != nil && !errors.Is(err, gitstore.ErrNoStore) {
		return nil, err
	}
	return o.session(ctx, repo, got.config, store, binding), nil
}

// session puts the parts together. The server includes untracked files, which
// agents have just written, unless the configuration says something.
func (o *opener) session(ctx context.Context, repo *gitstore.Repo, config *gitstore.Config, store *gitstore.Store, binding string) *session {
	wide := *config
	if len(config.Raw("includeUntracked")) == 0 {
		wide.IncludeUntracked = o.untracked
	}
	s := &session{resolvers: resolvers.All()}
	builder := func(c *gitstore.Config) *build.Builder {
		return &build.Builder{Repo: repo, Config: c, Store: store, Binding: binding, Resolvers: s.resolvers, Command: o.worker}
	}
	s.baseline, s.live = builder(config), builder(&wide)
	s.parser = &parser{opener: o, config: &wide}
	s.env = &query.Env{Extract: s.parser.extract, Repo: repo, Config: &wide, Binding: binding, Policy: build.Policy(&wide, s.resolvers)}
	if store != nil && binding != "" {
		s.env.Store = store
		s.env.Ledger = func() (int, map[string]string) {
			// What the hooks left is folded on the way; a store that cannot be
			// written still answers.
			_, _ = hooks.Fold(ctx, repo, store, binding)
			return hooks.Pending(repo, store, binding)
		}
	} else if store != nil {
		store.Close()
	}
	return s
}

// isFirst says whether nothing was built for this work tree yet.
func (s *session) isFirst() bool {
	_, err := s.env.Store.Generation(s.env.Binding, gitstore.Live)
	return errors.Is(err, gitstore.ErrNoGeneration)
}

func (s *session) close() {
	s.parser.close()
	if s.env.Store != nil {
		s.env.Store.Close()
	}
}
