package build

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"

	"golang.org/x/sync/errgroup"

	"codeidx/facts"
	"codeidx/facts/worker"
	"codeidx/gitstore"
	"codeidx/graph"
)

// ErrBusy says that the work tree kept changing while it was captured.
var ErrBusy = errors.New("the work tree changed while it was captured, twice")

// Builder builds generations of one work tree.
type Builder struct {
	Repo      *gitstore.Repo
	Config    *gitstore.Config
	Store     *gitstore.Store
	Binding   string
	Resolvers []graph.Resolver
	Command   func() *exec.Cmd // of a worker process
	Progress  func(Progress)   // called often, from one goroutine at a time; may be nil
	OnWait    func(gitstore.Holder)
}

// Progress says how far a build is.
type Progress struct {
	Stage        string // "reading", "resolving", "writing", "verifying"
	Files, Total int
	Bytes        int64
}

// Result says what a build came to.
type Result struct {
	Manifest  gitstore.Digest
	Commit    gitstore.OID
	Unchanged bool // the index was up to date
	Known     bool // another build had made this generation
	Parsed    int  // files
	Reused    int  // files whose facts were known
	Patched   bool // made by difference from the generation before
	Resolved  int  // files whose references were bound; those of the others are as before
	Coverage  gitstore.Coverage
	Stats     gitstore.WriteStats
	Stages    []Stage
}

// Stage is the time that one part of a build took.
type Stage struct {
	Name string
	Took time.Duration
}

// Index builds a generation from the bytes alone and publishes it as current.
func (b *Builder) Index(ctx context.Context) (*Result, error) {
	return b.locked(ctx, func(ctx context.Context) (*Result, error) {
		prior, err := b.prior(gitstore.Current)
		if err != nil {
			return nil, err
		}
		return b.build(ctx, gitstore.Current, prior, false)
	})
}

// Sync brings the index up to date, reusing the facts of unchanged files, and
// publishes it to ref: Current for an explicit sync, Live for an automatic one.
func (b *Builder) Sync(ctx context.Context, ref gitstore.RefName) (*Result, error) {
	return b.locked(ctx, func(ctx context.Context) (*Result, error) {
		prior, err := b.prior(ref)
		if err != nil {
			return nil, err
		}
		res, base, err := b.shortcut(ctx, ref, prior)
		if res != nil || err != nil {
			return res, err
		}
		prior.base = base
		return b.build(ctx, ref, prior, true)
	})
}

// locked runs f under the build lock and the build's deadline.
func (b *Builder) locked(ctx context.Context, f func(context.Context) (*Result, error)) (*Result, error) {
	wait, cancel := context.WithTimeout(ctx, b.Config.LockWait)
	defer cancel()
	lock, err := b.Store.LockBuild(wait, b.Binding, b.OnWait)
	if err != nil {
		return nil, err
	}
	defer lock.Unlock()
	timed, stop := context.WithTimeout(ctx, b.Config.BuildDeadline)
	defer stop()
	res, err := f(timed)
	if err != nil && timed.Err() != nil && ctx.Err() == nil {
		err = &DeadlineError{b.Config.BuildDeadline}
	}
	return res, err
}

// earlier is what a build starts from.
type earlier struct {
	predecessor gitstore.OID           // what ref points at
	serving     *gitstore.Generation   // what answers now; nil where nothing does
	reusable    []*gitstore.Generation // whose facts may be known
	base        *baseline              // of serving; nil where all is built
}

// text is the generation whose text index may be reused, nil for none.
func (e *earlier) text(reuse bool) *gitstore.Generation {
	if !reuse || len(e.reusable) == 0 {
		return nil
	}
	return e.reusable[0]
}

func (b *Builder) prior(ref gitstore.RefName) (*earlier, error) {
	e := &earlier{}
	var err error
	if e.predecessor, err = b.Store.Pointer(b.Binding, ref); err != nil {
		return nil, err
	}
	for _, name := range []gitstore.RefName{gitstore.Live, gitstore.Current, gitstore.Previous} {
		g, err := b.Store.Generation(b.Binding, name)
		if err != nil {
			continue // damaged or absent: nothing is reused from it
		}
		if name == gitstore.Live && g.Fallback == nil {
			e.serving = g
		}
		if g.Format == sectionFormat {
			e.reusable = append(e.reusable, g)
		}
	}
	return e, nil
}

// shortcut ends a sync without a build where the tree equals the generation
// that serves or another one of the store. Where it does not, base is what a
// build by difference may start from.
func (b *Builder) shortcut(ctx context.Context, ref gitstore.RefName, prior *earlier) (res *Result, base *baseline, err error) {
	if prior.serving == nil || prior.serving.Format != sectionFormat {
		return nil, nil, nil
	}
	if base, err = readBaseline(prior.serving); err != nil {
		return nil, nil, nil // damaged: build anew
	}
	id := b.identity()
	if base.diff, err = gitstore.Check(ctx, b.Repo, id.policy, base.known, gitstore.FreshnessStrict); err != nil {
		return nil, nil, err
	}
	seen := base.diff.Seen
	digest := id.digest(seen)
	known, err := b.Store.GenerationOf(digest)
	if err != nil || known.Format != sectionFormat {
		if id.digest(base.known) != base.gen.Manifest {
			base = nil // made with another configuration or other rules
		}
		return nil, base, nil
	}
	unchanged := digest == prior.serving.Manifest && known.Commit == prior.predecessor
	if !unchanged {
		if err := b.Store.Repoint(ctx, b.Binding, ref, prior.predecessor, known); err != nil {
			return nil, nil, err
		}
	}
	b.remember(digest, seen)
	res = &Result{Manifest: digest, Commit: known.Commit, Unchanged: unchanged, Known: !unchanged, Reused: len(seen.Files)}
	return res, nil, decodeMeta(known.Meta[gitstore.CoverageMeta], &res.Coverage)
}

