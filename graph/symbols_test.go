package graph

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"codeidx/facts"
)

func TestOneLine(t *testing.T) {
	for in, want := range map[string]string{
		"func f(\n\ta int,\n\tb string,\n) error": "func f(a int, b string) error",
		"def f(self,  x):":                        "def f(self, x):",
		"":                                        "",
		"class A(\n  B\n)":                        "class A(B)",
	} {
		if got := oneLine([]byte(in), 100); got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
	}
	if got := oneLine([]byte("äääää"), 5); got != "ää" {
		t.Errorf("cut inside a rune: %q", got)
	}
}

func TestDocText(t *testing.T) {
	for in, want := range map[string]string{
		`"""Add up.` + "\n\n    More.\n    \"\"\"": "Add up. More.",
		"// Open opens.\n// It waits.":             "Open opens. It waits.",
		"/**\n * Sends it.\n */":                   "Sends it.",
		"r'''raw'''":                               "raw",
	} {
		if got := docText([]byte(in), facts.Span{End: uint32(len(in))}); got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
	}
}

func symbolGen() *rapid.Generator[Symbol] {
	return rapid.Custom(func(t *rapid.T) Symbol {
		line := rapid.Uint32Range(1, 1<<20).Draw(t, "line")
		start := rapid.Uint32Range(0, 1<<20).Draw(t, "start")
		from := rapid.Uint32Range(0, 1<<20).Draw(t, "from")
		name := rapid.String().Draw(t, "name")
		return Symbol{
			Kind: facts.DefKind(rapid.IntRange(0, int(facts.DefKinds)-1).Draw(t, "kind")), Flags: facts.DefFlags(rapid.Uint32().Draw(t, "flags")),
			Name: name, Qualified: name + rapid.StringMatching(`(\.x)?`).Draw(t, "suffix"), Ordinal: rapid.Uint32().Draw(t, "ordinal"), Parent: -1,
			Line: line, Col: rapid.Uint32().Draw(t, "col"), Start: start, End: start + rapid.Uint32Range(0, 1000).Draw(t, "lines"),
			Bytes:     facts.Span{Start: from, End: from + rapid.Uint32Range(0, 1<<20).Draw(t, "bytes")},
			Signature: rapid.String().Draw(t, "signature"), Doc: rapid.String().Draw(t, "doc"),
		}
	})
}

func TestSymbolsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := &FileSymbols{
			Path: "a/b.go", Lang: facts.Go, Partial: rapid.Bool().Draw(t, "partial"), Lines: rapid.Uint32().Draw(t, "lines"),
			Symbols: rapid.SliceOfN(symbolGen(), 1, 8).Draw(t, "symbols"),
		}
		for i := range f.Symbols {
			if i > 0 {
				f.Symbols[i].Parent = int32(rapid.IntRange(-1, i-1).Draw(t, "parent"))
			}
		}
		got, err := DecodeSymbols(f.Path, f.Encode())
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(f, got); d != "" {
			t.Fatal(d)
		}
	})
}

func FuzzDecodeSymbols(f *testing.F) {
	f.Add((&FileSymbols{Symbols: []Symbol{{Parent: -1, Line: 1}, {Name: "a", Qualified: "a", Line: 3, Start: 3, End: 4}}}).Encode())
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := DecodeSymbols("p", b)
		if err != nil {
			return
		}
		again, err := DecodeSymbols("p", s.Encode())
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(s, again); d != "" {
			t.Fatal(d)
		}
	})
}
