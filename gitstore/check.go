package gitstore

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// ErrVerificationTimeout says that the deadline passed before the work tree
// was verified. FreshnessStat may be fast enough.
var ErrVerificationTimeout = errors.New("the work tree could not be verified in time")

// Freshness says how a check proves that a file is unchanged.
type Freshness uint8

const (
	// FreshnessStrict hashes every included file.
	FreshnessStrict Freshness = iota
	// FreshnessStat hashes only where stat differs from what was seen when the
	// file was hashed, or where the file changed so shortly before that stat
	// cannot tell. It misses stores through a shared mapping and a clock set
	// back.
	FreshnessStat
)

// Diff says what of a snapshot's included files no longer holds. All lists are
// sorted by path bytes.
type Diff struct {
	Modified   []string // other bytes or another mode
	Added      []string // included now
	Deleted    []string // gone from disk or from the index, or no longer included
	Unreadable []string // still listed, but could not be opened or read
	// Omissions are paths that are, or were, not included and whose reason or
	// bytes changed. They make no answer stale.
	Omissions []string
	// Seen is the state that this check saw. What is in Modified has its new
	// digest there, whether or not its new bytes would be included.
	Seen *Snapshot
}

// Clean says whether every included file is as it was and none is new.
func (d *Diff) Clean() bool {
	return len(d.Modified)+len(d.Added)+len(d.Deleted)+len(d.Unreadable) == 0
}

// Check lists the work tree again and compares it with a snapshot, on every
// core, in memory that does not grow with the size of the files. want needs
// Stat and SeenAt only under FreshnessStat; a file with a zero Stat is hashed.
// p must be the policy of the snapshot.
func Check(ctx context.Context, r *Repo, p Policy, want *Snapshot, mode Freshness) (*Diff, error) {
	d, err := check(ctx, r, &p, want, mode)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, ErrVerificationTimeout
	}
	if err != nil {
		return nil, fmt.Errorf("check work tree: %w", err)
	}
	return d, nil
}

// CheckAgain tells what changed since a first check, by stat against what that
// one saw.
func CheckAgain(ctx context.Context, r *Repo, p Policy, first *Diff) (*Diff, error) {
	return Check(ctx, r, p, first.Seen, FreshnessStat)
}

// Recheck verifies a capture by listing and hashing everything again. A diff
// that is not clean says that the work tree moved: the snapshot may be torn.
func Recheck(ctx context.Context, r *Repo, p Policy, s *Snapshot) (*Diff, error) {
	return Check(ctx, r, p, s, FreshnessStrict)
}

func check(ctx context.Context, r *Repo, p *Policy, want *Snapshot, mode Freshness) (*Diff, error) {
	c := &checker{repo: r, policy: p, want: want, mode: mode, seenAt: time.Now().UnixNano()}
	root, err := r.openTop()
	if err != nil {
		return nil, err
	}
	defer closeHandle(root)
	if c.cands, err = enumerate(ctx, r, p); err != nil {
		return nil, err
	}
	c.join()
	if err := c.readAttributes(ctx, root); err != nil {
		return nil, err
	}
	newWorker := func() *reader { return newReader(root, r.Format) }
	verify := func(rd *reader, i int) error { return c.verify(ctx, rd, i) }
	if err := forEach(ctx, len(c.cands), newWorker, verify); err != nil {
		return nil, err
	}
	pending := c.pending()
	if err := c.askPending(ctx); err != nil {
		return nil, err
	}
	err = forEach(ctx, len(pending), newWorker, func(rd *reader, i int) error {
		_, err := rd.examine(p, &c.cands[pending[i]], &c.results[pending[i]], false)
		return err
	})
	if err != nil {
		return nil, err
	}
	return c.diff(), nil
}

// checker is the state that the workers share.
type checker struct {
	repo   *Repo
	policy *Policy
	want   *Snapshot
	mode   Freshness
	seenAt int64

	cands      []candidate
	priors     []prior   // what want knows of the candidate with the same index
	results    []outcome // likewise, what is seen now
	attributes Digest
	asked      bool // attributes of all candidates were asked for
	relevant   bool // attributes can matter
}

// prior is what the snapshot knows of a path: a file, an omission or nothing.
type prior struct {
	file *File
	omit *Omission
}

// join finds the prior of each candidate. All lists are sorted.
func (c *checker) join() {
	c.priors = make([]prior, len(c.cands))
	c.results = make([]outcome, len(c.cands))
	f, o := 0, 0
	for i := range c.cands {
		path := c.cands[i].path
		for f < len(c.want.Files) && c.want.Files[f].Path < path {
			f++
		}
		for o < len(c.want.Omitted) && c.want.Omitted[o].Path < path {
			o++
		}
		if f < len(c.want.Files) && c.want.Files[f].Path == path {
			c.priors[i].file = &c.want.Files[f]
		} else if o < len(c.want.Omitted) && c.want.Omitted[o].Path == path {
			c.priors[i].omit = &c.want.Omitted[o]
		}
	}
}

