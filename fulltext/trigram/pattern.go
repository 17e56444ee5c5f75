package trigram

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"unicode/utf8"
)

// Pattern is what is looked for. It is safe for concurrent use.
type Pattern struct {
	re      *regexp.Regexp
	exact   []byte // where it is nothing but this text, case included
	cond    *condition
	needles []string // each match holds one of them, in folded text
	window  int      // bytes of text to try the expression on at once
}

// Errors of Compile that are the caller's to explain.
var (
	ErrSpansLines = errors.New("it holds a line break, and a search looks at one line at a time")
	ErrNotUTF8    = errors.New("it is not UTF-8")
	ErrNoText     = errors.New("it is empty")
)

// Substring compiles a pattern that is the text itself.
func Substring(text string, ignoreCase bool) (*Pattern, error) {
	if text == "" {
		return nil, ErrNoText
	}
	return compile(text, syntax.Literal, ignoreCase)
}

// Regex compiles a regular expression in Go's syntax (RE2). It matches within
// lines: ^ and $ are a line's ends, and no class holds the line break.
func Regex(expr string, ignoreCase bool) (*Pattern, error) {
	if expr == "" {
		return nil, ErrNoText
	}
	return compile(expr, syntax.PerlX|syntax.UnicodeGroups, ignoreCase)
}

func compile(expr string, flags syntax.Flags, ignoreCase bool) (*Pattern, error) {
	if !utf8.ValidString(expr) {
		return nil, ErrNotUTF8
	}
	if ignoreCase {
		flags |= syntax.FoldCase
	}
	tree, err := syntax.Parse(expr, flags)
	if err != nil {
		return nil, err
	}
	if err := withinLines(tree); err != nil {
		return nil, err
	}
	re, err := regexp.Compile(tree.String())
	if err != nil {
		return nil, err
	}
	p := &Pattern{re: re, cond: conditionOf(tree), window: windowOf(tree)}
	p.needles = p.cond.needles()
	if tree.Op == syntax.OpLiteral && tree.Flags&syntax.FoldCase == 0 {
		p.exact = []byte(string(tree.Rune))
	}
	return p, nil
}

// windowOf returns how much text, up to the end of a line, an expression is
// tried on at once: the regexp package is many times faster where the size of
// the compiled expression times that of the text stays below 256,000.
func windowOf(tree *syntax.Regexp) int {
	const most, least, product = 2 << 10, 256, 240_000
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return least
	}
	return max(least, min(most, product/len(prog.Inst)))
}

// Selective says whether the index can rule files out; if not, every file has
// to be looked at.
func (p *Pattern) Selective() bool { return p.cond.looksUp() }

// withinLines takes the line break out of an expression, or says that it needs
// one.
func withinLines(re *syntax.Regexp) error {
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			if r == '\n' {
				return ErrSpansLines
			}
		}
	case syntax.OpCharClass:
		had := len(re.Rune) > 0
		if re.Rune = without(re.Rune, '\n'); had && len(re.Rune) == 0 {
			return ErrSpansLines
		}
	case syntax.OpAnyChar:
		re.Op = syntax.OpAnyCharNotNL
	case syntax.OpBeginText:
		re.Op = syntax.OpBeginLine
	case syntax.OpEndText:
		re.Op = syntax.OpEndLine
		re.Flags &^= syntax.WasDollar
	}
	for _, sub := range re.Sub {
		if err := withinLines(sub); err != nil {
			return err
		}
	}
	return nil
}

// without takes a character out of ranges.
func without(ranges []rune, r rune) []rune {
	var out []rune
	for i := 0; i+1 < len(ranges); i += 2 {
		lo, hi := ranges[i], ranges[i+1]
		if r < lo || r > hi {
			out = append(out, lo, hi)
			continue
		}
		if lo < r {
			out = append(out, lo, r-1)
		}
		if r < hi {
			out = append(out, r+1, hi)
		}
	}
	return out
}
