package fulltext

import (
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// class is what a character means to the splitting of identifiers.
type class uint8

const (
	separator class = iota
	underscore
	digit
	lower
	upper    // also title case
	caseless // other letters
	mark     // combines with the character before it
)

func classOf(r rune) class {
	if r < utf8.RuneSelf {
		switch {
		case 'a' <= r && r <= 'z':
			return lower
		case 'A' <= r && r <= 'Z':
			return upper
		case '0' <= r && r <= '9':
			return digit
		case r == '_':
			return underscore
		}
		return separator
	}
	switch {
	case unicode.IsUpper(r) || unicode.IsTitle(r):
		return upper
	case unicode.IsLower(r):
		return lower
	case unicode.IsLetter(r):
		return caseless
	case unicode.IsDigit(r):
		return digit
	case unicode.IsMark(r):
		return mark
	}
	return separator
}

// nextIdent returns the bounds of the first identifier of text at or after
// from: a maximal run without separators. It returns len(text) twice at the end.
func nextIdent(text string, from int) (start, end int) {
	start = skip(text, from, true)
	return start, skip(text, start, false)
}

// identBits has a bit for each ASCII character that is no separator.
var identBits = [2]uint64{0x03ff << '0', 0x07fffffe | 1<<('_'-64) | 0x07fffffe<<32}

// skip returns the end of the run of separators (or of other characters) that
// begins at i.
func skip(text string, i int, separators bool) int {
	for i < len(text) {
		if c := text[i]; c < utf8.RuneSelf {
			if (identBits[c>>6]>>(c&63)&1 == 0) != separators {
				break
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		if (classOf(r) == separator) != separators {
			break
		}
		i += n
	}
	return i
}

// Split returns the folded parts of the identifiers in text: words by camel
// case, underscores, any punctuation and changes between letters and digits.
// "HTTPServer2xx" gives http, server, 2, xx; "userIDs" gives user, ids.
func Split(text string) []string {
	var parts []string
	for start, end := nextIdent(text, 0); start < end; start, end = nextIdent(text, end) {
		parts = appendParts(parts, text[start:end])
	}
	return parts
}

// Words returns the terms of text in order: each identifier folded whole and,
// where these differ from it, its parts. An identifier without letter or digit
// gives none.
func Words(text string) []string {
	var words []string
	for start, end := nextIdent(text, 0); start < end; start, end = nextIdent(text, end) {
		words = appendWords(words, text[start:end])
	}
	return words
}

func appendWords(words []string, ident string) []string {
	n := len(words)
	words = append(words, termOf(ident))
	words = appendParts(words, ident)
	switch {
	case len(words) == n+1:
		return words[:n]
	case len(words) == n+2 && words[n] == words[n+1]:
		return words[:n+1]
	}
	return words
}

// appendParts appends the folded parts of one identifier.
func appendParts(parts []string, ident string) []string {
	folded, sameBounds := fold(ident), isASCII(ident)
	start, last := 0, 0 // of the part, of its last letter or digit
	prev := separator
	cut := func(at int) {
		if at > start && prev != separator {
			if sameBounds {
				parts = append(parts, clip(folded[start:at]))
			} else {
				parts = append(parts, termOf(ident[start:at]))
			}
		}
		start = at
	}
	for i, r := range ident {
		c := classOf(r)
		switch {
		case c == mark:
			if prev == separator {
				start = i + utf8.RuneLen(r) // a mark alone is no part
			}
			continue
		case c == underscore:
			cut(i)
			start, prev = i+1, separator
			continue
		case prev == upper && c == lower && last > start && r == 's' && !lowerFollows(ident[i+1:]):
			// plural of an acronym: stays with it
		case prev == upper && c == lower && last > start:
			cut(last)
		case prev != separator && prev != c && !(prev == upper && c == lower):
			cut(i)
		}
		last, prev = i, c
	}
	cut(len(ident))
	return parts
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func lowerFollows(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s != "" && classOf(r) == lower
}

// Normal returns the form in which a whole name, qualified name or path is
// compared: the folded identifiers of text, joined by dots. "A::b", "a.b" and
// "a b" are equal in it.
func Normal(text string) string {
	return clip(string(appendNormal(nil, text)))
}

func appendNormal(buf []byte, text string) []byte {
	n := len(buf)
	for start, end := nextIdent(text, 0); start < end; start, end = nextIdent(text, end) {
		if len(buf) > n {
			buf = append(buf, '.')
		}
		buf = appendFolded(buf, text[start:end])
	}
	return buf
}

// termOf returns the term of an identifier or of a part of one.
func termOf(ident string) string { return clip(fold(ident)) }

// Longer terms are cut to clipTerm bytes and end in a hash of the whole.
const (
	maxTerm  = 128
	clipTerm = 96
)

// clip bounds the length of a term. What it makes holds a "~", which no other
// term does.
func clip(term string) string {
	if len(term) <= maxTerm {
		return term
	}
	cut := clipTerm
	for !utf8.RuneStart(term[cut]) {
		cut--
	}
	return term[:cut] + "~" + strconv.FormatUint(fnv(term), 16)
}

// fold returns s in simple case folding, s itself where nothing changes.
func fold(s string) string {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' {
			return string(appendFolded(slices.Grow([]byte(nil), len(s)), s))
		}
	}
	return s
}

func appendFolded(buf []byte, s string) []byte {
	for i, r := range s {
		switch {
		case r >= utf8.RuneSelf:
			buf = utf8.AppendRune(buf, unicode.ToLower(unicode.ToUpper(r)))
		case 'A' <= r && r <= 'Z':
			buf = append(buf, s[i]+'a'-'A')
		default:
			buf = append(buf, s[i])
		}
	}
	return buf
}
