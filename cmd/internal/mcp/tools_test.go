package mcp

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write the golden transcripts")

// transcript is what an agent sees of one repository.
var transcript = []struct {
	tool string
	args m
}{
	{"status", m{}},
	{"explore", m{"query": "checkout"}},
	{"symbols", m{"query": "Cart"}},
	{"symbols", m{"query": "add", "kind": "method", "path": "shop", "limit": 1}},
	{"search", m{"query": "ROUND(i)", "ignore-case": true}},
	{"search", m{"query": `^def \w+\(`, "regex": true, "limit": 2}},
	{"search", m{"query": "no such text"}},
	{"relations", m{"symbol": "total", "kind": "callers"}},
	{"relations", m{"symbol": "checkout", "kind": "callees"}},
	{"relations", m{"symbol": "Cart", "kind": "references"}},
	{"relations", m{"symbol": "shop/price.py", "kind": "impact", "depth": 3}},
	{"relations", m{"symbol": "total", "kind": "impact", "depth": 3}},
	{"relations", m{"symbol": "Cart.sum", "kind": "tests"}},
	{"relations", m{"symbol": "lonely", "kind": "callers"}},
	{"relations", m{"symbol": "nowhere", "kind": "callers"}},
	{"read", m{"path": "shop/price.py:1-3"}},
	{"read", m{"symbol": "Cart.add"}},
	{"read", m{"symbol": "nowhere"}},
	{"sync", m{}},
	{"status", m{}},
}

// The documents are part of the contract with agents. What differs from run
// to run is replaced.
func TestGoldenTranscript(t *testing.T) {
	dir := makeRepo(t, shop)
	p := serve(t, testOptions(dir)).handshake("2025-06-18")
	var out strings.Builder
	for _, c := range transcript {
		args, _ := json.Marshal(c.args)
		doc, isError := p.call(c.tool, c.args)
		text, err := json.MarshalIndent(doc, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "> %s %s\n", c.tool, args)
		if isError {
			out.WriteString("(error)\n")
		}
		out.WriteString(steady(dir, string(text)) + "\n\n")
	}
	compareGolden(t, "transcript.golden", out.String())
}

var unsteady = []struct {
	what *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`"(commit)": "[0-9a-f]+"`), `"$1": "…"`},
	{regexp.MustCompile(`"(built_at)": "[^"]+"`), `"$1": "…"`},
	{regexp.MustCompile(`"(synced_ms|took_ms)": \d+`), `"$1": 1`},
	{regexp.MustCompile(`"(next_cursor)": "(\d+)\.[0-9a-f]+"`), `"$1": "$2.…"`},
	{regexp.MustCompile(`(?s)"languages": \[.*?\]`), `"languages": []`},
}

func steady(dir, s string) string {
	s = strings.ReplaceAll(s, dir, "/repo")
	for _, u := range unsteady {
		s = u.what.ReplaceAllString(s, u.with)
	}
	return s
}

// steadyText does the same for a document inside a text.
func steadyText(dir, s string) string {
	s = strings.ReplaceAll(s, dir, "/repo")
	return regexp.MustCompile(`(\\"(?:commit|built_at)\\":\\")[^\\]+|(\\"(?:synced_ms|took_ms)\\":)\d+|(\\"languages\\":)\[[^]]*\]`).ReplaceAllString(s, "$1$2$3…")
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range g {
		if i >= len(w) || g[i] != w[i] {
			return fmt.Sprintf("line %d:\ngot  %s\nwant %s", i+1, g[i], strings.Join(w[min(i, len(w)):min(i+1, len(w))], ""))
		}
	}
	return "the end is missing"
}

func items(doc map[string]any) []any { list, _ := doc["items"].([]any); return list }

func has(doc map[string]any, part string) bool {
	b, _ := json.Marshal(doc)
	return strings.Contains(string(b), part)
}

