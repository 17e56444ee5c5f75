package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// Whatever is written to the server: what it answers are messages, a line each.
func FuzzConn(f *testing.F) {
	f.Add([]byte("{}\n[]\n[1,{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]\n\xff\n"))
	f.Add([]byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}`))
	f.Add([]byte("{\"jsonrpc\":\"2.0\",\"id\":\"a\\n\",\"error\":5}\n{\"id\":1e400}"))
	f.Fuzz(func(t *testing.T, in []byte) {
		var out bytes.Buffer
		stopped := false
		tr := &stdio{in: bytes.NewReader(in), out: &out, stop: func() { stopped = true }}
		c, err := tr.Connect(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for {
			m, err := c.Read(t.Context())
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() {
				if err := c.Write(t.Context(), &jsonrpc.Response{ID: r.ID, Result: json.RawMessage("{}")}); err != nil {
					t.Fatal(err)
				}
			}
		}
		if !stopped {
			t.Error("the handlers are not told of the end")
		}
		for l := range strings.SplitAfterSeq(out.String(), "\n") {
			if l != "" && (!json.Valid([]byte(l)) || !strings.HasSuffix(l, "\n")) {
				t.Errorf("no message: %q", l)
			}
		}
	})
}

func FuzzArguments(f *testing.F) {
	f.Add("relations", []byte(`{"symbol":"x","kind":"callers","depth":"2","hard":"true"}`))
	f.Add("symbols", []byte(`{"query":"x","limit":1e3,"cursor":null}`))
	f.Fuzz(func(t *testing.T, name string, raw []byte) {
		for _, tool := range tools() {
			if tool.name != name {
				continue
			}
			v, err := tool.read(raw)
			if err != nil {
				continue
			}
			for _, a := range tool.args {
				if _, given := v[a.name]; a.required && !given {
					t.Errorf("%s without %s is taken: %s", name, a.name, raw)
				}
			}
		}
	})
}

func TestReadLine(t *testing.T) {
	long := strings.Repeat("x", maxLine+1)
	r := bufio.NewReaderSize(strings.NewReader("a\n\n"+long+"\nb"), 64)
	for _, want := range []line{{text: []byte("a\n")}, {text: []byte("\n")}, {long: true}, {text: []byte("b")}, {err: io.EOF}} {
		if got := readLine(r); string(got.text) != string(want.text) || got.long != want.long || got.err != want.err {
			t.Errorf("got %.40q long=%v %v, want %+v", got.text, got.long, got.err, want)
		}
	}
}
