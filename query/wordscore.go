package query

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strings"

	"codeidx/facts"
	"codeidx/fulltext"
)

// Bounds of the search for what a question is about.
const (
	maxWords    = 16
	hitsPerWord = 400
	maxNamed    = 40 // definitions named by one word whose users are looked up
)

// Weights of a file's worth, found on half of the repositories of
// docs/EVALUATION.md.
const (
	formWeight  = 0.7 // of another form of a word, in proportion to the word itself
	userWeight  = 0.5 // of using what a word names
	bestWeight  = 0.7 // of the best definition, beside the sum over the words
	countWeight = 0.5 // of the logarithm of the number of hits
	restWeight  = 1.0 // of the logarithm of what the hits after the best are worth
)

// scored is a definition with what the words of the question are worth there.
type scored struct {
	hit    fulltext.Hit
	words  []float64 // by word
	inName uint32    // words that its name holds, by bit
}

func (s *scored) total() float64 {
	t := 0.0
	for _, w := range s.words {
		t += w
	}
	return t
}

// symAt is a symbol by its place in a file's table.
type symAt struct {
	path string
	sym  uint32
}

// wordSearch scores definitions word by word, so that what a file holds of
// different words can be added up.
type wordSearch struct {
	x     *Index
	words []string
	all   map[symAt]*scored
}

// scoreWords returns what the words of a question find, best first.
func (x *Index) scoreWords(p Params, words []string) ([]*scored, error) {
	s := &wordSearch{x: x, words: words, all: map[symAt]*scored{}}
	ix, err := x.textIndex(context.Background())
	if err != nil {
		return nil, err
	}
	for i, w := range s.words {
		for n, form := range forms(w) {
			p.Query = form
			hits, _, err := fulltext.Search(context.Background(), ix, p.textQuery(hitsPerWord, fulltext.Lexical))
			if err != nil {
				return nil, err
			}
			weight := 1.0
			if n > 0 {
				weight = formWeight
			}
			s.add(i, hits, weight)
		}
	}
	if p.SymbolKind == "" {
		if err := s.addUsers(p); err != nil {
			return nil, err
		}
	}
	out := slices.Collect(maps.Values(s.all))
	slices.SortFunc(out, func(a, b *scored) int {
		return cmp.Or(cmp.Compare(b.total(), a.total()), cmp.Compare(a.hit.Path, b.hit.Path), cmp.Compare(a.hit.Sym, b.hit.Sym))
	})
	return out, nil
}

func (s *wordSearch) at(h fulltext.Hit) *scored {
	k := symAt{h.Path, h.Sym}
	if s.all[k] == nil {
		s.all[k] = &scored{hit: h, words: make([]float64, len(s.words))}
	}
	return s.all[k]
}

func (s *wordSearch) add(word int, hits []fulltext.Hit, weight float64) {
	for _, h := range hits {
		d := s.at(h)
		d.words[word] = max(d.words[word], float64(h.Score*weight))
		if h.Tier < fulltext.Lexical {
			d.inName |= 1 << word
		}
	}
}

// addUsers credits files with the words that they use without defining them:
// the names of what they refer to, bound or not.
func (s *wordSearch) addUsers(p Params) error {
	cov, err := s.x.coverage()
	if err != nil {
		return err
	}
	for i := range s.words {
		users, err := s.users(i)
		if err != nil {
			return err
		}
		worth := userWeight * math.Log1p(float64(cov.Files)/float64(max(len(users), 1)))
		for _, path := range users {
			lang := facts.Detect(path)
			if !underPrefix(path, p.PathPrefix) || p.Lang != "" && lang.String() != p.Lang {
				continue
			}
			d := s.at(fulltext.Hit{Path: path, Kind: byte(facts.DefFile)})
			d.words[i] = max(d.words[i], worth)
		}
	}
	return nil
}