// An agent edits and asks at once, in tracked files and in new ones.
func TestEditsAreSeenAtOnce(t *testing.T) {
	dir := makeRepo(t, shop)
	p := serve(t, testOptions(dir)).handshake("2025-11-25")
	p.ok("symbols", m{"query": "Cart"})
	baseline := p.ok("status", m{})

	write(t, dir, "shop/new.py", "from shop.price import total\n\n\ndef fresh():\n    return total([])\n")
	doc := p.ok("relations", m{"symbol": "total", "kind": "callers"})
	if doc["freshness"] != "fresh" || doc["total"] != 2.0 || !has(doc, "shop/new.py:5") || doc["synced_ms"] == nil {
		t.Errorf("after a new file: %v", doc)
	}
	write(t, dir, "shop/price.py", "def total(items):\n    return fine(items)\n\n\ndef fine(x):\n    return x\n")
	if doc := p.ok("relations", m{"symbol": "fine", "kind": "callers"}); doc["freshness"] != "fresh" || doc["total"] != 1.0 {
		t.Errorf("after an edit: %v", doc)
	}
	if err := os.Remove(filepath.Join(dir, "shop/new.py")); err != nil {
		t.Fatal(err)
	}
	if doc := p.ok("relations", m{"symbol": "total", "kind": "callers"}); doc["total"] != 1.0 {
		t.Errorf("after a deletion: %v", doc)
	}
	write(t, dir, "shop/new.py", "def fresh():\n    pass\n")
	ch := p.ok("changes", m{"kind": "function"})
	if !has(ch, `"at":"shop/new.py:1","change":"added","kind":"function","name":"fresh"`) || !has(ch, `"change":"removed","kind":"function","name":"lonely"`) {
		t.Errorf("changes: %v", ch)
	}
	if err := os.Remove(filepath.Join(dir, "shop/new.py")); err != nil {
		t.Fatal(err)
	}
	st := p.ok("status", m{})
	since, _ := st["since_baseline"].(map[string]any)
	if baseline["since_baseline"] != nil || fmt.Sprint(since["modified"]) != "[shop/price.py]" || since["total"] != 1.0 {
		t.Errorf("since the baseline: %v", st)
	}
}

func TestStalePolicies(t *testing.T) {
	dir := makeRepo(t, shop)
	first := serve(t, testOptions(dir)).handshake("2025-11-25")
	first.ok("sync", m{})
	write(t, dir, "shop/cart.py", shop["shop/cart.py"]+"\n\ndef more():\n    pass\n")

	o := testOptions(dir)
	o.Stale = "mark"
	doc := serve(t, o).handshake("2025-11-25").ok("relations", m{"symbol": "total", "kind": "callers"})
	if doc["freshness"] != "stale" || doc["complete"] != false || !has(doc, `"stale":true`) || !has(doc, "shop/cart.py (modified)") {
		t.Errorf("mark: %v", doc)
	}
	doc = serve(t, o).handshake("2025-11-25").ok("relations", m{"symbol": "lonely", "kind": "callers"})
	if s := doc["summary"].(string); doc["total"] != 0.0 || !strings.Contains(s, "there may be some") {
		t.Errorf("an empty stale answer says: %q", s)
	}
	o.Stale = "refuse"
	serve(t, o).handshake("2025-11-25").fails("relations", m{"symbol": "total", "kind": "callers"}, "code_changed")
}

func TestUntrackedUnlessToldOtherwise(t *testing.T) {
	dir := makeRepo(t, shop)
	write(t, dir, "loose.py", "def loose():\n    pass\n")
	p := serve(t, testOptions(dir)).handshake("2025-11-25")
	if doc := p.ok("symbols", m{"query": "loose"}); !has(doc, "loose.py") {
		t.Errorf("untracked: %v", doc)
	}
	git(t, dir, "config", "codeidx.includeUntracked", "false")
	if doc := p.ok("symbols", m{"query": "loose"}); has(doc, "loose.py") {
		t.Errorf("told otherwise: %v", doc)
	}
}

// The work tree is that of the call, not of the server's start.
func TestWorkTreeOfTheCall(t *testing.T) {
	dir := makeRepo(t, shop)
	tree := filepath.Join(t.TempDir(), "tree")
	git(t, dir, "worktree", "add", "-q", tree, "-b", "other")
	write(t, tree, "shop/only.py", "def only_here():\n    pass\n")
	p := serve(t, testOptions(dir)).handshake("2025-11-25")
	if doc := p.ok("symbols", m{"query": "only_here", "repo": tree}); doc["total"] != 1.0 {
		t.Errorf("in the linked work tree: %v", doc)
	}
	if doc := p.ok("symbols", m{"query": "only_here"}); has(doc, "only.py") {
		t.Errorf("in the other one: %v", doc)
	}
	if doc := p.ok("read", m{"path": filepath.Join(dir, "shop/price.py") + ":1-1"}); !has(doc, "def total") {
		t.Errorf("absolute path: %v", doc)
	}
	if doc := p.ok("read", m{"path": "price.py:1-1", "repo": "shop"}); !has(doc, "def total") {
		t.Errorf("path relative to repo: %v", doc)
	}
	p.fails("status", m{"repo": "no/such/folder"}, "invalid_request")

	above := serve(t, testOptions(filepath.Dir(dir))).handshake("2025-11-25")
	e := above.fails("symbols", m{"query": "x"}, "not_a_repository")
	if !strings.Contains(e["hint"].(string), dir) {
		t.Errorf("the repository below is not named: %v", e)
	}
}

