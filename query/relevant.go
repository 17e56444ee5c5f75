package query

import (
	"cmp"
	"slices"
	"strings"

	"codeidx/fulltext"
	"codeidx/graph"
)

// relevance is what a question is about: the definitions that are shown with
// their text, and the best ones of further files.
type relevance struct {
	seeds, more []seed
}

// relevant finds what a question is about. Definitions that it names come
// first; then files by what each word is worth in their best definition, and
// of these the best definitions.
func (x *Index) relevant(p Params) (*relevance, error) {
	r := &relevance{}
	taken := map[graph.Key]bool{}
	files, names := map[string]bool{}, map[string]bool{}
	named, err := x.named(p)
	if err != nil {
		return nil, err
	}
	for _, s := range named {
		if len(r.seeds) < exploreSeeds && !taken[s.key()] {
			taken[s.key()] = true
			files[s.file.Path] = true
			names[s.file.Symbols[s.i].Name] = true
			r.seeds = append(r.seeds, s)
		}
	}
	words := contentWords(p.Query)
	askTests := asksForTests(p.Query)
	hits, err := x.scoreWords(p, words)
	if err != nil {
		return nil, err
	}
	for _, group := range byFile(hits) {
		if len(files) >= exploreFiles {
			break
		}
		best := group.best()
		f, err := x.Symbols(best.hit.Path)
		if err != nil {
			return nil, err
		}
		if f == nil || int(best.hit.Sym) >= len(f.Symbols) {
			continue
		}
		s := seed{located: located{f, int(best.hit.Sym)}, why: best.why(words)}
		if taken[s.key()] || files[f.Path] || !askTests && isTest(s.located) {
			continue
		}
		taken[s.key()], files[f.Path] = true, true
		name := f.Symbols[s.i].Name
		if len(r.seeds) < exploreSeeds && !names[name] {
			names[name] = true
			r.seeds = append(r.seeds, s)
		} else {
			r.more = append(r.more, s)
		}
	}
	return r, nil
}

// asksForTests says whether a question is about tests, which are left out else:
// each definition counts its own.
func asksForTests(q string) bool {
	return slices.ContainsFunc(fulltext.Words(q), func(w string) bool { return w == "test" || w == "tests" })
}

// named finds the definitions that words of the question name as code would.
// Of several with one name the first is taken, the others are counted.
func (x *Index) named(p Params) ([]seed, error) {
	var out []seed
	for _, word := range anchors(p.Query) {
		found, err := x.targets(word)
		if err != nil {
			return nil, err
		}
		found = slices.DeleteFunc(x.filter(found, p), func(l located) bool { return !underPrefix(l.file.Path, p.PathPrefix) })
		slices.SortStableFunc(found, func(a, b located) int { return cmp.Compare(testLast(a), testLast(b)) })
		if n := len(found); n > 0 && n <= maxSameName {
			out = append(out, seed{located: found[0], why: "named in the question", same: n - 1})
		}
	}
	return out, nil
}

// maxSameName is above how many definitions of one name say nothing about
// which is meant.
const maxSameName = 8

func testLast(l located) int {
	if isTest(l) {
		return 1
	}
	return 0
}

// contentWords are the words of a question without those that English
// questions are made of, which stand in every docstring; all of them where
// nothing else is left.
func contentWords(q string) []string {
	var all, content []string
	for _, w := range strings.Fields(q) {
		w = strings.Trim(w, `.,;:?!()[]{}<>"'`+"`")
		if w == "" || slices.Contains(all, w) {
			continue
		}
		all = append(all, w)
		if _, stop := slices.BinarySearch(stopWords, strings.ToLower(w)); !stop {
			content = append(content, w)
		}
	}
	if len(content) == 0 {
		content = all
	}
	return content[:min(len(content), maxWords)]
}
