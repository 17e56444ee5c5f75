package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A map keeps to its budget whatever the names, and more budget never shows
// less.
func TestMapBudget(t *testing.T) {
	files := awkwardFiles()
	for i := range 12 {
		files[fmt.Sprintf("deep/%d/%s/m%d.py", i%3, strings.Repeat("x", i*7+1), i)] = fmt.Sprintf("from pkg.many import helper_%d\n\n\ndef g_%d(): helper_%d(1)\n", i%4, i, i%4)
	}
	dir := repoOf(t, files)
	t.Chdir(dir)
	t.Setenv("GIT_CODEIDX_INCLUDE", "*")
	if out, status := run(t, "index", "-q"); status != exitOK {
		t.Fatalf("index: status %d: %s", status, out)
	}
	outer, known := t, map[string]map[string]bool{}
	shown := func(t *rapid.T, budget int, args ...string) map[string]bool {
		key := fmt.Sprint(budget, args)
		if known[key] == nil {
			out, status := runWith(outer, "", append([]string{"map", "--json", "--freshness", "stat", "--budget", fmt.Sprint(budget)}, args...)...)
			known[key] = mapShown(t, budget, out, status)
		}
		return known[key]
	}
	rapid.Check(t, func(t *rapid.T) {
		args := rapid.SampledFrom([][]string{nil, {"deep"}, {"--depth", "4"}, {"pkg", "--lang", "python"}}).Draw(t, "args")
		small := rapid.IntRange(100, 3000).Draw(t, "budget")
		large := small + rapid.IntRange(0, 2000).Draw(t, "more")
		more := shown(t, large, args...)
		for what := range shown(t, small, args...) {
			if !more[what] {
				t.Fatalf("%s is shown for %d tokens, not for %d", what, small, large)
			}
		}
	})
}

// mapShown is what a map shows: its places and their definitions.
func mapShown(t *rapid.T, budget int, out []byte, status int) map[string]bool {
	var doc struct {
		Status string
		Items  []json.RawMessage
	}
	if err := json.Unmarshal(out, &doc); err != nil || status != exitOK {
		t.Fatalf("status %d, %v: %s", status, err, out)
	}
	seen := map[string]bool{}
	bytes := 0
	for _, item := range doc.Items {
		bytes += len(item) + 1
		var p struct {
			Path    string
			Hidden  int
			Symbols []struct{ ID string }
		}
		if err := json.Unmarshal(item, &p); err != nil {
			t.Fatal(err)
		}
		if p.Hidden > 0 && doc.Status != "partial" {
			t.Fatalf("%s hides definitions in an answer that says it is whole", p.Path)
		}
		seen[p.Path] = true
		for _, s := range p.Symbols {
			seen[s.ID] = true
		}
	}
	if bytes > budget*4 {
		t.Fatalf("%d bytes for %d tokens", bytes, budget)
	}
	return seen
}
