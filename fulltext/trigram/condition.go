package trigram

import (
	"cmp"
	"slices"
)

// condition is what a file must meet to match, in folded text: any of some
// strings, all of some conditions, or any of some. The zero condition is met by
// every file.
type condition struct {
	kind    conditionKind
	strings []string // of anyString: sorted; none can be met by no file
	parts   []*condition
}

type conditionKind byte

const (
	always conditionKind = iota
	anyString
	allOf
	anyOf
)

// both joins conditions that must hold together.
func both(list ...*condition) *condition {
	c := &condition{kind: allOf}
	for _, p := range list {
		switch p.kind {
		case always:
		case allOf:
			c.parts = append(c.parts, p.parts...)
		default:
			c.parts = append(c.parts, p)
		}
	}
	switch len(c.parts) {
	case 0:
		return &condition{}
	case 1:
		return c.parts[0]
	}
	return c
}

// either joins conditions of which one must hold.
func either(list ...*condition) *condition {
	for _, p := range list {
		if p.kind == always {
			return p
		}
	}
	if len(list) == 1 {
		return list[0]
	}
	return &condition{kind: anyOf, parts: list}
}

// maxGrams bounds the trigrams that are looked up for one string: a long one
// needs no more to be rare.
const maxGrams = 24

// looksUp says whether the index can rule any file out.
func (c *condition) looksUp() bool {
	switch c.kind {
	case anyString:
		return !slices.ContainsFunc(c.strings, func(s string) bool { return len(s) < 3 })
	case allOf:
		return slices.ContainsFunc(c.parts, (*condition).looksUp)
	case anyOf:
		return !slices.ContainsFunc(c.parts, func(p *condition) bool { return !p.looksUp() })
	}
	return false
}

// eval returns the files of a run that meet the condition.
func (c *condition) eval(r *Run) (fileSet, error) {
	switch c.kind {
	case anyString:
		return c.evalStrings(r)
	case allOf:
		set := fullFileSet(len(r.Files))
		for _, p := range c.parts {
			part, err := p.eval(r)
			if err != nil {
				return nil, err
			}
			if set.and(part); set.count() == 0 {
				return set, nil
			}
		}
		return set, nil
	case anyOf:
		set := newFileSet(len(r.Files))
		for _, p := range c.parts {
			part, err := p.eval(r)
			if err != nil {
				return nil, err
			}
			set.or(part)
		}
		return set, nil
	}
	return fullFileSet(len(r.Files)), nil
}

func (c *condition) evalStrings(r *Run) (fileSet, error) {
	if !c.looksUp() {
		return fullFileSet(len(r.Files)), nil
	}
	all := newFileSet(len(r.Files))
	for _, s := range c.strings {
		set := fullFileSet(len(r.Files))
		for _, g := range lookups(s) {
			holding, err := r.holding(g)
			if err != nil {
				return nil, err
			}
			// Looking at a file costs about as much as a block of postings.
			if set.and(holding); set.count() <= 1 {
				break
			}
		}
		all.or(set)
	}
	return all, nil
}

// lookups are the trigrams of a string, ascending so that neighbours share a
// block; of a long one, some that are spread over it.
func lookups(s string) []uint32 {
	grams := gramsOf(s)
	if n := len(grams); n > maxGrams {
		for i := range maxGrams {
			grams[i] = grams[i*(n-1)/(maxGrams-1)]
		}
		grams = grams[:maxGrams]
	}
	slices.Sort(grams)
	return slices.Compact(grams)
}

// required lists the sets of strings of which each match must hold one.
func (c *condition) required() [][]string {
	switch c.kind {
	case anyString:
		return [][]string{c.strings}
	case allOf:
		var out [][]string
		for _, p := range c.parts {
			if p.kind == anyString {
				out = append(out, p.strings)
			}
		}
		return out
	}
	return nil
}

// maxNeedles bounds the strings that a file is searched for before the pattern
// itself is tried.
const maxNeedles = 8

// needles returns the set of strings, in folded text, that is best to look for
// first: each match holds one of them. It is nil where there is none.
func (c *condition) needles() []string {
	var best []string
	for _, set := range c.required() {
		if len(set) > 0 && len(set) <= maxNeedles && shortest(set) > 0 &&
			(best == nil || cmp.Or(cmp.Compare(shortest(set), shortest(best)), cmp.Compare(len(best), len(set))) > 0) {
			best = set
		}
	}
	return best
}

func shortest(set []string) int {
	n := len(set[0])
	for _, s := range set {
		n = min(n, len(s))
	}
	return n
}
