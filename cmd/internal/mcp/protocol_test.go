package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const current = "2026-07-28"

// revisions are those of the SDK that begin with initialize.
var revisions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}

func TestHandshakeOfEveryRevision(t *testing.T) {
	dir := t.TempDir() // no repository: the handshake opens nothing
	for _, version := range revisions {
		t.Run(version, func(t *testing.T) {
			p := serve(t, testOptions(dir))
			p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, version))
			var r struct {
				ProtocolVersion string
				Capabilities    map[string]any
				ServerInfo      struct{ Name, Version string }
				Instructions    string
			}
			if err := json.Unmarshal(p.receive().Result, &r); err != nil {
				t.Fatal(err)
			}
			if r.ProtocolVersion != version || r.ServerInfo.Name != "codeidx" || r.Instructions == "" {
				t.Errorf("got %+v", r)
			}
			if _, logs := r.Capabilities["logging"]; logs || r.Capabilities["tools"] == nil || len(r.Capabilities) != 1 {
				t.Errorf("capabilities %v", r.Capabilities)
			}
			p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
			p.send(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
			checkTools(t, p.receive().Result)
			p.fails("status", m{}, "not_a_repository")
		})
	}
}

func checkTools(t *testing.T, raw json.RawMessage) {
	t.Helper()
	var list struct {
		Tools []struct {
			Name        string
			Annotations map[string]bool
		}
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		if len(tool.Annotations) != 4 {
			t.Errorf("%s: not all annotations are set: %v", tool.Name, tool.Annotations)
		}
	}
	if want := []string{"changes", "explore", "read", "relations", "search", "status", "symbols", "sync"}; !slices.Equal(names, want) {
		t.Errorf("tools %v, want %v", names, want)
	}
}

// meta is what each request of the current revision carries.
const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`

func TestCurrentRevisionNeedsNoHandshake(t *testing.T) {
	p := serve(t, testOptions(makeRepo(t, shop)))
	p.send(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + meta + `}}`)
	var d struct {
		SupportedVersions []string
		Capabilities      map[string]any
	}
	if err := json.Unmarshal(p.receive().Result, &d); err != nil {
		t.Fatal(err)
	}
	for _, v := range append(slices.Clone(revisions), current) {
		if !slices.Contains(d.SupportedVersions, v) {
			t.Errorf("%s is not offered: %v", v, d.SupportedVersions)
		}
	}
	p.send(`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{` + meta + `}}`)
	checkTools(t, p.receive().Result)
	p.send(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"symbols","arguments":{"query":"Cart"},` + meta + `}}`)
	doc, isError := decodeResult(t, p.receive().Result)
	if isError || doc["freshness"] != "fresh" {
		t.Errorf("got %v", doc)
	}
}

func TestSDKClientOfEveryRevision(t *testing.T) {
	dir := makeRepo(t, shop)
	for _, version := range append(slices.Clone(revisions), current) {
		t.Run(version, func(t *testing.T) {
			inR, inW := io.Pipe()
			outR, outW := io.Pipe()
			done := make(chan error, 1)
			go func() { done <- Serve(context.Background(), testOptions(dir), inR, outW); outW.Close() }()
			client := sdk.NewClient(&sdk.Implementation{Name: "t", Version: "1"}, nil)
			session, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: outR, Writer: inW}, &sdk.ClientSessionOptions{ProtocolVersion: version})
			if err != nil {
				t.Fatal(err)
			}
			r, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "relations", Arguments: map[string]any{"symbol": "total", "kind": "callers"}})
			if err != nil || r.IsError {
				t.Fatalf("call: %v %+v", err, r)
			}
			text := r.Content[0].(*sdk.TextContent).Text
			if !strings.Contains(text, `"at":"shop/cart.py:16","in":"Cart.sum"`) {
				t.Errorf("got %s", text)
			}
			session.Close()
			if err := <-done; err != nil {
				t.Errorf("the server ended with: %v", err)
			}
		})
	}
}

