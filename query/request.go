package query

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

// MaxRequest bounds the document of one request, in bytes.
const MaxRequest = 1 << 20

// Request is one request of the protocol (spec/engine.md §7):
//
//	{"operation": {"kind": …, fields of that operation}, "expected_fingerprint": …, "max_bytes": …, "cursor": …}
//
// It is a strict union: a field that is unknown, of another operation, of the
// wrong type, given twice or out of range is invalid_request.
type Request struct {
	Op      *Op // nil for status, which has a document of its own
	Params  Params
	Options Options
}

// DecodeRequest reads a request and applies the protocol's defaults.
func DecodeRequest(data []byte) (*Request, error) {
	if len(data) > MaxRequest {
		return nil, errorf(InvalidRequest, "", "the request is larger than %d bytes", MaxRequest)
	}
	members, err := object(data, "the request")
	if err != nil {
		return nil, err
	}
	r := &Request{Options: Options{Stale: staleRefuse, MaxBytes: DefaultBytes}}
	var operation json.RawMessage
	bounded := false
	for _, m := range members {
		switch m.name {
		case "operation":
			operation = m.value
		case "expected_fingerprint":
			err = text(m.value, m.name, &r.Options.Expect)
		case "cursor":
			err = text(m.value, m.name, &r.Options.Cursor)
		case "max_bytes":
			bounded = true
			if err = number(m.value, m.name, &r.Options.MaxBytes); err == nil {
				err = checkMaxBytes(r.Options.MaxBytes)
			}
		default:
			err = errorf(InvalidRequest, "fields: operation, expected_fingerprint, max_bytes, cursor", "unknown field %s", quoteName(m.name))
		}
		if err != nil {
			return nil, err
		}
	}
	if operation == nil {
		return nil, errorf(InvalidRequest, `for example: {"operation":{"kind":"symbols","query":"main"}}`, "operation is missing")
	}
	if r.Op, r.Params, err = decodeOperation(operation); err != nil {
		return nil, err
	}
	if !bounded && (r.Op == nil || r.Op.Unbounded) {
		r.Options.MaxBytes = 0
	}
	return r, nil
}

func checkMaxBytes(n int) error {
	if n < MinBytes || n > MaxBytes {
		return errorf(InvalidRequest, "", "max_bytes %d is out of range: %d to %d", n, MinBytes, MaxBytes)
	}
	return nil
}

// decodeOperation reads {"kind": …, …}.
func decodeOperation(data []byte) (*Op, Params, error) {
	members, err := object(data, "operation")
	if err != nil {
		return nil, Params{}, err
	}
	kind, rest := "", members[:0:0]
	for _, m := range members {
		if m.name == "kind" {
			err = text(m.value, "operation.kind", &kind)
		} else {
			rest = append(rest, m)
		}
	}
	if err != nil {
		return nil, Params{}, err
	}
	op := OpByName(kind)
	switch {
	case op != nil:
	case kind == "":
		return nil, Params{}, errorf(InvalidRequest, "kinds: "+opNames(), "operation.kind is missing")
	case kind != "status":
		return nil, Params{}, errorf(UnsupportedCapability, "kinds: "+opNames(), "operation.kind %q is not supported", kind)
	case len(rest) > 0:
		return nil, Params{}, errorf(InvalidRequest, "", "status has no field operation.%s", quoteName(rest[0].name))
	default:
		return nil, Params{Kind: kind}, nil
	}
	p, err := op.decode(rest, "operation.")
	return op, p, err
}

// Decode reads the fields of an operation from one JSON object without
// "kind", as strictly as a request, and applies the protocol's defaults.
func (op *Op) Decode(arguments []byte) (Params, error) {
	if len(bytes.TrimSpace(arguments)) == 0 {
		arguments = []byte("{}")
	}
	members, err := object(arguments, "the arguments")
	if err != nil {
		return Params{}, err
	}
	return op.decode(members, "")
}

