package fulltext

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func rankFiles(t testing.TB, ix *Index, q FileQuery) []FileHit {
	t.Helper()
	hits, total, err := RankFiles(context.Background(), ix, q)
	if err != nil {
		t.Fatal(err)
	}
	if want := len(hits); q.Limit == 0 && total != want || total < want {
		t.Errorf("%d hits of %d", want, total)
	}
	return hits
}

// ask makes a query of words, each with one form.
func ask(words ...string) FileQuery {
	var q FileQuery
	for _, w := range words {
		q.Words = append(q.Words, Word{Weight: 1, Forms: []Form{{w, 1}}})
	}
	return q
}

// naiveFiles ranks by reading every doc.
func naiveFiles(docs []Doc, q FileQuery) []FileHit {
	docs = slices.Clone(docs)
	slices.SortFunc(docs, func(a, b Doc) int { return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Sym, b.Sym)) })
	var files [][]Doc
	for i, d := range docs {
		if i == 0 || docs[i-1].Path != d.Path {
			files = append(files, nil)
		}
		files[len(files)-1] = append(files[len(files)-1], d)
	}
	fileLength := func(docs []Doc, f Field) (n float64) {
		for i, d := range docs {
			if f != Path || i == 0 {
				n += float64(lengthsOf(d)[f])
			}
		}
		return n
	}
	var fileAverage, docAverage [NumFields]float64
	for f := range NumFields {
		for _, file := range files {
			fileAverage[f] += fileLength(file, f)
			for _, d := range file {
				docAverage[f] += float64(lengthsOf(d)[f])
			}
		}
		fileAverage[f] = max(fileAverage[f], 1) / float64(len(files))
		docAverage[f] = max(docAverage[f], 1) / float64(len(docs))
	}
	// frequency of a word in the texts of docs, by field, its forms weighted
	frequency := func(d Doc, f Field, w Word) (n float64) {
		text := d.Fields[f]
		if f == Path {
			text = d.Path
		}
		for _, form := range w.Forms {
			n += form.Weight * float64(count(Words(text), form.Term))
		}
		return n
	}
	holds := func(d Doc, w Word) bool {
		for f := range NumFields {
			if frequency(d, f, w) > 0 {
				return true
			}
		}
		return false
	}
	rarity := func(of, with int) float64 {
		return math.Log(1 + (float64(of)-float64(with)+0.5)/(float64(with)+0.5))
	}
	corpus := naiveCorpus{query: Query{Langs: q.Langs, Kinds: q.Kinds, PathPrefix: q.PathPrefix}}
	var hits []FileHit
	for _, file := range files {
		h := FileHit{Path: file[0].Path, Lang: file[0].Lang}
		symbols := map[uint32]*SymbolHit{}
		for i, w := range q.Words {
			inFiles, inDocs := 0, 0
			for _, other := range files {
				if slices.ContainsFunc(other, func(d Doc) bool { return holds(d, w) }) {
					inFiles++
				}
			}
			for _, d := range docs {
				if holds(d, w) {
					inDocs++
				}
			}
			tf := 0.0
			for n, d := range file {
				if !corpus.passes(d) || !holds(d, w) {
					continue
				}
				symbol := 0.0
				if symbols[d.Sym] == nil {
					symbols[d.Sym] = &SymbolHit{Sym: d.Sym, Kind: d.Kind, Flags: d.Flags}
				}
				for f := range NumFields {
					own := frequency(d, f, w)
					if own == 0 {
						continue
					}
					symbols[d.Sym].Words[f] |= 1 << i
					r := fileRanking[f]
					if f != Path || n == 0 {
						tf += own * r.weight / (1 - r.b + r.b*fileLength(file, f)/fileAverage[f])
					}
					s := partRanking[f]
					symbol += own * s.weight / (1 - s.b + s.b*float64(lengthsOf(d)[f])/docAverage[f])
				}
				symbols[d.Sym].Score += w.Weight * rarity(len(docs), inDocs) * symbol / (symbol + saturation)
			}
			h.Score += w.Weight * rarity(len(files), inFiles) * tf / (tf + fileSaturation)
		}
		if len(symbols) == 0 {
			continue
		}
		first := true
		best := 0.0
		weight := 1.0
		for _, d := range file {
			s := symbols[d.Sym]
			if s == nil {
				continue
			}
			if first && q.Weigh != nil {
				weight = q.Weigh(h.Path, d.Flags)
			}
			first = false
			best = max(best, s.Score)
			h.Symbols = append(h.Symbols, *s)
		}
		slices.SortStableFunc(h.Symbols, func(a, b SymbolHit) int { return cmp.Compare(math.Round(b.Score*1000), math.Round(a.Score*1000)) })
		h.Score = weight * (h.Score + bestWeight*best + sizeWeight*math.Log1p(fileLength(file, Code)))
		hits = append(hits, h)
	}
	slices.SortStableFunc(hits, func(a, b FileHit) int { return cmp.Compare(math.Round(b.Score*1000), math.Round(a.Score*1000)) })
	if q.Limit > 0 {
		hits = hits[:min(q.Limit, len(hits))]
	}
	return hits
}

// sameRanking compares two rankings; scores within a step are equal, since
// sums are rounded in another order.
func sameRanking(want, got []FileHit) string {
	order := func(hits []FileHit) []FileHit {
		hits = slices.Clone(hits)
		for i := range hits {
			hits[i].Symbols = slices.Clone(hits[i].Symbols)
			slices.SortFunc(hits[i].Symbols, func(a, b SymbolHit) int { return cmp.Compare(a.Sym, b.Sym) })
		}
		slices.SortFunc(hits, func(a, b FileHit) int { return strings.Compare(a.Path, b.Path) })
		return hits
	}
	return gocmp.Diff(order(want), order(got), cmpopts.EquateApprox(0, 0.0021), cmpopts.EquateEmpty())
}