// A line that is no request is answered, and the server goes on.
func TestBadLines(t *testing.T) {
	p := serve(t, testOptions(t.TempDir())).handshake("2025-06-18")
	for _, c := range []struct {
		line string
		id   any
		code int
	}{
		{`{"jsonrpc":"2.0","id":7,"method":`, nil, -32700},
		{`hello`, nil, -32700},
		{"\xff\xfe", nil, -32700},
		{`{"jsonrpc":"2.0","id":7,"method":"ping"} {}`, nil, -32700},
		{`42`, nil, -32600},
		{`"text"`, nil, -32600},
		{`null`, nil, -32600},
		{`[]`, nil, -32600},
		{`[1]`, nil, -32600},
		{`{}`, nil, -32600},
		{`{"jsonrpc":"1.0","id":8,"method":"ping"}`, 8.0, -32600},
		{`{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}`, nil, -32600},
		{`{"jsonrpc":"2.0","id":9,"method":"no/such"}`, 9.0, -32601},
		{`{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"name":"nothing"}}`, 10.0, -32602},
		{`{"jsonrpc":"2.0","id":11,"method":"tools/call"}`, 11.0, -32600},
	} {
		p.send(c.line)
		got := p.receive()
		if got.Error == nil || got.Error.Code != c.code || got.ID != c.id {
			t.Errorf("%s: got id %v, error %+v, want id %v, code %d", c.line, got.ID, got.Error, c.id, c.code)
		}
	}
	p.send("") // an empty line is nothing
	p.send(`{"jsonrpc":"2.0","id":12,"method":"ping"}`)
	if got := p.receive(); got.Error != nil || got.ID != 12.0 {
		t.Errorf("ping after all that: %+v", got)
	}
}

func TestTooLongLine(t *testing.T) {
	p := serve(t, testOptions(t.TempDir())).handshake("2025-06-18")
	p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"symbols","arguments":{"query":"` + strings.Repeat("x", maxLine) + `"}}}`)
	if got := p.receive(); got.Error == nil || got.Error.Code != -32600 {
		t.Fatalf("got %+v", got)
	}
	p.fails("symbols", m{"query": strings.Repeat("x", 10<<20)}, "invalid_request")
}

func TestBatch(t *testing.T) {
	p := serve(t, testOptions(t.TempDir())).handshake("2025-03-26")
	p.send(`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}},{"jsonrpc":"2.0","id":2,"method":"tools/list"}]`)
	var answers []message
	if err := json.Unmarshal(p.line(), &answers); err != nil || len(answers) != 2 {
		t.Fatalf("%v: %+v", err, answers)
	}
	p.send(`{"jsonrpc":"2.0","id":3,"method":"ping"}`)
	if got := p.receive(); got.ID != 3.0 {
		t.Errorf("got %+v", got)
	}
}

// A script that writes its requests and closes the pipe gets its answers.
func TestAnswersAfterEndOfInput(t *testing.T) {
	dir := makeRepo(t, shop)
	inR, inW := io.Pipe()
	var out strings.Builder
	done := make(chan error, 1)
	go func() { done <- Serve(context.Background(), testOptions(dir), inR, &out) }()
	io.WriteString(inW, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"symbols","arguments":{"query":"Cart"},`+meta+"}}\n")
	io.WriteString(inW, `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{`+meta+`}}`) // no newline
	inW.Close()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 2 {
		t.Errorf("%d answers: %q", len(lines), lines)
	}
	for _, l := range lines {
		if !json.Valid([]byte(l)) {
			t.Errorf("no message: %q", l)
		}
	}
}

// Nothing is sent for a cancelled call, and it ends.
func TestCancel(t *testing.T) {
	p, entered, left := serveBlocked(t)
	p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"status","arguments":{}}}`)
	<-entered
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"enough"}}`)
	<-left
	p.send(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	if got := p.receive(); got.ID != 2.0 {
		t.Errorf("after a cancelled call: %+v", got)
	}
}

