package query

import (
	"context"
	"errors"
	"slices"
	"sync"

	"codeidx/facts"
	"codeidx/gitstore"
)

// Env is what questions are asked of: a work tree, its store and the rules
// of inclusion. Sync brings the index up to date under the stale policy sync.
type Env struct {
	Repo    *gitstore.Repo
	Config  *gitstore.Config
	Store   *gitstore.Store
	Binding string
	Policy  gitstore.Policy
	Sync    func(context.Context) error
	// Extract parses a file as it is now; it returns nil where no parser gets
	// through. It may be nil.
	Extract func(ctx context.Context, path string, lang facts.Lang, src []byte) (*facts.File, error)
	// Ledger counts the recorded drift that is not settled and says, by path,
	// since when. It may be nil.
	Ledger func() (entries int, since map[string]string)
}

// Options say how an answer is verified and bounded. Zero values mean the
// configuration's.
type Options struct {
	Stale     string // mark, refuse or sync
	Freshness string // strict or stat
	Expect    string // fingerprint that the caller relies on
	MaxBytes  int
	Cursor    string
}

// Stale policies (spec/engine.md §5).
const (
	staleMark   = "mark"
	staleRefuse = "refuse"
	staleSync   = "sync"
)

// Run answers one question: pin a generation, verify the work tree, compute,
// verify again, bound.
func Run(ctx context.Context, env *Env, op *Op, p Params, o Options) (*Response, error) {
	p.Kind = op.Name
	if err := p.check(op); err != nil {
		return nil, err
	}
	if err := o.check(env.Config); err != nil {
		return nil, err
	}
	deadline := env.Config.QueryDeadline
	ctx, cancel := context.WithTimeoutCause(ctx, deadline, errDeadline)
	defer cancel()
	pin, err := open(env)
	if err != nil {
		return nil, err
	}
	if o.Expect != "" && o.Expect != pin.index.Fingerprint {
		return nil, errorf(CodeChanged, "ask again without the fingerprint", "the index is not the one with fingerprint %s", o.Expect)
	}
	return pin.answer(ctx, env, op, p, o)
}

var errDeadline = errors.New("query deadline")

func (o *Options) check(cfg *gitstore.Config) error {
	if o.Stale == "" {
		o.Stale = cfg.Stale
	}
	if o.Expect != "" {
		o.Stale = staleRefuse
	}
	if !slices.Contains([]string{staleMark, staleRefuse, staleSync}, o.Stale) {
		return errorf(InvalidRequest, "", "stale policy %q is none of mark, refuse, sync", o.Stale)
	}
	if o.Freshness == "" {
		o.Freshness = cfg.Freshness.String()
	}
	if o.Freshness != "strict" && o.Freshness != "stat" {
		return errorf(InvalidRequest, "", "freshness %q is neither strict nor stat", o.Freshness)
	}
	if o.MaxBytes != 0 {
		return checkMaxBytes(o.MaxBytes)
	}
	return nil
}

// pinned is one generation held by one question.
type pinned struct {
	index *Index
	gen   *gitstore.Generation
	want  *gitstore.Snapshot
	how   gitstore.Freshness // of the first check
}

// open pins the generation that serves this work tree.
func open(env *Env) (*pinned, error) {
	if env.Store == nil {
		return nil, noIndex()
	}
	gen, err := env.Store.Serving(env.Binding, env.Policy.IncludeUntracked)
	if errors.Is(err, gitstore.ErrNoGeneration) {
		return nil, noIndex()
	}
	if err != nil {
		return nil, err
	}
	fp := Fingerprint(gen.Manifest, env.Binding, env.Repo)
	return &pinned{index: newIndex(gen, fp), gen: gen}, nil
}

func noIndex() error {
	return errorf(IndexMissing, "run: git codeidx index", "this work tree has no index yet")
}

// answer verifies while it computes: both only read, and the result is
// dropped where the policy refuses it.
func (pin *pinned) answer(ctx context.Context, env *Env, op *Op, p Params, o Options) (*Response, error) {
	start, err := cursorStart(o.Cursor, pin.index.Fingerprint, p)
	if err != nil {
		return nil, err
	}
	if p.Limit > 0 {
		p.need = start + p.Limit
	}
	check := sync.OnceValues(func() (*gitstore.Diff, error) { return pin.check(ctx, env, o.Freshness) })
	go check()
	ledger := env.readLedger()
	pin.index.tree, pin.index.prefix = &workTree{ctx, env, check}, p.Prefix
	res, runErr := op.run(pin.index, p)
	first, err := check()
	if err != nil {
		return nil, verification(err)
	}
	if !first.Clean() {
		switch o.Stale {
		case staleRefuse:
			return nil, refused(first)
		case staleSync:
			return pin.resync(ctx, env, op, p, o)
		}
	}
	if runErr != nil {
		return nil, runErr
	}
	return pin.deliver(ctx, env, first, res, ledger, p, o, start)
}

// drift is what the ledger has on record.
type drift struct {
	entries int
	since   map[string]string
}

// readLedger asks the ledger beside the check and the answer.
func (env *Env) readLedger() <-chan drift {
	c := make(chan drift, 1)
	if env.Ledger == nil {
		c <- drift{}
		return c
	}
	go func() {
		n, since := env.Ledger()
		c <- drift{n, since}
	}()
	return c
}

// resync brings the index up to date, under the build's deadline, and answers
// from the new generation.
func (pin *pinned) resync(ctx context.Context, env *Env, op *Op, p Params, o Options) (*Response, error) {
	if err := env.Sync(context.WithoutCancel(ctx)); err != nil {
		return nil, err
	}
	fresh, err := open(env)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), env.Config.QueryDeadline, errDeadline)
	defer cancel()
	o.Stale = staleMark
	return fresh.answer(ctx, env, op, p, o)
}

func (pin *pinned) check(ctx context.Context, env *Env, mode string) (*gitstore.Diff, error) {
	want, err := pin.gen.Snapshot()
	if err != nil {
		return nil, err
	}
	pin.want = want
	if mode == "stat" && env.Repo.LoadStats(pin.gen.Manifest, want) == nil {
		pin.how = gitstore.FreshnessStat
	}
	return gitstore.Check(ctx, env.Repo, env.Policy, want, pin.how)
}

func verification(err error) error {
	if errors.Is(err, gitstore.ErrVerificationTimeout) || errors.Is(err, context.DeadlineExceeded) {
		return errorf(VerificationTimeout, "for very large trees: --freshness stat", "the work tree could not be verified in time")
	}
	return err
}

func refused(d *gitstore.Diff) error {
	list := changedPaths(d)
	return errorf(CodeChanged, "run: git codeidx sync", "%s since the index was made: %s", countFiles(len(list), "changed"), sample(list, 3))
}
