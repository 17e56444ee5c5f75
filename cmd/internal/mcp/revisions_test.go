package mcp

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// exchange is what a client of any revision sends after its handshake. META
// stands for what requests of the current revision carry.
var exchange = []string{
	`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{META}}`,
	`{"jsonrpc":"2.0","method":"notifications/no_such"}`,
	`{"jsonrpc":"2.0","id":9007199254740991,"method":"tools/call","params":{"name":"status","arguments":{},META}}`,
	`{"jsonrpc":"2.0","id":"` + strings.Repeat("i", 300) + `","method":"tools/call","params":{"name":"relations","arguments":{"symbol":"total","kind":"callers"},META}}`,
	`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"no_such","arguments":{},META}}`,
	`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"symbols","arguments":{"query":["x"]},META}}`,
	`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"symbols","arguments":"x",META}}`,
	`{"jsonrpc":"2.0","id":6,"method":"ping","params":{META}}`,
	`{"jsonrpc":"2.0","id":7,"method":"logging/setLevel","params":{"level":"debug",META}}`,
	`{"jsonrpc":"2.0","id":8,"method":"server/discover","params":{META}}`,
	`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":12345}}`,
	`{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"read","arguments":{"path":"shop/price.py:1-2"},META}}`,
}

// Each revision has its transcript: what a client of it gets, line by line.
func TestGoldenOfEveryRevision(t *testing.T) {
	for _, version := range append(slices.Clone(revisions), current) {
		t.Run(version, func(t *testing.T) {
			dir := makeRepo(t, shop)
			codeidx(t, dir, "index", "-q")
			p := serve(t, testOptions(dir))
			more := `"_meta":{}`
			var out strings.Builder
			say := func(line string) {
				line = strings.ReplaceAll(line, "META", more)
				p.send(line)
				fmt.Fprintf(&out, "> %s\n", line)
				if strings.Contains(line, `"id"`) {
					fmt.Fprintf(&out, "< %s\n", brief(t, dir, p.line()))
				}
			}
			if version == current {
				more = meta
			} else {
				say(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, version))
				say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
			}
			for _, line := range exchange {
				say(line)
			}
			compareGolden(t, "revision-"+version+".golden", out.String())
		})
	}
}

// brief leaves what other tests pin down out of a message: the descriptions of
// tools, the instructions, and the second copy of a document.
func brief(t *testing.T, dir string, line []byte) string {
	t.Helper()
	var msg map[string]any
	if err := json.Unmarshal(line, &msg); err != nil {
		t.Fatalf("no message: %q", line)
	}
	var plain struct{ ID json.RawMessage }
	if err := json.Unmarshal(line, &plain); err != nil {
		t.Fatal(err)
	}
	msg["id"] = plain.ID
	if r, ok := msg["result"].(map[string]any); ok {
		if r["instructions"] != nil {
			r["instructions"] = "…"
		}
		if list, ok := r["tools"].([]any); ok {
			for i, tool := range list {
				list[i] = tool.(map[string]any)["name"]
			}
		}
		if r["structuredContent"] != nil {
			r["structuredContent"] = "…"
		}
	}
	data, err := encode(msg)
	if err != nil {
		t.Fatal(err)
	}
	return steadyText(dir, string(data))
}

func compareGolden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the transcript differs from %s (go test -update writes it):\n%s", file, firstDifference(got, string(want)))
	}
}
