package fulltext

import (
	"cmp"
	"context"
	"maps"
	"math"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// blockList is a section in memory.
type blockList []Block

func (l blockList) Floor(key []byte) (Block, error) {
	i := sort.Search(len(l), func(i int) bool { return string(l[i].Key) > string(key) })
	if i == 0 {
		return Block{}, nil
	}
	return l[i-1], nil
}

func (l blockList) Ceil(key []byte) (Block, error) {
	i := sort.Search(len(l), func(i int) bool { return string(l[i].Key) >= string(key) })
	if i == len(l) {
		return Block{}, nil
	}
	return l[i], nil
}

// cutRuns sorts docs by path into runs that end where cut says so, given the
// files and docs of the run.
func cutRuns(docs []Doc, cut func(path string, files, docs int) bool) [][]Doc {
	byPath := map[string][]Doc{}
	for _, d := range docs {
		byPath[d.Path] = append(byPath[d.Path], d)
	}
	var runs [][]Doc
	var run []Doc
	files := 0
	for _, path := range slices.Sorted(maps.Keys(byPath)) {
		run, files = append(run, byPath[path]...), files+1
		if cut(path, files, len(run)) {
			runs, run, files = append(runs, run), nil, 0
		}
	}
	return append(runs, run)
}

// section encodes the runs of docs.
func section(t testing.TB, docs []Doc, cut func(path string, files, docs int) bool) blockList {
	t.Helper()
	var list blockList
	for _, run := range cutRuns(docs, cut) {
		blocks, err := EncodeSegment(run)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, blocks...)
	}
	if !slices.IsSortedFunc(list, func(a, b Block) int { return slices.Compare(a.Key, b.Key) }) {
		t.Fatal("blocks are not in order of their keys")
	}
	return list
}

func oneRun(string, int, int) bool { return false }

func open(t testing.TB, blocks Blocks) *Index {
	t.Helper()
	ix, err := Open(context.Background(), blocks)
	if err != nil {
		t.Fatal(err)
	}
	return ix
}

// answer is what Search returns.
type answer struct {
	Hits  []Hit
	Total int
}

func search(t testing.TB, ix *Index, q Query) answer {
	t.Helper()
	hits, total, err := Search(context.Background(), ix, q)
	if err != nil {
		t.Fatal(err)
	}
	return answer{hits, total}
}

// check compares answers.
func check(t interface {
	Helper()
	Errorf(string, ...any)
}, what string, want, got answer) {
	t.Helper()
	if len(want.Hits) == 0 && len(got.Hits) == 0 && want.Total == got.Total || reflect.DeepEqual(want, got) {
		return // saves comparing thousands of hits field by field
	}
	t.Errorf("%s (-want +got):\n%s", what, gocmp.Diff(want, got))
}

// naive answers a query by reading every doc.
func naive(docs []Doc, q Query) answer {
	if q.Fields == 0 {
		q.Fields = SymbolFields
	}
	n := naiveCorpus{query: q, docs: slices.Clone(docs), df: map[string]float64{}}
	slices.SortFunc(n.docs, func(a, b Doc) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Sym, b.Sym))
	})
	for _, w := range Words(q.Text) {
		if !slices.Contains(n.terms, w) {
			n.terms = append(n.terms, w)
		}
	}
	for _, d := range n.docs {
		var words [NumFields][]string
		for f := range NumFields {
			if words[f] = Words(d.Fields[f]); f == Path {
				words[f] = Words(d.Path)
			}
			n.length[f] += rankedLength(f, len(words[f]))
			if !q.Fields.Has(f) {
				words[f] = nil
			}
		}
		n.words = append(n.words, words)
		n.lengths = append(n.lengths, lengthsOf(d))
	}
	return n.answer()
}

// rankedLength is the length that ranking gives a field of n words: bodies
// keep five leading bits.
func rankedLength(f Field, n int) int {
	if f < Code {
		return min(n, 255)
	}
	unit := 1
	for n/unit >= 32 {
		unit *= 2
	}
	return n / unit * unit
}

func lengthsOf(d Doc) (lengths [NumFields]int) {
	d.Fields[Path] = d.Path
	for f := range NumFields {
		lengths[f] = rankedLength(f, len(Words(d.Fields[f])))
	}
	return lengths
}

type naiveCorpus struct {
	query   Query
	docs    []Doc
	words   [][NumFields][]string
	terms   []string
	length  [NumFields]int
	lengths [][NumFields]int
	df      map[string]float64
}

// docsWith returns the number of docs that hold term.
func (n *naiveCorpus) docsWith(term string) float64 {
	df, ok := n.df[term]
	if !ok {
		for _, words := range n.words {
			if slices.ContainsFunc(words[:], func(w []string) bool { return slices.Contains(w, term) }) {
				df++
			}
		}
		n.df[term] = df
	}
	return df
}