func (b *Builder) identity() *identity {
	return &identity{
		policy: Policy(b.Config, b.Resolvers), roots: sorted(b.Config.SourceRoots), includes: sorted(b.Config.PHPIncludes),
		callbacks: sorted(b.Config.Callbacks), resolvers: b.Resolvers,
	}
}

// remember keeps what stat said, for the stat mode of later checks. Without it
// they hash.
func (b *Builder) remember(manifest gitstore.Digest, s *gitstore.Snapshot) {
	_ = b.Repo.SaveStats(manifest, s)
}

// build captures, resolves and publishes; where the tree moved meanwhile, once
// more.
func (b *Builder) build(ctx context.Context, ref gitstore.RefName, prior *earlier, reuse bool) (*Result, error) {
	if err := b.checkRoom(prior); err != nil {
		return nil, err
	}
	for range 2 {
		res, moved, err := b.attempt(ctx, ref, prior, reuse)
		if err != nil || !moved {
			return res, err
		}
		prior.base = nil
	}
	return nil, ErrBusy
}

// attempt builds once. moved says that the tree changed before the generation
// was complete, so that nothing was published.
func (b *Builder) attempt(ctx context.Context, ref gitstore.RefName, prior *earlier, reuse bool) (res *Result, moved bool, err error) {
	w, d, err := b.drafted(ctx, prior, reuse)
	if err != nil {
		return nil, false, err
	}
	defer w.Abort()
	d.stage("verifying")
	diff, err := gitstore.Check(ctx, b.Repo, d.id.policy, d.snapshot, d.recheck)
	if err != nil {
		return nil, false, err
	}
	if !diff.Clean() {
		return nil, true, nil
	}
	if err := b.checkBudget(w); err != nil {
		return nil, false, err
	}
	d.stage("publishing")
	pub, err := w.Publish(ctx, d.publication(b.Binding, ref, prior.predecessor))
	if err != nil {
		return nil, false, err
	}
	d.stage("")
	b.remember(d.root.Manifest, d.snapshot)
	return &Result{
		Manifest: d.root.Manifest, Commit: pub.Commit, Known: pub.Reused, Parsed: d.parsed, Reused: d.reused, Patched: d.patched, Resolved: d.resolved,
		Coverage: d.coverage, Stats: pub.Stats, Stages: d.stages,
	}, false, nil
}

// drafted writes a draft: by difference where there is a baseline and it can be
// read, else as a whole.
func (b *Builder) drafted(ctx context.Context, prior *earlier, reuse bool) (*gitstore.Writer, *draft, error) {
	build := func(draft func(w *gitstore.Writer) (*draft, error)) (*gitstore.Writer, *draft, error) {
		w, err := b.Store.NewWriter()
		if err != nil {
			return nil, nil, err
		}
		d, err := draft(w)
		if err != nil {
			return nil, nil, errors.Join(err, w.Abort())
		}
		return w, d, nil
	}
	if prior.base != nil {
		w, d, err := build(func(w *gitstore.Writer) (*draft, error) { return b.draftByDifference(ctx, w, prior) })
		if err == nil || ctx.Err() != nil {
			return w, d, err
		}
	}
	return build(func(w *gitstore.Writer) (*draft, error) { return b.draft(ctx, w, prior, reuse) })
}

// extract captures the work tree and takes each file through extraction as it
// is read.
func (b *Builder) extract(ctx context.Context, x *extraction, capture captureFunc) (*gitstore.Snapshot, error) {
	x.pool = worker.NewPool(worker.Options{
		Workers: b.Config.Workers, MemoryLimit: uint64(b.Config.WorkerMemory) / uint64(max(b.Config.Workers, 1)),
		Timeout: b.Config.ParseTimeout, Command: b.Command,
	})
	defer x.pool.Close()
	if x.starts {
		x.pool.Start()
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(filesPerWorker * max(b.Config.Workers, 1))
	x.ctx = ctx
	s, err := capture(ctx, func(f gitstore.File, src []byte) error {
		group.Go(func() error { return x.take(f, src) })
		return ctx.Err()
	})
	if taken := group.Wait(); taken != nil {
		err = taken
	}
	if err != nil {
		return nil, fmt.Errorf("capture: %w", err)
	}
	return s, nil
}

// captureFunc reads the work tree and hands the bytes of files to sink.
type captureFunc func(ctx context.Context, sink func(gitstore.File, []byte) error) (*gitstore.Snapshot, error)

// filesPerWorker bounds the files in flight: enough for workers to get small
// files in batches, few enough to hold little memory.
const filesPerWorker = 3

// knownFacts lists the facts of earlier generations by extraction key.
func knownFacts(list []*gitstore.Generation) map[facts.Key]gitstore.Entry {
	known := map[facts.Key]gitstore.Entry{}
	seen := map[gitstore.OID]bool{}
	for _, g := range list {
		if seen[g.Commit] {
			continue
		}
		seen[g.Commit] = true
		// What a damaged manifest does not tell is extracted again.
		_ = g.EachEntry(func(e *gitstore.Entry) {
			if _, ok := known[facts.Key(e.Key)]; !ok && e.Class == gitstore.ClassSource {
				known[facts.Key(e.Key)] = *e
			}
		})
	}
	return known
}