// users lists the files that refer to what a word names.
func (s *wordSearch) users(word int) ([]string, error) {
	paths := map[string]bool{}
	loose, err := s.x.Unbound(s.words[word])
	if err != nil {
		return nil, err
	}
	for _, f := range loose {
		paths[f.Path] = true
	}
	var named []symAt
	for k, d := range s.all {
		if d.inName&(1<<word) != 0 && k.sym > 0 {
			named = append(named, k)
		}
	}
	if len(named) > maxNamed {
		named = nil
	}
	for _, k := range named {
		f, err := s.x.Symbols(k.path)
		if err != nil {
			return nil, err
		}
		if f == nil || int(k.sym) >= len(f.Symbols) {
			continue
		}
		in, err := s.x.inbound(f.Key(int(k.sym)))
		if err != nil {
			return nil, err
		}
		for _, p := range in {
			paths[p] = true
		}
	}
	return sortedKeys(paths), nil
}

// fileGroup is the hits of one file, best first.
type fileGroup struct {
	path  string
	hits  []*scored
	score float64
}

// best is the definition to show for a file: functions and types before fields
// and variables that fit little better, the file itself only where nothing in
// it matches.
func (g *fileGroup) best() *scored {
	best, most := g.hits[0], -1.0
	for _, h := range g.hits {
		if t := float64(h.total() * kindWeight(h.hit)); t > most {
			best, most = h, t
		}
	}
	return best
}

func kindWeight(h fulltext.Hit) float64 {
	switch facts.DefKind(h.Kind) {
	case facts.DefFile:
		return 0
	case facts.DefFunction, facts.DefMethod, facts.DefClass, facts.DefInterface, facts.DefStruct, facts.DefTrait, facts.DefEnum, facts.DefType:
		return 1
	}
	return 0.6
}

// why names the words of the question that a definition holds.
func (s *scored) why(words []string) string {
	var held []string
	for i, w := range s.words {
		if w > 0 {
			held = append(held, words[i])
		}
	}
	verb := "words: "
	if s.hit.Sym == 0 {
		verb = "uses: "
	}
	return verb + strings.Join(held, ", ")
}

// byFile groups hits, which are sorted, by file, and orders the files by worth.
func byFile(hits []*scored) []*fileGroup {
	groups := map[string]*fileGroup{}
	for _, h := range hits {
		g := groups[h.hit.Path]
		if g == nil {
			g = &fileGroup{path: h.hit.Path}
			groups[h.hit.Path] = g
		}
		g.hits = append(g.hits, h)
	}
	out := slices.Collect(maps.Values(groups))
	for _, g := range out {
		g.score = g.worth()
	}
	slices.SortFunc(out, func(a, b *fileGroup) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.path, b.path)) })
	return out
}

// worth adds up what each word is worth in the definition that it fits best,
// with some credit for one definition that fits all and for many hits.
func (g *fileGroup) worth() float64 {
	most := make([]float64, len(g.hits[0].words))
	rest := 0.0
	for n, h := range g.hits {
		for i, w := range h.words {
			most[i] = max(most[i], w)
		}
		if n > 0 {
			rest += h.total()
		}
	}
	sum := float64(bestWeight*g.hits[0].total()) + float64(countWeight*math.Log1p(float64(len(g.hits)))) + float64(restWeight*math.Log1p(rest))
	for _, w := range most {
		sum += w
	}
	return sum
}

// forms are a word and what English makes of it: "contexts" and "context",
// "parsing", "parsed" and "parse". Identifiers have one form.
func forms(w string) []string {
	out := []string{w}
	if len(w) < 4 || strings.ContainsAny(w, "_./:#") || strings.ToLower(w[1:]) != w[1:] {
		return out
	}
	for _, ending := range []struct {
		suffix string
		puts   []string
	}{{"ies", []string{"y"}}, {"ing", []string{"", "e"}}, {"ed", []string{"", "e"}}, {"es", []string{"", "e"}}, {"s", []string{""}}} {
		stem, ok := strings.CutSuffix(w, ending.suffix)
		if !ok || len(stem) < 3 {
			continue
		}
		for _, put := range ending.puts {
			out = append(out, stem+put)
		}
		if n := len(stem); len(ending.puts) == 2 && stem[n-1] == stem[n-2] {
			out = append(out, stem[:n-1])
		}
		return out
	}
	return append(out, w+"s")
}
