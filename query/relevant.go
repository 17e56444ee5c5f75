package query

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"codeidx/facts"
	"codeidx/fulltext"
)

// relevance is what a question is about: the definitions that are shown with
// their text, and the best ones of further files.
type relevance struct {
	seeds, more []seed
	files       map[string]bool
	names       map[string]bool // of seeds
}

// Files whose users are counted, and what their number is worth: of files with
// the same words, the one that more of the program leans on is meant more often.
const (
	rankedFiles = 40
	userWeight  = 0.2 // of the logarithm of the number of files that refer to it
)

// relevant finds what a question is about. Definitions that it names come
// first; then the files that fit its words best, each with the definition that
// does. Tests are not shown with their text where anything else is, since each
// definition counts its own.
func (x *Index) relevant(p Params) (*relevance, error) {
	r := &relevance{files: map[string]bool{}, names: map[string]bool{}}
	named, err := x.named(p)
	if err != nil {
		return nil, err
	}
	for _, s := range named {
		if len(r.seeds) < exploreSeeds && !slices.ContainsFunc(r.seeds, func(t seed) bool { return t.key() == s.key() }) {
			r.take(s, true)
		}
	}
	q := newQuestion(p.Query)
	hits, err := x.rankFiles(q, p)
	if err != nil {
		return nil, err
	}
	for _, h := range hits {
		if len(r.files) >= exploreFiles {
			break
		}
		if r.files[h.Path] {
			continue
		}
		best := q.best(h)
		f, err := x.Symbols(h.Path)
		if err != nil {
			return nil, err
		}
		if f == nil || int(best.Sym) >= len(f.Symbols) {
			return nil, x.noSymbol(h.Path, best.Sym)
		}
		s := seed{located: located{f, int(best.Sym)}, why: q.why(h, best)}
		r.take(s, len(r.seeds) == 0 || !isTest(s.located) || q.asksFor(testWords))
	}
	return r, nil
}

// take makes a definition a seed, if it may be one and there is room for one of
// its name.
func (r *relevance) take(s seed, may bool) {
	name := s.file.Symbols[s.i].Name
	r.files[s.file.Path] = true
	if may && len(r.seeds) < exploreSeeds && !r.names[name] {
		r.names[name] = true
		r.seeds = append(r.seeds, s)
	} else {
		r.more = append(r.more, s)
	}
}

// rankFiles returns the files that fit the words best, best first.
func (x *Index) rankFiles(q *question, p Params) ([]fulltext.FileHit, error) {
	ctx := context.Background()
	ix, err := x.textIndex(ctx)
	if err != nil {
		return nil, err
	}
	filter := p.textQuery(0, 0)
	hits, _, err := fulltext.RankFiles(ctx, ix, fulltext.FileQuery{
		Words: q.words, Langs: filter.Langs, Kinds: filter.Kinds, PathPrefix: filter.PathPrefix, Limit: rankedFiles, Weigh: q.weigh,
	})
	if err != nil {
		return nil, err
	}
	for i := range hits {
		users, err := x.users(hits[i].Path)
		if err != nil {
			return nil, err
		}
		hits[i].Score += math.Round(userWeight*math.Log1p(float64(users))*1000) / 1000
	}
	slices.SortStableFunc(hits, func(a, b fulltext.FileHit) int { return cmp.Compare(b.Score, a.Score) })
	return hits, nil
}

// users counts the other files that refer to a definition of a file.
func (x *Index) users(path string) (int, error) {
	in, err := x.inboundOf(path)
	if err != nil {
		return 0, err
	}
	users := map[string]bool{}
	for _, s := range in {
		for _, p := range s.Paths {
			users[p] = true
		}
	}
	delete(users, path)
	return len(users), nil
}

// best is the definition to show for a file: functions and types before fields
// and variables that fit little better, the file itself only where nothing in
// it holds a word.
func (q *question) best(h fulltext.FileHit) *fulltext.SymbolHit {
	best, most := &h.Symbols[0], -1.0
	for i := range h.Symbols {
		s := &h.Symbols[i]
		weight := kindWeight(facts.DefKind(s.Kind))
		if s.Flags&fulltext.Test != 0 && h.Symbols[0].Flags&fulltext.Test == 0 {
			weight *= testWeight
		}
		if worth := float64(s.Score * weight); worth > most {
			best, most = s, worth
		}
	}
	return best
}

func kindWeight(k facts.DefKind) float64 {
	switch k {
	case facts.DefFile:
		return 0
	case facts.DefFunction, facts.DefMethod, facts.DefClass, facts.DefInterface, facts.DefStruct, facts.DefTrait, facts.DefEnum, facts.DefType:
		return 1
	}
	return 0.6
}

// why names the words of the question that a definition holds, by where, and
// those that only the rest of its file holds.
func (q *question) why(h fulltext.FileHit, s *fulltext.SymbolHit) string {
	var parts []string
	var told fulltext.WordSet
	tell := func(where string, set fulltext.WordSet) {
		if labels := q.labelsOf(set &^ told); len(labels) > 0 {
			parts = append(parts, where+": "+strings.Join(labels, ", "))
		}
		told |= set
	}
	for f := range fulltext.NumFields {
		if f != fulltext.Qualified {
			tell(f.String(), s.Words[f])
		}
	}
	rest := fulltext.WordSet(0)
	for i := range h.Symbols {
		rest |= h.Symbols[i].Held(fulltext.AllFields)
	}
	tell("elsewhere in the file", rest)
	return strings.Join(parts, "; ")
}

func (q *question) labelsOf(set fulltext.WordSet) []string {
	var out []string
	for i, label := range q.labels {
		if set.Has(i) {
			out = append(out, label)
		}
	}
	return out
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
