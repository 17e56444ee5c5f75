package fulltext

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestTokens(t *testing.T) {
	long := strings.Repeat("é", 100) + "Tail"
	tests := []struct{ text, split, words, normal string }{
		{"", "", "", ""},
		{"run", "run", "run", "run"},
		{"HTTPServer2xx", "http server 2 xx", "httpserver2xx http server 2 xx", "httpserver2xx"},
		{"newHTTPClient", "new http client", "newhttpclient new http client", "newhttpclient"},
		{"userIDs", "user ids", "userids user ids", "userids"},
		{"IDsOf", "ids of", "idsof ids of", "idsof"},
		{"URLsafe", "ur lsafe", "urlsafe ur lsafe", "urlsafe"},
		{"AString", "a string", "astring a string", "astring"},
		{"As", "as", "as", "as"},
		{"build_scopes_result", "build scopes result", "build_scopes_result build scopes result", "build_scopes_result"},
		{"__init__", "init", "__init__ init", "__init__"},
		{"MAX_SIZE", "max size", "max_size max size", "max_size"},
		{"_", "", "", "_"},
		{"kebab-case", "kebab case", "kebab case", "kebab.case"},
		{"sha256Sum", "sha 256 sum", "sha256sum sha 256 sum", "sha256sum"},
		{"pkg/cmd/root.go", "pkg cmd root go", "pkg cmd root go", "pkg.cmd.root.go"},
		{"./pkg", "pkg", "pkg", "pkg"},
		{"Client.Do", "client do", "client do", "client.do"},
		{`App\Models::getAll()`, "app models get all", "app models getall get all", "app.models.getall"},
		{"func (c *C) Do(ctx int)", "func c c do ctx int", "func c c do ctx int", "func.c.c.do.ctx.int"},
		{"don't", "don t", "don t", "don.t"},
		{"*?\"()", "", "", ""},
		{"Äußerung", "äußerung", "äußerung", "äußerung"},
		{"größeÄndern", "größe ändern", "größeändern größe ändern", "größeändern"},
		{"ΣίσυφοςΑ", "σίσυφοσ α", "σίσυφοσα σίσυφοσ α", "σίσυφοσα"},
		{"获取User名", "获取 user 名", "获取user名 获取 user 名", "获取user名"},
		{"用户ID表", "用户 id 表", "用户id表 用户 id 表", "用户id表"},
		{"e\u0301taOne", "e\u0301ta one", "e\u0301taone e\u0301ta one", "e\u0301taone"},
		{"\u0301", "", "", "\u0301"},
		{"a\xffb", "a b", "a b", "a.b"},
		{"🙂run", "run", "run", "run"},
		{long, clip(strings.Repeat("é", 100)) + " tail", clip(strings.Repeat("é", 100)+"tail") + " " + clip(strings.Repeat("é", 100)) + " tail", clip(strings.Repeat("é", 100) + "tail")},
	}
	for _, tt := range tests {
		got := []string{strings.Join(Split(tt.text), " "), strings.Join(Words(tt.text), " "), Normal(tt.text)}
		if diff := cmp.Diff([]string{tt.split, tt.words, tt.normal}, got); diff != "" {
			t.Errorf("split, words, normal of %q (-want +got):\n%s", tt.text, diff)
		}
	}
}

func TestClip(t *testing.T) {
	a := strings.Repeat("日本", 30) + "a"
	b := strings.Repeat("日本", 30) + "b"
	if clip(a) == clip(b) || len(clip(a)) > maxTerm || !utf8.ValidString(clip(a)) {
		t.Errorf("clip gives %q and %q", clip(a), clip(b))
	}
	if s := strings.Repeat("x", maxTerm); clip(s) != s {
		t.Error("clip changes a term that fits")
	}
}

func TestFoldIsIdempotent(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if once := fold(string(r)); fold(once) != once {
			t.Errorf("fold(%U) = %+q, which folds to %+q", r, once, fold(once))
		}
	}
}

func TestTokenProperties(t *testing.T) {
	letters := rapid.OneOf(rapid.Rune(), rapid.SampledFrom([]rune("abAB12_-. éÉ")))
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(letters).Draw(t, "text")
		words, parts := Words(text), Split(text)
		for _, p := range parts {
			if !slices.Contains(words, p) {
				t.Fatalf("part %q of %q is none of its words %q", p, text, words)
			}
		}
		for _, w := range words {
			if w == "" || len(w) > maxTerm || w != fold(w) || Normal(w) != w && !strings.Contains(w, "~") {
				t.Fatalf("word %q of %q is no term", w, text)
			}
		}
		if len(parts) == 0 != (len(words) == 0) {
			t.Fatalf("%q has words %q and parts %q", text, words, parts)
		}
		if n := Normal(text); !strings.Contains(n, "~") && Normal(n) != n {
			t.Fatalf("normal %q of %q has normal %q", n, text, Normal(n))
		}
	})
}
