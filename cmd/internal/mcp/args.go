package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"codeidx/query"
)

// values are the arguments of a call: string, int or bool by name. What was
// not given is not there.
type values map[string]any

func (v values) text(name string) string { s, _ := v[name].(string); return s }
func (v values) number(name string) int  { n, _ := v[name].(int); return n }

func invalid(hint, format string, a ...any) error {
	return &query.Error{Code: query.InvalidRequest, Message: fmt.Sprintf(format, a...), Hint: hint}
}

// read checks the arguments of a call. It forgives what clients do to optional
// ones: null, the text "null", numbers and booleans as text.
func (t *tool) read(raw json.RawMessage) (values, error) {
	given := map[string]json.RawMessage{}
	if text := bytes.TrimSpace(raw); len(text) > 0 && string(text) != "null" {
		if text[0] != '{' || json.Unmarshal(text, &given) != nil {
			return nil, invalid(t.usage(), "the arguments of %s are no object", t.name)
		}
	}
	out := values{}
	for _, a := range t.args {
		text, ok := given[a.name]
		delete(given, a.name)
		if !ok || a.absent(text) {
			if a.required {
				return nil, invalid(t.usage(), "%s needs %s", t.name, a.name)
			}
			continue
		}
		v, err := a.read(text)
		if err != nil {
			return nil, err
		}
		out[a.name] = v
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		return nil, invalid(t.usage(), "%s has no argument %.80q", t.name, name)
	}
	return out, nil
}

func (t *tool) usage() string {
	names := make([]string, len(t.args))
	for i, a := range t.args {
		names[i] = a.name
		if !a.required {
			names[i] = "[" + a.name + "]"
		}
	}
	return "arguments: " + strings.Join(names, ", ")
}

// absent says whether a client means that it gives no value.
func (a *arg) absent(text json.RawMessage) bool {
	return string(text) == "null" || !a.required && (string(text) == `"null"` || string(text) == `""`)
}

func (a *arg) read(text json.RawMessage) (any, error) {
	switch a.kind {
	case query.Integer:
		return a.readNumber(text)
	case query.Boolean:
		b, err := strconv.ParseBool(strings.Trim(string(text), `"`))
		if err != nil {
			return nil, a.wrong(text)
		}
		return b, nil
	}
	var s string
	if json.Unmarshal(text, &s) != nil {
		return nil, a.wrong(text)
	}
	switch {
	case a.max > 0 && len(s) > a.max:
		return nil, invalid("", "%s has %d bytes: at most %d are taken", a.name, len(s), a.max)
	case s == "":
		return nil, invalid("", "%s is empty", a.name)
	case a.enum != nil && !slices.Contains(a.enum, s):
		return nil, invalid("one of: "+strings.Join(a.enum, ", "), "%s %.80q is not known", a.name, s)
	}
	return s, nil
}

func (a *arg) readNumber(text json.RawMessage) (any, error) {
	f, err := strconv.ParseFloat(strings.Trim(string(text), `"`), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<31 {
		return nil, a.wrong(text)
	}
	if n := int(f); n >= a.min && (a.max == 0 || n <= a.max) {
		return n, nil
	}
	return nil, invalid("", "%s %g is out of range: %d to %d", a.name, f, a.min, a.max)
}

func (a *arg) wrong(text json.RawMessage) error {
	return invalid("", "%s must be of type %s, not %.80s", a.name, a.kind, text)
}

// params turns arguments into the parameters of an operation, through the
// same decoder as a request of the protocol.
func (v values) params(op *query.Op, more map[string]any) (query.Params, error) {
	fields := map[string]any{}
	for _, f := range op.Fields {
		name := f.Flag
		if name == "" {
			name = f.Name
		}
		if x, ok := v[name]; ok {
			fields[f.Name] = x
		}
	}
	for name, x := range more {
		fields[name] = x
	}
	data, err := json.Marshal(fields)
	if err != nil {
		return query.Params{}, err
	}
	return op.Decode(data)
}
