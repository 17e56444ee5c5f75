package query

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestDecodeRequest(t *testing.T) {
	r, err := DecodeRequest([]byte(` {"operation": {"kind": "callers", "symbol": "Größe", "depth": 2, "path_prefix": "a/"}, "cursor": "1.x", "expected_fingerprint": "f"} `))
	if err != nil {
		t.Fatal(err)
	}
	want := Request{
		Op: OpByName("callers"), Params: Params{Kind: "callers", Symbol: "Größe", Depth: 2, PathPrefix: "a", Limit: DefaultLimit},
		Options: Options{Stale: staleRefuse, Expect: "f", MaxBytes: DefaultBytes, Cursor: "1.x"},
	}
	if r.Op.Name != want.Op.Name || !reflect.DeepEqual(r.Params, want.Params) || r.Options != want.Options {
		t.Errorf("%+v %+v", r.Params, r.Options)
	}
	for kind, wantBytes := range map[string]int{"edges": 0, "diagnostics": 0, "status": 0, "map": DefaultBytes} {
		r, err := DecodeRequest([]byte(`{"operation":{"kind":"` + kind + `"}}`))
		if err != nil || r.Options.MaxBytes != wantBytes {
			t.Errorf("%s: %v %+v", kind, err, r)
		}
	}
}

func TestRefusedRequests(t *testing.T) {
	for _, c := range []struct {
		request string
		code    Code
		says    string // the field at fault
	}{
		{``, InvalidRequest, "the request"},
		{`[]`, InvalidRequest, "the request"},
		{`{"operation":{"kind":"map"}} {}`, InvalidRequest, "follows"},
		{`{"operation":{"kind":"map"`, InvalidRequest, "the request"},
		{`{}`, InvalidRequest, "operation is missing"},
		{`{"operation":null}`, InvalidRequest, "operation"},
		{`{"operation":{}}`, InvalidRequest, "operation.kind is missing"},
		{`{"operation":{"kind":7}}`, InvalidRequest, "operation.kind has the wrong type"},
		{`{"operation":{"kind":"teleport"}}`, UnsupportedCapability, `operation.kind "teleport"`},
		{`{"operation":{"kind":"status","depth":1}}`, InvalidRequest, `operation."depth"`},
		{`{"operation":{"kind":"map"},"more":1}`, InvalidRequest, `"more"`},
		{`{"Operation":{"kind":"map"}}`, InvalidRequest, `"Operation"`},
		{`{"operation":{"kind":"map"},"operation":{"kind":"map"}}`, InvalidRequest, `"operation" twice`},
		{`{"operation":{"kind":"map","depth":1,"depth":2}}`, InvalidRequest, `"depth" twice`},
		{`{"operation":{"kind":"map","symbol":"x"}}`, InvalidRequest, `operation."symbol"`},
		{`{"operation":{"kind":"symbols","query":"x","depth":1}}`, InvalidRequest, `operation."depth"`},
		{`{"operation":{"kind":"symbols"}}`, InvalidRequest, "operation.query is missing"},
		{`{"operation":{"kind":"symbols","query":""}}`, InvalidRequest, "operation.query is empty"},
		{`{"operation":{"kind":"symbols","query":null}}`, InvalidRequest, "operation.query has the wrong type"},
		{`{"operation":{"kind":"symbols","query":["x"]}}`, InvalidRequest, "operation.query has the wrong type"},
		{`{"operation":{"kind":"symbols","query":"` + strings.Repeat("x", maxQuery+1) + `"}}`, InvalidRequest, "operation.query has 8193 bytes"},
		{`{"operation":{"kind":"callers","symbol":"x","depth":4}}`, InvalidRequest, "operation.depth 4 is out of range: callers takes 1 to 3"},
		{`{"operation":{"kind":"callers","symbol":"x","depth":0}}`, InvalidRequest, "operation.depth 0 is out of range"},
		{`{"operation":{"kind":"callers","symbol":"x","depth":1.5}}`, InvalidRequest, "operation.depth has the wrong type"},
		{`{"operation":{"kind":"callers","symbol":"x","depth":"1"}}`, InvalidRequest, "operation.depth has the wrong type"},
		{`{"operation":{"kind":"callers","symbol":"x","depth":1e99}}`, InvalidRequest, "operation.depth has the wrong type"},
		{`{"operation":{"kind":"callers","symbol":"x","hard":1}}`, InvalidRequest, "operation.hard has the wrong type"},
		{`{"operation":{"kind":"callers","symbol":"x","limit":51}}`, InvalidRequest, "operation.limit 51 is out of range"},
		{`{"operation":{"kind":"impact","symbols":[]}}`, InvalidRequest, "operation.symbols has 0 elements"},
		{`{"operation":{"kind":"impact","symbols":["a",null]}}`, InvalidRequest, "operation.symbols has the wrong type"},
		{`{"operation":{"kind":"impact","symbols":["a",""]}}`, InvalidRequest, "operation.symbols[1]"},
		{`{"operation":{"kind":"impact","symbols":["a"],"mode":"soft"}}`, InvalidRequest, "operation.mode"},
		{`{"operation":{"kind":"read","path":"a","first_line":0}}`, InvalidRequest, "operation.first_line 0 is out of range"},
		{`{"operation":{"kind":"map"},"max_bytes":511}`, InvalidRequest, "max_bytes 511"},
		{`{"operation":{"kind":"map"},"max_bytes":32769}`, InvalidRequest, "max_bytes 32769"},
		{`{"operation":{"kind":"map"},"max_bytes":null}`, InvalidRequest, "max_bytes has the wrong type"},
		{`{"operation":{"kind":"map"},"cursor":7}`, InvalidRequest, "cursor has the wrong type"},
		{"{\"operation\":{\"kind\":\"\xff\"}}", InvalidRequest, "UTF-8"},
	} {
		_, err := DecodeRequest([]byte(c.request))
		e, ok := err.(*Error)
		if !ok || e.Code != c.code || !strings.Contains(e.Message, c.says) {
			t.Errorf("%.80s: %v, want %s with %q", c.request, err, c.code, c.says)
		}
	}
}

