package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// golden holds one document per operation over the repository below: the
// frozen names of the envelope and of each operation's items.
const golden = "../../../testdata/golden"

var goldenFiles = map[string]string{
	"go.mod": "module example.com/shop\n\ngo 1.22\n",
	"cart/cart.go": `// Package cart adds up.
package cart

// Cart is a list of prices.
type Cart struct{ prices []int }

// Total adds up the prices.
func (c *Cart) Total() int {
	sum := 0
	for _, p := range c.prices {
		sum += p
	}
	return sum
}
`,
	"main.go": `package main

import "example.com/shop/cart"

func main() {
	c := &cart.Cart{}
	show(c.Total())
}

func show(n int) { println(n) }
`,
	"cart/cart_test.go": `package cart

import "testing"

func TestTotal(t *testing.T) {
	if (&Cart{}).Total() != 0 {
		t.Fail()
	}
}
`,
	"tools/report.py": `"""Reports."""


def line(text):
    """Format one line."""
    return text.strip()


def report(rows):
    return [line(r) for r in rows] + unknown(rows)
`,
	".env": "SECRET=1\n",
}

var goldenCommands = map[string][]string{
	"symbols":     {"symbols", "total"},
	"search":      {"search", "--regex", `Total\(|\bmodule\b`},
	"words":       {"search", "prices total"},
	"callers":     {"callers", "Cart.Total"},
	"callees":     {"callees", "main"},
	"references":  {"references", "cart.Cart"},
	"impact":      {"impact", "cart/cart.go", "--mode", "full"},
	"explore":     {"explore", "how is the total of a cart computed"},
	"map":         {"map"},
	"tests":       {"tests", "Cart.Total", "tools/report.py"},
	"read":        {"read", "main.go:5-7"},
	"code":        {"code", "line"},
	"live-read":   {"live-read", "main.go:5-7"},
	"edges":       {"edges"},
	"diagnostics": {"diagnostics"},
	"partial":     {"symbols", "cart", "--limit", "1"},
	"unknown":     {"callers", "nothing"},
	"status":      {"status"},
	"baseline":    {"changes"},
	"error":       {"callers", "x", "--depth", "7"},
	"query":       {"query", "--request-file", "-"},
	"refused":     {"query", "--request-file", "-"},
}

// goldenInput is what commands read from stdin.
var goldenInput = map[string]string{
	"query":   `{"operation":{"kind":"callers","symbol":"line","depth":2,"limit":5},"max_bytes":8000}`,
	"refused": `{"operation":{"kind":"callers","symbol":"line","query":"x"}}`,
}

// goldenEdits are made after goldenCommands, and synced before goldenAfter.
var goldenEdits = map[string]string{
	"cart/cart.go": strings.Replace(goldenFiles["cart/cart.go"], "sum := 0", "sum := 1", 1),
	"tools/report.py": `"""Reports."""


def report(rows):
    return [entry(r, ";") for r in rows]


def entry(text, end):
    return text.strip() + end
`,
}

var goldenAfter = map[string][]string{
	"changes":        {"changes"},
	"impact-changes": {"impact-changes", "--mode", "full"},
}

func TestGolden(t *testing.T) {
	dir := goldenRepo(t)
	t.Chdir(dir)
	if out, status := run(t, "index", "-q"); status != exitOK {
		t.Fatalf("index: status %d: %s", status, out)
	}
	compareGolden(t, dir, goldenCommands)
	writeFiles(t, dir, goldenEdits)
	if out, status := run(t, "sync", "-q"); status != exitOK {
		t.Fatalf("sync: status %d: %s", status, out)
	}
	compareGolden(t, dir, goldenAfter)
}

func compareGolden(t *testing.T, dir string, commands map[string][]string) {
	t.Helper()
	here, err := filepath.Glob(filepath.Join(startDir, golden, "*.json"))
	if err != nil || len(here) == 0 && os.Getenv("UPDATE_SCRIPTS") == "" {
		t.Fatalf("no golden files: %v", err)
	}
	for name, args := range commands {
		t.Run(name, func(t *testing.T) {
			out, _ := runWith(t, goldenInput[name], append(args, "--json")...)
			got := normalize(t, out, dir)
			file := filepath.Join(startDir, golden, name+".json")
			if os.Getenv("UPDATE_SCRIPTS") != "" {
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), string(got)); d != "" {
				t.Errorf("the frozen form of %s changed (-want +got):\n%s", name, d)
			}
		})
	}
}

// The same question twice gives the same bytes, the time of the check apart.
func TestAnswersAreDeterministic(t *testing.T) {
	dir := goldenRepo(t)
	t.Chdir(dir)
	run(t, "index", "-q")
	for name, args := range goldenCommands {
		one, _ := runWith(t, goldenInput[name], append(args, "--json")...)
		two, _ := runWith(t, goldenInput[name], append(args, "--json")...)
		if d := cmp.Diff(string(normalize(t, one, dir)), string(normalize(t, two, dir))); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

var startDir, _ = os.Getwd()

func goldenRepo(t *testing.T) string { return repoOf(t, goldenFiles) }

// repoOf makes a repository with one commit of the files.
func repoOf(t *testing.T, files map[string]string) string {
	t.Helper()
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "GIT_") {
			t.Setenv(name, "")
			os.Unsetenv(name)
		}
	}
	for k, v := range map[string]string{
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.com",
		"GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.com", "GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z",
		"GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z",
	} {
		t.Setenv(k, v)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	writeFiles(t, dir, files)
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"commit", "-q", "-m", "first"}} {
		c := exec.Command("git", args...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v: %s", args, err, out)
		}
	}
	return dir
}

func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for p, s := range files {
		p = filepath.Join(dir, p)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// run runs one command line in this process and returns its stdout.
func run(t *testing.T, args ...string) ([]byte, int) {
	t.Helper()
	return runWith(t, "", args...)
}

func runWith(t *testing.T, input string, args ...string) ([]byte, int) {
	t.Helper()
	var out, errs bytes.Buffer
	status := Main(args, Streams{In: strings.NewReader(input), Out: &out, Err: &errs})
	if out.Len() == 0 && errs.Len() > 0 && status != exitOK {
		t.Logf("%v: %s", args, errs.String())
	}
	return out.Bytes(), status
}

var volatile = []struct {
	find *regexp.Regexp
	put  string
}{
	{regexp.MustCompile(`sym:[0-9a-f]{12}:`), "sym:FINGERPRINT:"},
	{regexp.MustCompile(`"(fingerprint|binding|manifest)": "[0-9a-f]+"`), `"$1": "…"`},
	{regexp.MustCompile(`"(checked_at|built_at)": "[^"]+"`), `"$1": "…"`},
	{regexp.MustCompile(`"store_bytes": \d+`), `"store_bytes": 0`},
	{regexp.MustCompile(`"next": "(\d+)\.[0-9a-f]+"`), `"next": "$1.…"`},
}

// normalize indents a document and hides what differs from run to run.
func normalize(t *testing.T, out []byte, dir string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := json.Indent(&b, out, "", "  "); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	s := strings.ReplaceAll(b.String(), dir, "TOP")
	for _, v := range volatile {
		s = v.find.ReplaceAllString(s, v.put)
	}
	return []byte(s)
}
