package lint

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every test and every script that a promise in docs names as its keeper is there.
func TestPromisesHaveTheirTests(t *testing.T) {
	var code strings.Builder
	for _, s := range sources(t) {
		if s.test {
			code.Write(s.text)
		}
	}
	named := regexp.MustCompile("`((?:Test|Fuzz)[A-Za-z0-9]+|[a-z_]+\\.txtar)`")
	for _, page := range []string{"SECURITY.md", "RELIABILITY.md"} {
		text, err := os.ReadFile(filepath.Join(top, "docs", page))
		if err != nil {
			t.Fatal(err)
		}
		names := named.FindAllStringSubmatch(string(text), -1)
		if len(names) < 5 {
			t.Errorf("%s names only %d tests", page, len(names))
		}
		for _, m := range names {
			if strings.HasSuffix(m[1], ".txtar") {
				if _, err := os.Stat(filepath.Join(top, "testdata", "script", m[1])); err != nil {
					t.Errorf("%s: %v", page, err)
				}
			} else if !strings.Contains(code.String(), "func "+m[1]+"(") {
				t.Errorf("%s names %s, which is no test", page, m[1])
			}
		}
	}
}
