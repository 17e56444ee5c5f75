package query

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeidx/facts"
	"codeidx/fulltext"
)

func TestContentWords(t *testing.T) {
	if !slices.IsSorted(stopWords) || !slices.IsSorted(weakWords) {
		t.Error("lists of words are not sorted")
	}
	for q, want := range map[string]string{
		"where is the token kept":                    "token kept",
		"how does parseConfig read `x.go`, and why?": "parseConfig read x.go",
		"what is it":                       "what is it", // nothing else is left
		"token, token!":                    "token",
		"it doesn't keep the user's token": "keep user token",
		"":                                 "",
	} {
		if got := strings.Join(contentWords(q), " "); got != want {
			t.Errorf("%q: %q, want %q", q, got, want)
		}
	}
	if n := len(contentWords("a1 b2 c3 d4 e5 f6 g7 h8 i9 j k l m n o p q r s t u v w x y z")); n > maxWords {
		t.Errorf("%d words", n)
	}
}

func TestForms(t *testing.T) {
	for w, want := range map[string]string{
		"contexts": "contexts contexted contexting context",
		"context":  "context contexts contexted contexting",
		"parsed":   "parsed parss parsing pars parses parse",
		"stopped":  "stopped stopps stopping stopp stoppes stoppe stops stop",
		"log":      "log logs logged logging",
		"entries":  "entries entried entrying entry",
		"keys":     "keys keyed keying key",
		"adding":   "adding adds added add addes adde ads aded ading ad",
		"as":       "as",
		"http2":    "http2",
	} {
		if got := strings.Join(forms(w), " "); got != want {
			t.Errorf("%s: %q, want %q", w, got, want)
		}
	}
}

// TestQuestion shows the words of a question as "label weight: form…", forms of
// full weight marked by "=".
func TestQuestion(t *testing.T) {
	for text, want := range map[string]string{
		"fix the loadURL of logs": `
fix 0.5: =fix fixs fixed fixing
loadurl 0.6: =loadurl
load 1: =load loads loaded loading
url 1: =url urls urled urling
logs 1: =logs logged logging log
fix the 0.2: =fixthe =fix_the
of logs 0.2: =oflogs =of_logs`,
		"set up": `
set 1: =set sets setted setting
set up 0.2: =setup =set_up`,
		"get_x get": `
get_x 0.6: =get_x
get 1: =get gets getted getting`,
		"---": "",
	} {
		q := newQuestion(text)
		var got strings.Builder
		for i, w := range q.words {
			fmt.Fprintf(&got, "\n%s %g:", q.labels[i], w.Weight)
			for _, f := range w.Forms {
				got.WriteByte(' ')
				if f.Weight == 1 {
					got.WriteByte('=')
				}
				got.WriteString(f.Term)
			}
		}
		if diff := cmp.Diff(want, got.String()); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
	long := strings.Repeat("aSnake_caseWordOf_manyParts%d ", 1)
	var text strings.Builder
	for i := range 40 {
		fmt.Fprintf(&text, long, i)
	}
	if n := len(newQuestion(text.String()).words); n > fulltext.MaxFileWords {
		t.Errorf("%d words", n)
	}
}

// What stands beside the code is weighed down, unless it is asked for.
func TestWeigh(t *testing.T) {
	for _, tt := range []struct {
		question, path string
		flags          byte
		want           float64
	}{
		{"load a session", "src/session.go", 0, 1},
		{"load a session", "docs.go", 0, 1}, // no folder
		{"load a session", "src/session_test.go", fulltext.Test, 0.35},
		{"test a session", "src/session_test.go", fulltext.Test, 1},
		{"testing sessions", "src/session_test.go", fulltext.Test, 1},
		{"load a session", "tests/helper.py", 0, 0.35},
		{"load a session", "docs/tests/helper.py", 0, 0.35},
		{"tests of sessions", "docs/tests/helper.py", 0, 0.75},
		{"load a session", "examples/app/main.go", 0, 0.75},
		{"an example of sessions", "examples/app/main.go", 0, 1},
		{"load a session", "lib/_vendor/session.py", 0, 0.75},
		{"vendored sessions", "lib/_vendor/session.py", 0, 1},
		{"load a session", "api/session.pb.go", fulltext.Generated, 0.5},
		{"test a session", "api/session.pb.go", fulltext.Generated | fulltext.Test, 0.5},
	} {
		if got := newQuestion(tt.question).weigh(tt.path, tt.flags); got != tt.want {
			t.Errorf("%q: %s (%d) weighs %g, want %g", tt.question, tt.path, tt.flags, got, tt.want)
		}
	}
}

func TestBestAndWhy(t *testing.T) {
	q := newQuestion("where are cookies of sessions loaded")
	symbol := func(sym uint32, kind facts.DefKind, flags byte, score float64, words ...fulltext.WordSet) fulltext.SymbolHit {
		h := fulltext.SymbolHit{Sym: sym, Kind: byte(kind), Flags: flags, Score: score}
		h.Words[fulltext.Name], h.Words[fulltext.Code] = words[0], words[1]
		return h
	}
	for _, tt := range []struct {
		symbols []fulltext.SymbolHit
		best    uint32
		why     string
	}{
		{[]fulltext.SymbolHit{symbol(0, facts.DefFile, 0, 9, 0, 7)}, 0, "code: cookies, sessions, loaded"},
		{[]fulltext.SymbolHit{symbol(0, facts.DefFile, 0, 9, 0, 4), symbol(3, facts.DefFunction, 0, 2, 1, 3)}, 3,
			"name: cookies; code: sessions; elsewhere in the file: loaded"},
		{[]fulltext.SymbolHit{symbol(1, facts.DefField, 0, 3, 1, 0), symbol(3, facts.DefFunction, 0, 2, 1, 1)}, 3, "name: cookies"},
		{[]fulltext.SymbolHit{symbol(3, facts.DefFunction, 0, 2, 1, 0), symbol(4, facts.DefFunction, fulltext.Test, 3, 1, 0)}, 3, "name: cookies"},
	} {
		h := fulltext.FileHit{Symbols: tt.symbols}
		best := q.best(h)
		if why := q.why(h, best); best.Sym != tt.best || why != tt.why {
			t.Errorf("symbol %d: %s; want %d: %s", best.Sym, why, tt.best, tt.why)
		}
	}
}
