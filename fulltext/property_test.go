package fulltext

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var vocabulary = []string{"http", "Server", "run", "test", "build", "scopes", "ID", "2", "x", "日本", "Éclair", "parse"}

// identifiers are words of the vocabulary in one of the usual styles.
func identifiers() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		words := rapid.SliceOfN(rapid.SampledFrom(vocabulary), 1, 3).Draw(t, "words")
		return strings.Join(words, rapid.SampledFrom([]string{"", "_", "-"}).Draw(t, "joint"))
	})
}

func texts(joint string) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(identifiers(), 0, 4).Draw(t, "idents"), joint)
	})
}

// corpora are small sets of docs, with many docs that hold the same terms.
func corpora() *rapid.Generator[[]Doc] {
	return rapid.Custom(func(t *rapid.T) []Doc {
		var docs []Doc
		for f := range rapid.IntRange(1, 8).Draw(t, "files") {
			path := fmt.Sprintf("%s/f%d.go", rapid.SampledFrom([]string{"http", "http/server", "httpd", "tests", "x/run"}).Draw(t, "dir"), f)
			for s := range rapid.IntRange(1, 12).Draw(t, "docs") {
				docs = append(docs, draw(t, path, uint32(s*s)))
			}
		}
		return docs
	})
}

func draw(t *rapid.T, path string, sym uint32) Doc {
	name := identifiers().Draw(t, "name")
	return Doc{
		Path: path, Sym: sym,
		Kind:  rapid.ByteRange(0, 2).Draw(t, "kind"),
		Lang:  rapid.ByteRange(1, 2).Draw(t, "lang"),
		Flags: rapid.SampledFrom([]byte{0, 0, 0, Test, Generated}).Draw(t, "flags"),
		Fields: [NumFields]string{
			Name: name, Qualified: rapid.SampledFrom([]string{"", "Server.", "http::"}).Draw(t, "owner") + name,
			Signature: texts(", ").Draw(t, "signature"), Docstring: texts(" ").Draw(t, "doc"),
			Code: texts("(").Draw(t, "code"), Comment: texts(" ").Draw(t, "comment"), String: texts(" ").Draw(t, "string"),
		},
	}
}

func queries(docs []Doc) *rapid.Generator[Query] {
	return rapid.Custom(func(t *rapid.T) Query {
		d := rapid.SampledFrom(docs).Draw(t, "like")
		text := rapid.OneOf(texts(" "), identifiers(), rapid.SampledFrom([]string{
			d.Path, d.Fields[Name], d.Fields[Qualified], d.Fields[Name][:1], "", "_", "ser", "\xff*",
		})).Draw(t, "text")
		return Query{
			Text:       text,
			Langs:      rapid.SampledFrom([][]byte{nil, nil, {1}, {1, 2}, {9}}).Draw(t, "langs"),
			Kinds:      rapid.SampledFrom([][]byte{nil, nil, {0}, {1, 2}}).Draw(t, "kinds"),
			PathPrefix: rapid.SampledFrom([]string{"", "", "http", "http/", "x/run", "none", d.Path}).Draw(t, "prefix"),
			Fields: rapid.SampledFrom([]Fields{0, 0, AllFields, BodyFields, FieldsOf(Comment), FieldsOf(Qualified, String), FieldsOf(Path)}).
				Draw(t, "fields"),
			Limit: rapid.SampledFrom([]int{0, 1, 3}).Draw(t, "limit"),
		}
	})
}

func TestSearchEqualsNaiveScan(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		docs := corpora().Draw(rt, "docs")
		ix := open(t, section(t, docs, oneRun))
		for range 4 {
			q := queries(docs).Draw(rt, "query")
			check(rt, "index differs from naive scan", naive(docs, q), search(t, ix, q))
		}
	})
}

func TestSegmentsDoNotMatter(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		docs := corpora().Draw(rt, "docs")
		size := rapid.IntRange(1, 30).Draw(rt, "size")
		one := open(t, section(t, docs, oneRun))
		many := open(t, section(t, docs, func(_ string, _, n int) bool { return n >= size }))
		q := queries(docs).Draw(rt, "query")
		check(rt, "many segments differ from one", search(t, one, q), search(t, many, q))
	})
}

func TestFiltersKeepOrderAndScores(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		docs := corpora().Draw(rt, "docs")
		ix := open(t, section(t, docs, func(_ string, files, _ int) bool { return files >= 2 }))
		q := queries(docs).Draw(rt, "query")
		corpus := naiveCorpus{query: q}
		var want answer
		for _, h := range search(t, ix, Query{Text: q.Text, Fields: q.Fields}).Hits {
			if !corpus.passes(Doc{Path: h.Path, Lang: h.Lang, Kind: h.Kind}) {
				continue
			}
			if want.Total++; q.Limit == 0 || want.Total <= q.Limit {
				want.Hits = append(want.Hits, h)
			}
		}
		check(rt, "filtering after ranking differs", want, search(t, ix, q))
	})
}

func TestOrderOfDocsDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		docs := corpora().Draw(rt, "docs")
		want, err := EncodeSegment(docs)
		if err != nil {
			rt.Fatal(err)
		}
		shuffled := rapid.Permutation(docs).Draw(rt, "shuffled")
		before := slices.Clone(shuffled)
		got, err := EncodeSegment(shuffled)
		if err != nil {
			rt.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			rt.Fatalf("shuffled docs give other bytes:\n%s", diff)
		}
		if diff := cmp.Diff(before, shuffled); diff != "" {
			rt.Fatalf("the caller's docs were changed:\n%s", diff)
		}
	})
}

// A weakest tier leaves out what ranks below it and nothing else.
func TestWeakestTierCutsTheTail(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		docs := corpora().Draw(rt, "docs")
		ix := open(t, section(t, docs, func(_ string, files, _ int) bool { return files >= 2 }))
		q := queries(docs).Draw(rt, "query")
		q.Limit = 0
		weakest := Tier(rapid.IntRange(int(Exact), int(Lexical)).Draw(rt, "weakest"))
		var want answer
		for _, h := range search(t, ix, q).Hits {
			if h.Tier <= weakest {
				want.Hits, want.Total = append(want.Hits, h), want.Total+1
			}
		}
		q.Weakest = weakest
		check(rt, "cutting by tier differs", want, search(t, ix, q))
	})
}
