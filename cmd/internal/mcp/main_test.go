package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"codeidx/facts/worker"
	"codeidx/query"
)

func testWorker() *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return exec.Command(self, worker.Verb)
}

// shop is the repository of most tests.
var shop = map[string]string{
	"shop/cart.py": `"""The cart."""
from shop.price import total


class Cart:
    """What a customer wants."""

    def __init__(self):
        self.items = []

    def add(self, item):
        """Add one item."""
        self.items.append(item)

    def sum(self):
        return total(self.items)


def checkout(cart: Cart):
    """Sell the cart."""
    cart.add("bag")
    return cart.sum()
`,
	"shop/price.py": `def total(items):
    """Sum up prices."""
    return sum(round(i) for i in items)


def lonely():
    return 1
`,
	"shop/web.py": `def handle(request, cart):
    cart.lonely()
    request.add()
`,
	"tests/test_cart.py": `from shop.cart import Cart, checkout


def test_checkout():
    assert checkout(Cart()) == 0
`,
}

// makeRepo writes files into a repository with one commit.
func makeRepo(t testing.TB, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		write(t, dir, name, text)
	}
	git(t, dir, "init", "-q", "-b", "main")
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-q", "--allow-empty", "-m", "first")
	return dir
}

func write(t testing.TB, dir, name, text string) {
	t.Helper()
	p := filepath.Join(dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o777), os.WriteFile(p, []byte(text), 0o666)); err != nil {
		t.Fatal(err)
	}
}

func git(t testing.TB, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func testOptions(dir string) Options {
	return Options{
		Version: "test", Stale: "sync", Untracked: true, Dir: dir, Worker: testWorker, Patience: time.Minute,
		Explain: func(err error) (code, message, hint string) {
			var q *query.Error
			if errors.As(err, &q) {
				return string(q.Code), q.Message, q.Hint
			}
			return "failed", err.Error(), ""
		},
	}
}

// peer speaks to a server as lines of text, its input held open.
type peer struct {
	t    testing.TB
	in   io.WriteCloser
	out  *bufio.Reader
	done chan error
	id   int
}

// serve starts a server of its own.
func serve(t testing.TB, o Options) *peer {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	p := &peer{t: t, in: inW, out: bufio.NewReaderSize(outR, 1<<20), done: make(chan error, 1)}
	go func() {
		err := Serve(context.Background(), o, inR, outW)
		outW.Close()
		p.done <- err
	}()
	t.Cleanup(func() {
		inW.Close()
		go io.Copy(io.Discard, outR)
		select {
		case err := <-p.done:
			if err != nil {
				t.Errorf("the server ended with: %v", err)
			}
		case <-time.After(30 * time.Second):
			t.Error("the server outlives its input")
		}
	})
	return p
}

func (p *peer) send(line string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		p.t.Fatal(err)
	}
}

// message is what a server sends.
type message struct {
	ID     any             `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

func (p *peer) line() []byte {
	p.t.Helper()
	text, err := p.out.ReadBytes('\n')
	if err != nil {
		p.t.Fatalf("read from server: %v", err)
	}
	return text
}

func (p *peer) receive() message {
	p.t.Helper()
	var m message
	text := p.line()
	if err := json.Unmarshal(text, &m); err != nil {
		p.t.Fatalf("the server wrote no message: %q", text)
	}
	return m
}

// handshake is that of the revisions with initialize.
func (p *peer) handshake(version string) *peer {
	p.t.Helper()
	p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, version))
	if m := p.receive(); m.Error != nil || m.ID != "init" {
		p.t.Fatalf("initialize: %+v", m)
	}
	p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return p
}

// toolResult is the answer of a tool.
type toolResult struct {
	Content []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content"`
	Structured json.RawMessage `json:"structuredContent"`
	IsError    bool            `json:"isError"`
}

// call calls a tool and returns its document.
func (p *peer) call(tool string, args any) (doc map[string]any, isError bool) {
	p.t.Helper()
	p.id++
	data, err := json.Marshal(args)
	if err != nil {
		p.t.Fatal(err)
	}
	p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, p.id, tool, data))
	m := p.receive()
	if m.Error != nil || m.ID != float64(p.id) {
		p.t.Fatalf("call %s %s: %+v", tool, data, m)
	}
	return decodeResult(p.t, m.Result)
}

// decodeResult checks that text and structure are the same document.
func decodeResult(t testing.TB, raw json.RawMessage) (doc map[string]any, isError bool) {
	t.Helper()
	var r toolResult
	if err := json.Unmarshal(raw, &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Content) != 1 || r.Content[0].Type != "text" {
		t.Fatalf("content is not one text: %s", raw)
	}
	var structured bytes.Buffer
	if err := json.Compact(&structured, r.Structured); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(r.Content[0].Text), &doc); err != nil {
		t.Fatal(err)
	}
	var again map[string]any
	if err := json.Unmarshal(structured.Bytes(), &again); err != nil || fmt.Sprint(again) != fmt.Sprint(doc) {
		t.Fatalf("text and structure differ:\n%s\n%s", r.Content[0].Text, structured.Bytes())
	}
	return doc, r.IsError
}

// ok calls a tool that must answer.
func (p *peer) ok(tool string, args any) map[string]any {
	p.t.Helper()
	doc, isError := p.call(tool, args)
	if isError {
		p.t.Fatalf("%s %v failed: %v", tool, args, doc)
	}
	return doc
}

// fails calls a tool that must fail with a code.
func (p *peer) fails(tool string, args any, code string) map[string]any {
	p.t.Helper()
	doc, isError := p.call(tool, args)
	e, _ := doc["error"].(map[string]any)
	if !isError || e["code"] != code || e["message"] == "" {
		p.t.Fatalf("%s %.200v: want error %s, got isError=%v %.500v", tool, args, code, isError, doc)
	}
	return e
}

type m = map[string]any
