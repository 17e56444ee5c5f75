package query

import (
	"slices"
	"strings"
	"testing"
)

func TestContentWords(t *testing.T) {
	if !slices.IsSorted(stopWords) {
		t.Error("stop words are not sorted")
	}
	for q, want := range map[string]string{
		"where is the token kept":                    "token kept",
		"how does parseConfig read `x.go`, and why?": "parseConfig read x.go",
		"what is it":    "what is it", // nothing else is left
		"token, token!": "token",
		"":              "",
	} {
		if got := strings.Join(contentWords(q), " "); got != want {
			t.Errorf("%q: %q, want %q", q, got, want)
		}
	}
	if n := len(contentWords(strings.Repeat("a1 b2 c3 d4 e5 f6 g7 h8 i9 ", 1) + "j k l m n o p q r s t u v w x y z")); n > maxWords {
		t.Errorf("%d words", n)
	}
}

func TestForms(t *testing.T) {
	for w, want := range map[string]string{
		"contexts": "contexts context", "parsing": "parsing pars parse", "stopped": "stopped stopp stoppe stop", "entries": "entries entry",
		"context": "context contexts", "HTTPServers": "HTTPServers", "as_bytes": "as_bytes", "run": "run", "ings": "ings ing",
	} {
		if got := strings.Join(forms(w), " "); got != want {
			t.Errorf("%s: %q, want %q", w, got, want)
		}
	}
}
