package graph

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"codeidx/facts"
)

func keyGen() *rapid.Generator[Key] {
	return rapid.Custom(func(t *rapid.T) Key {
		return Key{
			Path: rapid.StringMatching(`[a-c](/[a-c])?\.go`).Draw(t, "path"), Kind: facts.DefKind(rapid.IntRange(0, int(facts.DefKinds)-1).Draw(t, "kind")),
			Qualified: rapid.StringMatching(`[A-C](\.[a-c])?`).Draw(t, "qualified"), Ordinal: rapid.Uint32Range(0, 2).Draw(t, "ordinal"),
		}
	})
}

func refsGen() *rapid.Generator[*FileRefs] {
	return rapid.Custom(func(t *rapid.T) *FileRefs {
		f := &FileRefs{Path: "a.go", Targets: rapid.SliceOfNDistinct(keyGen(), 1, 6, rapid.ID[Key]).Draw(t, "targets"), Edges: []Ref{}}
		for range rapid.IntRange(0, 12).Draw(t, "edges") {
			f.Edges = append(f.Edges, Ref{
				Kind: Kind(rapid.IntRange(0, int(Kinds)-1).Draw(t, "kind")), Resolution: Resolution(rapid.IntRange(0, 1).Draw(t, "resolution")),
				Open: rapid.Bool().Draw(t, "open"), Rule: Rule(rapid.IntRange(0, 400).Draw(t, "rule")), From: rapid.Uint32Range(0, 3).Draw(t, "from"),
				To:   uint32(rapid.IntRange(0, len(f.Targets)-1).Draw(t, "to")),
				Line: rapid.Uint32Range(1, 9).Draw(t, "line"), Col: rapid.Uint32Range(1, 9).Draw(t, "col"), Name: rapid.StringMatching(`[a-c]{0,2}`).Draw(t, "name"),
			})
		}
		f.sort()
		return f
	})
}

func TestRefsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := refsGen().Draw(t, "refs")
		got, err := DecodeRefs(f.Path, f.Encode())
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(f, got); d != "" {
			t.Fatal(d)
		}
	})
}

// What Implementers reads is what decoding the whole row shows.
func TestImplementers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := refsGen().Draw(t, "refs")
		row := f.Encode()
		for _, k := range append(f.Targets, Key{Path: "z.go", Qualified: "Z"}) {
			var want []uint32
			for _, e := range f.Edges {
				if e.Kind == Implements && f.Targets[e.To] == k {
					want = append(want, e.From)
				}
			}
			got, err := Implementers(row, k)
			if err != nil || !slices.Equal(want, got) {
				t.Fatalf("%v: got %v, want %v (%v)", k, got, want, err)
			}
		}
	})
}

// A row mentions the names of its references and no others.
func TestMentions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := refsGen().Draw(t, "refs")
		var loose []Loose
		for i := range f.Edges {
			loose = append(loose, Loose{Line: 1, Col: uint32(i), Name: f.Edges[i].Name})
		}
		name := rapid.StringMatching(`[a-c]{0,2}`).Draw(t, "name")
		want := slices.ContainsFunc(f.Edges, func(e Ref) bool { return e.Name == name })
		names := map[string]bool{name: true}
		a, err1 := RefsMention(f.Encode(), names)
		b, err2 := LooseMention(EncodeLoose(loose), names)
		if err1 != nil || err2 != nil || a != want || b != want {
			t.Fatalf("%q: edges %v, unresolved %v, want %v (%v, %v)", name, a, b, want, err1, err2)
		}
	})
}

// Sorting gives one order whatever order the edges and targets came in.
func TestRefsSortIsCanonical(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := refsGen().Draw(t, "refs")
		perm := rapid.Permutation(f.Targets).Draw(t, "targets")
		g := &FileRefs{Path: f.Path, Targets: perm, Edges: rapid.Permutation(f.Edges).Draw(t, "edges")}
		for i := range g.Edges {
			g.Edges[i].To = uint32(slices.Index(perm, f.Targets[g.Edges[i].To]))
		}
		g.sort()
		if d := cmp.Diff(f, g, cmpopts.EquateEmpty()); d != "" {
			t.Fatal(d)
		}
	})
}