// readAttributes applies gitattributes. While the attributes files are those of
// the snapshot, what they said of its paths still holds and git need not be
// asked.
func (c *checker) readAttributes(ctx context.Context, root int) (err error) {
	c.attributes, c.relevant, err = attributeSources(c.repo, root, c.cands)
	if err != nil || !c.relevant {
		return err
	}
	if c.attributes != c.want.Attributes {
		c.asked = true
		return applyAttributes(ctx, c.repo, c.cands, func(int) bool { return true })
	}
	for i := range c.cands {
		if o := c.priors[i].omit; o != nil && o.byAttribute() && c.cands[i].reason == "" {
			c.cands[i].reason = o.Reason
		}
	}
	return nil
}

// byAttribute says whether gitattributes decided an omission whose path alone
// does not.
func (o *Omission) byAttribute() bool {
	return (o.Reason == Generated || o.Reason == Excluded) && o.SHA256 == (Digest{})
}

// undecided marks an outcome that needs the bytes to be judged.
const undecided Reason = "undecided"

// pending lists the candidates that need the bytes to be judged.
func (c *checker) pending() []int {
	var list []int
	for i := range c.results {
		if c.results[i].reason == undecided {
			list = append(list, i)
		}
	}
	return list
}

// askPending asks git for the attributes of what is pending, where they are not
// known yet.
func (c *checker) askPending(ctx context.Context) error {
	if !c.relevant || c.asked {
		return nil
	}
	return applyAttributes(ctx, c.repo, c.cands, func(i int) bool { return c.results[i].reason == undecided })
}

// verify looks at one candidate. It reads no file that is known to be
// unchanged, and judges none: what is new or changed among the omitted is left
// undecided.
func (c *checker) verify(ctx context.Context, rd *reader, i int) error {
	cand, prior, out := &c.cands[i], c.priors[i], &c.results[i]
	if out.reason = cand.reason; out.reason != "" {
		return nil
	}
	if prior.unknown() && c.relevant && !c.asked {
		out.reason = undecided // attributes come before what is on disk
		return nil
	}
	if c.mode == FreshnessStat && prior.hasStat() {
		key, err := rd.stat(cand.path)
		if _, fail := reasonOf(err); fail != nil {
			return fail
		}
		if err == nil && key == prior.stat() && !racy(&key, c.want.SeenAt) {
			prior.fill(out)
			return nil
		}
	}
	fd, err := rd.openCandidate(cand, out)
	if err != nil || out.reason != "" {
		return err
	}
	defer closeHandle(fd)
	if prior.file == nil && cand.class == ClassMaybe {
		if err := rd.classifyHead(c.policy, fd, out); err != nil || out.reason != "" {
			return err
		}
	}
	if out.size > c.policy.MaxFileSize {
		out.reason = TooLarge
		return nil
	}
	if prior.file == nil && (prior.omit == nil || prior.omit.SHA256 == (Digest{})) {
		out.reason = undecided
		return nil
	}
	out.sum, out.size, err = rd.hash(ctx, fd, out.size, c.policy.MaxFileSize)
	if err != nil {
		out.reason, err = reasonOf(err)
		return err
	}
	prior.compare(out)
	return nil
}

func (p prior) unknown() bool { return p.file == nil && p.omit == nil }

// hasStat says whether the snapshot has a stat of the path.
func (p prior) hasStat() bool {
	return p.file != nil && p.file.Stat != (StatKey{}) || p.omit != nil && p.omit.Stat != (StatKey{})
}

func (p prior) stat() StatKey {
	if p.file != nil {
		return p.file.Stat
	}
	return p.omit.Stat
}

// fill takes the outcome over from the snapshot.
func (p prior) fill(out *outcome) {
	if f := p.file; f != nil {
		*out = outcome{
			mode: f.Mode, size: f.Size, sum: f.SHA256, class: f.Class, lang: f.Lang, proven: f.GitBlob != "", stat: f.Stat,
		}
		return
	}
	o := p.omit
	*out = outcome{reason: o.Reason, size: o.Size, sum: o.SHA256, stat: o.Stat}
}

// compare finishes an outcome whose bytes are hashed.
func (p prior) compare(out *outcome) {
	switch {
	case p.file != nil:
		out.class, out.lang = p.file.Class, p.file.Lang
		out.proven = p.file.GitBlob != "" && out.sum == p.file.SHA256
	case out.sum == p.omit.SHA256:
		out.reason = p.omit.Reason
	default:
		out.reason = undecided
	}
}

// racySlack is how much older than the first read, in ns, a change must be for
// stat to prove that no other followed: the coarsest clock of a file system.
const racySlack = 2 * int64(time.Second)

func racy(k *StatKey, seenAt int64) bool { return max(k.Mtime, k.Ctime) >= seenAt-racySlack }