// A call that hangs does not keep the server when the client is gone.
func TestEndOfInputEndsCalls(t *testing.T) {
	p, entered, left := serveBlocked(t)
	p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"status","arguments":{}}}`)
	<-entered
	p.in.Close()
	go io.Copy(io.Discard, p.out)
	<-left
}

// serveBlocked starts a server whose calls wait until they are cancelled.
func serveBlocked(t *testing.T) (p *peer, entered, left chan struct{}) {
	entered, left = make(chan struct{}), make(chan struct{})
	o := testOptions(t.TempDir())
	o.open = func(ctx context.Context, _ string, _ bool) (*session, error) {
		close(entered)
		<-ctx.Done()
		close(left)
		return nil, ctx.Err()
	}
	return serve(t, o).handshake("2025-11-25"), entered, left
}

func TestConcurrentCalls(t *testing.T) {
	p := serve(t, testOptions(makeRepo(t, shop))).handshake("2025-06-18")
	const n = 40
	go func() {
		for i := range n {
			io.WriteString(p.in, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"relations","arguments":{"symbol":"total","kind":"callers"}}}`+"\n", i))
		}
	}()
	seen := map[any]bool{}
	for range n {
		got := p.receive()
		doc, isError := decodeResult(t, got.Result)
		if isError || doc["total"] != 1.0 || seen[got.ID] {
			t.Fatalf("id %v: %v", got.ID, doc)
		}
		seen[got.ID] = true
	}
}

// The list and the instructions stay small: each session pays for them.
func TestTokenBudget(t *testing.T) {
	p := serve(t, testOptions(t.TempDir())).handshake("2025-11-25")
	p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	list := p.receive().Result
	tokens := (len(list) + len(instructions)) / 4
	t.Logf("tools/list and instructions: %d tokens", tokens)
	if tokens > 1500 {
		t.Errorf("tools/list and instructions take %d tokens, more than 1500", tokens)
	}
	if len(instructions) > 2048 {
		t.Errorf("instructions have %d bytes; clients cut them at 2048", len(instructions))
	}
	for _, bad := range []string{"anyOf", "oneOf", "allOf", "null", `["string"`} {
		if strings.Contains(string(list), bad) {
			t.Errorf("a schema has %s: clients drop such tools", bad)
		}
	}
	p.send(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	if again := p.receive().Result; string(again) != string(list) {
		t.Error("two lists differ")
	}
}

func TestListMethodsAreAnswered(t *testing.T) {
	p := serve(t, testOptions(t.TempDir())).handshake("2025-06-18")
	for i, method := range []string{"resources/list", "prompts/list", "resources/templates/list"} {
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q}`, i, method))
		if got := p.receive(); got.Error != nil {
			t.Errorf("%s: %+v", method, got.Error)
		}
	}
}

// Progress comes only with a token, and only rises.
func TestProgress(t *testing.T) {
	files := map[string]string{}
	for i := range 400 {
		files[fmt.Sprintf("m%d.py", i)] = strings.Repeat(fmt.Sprintf("def f%d(x):\n    return f%d(x) + len(x)\n\n", i, i), 30)
	}
	p := serve(t, testOptions(makeRepo(t, files))).handshake("2025-06-18")
	p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"sync","arguments":{},"_meta":{"progressToken":"tok"}}}`)
	last := 0.0
	for {
		got := p.receive()
		if got.Method == "" {
			if doc, isError := decodeResult(t, got.Result); isError || doc["files"] != 400.0 {
				t.Errorf("got %v", doc)
			}
			break
		}
		var n struct {
			ProgressToken string
			Progress      float64
		}
		if err := json.Unmarshal(got.Params, &n); err != nil || got.Method != "notifications/progress" || n.ProgressToken != "tok" || n.Progress <= last {
			t.Fatalf("after %v: %+v %s", last, got, got.Params)
		}
		last = n.Progress
	}
	write(t, strings.TrimSpace(p.ok("status", m{})["repo"].(string)), "m0.py", "def changed(): pass\n")
	if doc := p.ok("sync", m{}); doc["freshness"] != "fresh" { // no token: the next line is the answer
		t.Errorf("got %v", doc)
	}
}
