package query

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// response makes a response whose items carry awkward text.
func response(texts []string) *Response {
	r := &Response{
		Schema: Schema, Fingerprint: strings.Repeat("f", 64), Operation: Params{Kind: "symbols", Query: "q"}, Status: "ok", Limitations: limitations(),
		StaleWarnings: []StaleWarning{}, Items: []Item{},
	}
	for i, s := range texts {
		r.Items = append(r.Items, &Definition{Symbol: Sym{ID: fmt.Sprint(i), Name: s, Path: s}, Doc: s})
	}
	r.Total = len(r.Items)
	r.Complete = true
	return r
}

func awkward() *rapid.Generator[string] {
	return rapid.OneOf(rapid.String(), rapid.Just(strings.Repeat("ü\"\\\r\n<", 40)), rapid.Just(strings.Repeat("x", 3000)))
}

// Whatever the items hold, the document never exceeds max_bytes and following
// next walks every item exactly once.
func TestBudgetWalksEveryItemOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(awkward(), 0, 30).Draw(t, "texts")
		budget := rapid.IntRange(MinBytes, MaxBytes).Draw(t, "budget")
		limit := rapid.IntRange(0, 10).Draw(t, "limit")
		seen, cursor := 0, ""
		for {
			r := response(texts)
			start, err := cursorStart(cursor, r.Fingerprint, r.Operation)
			if err != nil {
				t.Fatal(err)
			}
			err = bound(r, limit, budget, start)
			if err != nil {
				var e *Error
				if e = err.(*Error); e.Code != BudgetTooSmall {
					t.Fatal(err)
				}
				return
			}
			b, err := r.Encode()
			if err != nil {
				t.Fatal(err)
			}
			if len(b) > budget || !utf8.Valid(b) {
				t.Fatalf("%d bytes for a budget of %d", len(b), budget)
			}
			for _, it := range r.Items {
				if got := it.(*Definition).Symbol.ID; got != fmt.Sprint(seen) {
					t.Fatalf("item %s follows item %d", got, seen-1)
				}
				seen++
			}
			if r.Next == "" {
				break
			}
			if r.Status != "partial" || r.Complete || len(r.Items) == 0 {
				t.Fatalf("status %s, complete %v with %d items and a next cursor", r.Status, r.Complete, len(r.Items))
			}
			cursor = r.Next
		}
		if seen != len(texts) {
			t.Fatalf("%d of %d items", seen, len(texts))
		}
	})
}

func TestCursorBelongsToItsQuestion(t *testing.T) {
	r := response([]string{"a", "b"})
	if err := bound(r, 1, 0, 0); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Response){
		"question": func(r *Response) { r.Operation.Query = "other" }, "index": func(r *Response) { r.Fingerprint = "other" },
	} {
		other := response([]string{"a", "b"})
		change(other)
		_, err := cursorStart(r.Next, other.Fingerprint, other.Operation)
		if e, ok := err.(*Error); !ok || e.Code != CodeChanged {
			t.Errorf("cursor of another %s: %v", name, err)
		}
	}
}

func TestUnderPrefix(t *testing.T) {
	for _, c := range []struct {
		path, prefix string
		want         bool
	}{
		{"a/b.go", "", true}, {"a/b.go", "a", true}, {"a/b.go", "a/", true}, {"a/b.go", "a/b.go", true}, {"ab/c.go", "a", false}, {"a", "a/b", false},
	} {
		if got := underPrefix(c.path, c.prefix); got != c.want {
			t.Errorf("%q under %q: %v", c.path, c.prefix, got)
		}
	}
}

func TestAnchors(t *testing.T) {
	for q, want := range map[string]string{
		"where is the token kept":        "",
		"how does parseConfig read x.go": "parseConfig x.go",
		"total":                          "total",
		"what calls http_client?":        "http_client",
	} {
		if got := strings.Join(anchors(q), " "); got != want {
			t.Errorf("%q has anchors %q, want %q", q, got, want)
		}
	}
}

// Params that an operation does not take must not change its cursor's question
// by accident: every field but the caller's folder is part of it.
func TestParamsAreTheQuestion(t *testing.T) {
	b, err := json.Marshal(Params{Kind: "map", Prefix: "sub/"})
	if err != nil || strings.Contains(string(b), "sub/") {
		t.Fatalf("%s %v", b, err)
	}
}
