package gitstore

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// enumerate lists what git tracks and, where the policy asks for it, what it
// neither tracks nor ignores; sorted by path bytes, each path once, decided as
// far as that goes without reading a file.
func enumerate(ctx context.Context, r *Repo, p *Policy) ([]candidate, error) {
	entries, err := r.Index(ctx)
	if err != nil {
		return nil, err
	}
	cands := trackedCandidates(entries)
	if p.IncludeUntracked {
		paths, err := r.untracked(ctx)
		if err != nil {
			return nil, err
		}
		cands = append(cands, untrackedCandidates(paths)...)
		slices.SortStableFunc(cands, func(a, b candidate) int { return cmp.Compare(a.path, b.path) })
		cands = slices.CompactFunc(cands, func(a, b candidate) bool { return a.path == b.path })
	}
	s := newSelector(p, cands)
	for i := range cands {
		s.decide(&cands[i])
	}
	return cands, nil
}

// trackedCandidates keeps one candidate of each path: the stages of an
// unmerged one follow each other.
func trackedCandidates(entries []IndexEntry) []candidate {
	cands := make([]candidate, 0, len(entries))
	for i := range entries {
		e := &entries[i]
		if n := len(cands); n > 0 && cands[n-1].path == e.Path {
			continue
		}
		c := candidate{path: e.Path, id: e.ID, sparse: e.SkipWorktree}
		switch {
		case e.Stage != 0:
			c.reason = Unmerged
		case e.Mode == modeSubmodule:
			c.reason = Submodule
		}
		cands = append(cands, c)
	}
	return cands
}

func untrackedCandidates(paths []string) []candidate {
	cands := make([]candidate, len(paths))
	for i, p := range paths {
		cands[i].path = p
		if dir, ok := strings.CutSuffix(p, "/"); ok {
			cands[i] = candidate{path: dir, reason: NestedRepo}
		}
	}
	return cands
}

// CountUntracked counts the untracked source files that a policy without
// IncludeUntracked leaves out, by their paths alone.
func CountUntracked(ctx context.Context, r *Repo, p Policy) (int, error) {
	paths, err := r.untracked(ctx)
	if err != nil {
		return 0, err
	}
	cands := untrackedCandidates(paths)
	s := newSelector(&p, cands)
	n := 0
	for i := range cands {
		if s.decide(&cands[i]); cands[i].class == ClassSource {
			n++
		}
	}
	return n, nil
}

// SelectPaths returns what each path is to a policy by its name alone, as if git
// tracked it: ClassNone for what is left out.
func SelectPaths(p Policy, paths []string) []Class {
	cands := make([]candidate, len(paths))
	for i := range paths {
		cands[i].path = paths[i]
	}
	s := newSelector(&p, cands)
	classes := make([]Class, len(paths))
	for i := range cands {
		if s.decide(&cands[i]); cands[i].reason == "" {
			classes[i] = cands[i].class
		}
	}
	return classes
}
