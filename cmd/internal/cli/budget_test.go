package cli

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"codeidx/query"
)

// awkwardFiles hold what makes documents grow: other scripts, escapes, CRLF,
// lines of 10 kB, many definitions and many uses of one.
func awkwardFiles() map[string]string {
	var many, uses strings.Builder
	uses.WriteString("from pkg.größe import 計算, Ünïcode\n\n")
	for i := range 25 {
		fmt.Fprintf(&many, "def helper_%d(a, b=\"\\t\\\"%s\\\"\"):\n    \"\"\"Helper %d: \\\\ \\x01 <&> größe.\"\"\"\n    return a\n\n", i, strings.Repeat("ü", 20), i)
		fmt.Fprintf(&uses, "def use_%d(x):\n    return 計算(x) + Ünïcode().tiefe(x)\n\n", i)
	}
	return map[string]string{
		"pkg/__init__.py": "",
		"pkg/größe.py": "def 計算(wert):\r\n    \"\"\"Größe \\\\ \"x\" <html> \u2028.\"\"\"\r\n    return \"" + strings.Repeat("\\\"ü\u0001", 2000) + "\"\r\n\r\n" +
			"class Ünïcode:\r\n    def tiefe(self, n):\r\n        x = \"" + strings.Repeat("<\t>", 3000) + "\"\r\n        return 計算(n)\r\n",
		"pkg/many.py":        many.String(),
		"pkg/uses.py":        uses.String(),
		"tests/test_uses.py": "from pkg.uses import use_1\n\n\ndef test_use():\n    assert use_1(1)\n",
		"main.go":            "package main\n\n// main — starts.\nfunc main() { println(\"" + strings.Repeat("\\\\", 5000) + "\") }\n",
	}
}

// requests are one or more requests of every operation.
func awkwardRequests() []string {
	return []string{
		`{"kind":"symbols","query":"helper"}`, `{"kind":"symbols","query":"größe 計算 use"}`,
		`{"kind":"callers","symbol":"計算"}`, `{"kind":"callees","symbol":"use_1"}`, `{"kind":"callers","symbol":"tiefe","depth":3}`,
		`{"kind":"references","symbol":"Ünïcode"}`, `{"kind":"impact","symbols":["計算","pkg/many.py","nothing"],"depth":3,"mode":"full"}`,
		`{"kind":"explore","query":"how is 計算 used by tiefe"}`, `{"kind":"map","depth":3}`, `{"kind":"map","budget_tokens":1500}`, `{"kind":"read","path":"pkg/größe.py"}`,
		`{"kind":"read","path":"main.go"}`, `{"kind":"read","path":"pkg/many.py","first_line":3,"last_line":150}`, `{"kind":"code","symbol":"計算"}`,
		`{"kind":"code","symbol":"Ünïcode"}`, `{"kind":"edges"}`, `{"kind":"tests","paths":["pkg/uses.py"],"symbols":["計算"]}`, `{"kind":"changes"}`, `{"kind":"live-read","path":"pkg/größe.py"}`, `{"kind":"impact-changes","mode":"full"}`, `{"kind":"diagnostics"}`,
		`{"kind":"search","query":"helper größe"}`, `{"kind":"search","match":"substring","query":"return"}`, `{"kind":"search","match":"regex","query":"[\\\\<ü]+","ignore_case":true}`,
	}
}

// Whatever the content, the whole document keeps to max_bytes at every value,
// following next meets every item exactly once, and each item keeps its place.
func TestMaxBytesOverAllOperations(t *testing.T) {
	earlier := awkwardFiles()
	earlier["pkg/many.py"], earlier["pkg/old.py"] = "def helper_0(a):\n    return a\n", "def old(): pass\n"
	earlier["pkg/größe.py"] = strings.Replace(earlier["pkg/größe.py"], "return", "return 1 +", 1)
	dir := repoOf(t, earlier)
	t.Chdir(dir)
	t.Setenv("GIT_CODEIDX_INCLUDE", "*") // long lines alone would pass for minified
	if out, status := run(t, "index", "-q"); status != exitOK {
		t.Fatalf("index: status %d: %s", status, out)
	}
	writeFiles(t, dir, awkwardFiles())
	for _, args := range [][]string{{"rm", "-q", "pkg/old.py"}, {"add", "-A"}} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v: %s", args, err, out)
		}
	}
	if out, status := run(t, "sync", "-q"); status != exitOK {
		t.Fatalf("sync: status %d: %s", status, out)
	}
	requests := awkwardRequests()
	asked := map[string]bool{}
	for _, r := range requests {
		var op struct{ Kind string }
		if err := json.Unmarshal([]byte(r), &op); err != nil {
			t.Fatal(err)
		}
		asked[op.Kind] = true
	}
	for _, op := range query.Ops() {
		if !asked[op.Name] {
			t.Errorf("no request of %s is tried", op.Name)
		}
	}
	whole := map[string][]string{}
	for _, r := range requests {
		whole[r] = walk(t, r, query.MaxBytes)
		if len(whole[r]) == 0 {
			t.Fatalf("%s has no items", r)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		r := rapid.SampledFrom(requests).Draw(rt, "request")
		budget := rapid.OneOf(rapid.IntRange(query.MinBytes, 3000), rapid.IntRange(query.MinBytes, query.MaxBytes)).Draw(rt, "max_bytes")
		got := walk(t, r, budget)
		if got != nil && strings.Join(got, "\n") != strings.Join(whole[r], "\n") {
			rt.Fatalf("%s at %d bytes: %d items of %d", r, budget, len(got), len(whole[r]))
		}
	})
}

// walk follows the cursors of one request and returns the citations of its
// items, nil where the smallest answer does not fit.
func walk(t *testing.T, operation string, budget int) []string {
	t.Helper()
	cursor := ""
	var seen []string
	for {
		request := fmt.Sprintf(`{"operation":%s,"max_bytes":%d,"cursor":%q}`, operation, budget, cursor)
		out, status := runWith(t, request, "query", "--request-file", "-")
		var doc struct {
			Code  string
			Next  string
			Items []map[string]any
		}
		if err := json.Unmarshal(out, &doc); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if status != exitOK {
			if doc.Code != string(query.BudgetTooSmall) || budget == query.MaxBytes {
				t.Fatalf("%s: status %d: %s", request, status, out)
			}
			return nil
		}
		if len(out) > budget {
			t.Fatalf("%s: %d bytes", request, len(out))
		}
		for _, it := range doc.Items {
			seen = append(seen, citation(t, it))
		}
		if doc.Next == "" {
			return seen
		}
		if len(doc.Items) == 0 || doc.Next == cursor {
			t.Fatalf("%s: no step forward: %s", request, out)
		}
		cursor = doc.Next
	}
}

// citation is where an item stands: it must be there however little room is left.
func citation(t *testing.T, it map[string]any) string {
	t.Helper()
	var parts []string
	for _, k := range []string{"path", "line", "first_line", "file_sha256", "reason", "edge_uid", "new_sha256", "old_sha256"} {
		if v, ok := it[k]; ok {
			parts = append(parts, fmt.Sprint(v))
		}
	}
	for _, k := range []string{"symbol", "edge", "text", "before", "after"} {
		if m, ok := it[k].(map[string]any); ok {
			parts = append(parts, citation(t, m))
		}
	}
	if len(parts) == 0 || it["text"] != nil && it["snippet_sha256"] == nil && it["role"] == nil && it["layer"] == nil {
		t.Fatalf("no place in %v", it)
	}
	return strings.Join(parts, " ")
}