// removeTree removes a folder that the server's own reclaiming, which comes after
// an answer, may still be writing into.
func removeTree(t *testing.T, dir string) {
	t.Helper()
	err := os.RemoveAll(dir)
	for n := 0; err != nil && n < 1000; n++ {
		time.Sleep(10 * time.Millisecond)
		err = os.RemoveAll(dir)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// The server holds nothing open: whatever happens to the store between calls
// does not disturb it, nor does it keep others from gc.
func TestStoreRemovedBetweenCalls(t *testing.T) {
	dir := makeRepo(t, shop)
	p := serve(t, testOptions(dir)).handshake("2025-11-25")
	for range 3 {
		if doc := p.ok("symbols", m{"query": "checkout"}); doc["freshness"] != "fresh" {
			t.Errorf("got %v", doc)
		}
		removeTree(t, filepath.Join(dir, ".git/codeidx"))
	}
	git(t, dir, "checkout", "-q", "--orphan", "empty")
	git(t, dir, "rm", "-rfq", ".")
	doc := p.ok("symbols", m{"query": "checkout"})
	if doc["total"] != 0.0 || doc["freshness"] != "fresh" {
		t.Errorf("after the branch switch: %v", doc)
	}
}

func TestBuildingIsSaidNotAwaited(t *testing.T) {
	files := map[string]string{}
	for i := range 300 {
		files[fmt.Sprintf("m%d.py", i)] = strings.Repeat(fmt.Sprintf("def f%d(x):\n    return f%d(x) + len(x)\n\n", i, i), 30)
	}
	o := testOptions(makeRepo(t, files))
	o.Patience = time.Nanosecond
	p := serve(t, o).handshake("2025-11-25")
	p.fails("symbols", m{"query": "f1"}, string(Building))
	for p.ok("status", m{})["state"] == "building" {
	}
	if doc := p.ok("symbols", m{"query": "f1"}); doc["total"] == 0.0 {
		t.Errorf("got %v", doc)
	}
}

func TestArguments(t *testing.T) {
	p := serve(t, testOptions(makeRepo(t, shop))).handshake("2025-11-25")
	for _, c := range []struct {
		tool, args string
	}{
		{"changes", `{"what":1}`}, {"relations", `{"symbol":"nowhere","kind":"tests"}`}, {"symbols", `{}`}, {"symbols", `[]`}, {"symbols", `"x"`}, {"symbols", `{"query":5}`}, {"symbols", `{"query":null}`}, {"symbols", `{"query":""}`},
		{"symbols", `{"query":"x","limit":"many"}`}, {"symbols", `{"query":"x","limit":0}`}, {"symbols", `{"query":"x","limit":51}`},
		{"symbols", `{"query":"x","limit":1.5}`}, {"symbols", `{"query":"x","limit":1e99}`}, {"symbols", `{"query":"x","limt":1}`},
		{"symbols", `{"query":"x","kind":"no such kind"}`}, {"symbols", `{"query":"x","cursor":"z"}`}, {"symbols", `{"query":"x","max_bytes":1}`},
		{"relations", `{"symbol":"x"}`}, {"relations", `{"symbol":"x","kind":"friends"}`}, {"relations", `{"symbol":"x","kind":"callers","depth":4}`},
		{"relations", `{"symbol":"x","kind":"callers","mode":"full"}`}, {"relations", `{"symbol":"x","kind":"impact","hard":true}`},
		{"relations", `{"symbol":"x","kind":"callers","hard":"perhaps"}`},
		{"search", `{"query":"(","regex":true}`}, {"search", `{"query":"x","match":"regex"}`}, {"read", `{}`}, {"read", `{"path":"a","symbol":"b"}`}, {"read", `{"path":"shop/price.py:9-2"}`}, {"read", `{"path":"shop/none.py"}`},
		{"read", `{"path":"shop/price.py:1-999999999999999999999"}`}, {"read", `{"path":"../../etc/passwd"}`},
		{"status", `{"verbose":true}`}, {"explore", `{"query":["a"]}`},
	} {
		p.fails(c.tool, json.RawMessage(c.args), "invalid_request")
	}
	p.fails("symbols", m{"query": "x", "lang": "cobol"}, "unsupported_capability")
}

// What clients do to optional arguments is forgiven.
func TestForgivenArguments(t *testing.T) {
	p := serve(t, testOptions(makeRepo(t, shop))).handshake("2025-11-25")
	want := p.ok("symbols", m{"query": "Cart", "limit": 2})
	for _, args := range []string{
		`{"query":"Cart","limit":"2"}`, `{"query":"Cart","limit":2.0,"path":null,"lang":"null","cursor":""}`,
	} {
		if got := p.ok("symbols", json.RawMessage(args)); fmt.Sprint(items(got)) != fmt.Sprint(items(want)) {
			t.Errorf("%s: %v", args, got)
		}
	}
}

// Pages meet each item once, and no page mixes two states of the code.
func TestPages(t *testing.T) {
	files := map[string]string{"lib.py": "def target():\n    pass\n"}
	for i := range 60 {
		files[fmt.Sprintf("use%02d.py", i)] = "from lib import target\n\n\ndef f():\n    target()\n"
	}
	dir := makeRepo(t, files)
	p := serve(t, testOptions(dir)).handshake("2025-11-25")
	for _, size := range []m{{"limit": 7}, {"limit": 50, "max_bytes": 900}, {"max_bytes": 2000}} {
		seen := map[string]bool{}
		args := m{"symbol": "target", "kind": "callers"}
		for k, v := range size {
			args[k] = v
		}
		pages := 0
		for {
			doc := p.ok("relations", args)
			pages++
			if doc["total"] != 60.0 {
				t.Fatalf("total %v", doc["total"])
			}
			for _, it := range items(doc) {
				at := it.(map[string]any)["at"].(string)
				if seen[at] {
					t.Errorf("%s twice", at)
				}
				seen[at] = true
			}
			next, more := doc["next_cursor"]
			if more == (doc["complete"] == true) {
				t.Errorf("complete %v, next %v", doc["complete"], next)
			}
			if !more {
				break
			}
			args["cursor"] = next
		}
		if len(seen) != 60 || pages < 2 {
			t.Errorf("%v: %d items on %d pages", size, len(seen), pages)
		}
	}
	doc := p.ok("relations", m{"symbol": "target", "kind": "callers", "limit": 5})
	p.fails("relations", m{"symbol": "target", "kind": "references", "cursor": doc["next_cursor"]}, "code_changed")
	write(t, dir, "use00.py", "def g():\n    pass\n")
	p.fails("relations", m{"symbol": "target", "kind": "callers", "cursor": doc["next_cursor"]}, "code_changed")
}

// No answer is larger than asked, at any size.
func TestMaxBytes(t *testing.T) {
	p := serve(t, testOptions(makeRepo(t, shop))).handshake("2025-11-25")
	sizes := []int{512, 600, 700, 800, 1000, 1500, 2500, 4000, 32768}
	for _, c := range transcript {
		if c.tool == "status" || c.tool == "sync" {
			continue
		}
		whole := 0
		for _, size := range sizes {
			args := m{"max_bytes": size}
			for k, v := range c.args {
				args[k] = v
			}
			p.id++
			data, _ := json.Marshal(args)
			p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, p.id, c.tool, data))
			var r toolResult
			if err := json.Unmarshal(p.receive().Result, &r); err != nil {
				t.Fatal(err)
			}
			if n := len(r.Content[0].Text); n > size {
				t.Errorf("%s %s: %d bytes", c.tool, data, n)
			}
			doc, _ := decodeText(r.Content[0].Text)
			if r.IsError {
				if !has(doc, "budget_too_small") {
					t.Errorf("%s %s: %v", c.tool, data, doc)
				}
				continue
			}
			if n := len(items(doc)); n < whole {
				t.Errorf("%s %s: %d items where fewer bytes held %d", c.tool, data, n, whole)
			} else {
				whole = n
			}
		}
	}
}

