package cli

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"time"

	"codeidx/facts/worker"
	"codeidx/gitstore"
	"codeidx/gitstore/build"
	"codeidx/graph"
	"codeidx/graph/resolvers"
	"codeidx/hooks"
	"codeidx/query"
)

// session is the repository at hand with its configuration and store.
type session struct {
	*app
	repo      *gitstore.Repo
	config    *gitstore.Config
	store     *gitstore.Store // nil where there is none yet
	binding   string
	resolvers []graph.Resolver
	parser    extractor
	published bool          // a generation: close may reclaim space
	reclaimed time.Duration // that this took, 0 if nothing was reclaimed
}

// open finds the repository and reads its configuration, both at once. create
// makes the store and the binding where they are missing.
func (a *app) open(create bool) (*session, error) {
	type configured struct {
		config *gitstore.Config
		err    error
	}
	done := make(chan configured, 1)
	go func() {
		c, err := gitstore.ReadConfig(a.ctx, "")
		done <- configured{c, err}
	}()
	s := &session{app: a, resolvers: resolvers.All()}
	s.parser.session = s
	repo, err := gitstore.Discover(a.ctx, "")
	got := <-done
	if err != nil {
		return nil, err
	}
	if got.err != nil {
		return nil, &query.Error{Code: query.InvalidRequest, Message: got.err.Error(), Hint: "see: git config --show-origin --get-regexp codeidx"}
	}
	s.repo, s.config = repo, got.config
	a.decideColor(repo)
	return s, s.openStore(create)
}

func (s *session) openStore(create bool) error {
	var err error
	if s.binding, err = s.repo.BindingID(create); err != nil {
		return err
	}
	s.store, err = gitstore.Open(s.ctx, s.repo.StoreDir(), gitstore.Options{Create: create, OnWait: s.waiting})
	if errors.Is(err, gitstore.ErrNoStore) || s.binding == "" && err == nil && !create {
		err = nil
	}
	return err
}

// close releases the store. It may be called again.
func (s *session) close() {
	s.parser.close()
	if s.store != nil {
		s.store.Close()
		s.store = nil
	}
	s.autoGC()
}

// autoGC reclaims space if something was published and the store has grown
// enough. What was to be said is said before. A reclaim that fails takes
// nothing from the answer: the next gc or fsck by hand tells.
func (s *session) autoGC() {
	if !s.published || !s.config.AutoGC {
		return
	}
	s.published = false
	s.out.Flush()
	began := time.Now()
	if _, ran, _ := gitstore.AutoGC(s.ctx, s.repo.StoreDir(), gitstore.GCOptions{Retain: s.config.Retain}); ran {
		s.reclaimed = time.Since(began)
	}
}

func (s *session) waiting(h gitstore.Holder) {
	if !s.quiet {
		printNotice(s.err, "waiting for "+h.String())
	}
}

// builder makes a builder of this work tree's generations.
func (s *session) builder() *build.Builder {
	b := &build.Builder{
		Repo: s.repo, Config: s.config, Store: s.store, Binding: s.binding, Resolvers: s.resolvers, Command: workerCommand, OnWait: s.waiting,
	}
	if s.progress {
		b.Progress = newMeter(s.err).show
	}
	return b
}

// analyst works out what drift means for definitions.
func (s *session) analyst() *hooks.Analyst {
	return &hooks.Analyst{
		Repo: s.repo, Store: s.store, Binding: s.binding, Config: s.config, Command: workerCommand, Resolvers: s.resolvers,
		Policy: build.Policy(s.config, s.resolvers),
	}
}

// workerCommand starts this very binary as a worker.
func workerCommand() *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		self = os.Args[0]
	}
	return exec.Command(self, worker.Verb)
}

// env is what questions are asked of.
func (s *session) env() *query.Env {
	e := &query.Env{
		Repo: s.repo, Config: s.config, Store: s.store, Binding: s.binding, Policy: build.Policy(s.config, s.resolvers),
		Extract: s.parser.extract,
		Sync: func(ctx context.Context) error {
			res, err := s.builder().Sync(ctx, gitstore.Live)
			s.published = s.published || err == nil && !res.Unchanged
			return err
		},
	}
	if s.binding == "" {
		e.Store = nil
	}
	if e.Store != nil {
		e.Ledger = func() (int, map[string]string) {
			// What the hooks left is folded on the way; a store that cannot be
			// written (a read-only disk) still answers.
			_, _ = hooks.Fold(s.ctx, s.repo, s.store, s.binding)
			return hooks.Pending(s.repo, s.store, s.binding)
		}
	}
	return e
}

func unsupported(message, hint string) error {
	return &query.Error{Code: query.UnsupportedCapability, Message: message, Hint: hint}
}

func badValue(message, hint string) error {
	return &query.Error{Code: query.InvalidRequest, Message: message, Hint: hint}
}

func isStoreDamage(err error) bool { return errors.Is(err, gitstore.ErrCorrupt) }
