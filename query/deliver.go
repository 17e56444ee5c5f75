package query

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"codeidx/gitstore"
)

// deliver checks a second time and fills the envelope.
func (pin *pinned) deliver(ctx context.Context, env *Env, first *gitstore.Diff, res *result, ledger <-chan drift, p Params, o Options, start int) (*Response, error) {
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
	pin.warn(r, <-ledger, first)
	if err := bound(r, p.Limit, o.MaxBytes, start); err != nil {
		return nil, err
	}
	return r, nil
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
		Freshness: "fresh", FreshnessMode: pin.how.String(), Complete: true, Operation: p, Status: "ok", Items: []Item{},
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
	r.Limitations = append(r.Limitations, res.Limits...)
	r.Total, r.AtLeast = max(res.Total, len(r.Items)), res.AtLeast
	r.Partial, r.Before, r.After, r.Origin = res.Partial, res.Before, res.After, cmp.Or(res.Origin, r.Origin)
	if len(res.Partial) > 0 {
		r.Status, r.Complete = "partial", false
	}
}

// warn marks what leans on files that differ from the index. Under any
// difference the answer is incomplete: an unseen change may add to it.
func (pin *pinned) warn(r *Response, recorded drift, d *gitstore.Diff) {
	r.Drift.Entries = recorded.entries
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
		r.StaleWarnings = append(r.StaleWarnings, StaleWarning{p, reasons[p], recorded.since[p], "git codeidx sync"})
	}
	unseen := len(reasons) - len(touched)
	if unseen > 0 && len(touched) > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("files that differ from the index beside these, and may change this answer: %d", unseen))
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
