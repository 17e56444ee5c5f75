package query

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

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
	Ledger  func() (entries int, since map[string]string)
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
	if err := o.check(env.Config, op); err != nil {
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

func (o *Options) check(cfg *gitstore.Config, op *Op) error {
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
	if o.MaxBytes != 0 && (o.MaxBytes < MinBytes || o.MaxBytes > MaxBytes) {
		return errorf(InvalidRequest, "", "max_bytes %d is out of range: %d to %d", o.MaxBytes, MinBytes, MaxBytes)
	}
	if op.Unbounded {
		o.MaxBytes = 0
	}
	return nil
}

// pinned is one generation held by one question.
type pinned struct {
	index *Index
	gen   *gitstore.Generation
	want  *gitstore.Snapshot
}

// open pins the generation that serves this work tree: live where an
// automatic sync made one, else current.
func open(env *Env) (*pinned, error) {
	if env.Store == nil {
		return nil, noIndex()
	}
	gen, err := env.Store.Generation(env.Binding, gitstore.Live)
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
	type checked struct {
		diff *gitstore.Diff
		err  error
	}
	done := make(chan checked, 1)
	go func() {
		d, err := pin.check(ctx, env, o.Freshness)
		done <- checked{d, err}
	}()
	res, runErr := op.run(pin.index, p)
	first := <-done
	if first.err != nil {
		return nil, verification(first.err)
	}
	if !first.diff.Clean() {
		switch o.Stale {
		case staleRefuse:
			return nil, refused(first.diff)
		case staleSync:
			return pin.resync(ctx, env, op, p, o)
		}
	}
	if runErr != nil {
		return nil, runErr
	}
	return pin.deliver(ctx, env, first.diff, res, p, o)
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
	how := gitstore.FreshnessStrict
	if mode == "stat" && env.Repo.LoadStats(pin.gen.Manifest, want) == nil {
		how = gitstore.FreshnessStat
	}
	return gitstore.Check(ctx, env.Repo, env.Policy, want, how)
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

// deliver checks a second time and fills the envelope.
func (pin *pinned) deliver(ctx context.Context, env *Env, first *gitstore.Diff, res *result, p Params, o Options) (*Response, error) {
	second, err := gitstore.CheckAgain(ctx, env.Repo, env.Policy, first)
	if err != nil {
		return nil, verification(err)
	}
	if !second.Clean() {
		if o.Stale == staleRefuse {
			return nil, refused(second)
		}
		first = merge(first, second)
	}
	r, err := pin.envelope(ctx, env, first, p, o)
	if err != nil {
		return nil, err
	}
	r.fill(res)
	pin.warn(r, env, first)
	return r, bound(r, p.Limit, o.MaxBytes, o.Cursor)
}

// merge joins the findings of two checks.
func merge(a, b *gitstore.Diff) *gitstore.Diff {
	join := func(x, y []string) []string {
		out := append(slices.Clone(x), y...)
		slices.Sort(out)
		return slices.Compact(out)
	}
	return &gitstore.Diff{
		Modified: join(a.Modified, b.Modified), Added: join(a.Added, b.Added), Deleted: join(a.Deleted, b.Deleted),
		Unreadable: join(a.Unreadable, b.Unreadable), Seen: b.Seen,
	}
}

func changedPaths(d *gitstore.Diff) []string {
	out := slices.Concat(d.Modified, d.Added, d.Deleted, d.Unreadable)
	slices.Sort(out)
	return slices.Compact(out)
}

func countFiles(n int, what string) string {
	if n == 1 {
		return "1 file " + what
	}
	return fmt.Sprintf("%d files %s", n, what)
}

func sample(list []string, n int) string {
	if len(list) <= n {
		return fmt.Sprintf("%q", list)
	}
	return fmt.Sprintf("%q and %d more", list[:n], len(list)-n)
}

// envelope fills everything but the items.
func (pin *pinned) envelope(ctx context.Context, env *Env, d *gitstore.Diff, p Params, o Options) (*Response, error) {
	cov, err := pin.index.coverage()
	if err != nil {
		return nil, err
	}
	dirty, err := pin.dirty(ctx, env, d)
	if err != nil {
		return nil, err
	}
	r := &Response{
		Schema: Schema, Binding: env.Binding, Fingerprint: pin.index.Fingerprint, Commit: string(env.Repo.Head),
		ObjectFormat: env.Repo.Format.String(), Dirty: dirty, CheckedAt: time.Now().UTC().Format(time.RFC3339),
		Freshness: "fresh", FreshnessMode: o.Freshness, Complete: true, Operation: p, Status: "ok", Items: []Item{},
		Coverage: cov, Limitations: limitations(), Capability: Capability{Level: "full"}, Origin: "index", StaleWarnings: []StaleWarning{},
	}
	if reason := pin.gen.Fallback; reason != nil {
		r.Capability = Capability{Level: "degraded", Missing: []string{"the current generation is damaged (" + reason.Error() + "): served from the one before"}}
	}
	return r, nil
}

// fill takes over what the operation computed.
func (r *Response) fill(res *result) {
	if res.Items != nil {
		r.Items = res.Items
	}
	r.Of, r.Unknown, r.Unbound, r.Outside, r.Notes = res.Of, res.Unknown, res.Unbound, res.Outside, res.Notes
	r.Total = len(r.Items)
	r.Partial = res.Partial
	if len(res.Partial) > 0 {
		r.Status, r.Complete = "partial", false
	}
}

// warn marks what leans on files that differ from the index. Under any
// difference the answer is incomplete: an unseen change may add to it.
func (pin *pinned) warn(r *Response, env *Env, d *gitstore.Diff) {
	entries, since := 0, map[string]string(nil)
	if env.Ledger != nil {
		entries, since = env.Ledger()
	}
	r.Drift.Entries = entries
	if d.Clean() {
		return
	}
	r.Freshness, r.Complete = "stale", false
	reasons := map[string]string{}
	for reason, list := range map[string][]string{"modified": d.Modified, "added": d.Added, "deleted": d.Deleted, "unreadable": d.Unreadable} {
		for _, p := range list {
			reasons[p] = reason
		}
	}
	r.Drift.Files = len(reasons)
	touched := map[string]bool{}
	for _, it := range r.Items {
		for _, p := range it.Paths() {
			if reasons[p] != "" {
				it.MarkStale()
				touched[p] = true
			}
		}
	}
	for i := range r.Of {
		if p := r.Of[i].Path; reasons[p] != "" {
			touched[p] = true
		}
	}
	for _, p := range sortedKeys(touched) {
		r.StaleWarnings = append(r.StaleWarnings, StaleWarning{p, reasons[p], since[p], "git codeidx sync"})
	}
	unseen := len(reasons) - len(touched)
	if unseen > 0 {
		r.Notes = append(r.Notes, countFiles(unseen, "beside these differ from the index and may change this answer: git codeidx sync"))
	}
	r.Drift.Symbols = pin.symbolsIn(reasons)
}

// symbolsIn counts the indexed definitions of the files that differ.
func (pin *pinned) symbolsIn(paths map[string]string) int {
	n := 0
	for p := range paths {
		if f, err := pin.index.Symbols(p); err == nil && f != nil {
			n += len(f.Symbols) - 1
		}
	}
	return n
}

// dirty says whether included files differ from HEAD. While the tree equals
// the index and HEAD is the commit that the index was compared with, the
// answer is on record and git need not be asked.
func (pin *pinned) dirty(ctx context.Context, env *Env, d *gitstore.Diff) (bool, error) {
	if d.Clean() {
		if known, dirty := env.Repo.LoadDirty(pin.gen.Manifest); known {
			return dirty, nil
		}
	}
	dirty, err := gitstore.Dirty(ctx, env.Repo, env.Policy, d.Seen)
	if err != nil {
		return false, verification(err)
	}
	if d.Clean() {
		env.Repo.SaveDirty(pin.gen.Manifest, dirty)
	}
	return dirty, nil
}

// coverage reads the counts that the build kept.
func (x *Index) coverage() (gitstore.Coverage, error) {
	var c gitstore.Coverage
	if err := json.Unmarshal(x.gen.Meta[gitstore.CoverageMeta], &c); err != nil {
		return c, x.corrupt(gitstore.CoverageMeta, "root", err)
	}
	return c, nil
}