func (n *naiveCorpus) answer() answer {
	type scored struct {
		hit  Hit
		path bool
	}
	var all []scored
	parts := Split(n.query.Text)
	tests := slices.Contains(parts, "test") || slices.Contains(parts, "tests")
	for i, d := range n.docs {
		tier := n.tier(i, parts)
		if tier == 0 || !n.passes(d) {
			continue
		}
		score, path := n.score(i), len(parts) > 0
		for _, p := range parts {
			path = path && slices.Contains(n.words[i][Path], p)
		}
		if !tests && d.Flags&(Test|Generated) != 0 {
			score, path = score*0.5, false
		}
		all = append(all, scored{Hit{
			Path: d.Path, Sym: d.Sym, Kind: d.Kind, Lang: d.Lang, Flags: d.Flags,
			Tier: tier, Score: math.Round(score*1000) / 1000, Why: n.why(i, tier),
		}, path})
	}
	slices.SortStableFunc(all, func(a, b scored) int {
		if c := cmp.Compare(a.hit.Tier, b.hit.Tier); c != 0 || a.path != b.path {
			if c == 0 {
				c = map[bool]int{true: -1, false: 1}[a.path]
			}
			return c
		}
		return cmp.Or(cmp.Compare(b.hit.Score, a.hit.Score), cmp.Compare(a.hit.Kind, b.hit.Kind))
	})
	res := answer{Total: len(all)}
	for i, s := range all {
		if n.query.Limit <= 0 || i < n.query.Limit {
			res.Hits = append(res.Hits, s.hit)
		}
	}
	return res
}

func (n *naiveCorpus) passes(d Doc) bool {
	q := n.query
	return (len(q.Langs) == 0 || slices.Contains(q.Langs, d.Lang)) &&
		(len(q.Kinds) == 0 || slices.Contains(q.Kinds, d.Kind)) &&
		(q.PathPrefix == "" || d.Path == q.PathPrefix || strings.HasPrefix(d.Path, strings.TrimSuffix(q.PathPrefix, "/")+"/"))
}

func (n *naiveCorpus) tier(i int, parts []string) Tier {
	d, normal := n.docs[i], Normal(n.query.Text)
	if normal == "" {
		return 0
	}
	holds := func(term string, fields ...Field) bool {
		return slices.ContainsFunc(fields, func(f Field) bool { return slices.Contains(n.words[i][f], term) })
	}
	looks := n.query.Fields.Has
	named := len(parts) > 0
	for _, p := range parts {
		named = named && holds(p, Name, Qualified)
	}
	switch {
	case looks(Path) && Normal(d.Path) == normal || looks(Qualified) && Normal(d.Fields[Qualified]) == normal:
		return Exact
	case looks(Name) && Normal(d.Fields[Name]) == normal:
		return NameExact
	case named:
		return NameParts
	case looks(Name) && strings.HasPrefix(Normal(d.Fields[Name]), normal):
		return NamePrefix
	case slices.ContainsFunc(n.terms, func(t string) bool {
		return holds(t, Name, Qualified, Path, Signature, Docstring, Code, Comment, String)
	}):
		return Lexical
	}
	return 0
}

func count(words []string, term string) int {
	n := 0
	for _, w := range words {
		if w == term {
			n++
		}
	}
	return n
}

func (n *naiveCorpus) score(i int) float64 {
	weights := [NumFields]float64{8, 4, 3, 2, 1, 1, 1, 1}
	bs := [NumFields]float64{0.4, 0.5, 0.5, 0.6, 0.75, 0.75, 0.75, 0.75}
	score, docs := 0.0, float64(len(n.docs))
	for _, term := range n.terms {
		tf, df := 0.0, n.docsWith(term)
		for f := range NumFields {
			length := float64(n.lengths[i][f])
			average := math.Max(float64(n.length[f]), 1) / docs
			relative := 1 - bs[f] + bs[f]*length/average
			tf += weights[f] / relative * float64(min(count(n.words[i][f], term), 255))
		}
		score += math.Log(1+(docs-df+0.5)/(df+0.5)) * (tf / (tf + 1.2))
	}
	return score
}

func (n *naiveCorpus) why(i int, tier Tier) string {
	out := []string{tier.String()}
	for f := range NumFields {
		var terms []string
		for _, t := range n.terms {
			if slices.Contains(n.words[i][f], t) {
				terms = append(terms, t)
			}
		}
		if terms != nil {
			out = append(out, f.String()+": "+strings.Join(terms, ", "))
		}
	}
	return strings.Join(out, "; ")
}