// The uid of an edge does not know lines: a moved site keeps it.
func TestEdgeUIDIsFreeOfPositions(t *testing.T) {
	a, b := Key{Path: "a.go", Kind: facts.DefFunction, Qualified: "f"}, Key{Path: "b.go", Kind: facts.DefMethod, Qualified: "T.m"}
	seen := map[string]bool{}
	for _, uid := range []string{
		EdgeUID(a, b, Calls, 0), EdgeUID(a, b, Calls, 1), EdgeUID(a, b, References, 0), EdgeUID(b, a, Calls, 0),
		EdgeUID(Key{Path: "a.go", Kind: facts.DefFunction, Qualified: "f", Ordinal: 1}, b, Calls, 0),
	} {
		if seen[uid] {
			t.Errorf("two edges share %s", uid)
		}
		seen[uid] = true
	}
	f := &FileRefs{Edges: []Ref{{From: 1, To: 0, Kind: Calls, Line: 3}, {From: 1, To: 0, Kind: References, Line: 4}, {From: 1, To: 0, Kind: Calls, Line: 9}}}
	if got := f.Ordinals(); !slices.Equal(got, []uint32{0, 0, 1}) {
		t.Errorf("ordinals %v", got)
	}
}

func FuzzDecodeRefs(f *testing.F) {
	f.Add((&FileRefs{Targets: []Key{{Path: "a"}}, Edges: []Ref{{Line: 2, Col: 1, Name: "x"}}}).Encode())
	f.Fuzz(func(t *testing.T, b []byte) {
		decodesAgain(t, b, func(b []byte) (*FileRefs, error) { return DecodeRefs("p", b) }, (*FileRefs).Encode)
		_, _ = Implementers(b, Key{Path: "a"})
		_, _ = RefsMention(b, map[string]bool{"x": true})
		_, _ = LooseMention(b, map[string]bool{"x": true})
	})
}

func FuzzDecodeLoose(f *testing.F) {
	f.Add(EncodeLoose([]Loose{{Kind: Calls, Reason: Builtin, Line: 3, Col: 4, Name: "len"}}))
	f.Fuzz(func(t *testing.T, b []byte) { decodesAgain(t, b, DecodeLoose, EncodeLoose) })
}

func FuzzDecodeIncoming(f *testing.F) {
	f.Add(encodeIncoming([]Inbound{{Key{Path: "p", Qualified: "f"}, []string{"a", "b"}}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		decodesAgain(t, b, func(b []byte) ([]Inbound, error) { return DecodeIncoming("p", b) }, encodeIncoming)
	})
}

func FuzzDecodeKeys(f *testing.F) {
	f.Add(encodeKeys([]Key{{Path: "p", Qualified: "f"}}))
	f.Fuzz(func(t *testing.T, b []byte) { decodesAgain(t, b, DecodeKeys, encodeKeys) })
}

// decodesAgain checks that what decodes can be stored and read again.
func decodesAgain[T any](t *testing.T, b []byte, decode func([]byte) (T, error), encode func(T) []byte) {
	v, err := decode(b)
	if err != nil {
		return
	}
	again, err := decode(encode(v))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(v, again); d != "" {
		t.Fatal(d)
	}
}

func TestMatches(t *testing.T) {
	k := Key{Path: "src/shop/cart.py", Kind: facts.DefMethod, Qualified: "Cart.total"}
	for name, want := range map[string]bool{
		"total": true, "Cart.total": true, "cart.Cart.total": true, "shop.cart.Cart.total": true, "shop.Cart.total": true,
		"Cart": false, "art.total": false, "other.Cart.total": false, "total.": false,
	} {
		if got := k.Matches(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
	for name, want := range map[string]string{"Cart::total#x": "Cart.total.x", `Shop\Cart::total`: "Cart.total", `\Shop\Cart`: "Cart"} {
		if got := Normalize(name); got != want {
			t.Errorf("%s is normalized to %q", name, got)
		}
	}
}
