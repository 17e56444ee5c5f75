package query

import "slices"

// impactChanges answers what the differences between two states may break:
// what used the old definitions, along the old graph, and what uses the new
// ones, along the new graph. No path leads across both.
func impactChanges(x *Index, p Params) (*result, error) {
	before, after, err := x.baseline()
	if err != nil {
		return nil, err
	}
	if p.Before != "" && p.Before != before.Fingerprint {
		return nil, errorf(BaselineUnavailable, "ask without it, or see: git codeidx changes", "the baseline is not the index with fingerprint %s", p.Before)
	}
	if err := p.knowPaths(before, after); err != nil {
		return nil, err
	}
	res := &result{Before: &before.Endpoint, After: &after.Endpoint}
	var old, now seedSet
	for _, d := range deltas(before, after) {
		if len(p.Paths) > 0 && !slices.Contains(p.Paths, d.path) {
			continue
		}
		if err := seedDelta(res, before, after, &d, &old, &now); err != nil {
			return nil, err
		}
	}
	old.mayBeResults()
	now.mayBeResults()
	if err := before.index.reach(res, &old, p, "before"); err != nil {
		return nil, err
	}
	if after.index == nil {
		res.Origin = "mixed"
		res.partial("the work tree has no graph yet, so that only uses of old definitions are known: ask with --stale sync")
		return res, nil
	}
	return res, after.index.reach(res, &now, p, "after")
}

// seedDelta makes seeds of what differs in one file: the old side of what was
// changed or removed, the new side of what was changed or added.
func seedDelta(res *result, before, after *state, d *fileDelta, old, now *seedSet) error {
	delta, err := symbolDeltas(before, after, d)
	if err != nil {
		return err
	}
	for _, s := range delta.list {
		if s.a >= 0 {
			res.about(*before.sym(s.at, s.a))
			old.add(located{s.at, s.a})
		}
		if s.b >= 0 {
			res.about(*after.sym(s.bt, s.b))
			if after.index != nil {
				now.add(located{s.bt, s.b})
			}
		}
	}
	return nil
}

// knowPaths refuses a path that neither state has: a typing error must not
// pass for "nothing changed". Paths are made relative to the top.
func (p *Params) knowPaths(before, after *state) error {
	for i, given := range p.Paths {
		path, ok := "", false
		for _, try := range pathChoices(given, p.Prefix) {
			if !ok && (before.has(try) || after.has(try)) {
				path, ok = try, true
			}
		}
		if !ok {
			return errorf(InvalidRequest, "paths are relative to this folder or to the top of the work tree", "no indexed file is or was called %q", given)
		}
		p.Paths[i] = path
	}
	return nil
}
