package trigram

import (
	"regexp/syntax"
	"slices"
	"unicode"
)

// A condition is derived by walking through the expression from left to right.
// What is known at each point is a set of strings one of which the text before
// the point ends with (tails). Characters and small classes make the tails
// longer; where they cannot be followed any further, they are stated as a
// condition and known text starts anew.

// Limits of what is followed.
const (
	maxClass  = 10  // characters of a class
	maxTails  = 48  // strings
	maxAny    = 512 // strings of one condition
	maxLength = 256 // bytes of a string
)

// tails are strings in folded text, sorted, without duplicates. No string at
// all means that no text gets to this point.
type tails []string

func nothingKnown() tails { return tails{""} }

// conditionOf returns what a file must hold to match anywhere.
func conditionOf(re *syntax.Regexp) *condition {
	t, c := walk(re, nothingKnown())
	return both(c, t.state())
}

// state is the condition that one of the strings occurs.
func (t tails) state() *condition {
	if len(t) > maxAny || slices.Contains(t, "") {
		return &condition{}
	}
	return &condition{kind: anyString, strings: t}
}

// ends keeps what the next characters make trigrams with.
func (t tails) ends() tails {
	out := make(tails, len(t))
	for i, s := range t {
		out[i] = s[max(0, len(s)-2):]
	}
	return out.sorted()
}

func (t tails) sorted() tails {
	slices.Sort(t)
	return slices.Compact(t)
}

// fresh is what is known after text that cannot be followed.
func (t tails) fresh() tails {
	if len(t) == 0 {
		return t
	}
	return nothingKnown()
}

// append adds one of some strings to each tail.
func (t tails) append(next []string) tails {
	out := make(tails, 0, len(t)*len(next))
	for _, s := range t {
		for _, n := range next {
			out = append(out, s+n)
		}
	}
	return out.sorted()
}

func (t tails) longest() int {
	n := 0
	for _, s := range t {
		n = max(n, len(s))
	}
	return n
}

// walk returns what is known after re where t was known before, and the
// condition that was stated on the way.
func walk(re *syntax.Regexp, t tails) (tails, *condition) {
	switch re.Op {
	case syntax.OpNoMatch:
		return tails{}, &condition{}
	case syntax.OpLiteral:
		return walkLiteral(re, t)
	case syntax.OpCharClass:
		return follow(t, classTexts(re.Rune))
	case syntax.OpCapture:
		return walk(re.Sub[0], t)
	case syntax.OpConcat:
		all := &condition{}
		for _, sub := range re.Sub {
			var c *condition
			t, c = walk(sub, t)
			all = both(all, c)
		}
		return t, all
	case syntax.OpAlternate:
		return walkBranches(re.Sub, t)
	case syntax.OpQuest:
		after, _ := walk(re.Sub[0], t)
		return merge(t, after)
	case syntax.OpPlus:
		after, c := walk(re.Sub[0], t)
		return after.fresh(), both(c, after.state())
	case syntax.OpRepeat:
		return walkRepeat(re, t)
	case syntax.OpStar, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return t.fresh(), t.state()
	}
	return t, &condition{} // empty text
}

func walkLiteral(re *syntax.Regexp, t tails) (tails, *condition) {
	all := &condition{}
	for _, r := range re.Rune {
		var c *condition
		t, c = follow(t, runeTexts(r, re.Flags&syntax.FoldCase != 0))
		all = both(all, c)
	}
	return t, all
}

// follow adds a character that is one of some texts; nil is any.
func follow(t tails, next []string) (tails, *condition) {
	if next == nil {
		return t.fresh(), t.state()
	}
	if len(t)*len(next) <= maxTails && t.longest() < maxLength {
		return t.append(next), &condition{}
	}
	c := t.state()
	if t = t.ends(); len(t)*len(next) > maxTails {
		t = t.fresh()
	}
	return t.append(next), c
}

// walkBranches follows each branch on its own.
func walkBranches(subs []*syntax.Regexp, t tails) (tails, *condition) {
	var out tails
	var conds []*condition
	for _, sub := range subs {
		after, c := walk(sub, t)
		out, conds = append(out, after...), append(conds, c)
	}
	return settle(out.sorted(), either(conds...))
}

func merge(a, b tails) (tails, *condition) {
	return settle(append(slices.Clone(a), b...).sorted(), &condition{})
}

// settle states tails that have become too many.
func settle(t tails, c *condition) (tails, *condition) {
	if len(t) <= maxTails {
		return t, c
	}
	c = both(c, t.state())
	if t = t.ends(); len(t) > maxTails {
		t = t.fresh()
	}
	return t, c
}

// walkRepeat follows the repetitions that must be there.
func walkRepeat(re *syntax.Regexp, t tails) (tails, *condition) {
	const followed = 4
	all := &condition{}
	for i := range min(re.Min, followed) {
		var c *condition
		if t, c = walk(re.Sub[0], t); i < followed {
			all = both(all, c)
		}
	}
	if re.Min == re.Max && re.Min <= followed {
		return t, all
	}
	return t.fresh(), both(all, t.state())
}

// runeTexts are the folded forms of a character, with fold in either case.
func runeTexts(r rune, fold bool) []string {
	out := []string{string(foldRune(r))}
	if fold {
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			out = append(out, string(foldRune(f)))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// classTexts are the folded forms of the characters in ranges; nil where there
// are too many.
func classTexts(ranges []rune) []string {
	out := []string{}
	for i := 0; i+1 < len(ranges); i += 2 {
		if ranges[i+1]-ranges[i] >= 2*maxClass {
			return nil
		}
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			out = append(out, string(foldRune(r)))
		}
	}
	slices.Sort(out)
	if out = slices.Compact(out); len(out) > maxClass {
		return nil
	}
	return out
}
