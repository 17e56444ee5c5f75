package trigram

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// memory is a section in memory.
type memory []Block

func (m memory) Floor(key []byte) (Block, error) {
	var best Block
	for _, b := range m {
		if bytes.Compare(b.Key, key) <= 0 && (best.Key == nil || bytes.Compare(b.Key, best.Key) > 0) {
			best = b
		}
	}
	return best, nil
}

func (m memory) Ceil(key []byte) (Block, error) {
	var best Block
	for _, b := range m {
		if bytes.Compare(b.Key, key) >= 0 && (best.Key == nil || bytes.Compare(b.Key, best.Key) < 0) {
			best = b
		}
	}
	return best, nil
}

// corpus is texts of every awkward shape.
var corpus = []string{
	"package main\n\nfunc main() {\n\tprintln(\"Hello, World\")\n}\n",
	"",
	"\n",
	"\n\n\n",
	"no newline at end",
	"crlf line\r\nsecond\r\n\r\nfoo",
	"\uFEFFimport os\nimport sys\n",
	"Grüße, ÄÖÜ äöü, İstanbul ıspanak\nσςΣ\nK is Kelvin, ſ is long, kiss KISS\n",
	"日本語のテキスト 検索\nfoo日本bar\n",
	strings.Repeat("x", 5000) + "needle" + strings.Repeat("y", 5000) + "needle\nshort needle\n",
	strings.Repeat("a line of text\n", 400) + "the last foobar",
	"foo bar\nfoo\nbar\nfoobar\nFOO Bar\nfoo\tbar\nfoo  bar\n",
	"a\x01b\tc\n\x7f\n",
	"for i := 0; i < 10; i++ { x[i] = y.z(i) }\n// TODO: nothing\n",
	"2024-01-02T03:04:05Z 127.0.0.1\n",
}

// expressions that users write, and some that they do not.
var expressions = []string{
	"main", "func main", "foo|bar", "foo.*bar", `foo\s+bar`, `^$`, `^`, `$`, `^\s*$`, `(?i)kiss`, `(?i)grüße`, `(?i)äöü`, `(?i)σ`, `\bfoo\b`,
	`[^a-z\s]+`, `x{3,}needle`, `needle$`, `\d{4}-\d{2}-\d{2}`, `日本`, `[日英]本`, `(?s)foo.bar`, `\Aimport`, `sys\z`, `import (os|sys)`, `f(oo|u)(b|c)ar`,
	`(foo)?bar`, `(foo)*bar`, `(foo)+`, `(ab|cd|ef){2}`, `a?b?c?d?`, `[[:upper:]]{2}`, `\pL+`, `\PL+`, `.`, `.*`, `second\r$`, `second$`, `\x01`, `[^\n]`, `a\x01b`,
	`(?i)[k]iss`, `(?i)s`, `ſ`, `K`, `needle.*needle`, `x*needle`, `i\+\+`, `[a-c]oo|[f-h]oo`, `(?i:FOO) bar`, `(?U)fo+`, `fo+?`, `(a|b|c|d)(e|f|g|h)(i|j|k|l)(m|n|o|p)`, `[^\x00-\x{10FFFF}]`, `TODO|FIXME`, `z\(`,
	`(?:)`, `foo(?:)bar`, `a{0}foo`, `(needle|short).{0,3}(needle|x)`, `y{1000}`,
}

type found struct {
	File, Line, Col, Matches int
	Text                     string
}

// naive looks at every line by itself.
func naive(expr string, texts []string) []found {
	re := regexp.MustCompile(expr)
	var out []found
	for f, text := range texts {
		text = strings.TrimPrefix(text, byteOrderMark)
		lines := strings.Split(text, "\n")
		if lines[len(lines)-1] == "" {
			lines = lines[:len(lines)-1]
		}
		for i, line := range lines {
			if all := re.FindAllStringIndex(line, -1); all != nil {
				out = append(out, found{f, i + 1, all[0][0] + 1, len(all), line})
			}
		}
	}
	return out
}

func indexed(t testing.TB, texts []string) []*Run {
	t.Helper()
	files := make([]File, len(texts))
	for i := range files {
		files[i].Path = fmt.Sprintf("f%03d", i)
	}
	var e Encoder
	var section memory
	for cut := 0; cut < len(files); {
		n := min(7, len(files)-cut)
		blocks, err := e.Encode(files[cut:cut+n], func(i int) ([]byte, error) { return []byte(texts[cut+i]), nil })
		if err != nil {
			t.Fatal(err)
		}
		section = append(section, blocks...)
		cut += n
	}
	runs, err := Open(section)
	if err != nil {
		t.Fatal(err)
	}
	return runs
}

