package query

import (
	"slices"
	"strings"

	"codeidx/fulltext"
)

// maxWords bounds the words of a question that are looked for.
const maxWords = 16

// Weights of what a word of a question may stand as, beside the word itself.
// They were found, as those of package fulltext, on half of the repositories of
// docs/EVALUATION.md.
const (
	formWeight     = 0.4 // another form of a word: contexts for context
	compoundWeight = 0.6 // an identifier as a whole, beside its parts
	pairWeight     = 0.2 // two words in a row as one identifier
	weakWeight     = 0.5 // see weakWords
)

// question is what a text asks for in words.
type question struct {
	words  []fulltext.Word
	labels []string // of words, for people
	asked  map[string]bool
}

// newQuestion reads a text: its words with their forms, the identifiers in it
// whole and by parts, and each two words in a row as one identifier.
func newQuestion(text string) *question {
	q := &question{asked: map[string]bool{}}
	for _, w := range contentWords(text) {
		terms := fulltext.Words(w)
		for _, term := range terms {
			weight := 1.0
			if _, weak := slices.BinarySearch(weakWords, term); weak {
				weight = weakWeight
			}
			switch {
			case len(terms) > 1 && term == terms[0]:
				q.add(term, compoundWeight, fulltext.Form{Term: term, Weight: 1})
			case len(terms) == 1 || len(term) > 1:
				q.add(term, weight, weighted(forms(term))...)
			}
		}
	}
	q.addPairs(text)
	return q
}

// weighted gives the first form, which is the word itself, full weight.
func weighted(terms []string) []fulltext.Form {
	out := make([]fulltext.Form, len(terms))
	for i, term := range terms {
		out[i] = fulltext.Form{Term: term, Weight: formWeight}
	}
	out[0].Weight = 1
	return out
}

// add adds a word once; label is how people are told of it.
func (q *question) add(label string, weight float64, forms ...fulltext.Form) {
	if q.asked[forms[0].Term] || len(q.words) == fulltext.MaxFileWords {
		return
	}
	q.asked[forms[0].Term] = true
	q.words = append(q.words, fulltext.Word{Forms: forms, Weight: weight})
	q.labels = append(q.labels, label)
}

// addPairs adds "setup" and "set_up" for "set up".
func (q *question) addPairs(text string) {
	words := plainWords(text)
	words = words[:min(len(words), maxWords)]
	for i := 1; i < len(words); i++ {
		a, b := fulltext.Words(words[i-1]), fulltext.Words(words[i])
		if len(a) == 1 && len(b) == 1 && len(a[0])+len(b[0]) > 4 {
			q.add(a[0]+" "+b[0], pairWeight, fulltext.Form{Term: a[0] + b[0], Weight: 1}, fulltext.Form{Term: a[0] + "_" + b[0], Weight: 1})
		}
	}
}

// asksFor says whether one of the words is asked for, in any form.
func (q *question) asksFor(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		return slices.ContainsFunc(forms(w), func(form string) bool { return q.asked[form] })
	})
}

// plainWords are the words of a text without the punctuation around them.
func plainWords(text string) []string {
	var out []string
	for _, w := range strings.Fields(text) {
		if w = strings.Trim(w, `.,;:?!()[]{}<>"'`+"`"); w != "" {
			out = append(out, w)
		}
	}
	return out
}

// contentWords are the words of a question without those that English
// questions are made of, which stand in every docstring; all of them where
// nothing else is left.
func contentWords(text string) []string {
	var all, content []string
	for _, w := range plainWords(text) {
		w = strings.TrimSuffix(w, "'s")
		if slices.Contains(all, w) {
			continue
		}
		all = append(all, w)
		lower := strings.ToLower(w)
		if _, stop := slices.BinarySearch(stopWords, lower); !stop && !strings.HasSuffix(lower, "n't") {
			content = append(content, w)
		}
	}
	if len(content) == 0 {
		content = all
	}
	return content[:min(len(content), maxWords)]
}

// forms are a folded word and what English makes of it: "contexts" and
// "context"; "parsed", "parse", "parses" and "parsing".
func forms(w string) []string {
	out := []string{w}
	if len(w) < 3 || !isLower(w) {
		return out
	}
	for _, base := range bases(w) {
		for _, form := range append(inflected(base), base) {
			if !slices.Contains(out, form) {
				out = append(out, form)
			}
		}
	}
	return out
}

// inflected are the regular forms of a base.
func inflected(base string) []string {
	n := len(base)
	last, before := base[n-1], base[n-2]
	switch {
	case last == 'e':
		return []string{base + "s", base + "d", base[:n-1] + "ing"}
	case last == 'y' && !isVowel(before):
		return []string{base[:n-1] + "ies", base[:n-1] + "ied", base + "ing"}
	case n == 3 || n == 4:
		if isVowel(last) || !isVowel(before) || isVowel(base[n-3]) || strings.IndexByte("wxy", last) >= 0 {
			break
		}
		double := base + base[n-1:] // stop, stopped
		return []string{base + "s", double + "ed", double + "ing"}
	}
	return []string{base + "s", base + "ed", base + "ing"}
}

func isVowel(c byte) bool { return strings.IndexByte("aeiou", c) >= 0 }

// bases are what a word may be a form of, itself where it has no ending.
func bases(w string) []string {
	for _, ending := range [...]struct {
		suffix string
		puts   []string
	}{{"ies", []string{"y"}}, {"ing", []string{"", "e"}}, {"ed", []string{"", "e"}}, {"es", []string{"", "e"}}, {"s", []string{""}}} {
		stem, ok := strings.CutSuffix(w, ending.suffix)
		if !ok || len(stem) < 3 {
			continue
		}
		var out []string
		for _, put := range ending.puts {
			out = append(out, stem+put)
		}
		if n := len(stem); len(ending.puts) == 2 && stem[n-1] == stem[n-2] {
			out = append(out, stem[:n-1])
		}
		return out
	}
	return []string{w}
}

func isLower(w string) bool {
	return strings.IndexFunc(w, func(r rune) bool { return r < 'a' || r > 'z' }) < 0
}