func (op *Op) decode(members []member, where string) (Params, error) {
	p := Params{Kind: op.Name}
	given := map[string]bool{}
	for _, m := range members {
		f := op.field(m.name)
		if f == nil {
			return p, errorf(InvalidRequest, "fields: "+op.fieldNames(), "%s has no field %s%s", op.Name, where, quoteName(m.name))
		}
		given[f.Name] = true
		if err := f.set(op, &p, m.value, where+f.Name); err != nil {
			return p, err
		}
	}
	for i := range op.Fields {
		f := &op.Fields[i]
		if f.Required && !given[f.Name] {
			return p, errorf(InvalidRequest, "", "%s%s is missing", where, f.Name)
		}
		if err := f.accept(op, &p, where+f.Name, !op.Unbounded || given[f.Name]); err != nil {
			return p, err
		}
	}
	p.PathPrefix = strings.Trim(p.PathPrefix, "/")
	return p, nil
}

// set stores a JSON value. A zero number is out of range rather than absent.
func (f *Field) set(op *Op, p *Params, v json.RawMessage, where string) error {
	switch at := f.ref(p).(type) {
	case *int:
		if err := number(v, where, at); err != nil {
			return err
		}
		if *at < f.Min {
			return f.outOfRange(op, where, *at)
		}
	case *bool:
		if s := string(v); s != "true" && s != "false" {
			return wrongType(where, Boolean)
		}
		*at = string(v) == "true"
	case *string:
		if err := text(v, where, at); err != nil {
			return err
		}
		if *at == "" {
			return errorf(InvalidRequest, "", "%s is empty", where)
		}
	case *[]string:
		var list []*string
		if err := json.Unmarshal(v, &list); err != nil || list == nil {
			return wrongType(where, "array of strings")
		}
		for _, s := range list {
			if s == nil {
				return wrongType(where, "array of strings")
			}
			*at = append(*at, *s)
		}
	}
	return nil
}

func wrongType(where string, want FieldType) error {
	return errorf(InvalidRequest, "", "%s has the wrong type: %s is taken", where, want)
}

func text(v json.RawMessage, where string, s *string) error {
	if len(v) == 0 || v[0] != '"' || json.Unmarshal(v, s) != nil {
		return wrongType(where, String)
	}
	return nil
}

func number(v json.RawMessage, where string, n *int) error {
	if string(v) == "null" || json.Unmarshal(v, n) != nil {
		return wrongType(where, Integer)
	}
	return nil
}

// member is one field of a JSON object.
type member struct {
	name  string
	value json.RawMessage
}

// object splits one JSON object into its members, in order. Nothing may
// follow it and no name may come twice.
func object(data []byte, what string) ([]member, error) {
	bad := func(why string) error { return errorf(InvalidRequest, "", "%s is no JSON object: %s", what, why) }
	if !utf8.Valid(data) {
		return nil, bad("it is not UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(data))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, bad("it does not begin with {")
	}
	var out []member
	seen := map[string]bool{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, bad(err.Error())
		}
		m := member{name: t.(string)}
		if err := d.Decode(&m.value); err != nil {
			return nil, bad(err.Error())
		}
		if seen[m.name] {
			return nil, errorf(InvalidRequest, "", "%s has the field %s twice", what, quoteName(m.name))
		}
		seen[m.name] = true
		out = append(out, m)
	}
	if _, err := d.Token(); err != nil {
		return nil, bad(err.Error())
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, bad("something follows it")
	}
	return out, nil
}

// quoteName shows a name from a request, which may be anything.
func quoteName(s string) string {
	if len(s) > 64 {
		s = s[:64] + "…"
	}
	b, err := encodeJSON(strings.ToValidUTF8(s, "\uFFFD"))
	if err != nil {
		return "?"
	}
	return strings.TrimSpace(string(b))
}

func (op *Op) fieldNames() string {
	var names []string
	for i := range op.Fields {
		names = append(names, op.Fields[i].Name)
	}
	return strings.Join(names, ", ")
}

func opNames() string {
	names := []string{"status"}
	for _, op := range Ops() {
		names = append(names, op.Name)
	}
	return strings.Join(names, ", ")
}