func search(t testing.TB, runs []*Run, p *Pattern, texts []string) []found {
	t.Helper()
	var out []found
	var s Scanner
	base := 0
	for _, r := range runs {
		list, err := r.Candidates(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range list {
			src := []byte(texts[base+i])
			p.Lines(&s, src, func(l Line) bool {
				out = append(out, found{base + i, l.Number, l.First[0] - l.Start + 1, l.Matches, string(src[l.Start:l.End])})
				return true
			})
		}
		base += len(r.Files)
	}
	return out
}

func TestRegexEqualsNaiveScan(t *testing.T) {
	runs := indexed(t, corpus)
	for _, expr := range expressions {
		p, err := Regex(expr, false)
		if err != nil {
			t.Errorf("%q: %v", expr, err)
			continue
		}
		if d := cmp.Diff(naive(expr, corpus), search(t, runs, p, corpus)); d != "" {
			t.Errorf("%q (-naive +search):\n%s", expr, d)
		}
		p, err = Regex(expr, true)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(naive("(?i)"+expr, corpus), search(t, runs, p, corpus)); d != "" {
			t.Errorf("%q without case (-naive +search):\n%s", expr, d)
		}
	}
}

func TestRandomTextsAndPatterns(t *testing.T) {
	letter := rapid.SampledFrom([]string{"a", "b", "A", "k", "K", "s", "ſ", "é", "É", " ", "\n", "\r\n", "-", "日"})
	text := rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(letter, 0, 40).Draw(t, "letters"), "") })
	expr := rapid.Custom(func(t *rapid.T) string {
		piece := rapid.SampledFrom([]string{
			"a", "b", "ab", "k", "s", "é", "日", "[ab]", "[^a]", ".", "a*", "b+", "(ab|ba)", "(a|sk|é)?", "(?i:ks)", `\b`, "^", "$", `\s`, "(ab){2,3}", "k{2}", `\w`, "-",
		})
		return strings.Join(rapid.SliceOfN(piece, 1, 7).Draw(t, "pieces"), "")
	})
	rapid.Check(t, func(rt *rapid.T) {
		texts := rapid.SliceOfN(text, 1, 12).Draw(rt, "texts")
		e := expr.Draw(rt, "expr")
		fold := rapid.Bool().Draw(rt, "fold")
		p, err := Regex(e, fold)
		if err != nil {
			rt.Fatalf("%q: %v", e, err)
		}
		if fold {
			e = "(?i)" + e
		}
		if d := cmp.Diff(naive(e, texts), search(t, indexed(t, texts), p, texts)); d != "" {
			rt.Fatalf("%q (-naive +search):\n%s", e, d)
		}
	})
}

func TestSubstringEqualsNaiveScan(t *testing.T) {
	runs := indexed(t, corpus)
	for _, text := range []string{"main", "foo bar", "i++", ".", "z(i)", `\d`, "x[i]", "needle", "é", "Grüße", "日本", "K", "ſ", "kiss", "nowhere at all", "\r", " "} {
		for _, fold := range []bool{false, true} {
			expr := regexp.QuoteMeta(text)
			if fold {
				expr = "(?i)" + expr
			}
			p, err := Substring(text, fold)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(naive(expr, corpus), search(t, runs, p, corpus)); d != "" {
				t.Errorf("%q fold %v (-naive +search):\n%s", text, fold, d)
			}
		}
	}
}

func TestPatternsThatAreNone(t *testing.T) {
	for _, c := range []struct {
		expr string
		want error // nil for any
	}{
		{"", ErrNoText}, {"(", nil}, {"a{1001}", nil}, {"a\nb", ErrSpansLines}, {`a\nb`, ErrSpansLines}, {`[\n]`, ErrSpansLines}, {"a\xffb", ErrNotUTF8},
		{`(a{1000}){1000}`, nil}, {`\C`, nil}, {`(?<n`, nil}, {`*`, nil},
	} {
		if _, err := Regex(c.expr, false); err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%q: %v", c.expr, err)
		}
	}
	if _, err := Substring("a\nb", false); !errors.Is(err, ErrSpansLines) {
		t.Errorf("substring with a line break: %v", err)
	}
}

// What the index rules out must be worth having an index.
func TestSelective(t *testing.T) {
	for expr, want := range map[string]bool{
		"main": true, "ma": false, "(?i)kiss": true, "foo|bar": true, "foo|b": false, `\bif\b`: false, `^$`: false, `a.*bcd`: true, `[abc]xyz`: true,
		`\w+\(ctx`: true, `(foo)?`: false, `(foo)+`: true, `\d\d\d`: false, `(?i)straße`: true,
	} {
		p, err := Regex(expr, false)
		if err != nil {
			t.Fatal(err)
		}
		if p.Selective() != want {
			t.Errorf("%q: selective %v", expr, p.Selective())
		}
	}
}
