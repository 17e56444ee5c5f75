package gitstore

import (
	"context"
	"fmt"
)

// Recapture is a Capture that reads only what a strict check has just found to
// differ. A file whose bytes the check hashed and found as in known is taken
// over by stat, unless it changed so shortly before the check that stat cannot
// tell. sink gets the files that were read: new and changed ones, those for
// which always is true, and those that git newly proves.
//
// known is the snapshot that the check compared with, first its result.
func Recapture(ctx context.Context, r *Repo, p Policy, known *Snapshot, first *Diff, always func(path string) bool, sink func(File, []byte) error) (*Snapshot, error) {
	if first.Seen.Attributes != known.Attributes {
		return Capture(ctx, r, p, sink)
	}
	c := &capture{policy: &p, format: r.Format, sink: sink, seenAt: first.Seen.SeenAt}
	root, err := r.openTop()
	if err != nil {
		return nil, err
	}
	defer closeHandle(root)
	if c.cands, err = enumerate(ctx, r, &p); err != nil {
		return nil, err
	}
	var relevant bool
	if c.attributes, relevant, err = attributeSources(r, root, c.cands); err != nil {
		return nil, err
	}
	if c.attributes != known.Attributes {
		return Capture(ctx, r, p, sink)
	}
	c.results = make([]outcome, len(c.cands))
	k := &keeper{capture: c, known: joined(c.cands, known), seen: joined(c.cands, first.Seen), relevant: relevant, always: always}
	newWorker := func() *reader { return newReader(root, r.Format) }
	if err := forEach(ctx, len(c.cands), newWorker, k.keep); err != nil {
		return nil, fmt.Errorf("capture work tree: %w", err)
	}
	pending := k.pending()
	if relevant {
		if err := applyAttributes(ctx, r, c.cands, func(i int) bool { return c.results[i].reason == undecided }); err != nil {
			return nil, err
		}
	}
	err = forEach(ctx, len(pending), newWorker, func(rd *reader, i int) error {
		c.results[pending[i]] = outcome{}
		return c.take(rd, pending[i])
	})
	if err == nil {
		err = c.checkLimits()
	}
	if err != nil {
		return nil, fmt.Errorf("capture work tree: %w", err)
	}
	return buildSnapshot(c.cands, c.results, c.attributes, c.seenAt), nil
}

// joined finds what a snapshot knows of each candidate.
func joined(cands []candidate, s *Snapshot) []prior {
	c := checker{cands: cands, want: s}
	c.join()
	return c.priors
}

// keeper decides which candidates need not be read.
type keeper struct {
	*capture
	known, seen []prior // of the candidate with the same index
	relevant    bool    // attributes can matter
	always      func(path string) bool
}

// keep takes candidate i over, or leaves it undecided.
func (k *keeper) keep(rd *reader, i int) error {
	cand, out := &k.cands[i], &k.results[i]
	known, seen := k.known[i], k.seen[i]
	if out.reason = cand.reason; out.reason != "" {
		return nil
	}
	out.reason = undecided
	if !k.settled(cand, known, seen) {
		return nil
	}
	key, err := rd.stat(cand.path)
	if _, fail := reasonOf(err); fail != nil {
		return fail
	}
	if err != nil || key != seen.stat() || racy(&key, k.seenAt) {
		return nil
	}
	if known.omit != nil {
		*out = outcome{reason: known.omit.Reason, size: known.omit.Size, sum: known.omit.SHA256, stat: key}
		return nil
	}
	f := known.file
	*out = outcome{mode: f.Mode, size: f.Size, sum: f.SHA256, class: f.Class, lang: f.Lang, proven: f.GitBlob != "", stat: key}
	k.files.Add(1)
	k.bytes.Add(f.Size)
	return nil
}

// settled says whether the check found a candidate as it was known, and nothing
// else asks for its bytes.
func (k *keeper) settled(cand *candidate, known, seen prior) bool {
	switch {
	case known.file != nil && seen.file != nil:
		f, s := known.file, seen.file
		return f.SHA256 == s.SHA256 && f.Mode == s.Mode && f.Size == s.Size && f.GitBlob == cand.id && !k.always(cand.path) && seen.hasStat()
	case known.omit != nil && seen.omit != nil:
		o, s := known.omit, seen.omit
		return o.Reason == s.Reason && o.SHA256 == s.SHA256 && o.Size == s.Size && !o.byAttribute() && seen.hasStat()
	}
	return false
}

// pending lists the undecided candidates.
func (k *keeper) pending() []int {
	var list []int
	for i := range k.results {
		if k.results[i].reason == undecided {
			list = append(list, i)
		}
	}
	return list
}