func decodeText(s string) (map[string]any, error) {
	var doc map[string]any
	return doc, json.Unmarshal([]byte(s), &doc)
}

// Absence is stated with what could still be there.
func TestNothingIsNotUnknown(t *testing.T) {
	p := serve(t, testOptions(makeRepo(t, shop))).handshake("2025-11-25")
	lonely := p.ok("relations", m{"symbol": "lonely", "kind": "callers"})
	unknown := p.ok("relations", m{"symbol": "nowhere", "kind": "callers"})
	if s := lonely["summary"].(string); !strings.Contains(s, "1 unresolved site could mean it") {
		t.Errorf("no callers: %q", s)
	}
	if s := unknown["summary"].(string); !strings.Contains(s, "no indexed definition") {
		t.Errorf("unknown: %q", s)
	}
}

// A long session leaks neither descriptors nor memory-holding state.
func TestManyCallsHoldNothing(t *testing.T) {
	const fds = "/proc/self/fd"
	if _, err := os.Stat(fds); err != nil {
		t.Skip("no " + fds)
	}
	p := serve(t, testOptions(makeRepo(t, shop))).handshake("2025-11-25")
	p.ok("symbols", m{"query": "Cart"})
	open := func() int {
		list, _ := os.ReadDir(fds)
		return len(list)
	}
	before := open()
	for i := range 60 {
		p.ok([]string{"symbols", "explore"}[i%2], m{"query": "Cart"})
	}
	if after := open(); after > before+4 {
		t.Errorf("%d open descriptors became %d", before, after)
	}
}