// Every operation refuses every field that it does not take, and what a table
// offers is a parameter of its own in the answer.
func TestFieldsAreAStrictUnion(t *testing.T) {
	all := map[string]bool{}
	for _, op := range Ops() {
		names := map[string]bool{}
		for _, f := range op.Fields {
			all[f.Name] = true
			if names[f.Name] || f.Help == "" || f.Name == "kind" {
				t.Errorf("%s: field %q comes twice, lacks help or is the operation's own", op.Name, f.Name)
			}
			names[f.Name] = true
			var p Params
			setAny(f.ref(&p))
			b, err := json.Marshal(p)
			if err != nil || !strings.Contains(string(b), `"`+f.Name+`":`) {
				t.Errorf("%s.%s does not show in the answer: %s", op.Name, f.Name, b)
			}
		}
	}
	for _, op := range Ops() {
		for name := range all {
			if op.field(name) != nil {
				continue
			}
			_, err := op.Decode([]byte(`{"` + name + `":1}`))
			if e, ok := err.(*Error); !ok || e.Code != InvalidRequest || !strings.Contains(e.Message, name) {
				t.Errorf("%s takes %s: %v", op.Name, name, err)
			}
		}
	}
}

func setAny(v any) {
	switch v := v.(type) {
	case *string:
		*v = "x"
	case *int:
		*v = 1
	case *bool:
		*v = true
	case *[]string:
		*v = []string{"x"}
	}
}

// Whatever comes in, a refusal is an *Error, and what is accepted holds its
// own bounds.
func FuzzDecodeRequest(f *testing.F) {
	for _, op := range Ops() {
		f.Add([]byte(`{"operation":{"kind":"` + op.Name + `","symbol":"a","symbols":["b"],"query":"c","path":"d","depth":2}}`))
	}
	f.Add([]byte(`{"operation":{"kind":"symbols","query":"main","limit":50},"max_bytes":512,"cursor":"0.x","expected_fingerprint":""}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := DecodeRequest(data)
		if err != nil {
			if _, ok := err.(*Error); !ok {
				t.Fatalf("%T %v", err, err)
			}
			return
		}
		if r.Op == nil {
			return
		}
		if err := r.Params.check(r.Op); err != nil && r.Params.Lang == "" && r.Params.SymbolKind == "" {
			t.Fatalf("accepted, then refused: %v", err)
		}
		if r.Params.Limit > MaxLimit || r.Options.MaxBytes > MaxBytes || r.Options.Stale != staleRefuse {
			t.Fatalf("%+v %+v", r.Params, r.Options)
		}
	})
}

// Cutting a snippet leaves whole lines, a digest of what is left and the place
// to go on from.
func TestCutSnippet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{"", "a", "\r", "ü\x01", strings.Repeat("long", 50)}), 1, 12).Draw(t, "lines")
		text := strings.Join(lines, "\n") + "\n"
		s := &Snippet{Path: "p", First: 5, Last: 5 + len(lines) - 1, Lines: 40, Text: text}
		n := rapid.IntRange(0, len(lines)).Draw(t, "n")
		item, reason := s.cut(n)
		short := item.(*Snippet)
		if short.Text != strings.Join(append(lines[:n:n], ""), "\n") || short.Last != 4+n || short.Hash == s.Hash || reason == "" || s.Text != text {
			t.Fatalf("%d of %d lines: %+v", n, len(lines), short)
		}
	})
}