func fileQueries(docs []Doc) *rapid.Generator[FileQuery] {
	return rapid.Custom(func(t *rapid.T) FileQuery {
		like := queries(docs).Draw(t, "like")
		q := FileQuery{Langs: like.Langs, Kinds: like.Kinds, PathPrefix: like.PathPrefix}
		for range rapid.IntRange(1, 4).Draw(t, "words") {
			w := Word{Weight: rapid.SampledFrom([]float64{1, 1, 0.5}).Draw(t, "weight")}
			for i, term := range rapid.SliceOfNDistinct(rapid.SampledFrom(vocabulary), 1, 3, rapid.ID).Draw(t, "forms") {
				w.Forms = append(w.Forms, Form{fold(term), 1 / float64(i+1)})
			}
			q.Words = append(q.Words, w)
		}
		if rapid.Bool().Draw(t, "weighed") {
			q.Weigh = func(_ string, flags byte) float64 { return 1 / float64(1+flags) }
		}
		return q
	})
}

func TestRankFilesEqualsNaiveScan(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		docs := corpora().Draw(rt, "docs")
		q := fileQueries(docs).Draw(rt, "query")
		size := rapid.IntRange(1, 30).Draw(rt, "size")
		ix := open(t, section(t, docs, func(_ string, _, n int) bool { return n >= size }))
		got := rankFiles(t, ix, q)
		if diff := sameRanking(naiveFiles(docs, q), got); diff != "" {
			rt.Errorf("index differs from naive scan (-want +got):\n%s", diff)
		}
		for i := 1; i < len(got); i++ {
			if a, b := &got[i-1], &got[i]; a.Score < b.Score || a.Score == b.Score && a.Path > b.Path {
				rt.Errorf("%s (%f) stands before %s (%f)", a.Path, a.Score, b.Path, b.Score)
			}
		}
		q.Limit = 2
		if diff := gocmp.Diff(got[:min(2, len(got))], rankFiles(t, ix, q)); diff != "" {
			rt.Errorf("a limit changes what comes before it (-without +with):\n%s", diff)
		}
	})
}

// TestFileRanking lists, for each question, the files in order with their best
// symbol.
func TestFileRanking(t *testing.T) {
	docs := parseCorpus(t)
	ix := open(t, section(t, docs, func(string, int, int) bool { return true }))
	tests := func(q FileQuery) FileQuery {
		q.Weigh = func(_ string, flags byte) float64 {
			if flags&Test != 0 {
				return 0.1
			}
			return 1
		}
		return q
	}
	for _, tt := range []struct {
		q    FileQuery
		want string
	}{
		{ask("backoff"), "api/retry.go retryRequest, api/http_client.go Client.Do"}, // twice, once
		{tests(ask("retry", "request")), "api/retry.go retryRequest, api/http_client.go Client.Do, api/retry_test.go TestRetryRequest"},
		{FileQuery{Words: ask("result").Words, Kinds: []byte{2}}, ""},
		{FileQuery{Words: ask("client").Words, PathPrefix: "gen"}, "gen/client.pb.go ClientProto"},
		{FileQuery{Words: ask("scopes").Words, Langs: []byte{2}}, ""},
		{ask("nothing"), ""},
		{ask(), ""},
	} {
		var got []string
		for _, h := range rankFiles(t, ix, tt.q) {
			got = append(got, h.Path+" "+docs[h.Symbols[0].Sym].Fields[Qualified])
		}
		if diff := gocmp.Diff(tt.want, strings.Join(got, ", ")); diff != "" {
			t.Errorf("%v (-want +got):\n%s", tt.q.Words, diff)
		}
	}
}

func TestHeldWords(t *testing.T) {
	ix := open(t, section(t, parseCorpus(t), oneRun))
	q := ask("retry", "backoff", "again")
	q.Limit = 1
	h := rankFiles(t, ix, q)[0].Symbols[0]
	for fields, want := range map[Fields]string{
		FieldsOf(Name): "[0]", FieldsOf(Code): "[1]", BodyFields: "[1]", FieldsOf(Docstring, Path): "[0 2]", AllFields: "[0 1 2]", FieldsOf(String): "[]",
	} {
		set, got := h.Held(fields), []int{}
		for i := range MaxFileWords {
			if set.Has(i) {
				got = append(got, i)
			}
		}
		if fmt.Sprint(got) != want {
			t.Errorf("fields %b: %v, want %s", fields, got, want)
		}
	}
}

func TestRankFilesFails(t *testing.T) {
	if _, _, err := RankFiles(context.Background(), open(t, blockList(nil)), ask(make([]string, MaxFileWords+1)...)); err == nil {
		t.Error("too many words are taken")
	}
	blocks := section(t, synthetic(3000), boundary)
	q := ask("ca", "debe")
	q.Kinds = []byte{1}
	for n := 0; ; n++ {
		left := n
		ix, err := Open(context.Background(), failing{blocks, &left})
		if err == nil {
			_, _, err = RankFiles(context.Background(), ix, q)
		}
		if err == nil && n > 10 {
			return
		}
		if !errors.Is(err, errRead) {
			t.Fatalf("after %d reads: %v", n, err)
		}
	}
}