func TestRelationKindsAreOperations(t *testing.T) {
	if i := slices.IndexFunc(tools(), func(t tool) bool { return t.name == "relations" }); i < 0 {
		t.Fatal("no tool relations")
	}
	for _, tool := range tools() {
		if !json.Valid(tool.schema()) {
			t.Errorf("%s: schema is no JSON: %s", tool.name, tool.schema())
		}
	}
}

// A session as agents have it: no index, a question, edits in tracked and new
// files, a commit on the way, and at the end what was touched and broken.
func TestSessionOfEdits(t *testing.T) {
	dir := makeRepo(t, shop)
	p := serve(t, testOptions(dir)).handshake("2025-11-25")
	if st := p.ok("status", m{}); st["state"] != "missing" {
		t.Errorf("before anything: %v", st)
	}
	p.ok("explore", m{"query": "checkout"})

	write(t, dir, "shop/price.py", "def total_of(items):\n    return 0\n\n\ndef lonely(why):\n    return why\n")
	doc := p.ok("relations", m{"symbol": "total", "kind": "callers"})
	if !strings.Contains(doc["summary"].(string), "no indexed definition") || !has(doc, `"sites":["shop/cart.py:2 in shop/cart.py","shop/cart.py:16 in Cart.sum"]`) {
		t.Errorf("the old name: %v", doc)
	}
	write(t, dir, "shop/report.py", "from shop.price import lonely\n\n\ndef report():\n    return lonely()\n")
	if doc := p.ok("relations", m{"symbol": "lonely", "kind": "callers"}); !has(doc, `"at":"shop/report.py:5","in":"report"`) {
		t.Errorf("a new file: %v", doc)
	}

	check := func(when string) {
		t.Helper()
		doc := p.ok("changes", m{})
		for _, part := range []string{
			`"broken":["shop/cart.py:2,16"],"change":"removed","kind":"function","name":"total"`,
			`"callers":["shop/report.py:5"],"change":"changed","kind":"function","name":"lonely"`,
			`"at":"shop/report.py","change":"added","kind":"file"`, "2 sites still refer to a removed definition",
		} {
			if !has(doc, part) {
				t.Errorf("%s: no %s in %v", when, part, doc)
			}
		}
	}
	check("before the commit")
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-qm", "edits")
	check("after the commit")

	// Mended, nothing is broken any more.
	write(t, dir, "shop/cart.py", strings.ReplaceAll(shop["shop/cart.py"], "total", "total_of"))
	if doc := p.ok("changes", m{}); has(doc, "broken") || has(doc, "still") || !has(doc, `"name":"total_of"`) {
		t.Errorf("after mending: %v", doc)
	}
	st := p.ok("status", m{})
	since, _ := st["since_baseline"].(map[string]any)
	if fmt.Sprint(since["modified"]) != "[shop/cart.py shop/price.py]" || fmt.Sprint(since["added"]) != "[shop/report.py]" {
		t.Errorf("since the baseline: %v", st)
	}
}
