package query

import (
	"cmp"
	"fmt"
	"slices"
)

// FieldType is the JSON type of a field, as JSON Schema calls it.
type FieldType string

// Types of fields.
const (
	String  FieldType = "string"
	Integer FieldType = "integer"
	Boolean FieldType = "boolean"
	Strings FieldType = "array" // of strings
)

// Field is one parameter of an operation. The request protocol, the command
// line, other servers and the docs read it; Params holds its value.
type Field struct {
	Name     string // in a request's and in an answer's operation
	Flag     string // on the command line, without dashes; "" for its arguments
	Type     FieldType
	Required bool
	Enum     []string
	// Min and Max bound a number, the bytes of a text, the elements of a list.
	// Max 0 is no bound.
	Min, Max int
	// Default is what holds where the field is not given, nil where nothing does.
	Default any
	Help    string

	requestOnly bool // bounds and default hold for requests, not for the command line
	ref         func(*Params) any
}

// Bounds of requests (spec/engine.md §6).
const (
	maxQuery = 8192 // bytes
	maxName  = 4096 // bytes of a symbol or path
	maxList  = 100  // symbols or paths
)

func queryField() Field {
	return Field{Name: "query", Type: String, Required: true, Min: 1, Max: maxQuery, Help: "name, qualified name, path or words",
		ref: func(p *Params) any { return &p.Query }}
}

func symbolField() Field {
	return Field{Name: "symbol", Type: String, Required: true, Min: 1, Max: maxName, Help: "name, qualified name, PATH:LINE or symbol id",
		ref: func(p *Params) any { return &p.Symbol }}
}

func symbolsField(help string) Field {
	return Field{Name: "symbols", Type: Strings, Required: true, Min: 1, Max: maxList, Help: help, requestOnly: true,
		ref: func(p *Params) any { return &p.Symbols }}
}

func pathsField(help string) Field {
	return Field{Name: "paths", Type: Strings, Max: maxList, Help: help, requestOnly: true, ref: func(p *Params) any { return &p.Paths }}
}

func beforeField() Field {
	return Field{Name: "before", Flag: "before", Type: String, Min: 1, Max: 64, Help: "fingerprint that the baseline must have",
		ref: func(p *Params) any { return &p.Before }}
}

func pathField(required bool, help string) Field {
	return Field{Name: "path", Type: String, Required: required, Min: 1, Max: maxName, Help: help,
		ref: func(p *Params) any { return &p.Path }}
}

func lineFields() []Field {
	return []Field{
		{Name: "first_line", Type: Integer, Min: 1, Help: "first line", ref: func(p *Params) any { return &p.First }},
		{Name: "last_line", Type: Integer, Min: 1, Help: "last line, at most 200 in all", ref: func(p *Params) any { return &p.Last }},
	}
}

func depthField(def, most int) Field {
	return Field{Name: "depth", Flag: "depth", Type: Integer, Min: 1, Max: most, Default: def, Help: "steps to follow",
		ref: func(p *Params) any { return &p.Depth }}
}

func budgetField() Field {
	return Field{Name: "budget_tokens", Flag: "budget", Type: Integer, Min: minBudget, Max: maxBudget,
		Help: "files of any depth, the most used first, within N tokens (estimated: JSON bytes of the items / 4)",
		ref:  func(p *Params) any { return &p.Budget }}
}

func hardField() Field {
	return Field{Name: "hard", Flag: "hard", Type: Boolean, Help: "only edges bound by a static rule", ref: func(p *Params) any { return &p.Hard }}
}

func modeField() Field {
	return Field{Name: "mode", Flag: "mode", Type: String, Enum: []string{"hard", "full"}, Default: "hard",
		Help: "hard: proven steps only; full: heuristic ones too", ref: func(p *Params) any { return &p.Mode }}
}

// searchFields say what search looks for.
func searchFields() []Field {
	return []Field{
		{Name: "query", Type: String, Required: true, Min: 1, Max: maxQuery, Help: "words, text or expression", ref: func(p *Params) any { return &p.Query }},
		{Name: "match", Type: String, Enum: []string{matchWords, matchSubstring, matchRegex}, Default: matchWords,
			Help: "words: ranked; substring: the text itself; regex: an expression (RE2), line by line", ref: func(p *Params) any { return &p.Match }},
		{Name: "ignore_case", Flag: "ignore-case", Type: Boolean, Help: "letters match in either case", ref: func(p *Params) any { return &p.IgnoreCase }},
		{Name: "layers", Flag: "layer", Type: Strings, Max: maxList, Help: "of words: code, comment, docstring, string, sql; all where none is given",
			ref: func(p *Params) any { return &p.Layers }},
	}
}

func edgeKindField() Field {
	return Field{Name: "edge_kind", Flag: "kind", Type: String, Min: 1, Help: "only edges of this kind", ref: func(p *Params) any { return &p.EdgeKind }}
}

func prefixField() Field {
	return Field{Name: "path_prefix", Flag: "path", Type: String, Min: 1, Max: maxName, Help: "only files at or below this path",
		ref: func(p *Params) any { return &p.PathPrefix }}
}

func langField() Field {
	return Field{Name: "lang", Flag: "lang", Type: String, Min: 1, Help: "only this language", ref: func(p *Params) any { return &p.Lang }}
}

func kindField() Field {
	return Field{Name: "symbol_kind", Flag: "kind", Type: String, Min: 1, Help: "only definitions of this kind",
		ref: func(p *Params) any { return &p.SymbolKind }}
}

func limitField() Field {
	return Field{Name: "limit", Flag: "limit", Type: Integer, Min: 1, Max: MaxLimit, Default: DefaultLimit, Help: "most items of one answer",
		requestOnly: true, ref: func(p *Params) any { return &p.Limit }}
}

// filters are what most questions take, limit last.
func filters() []Field { return []Field{prefixField(), langField(), kindField(), limitField()} }

// field returns the field called name, nil where the operation has none.
func (op *Op) field(name string) *Field {
	for i := range op.Fields {
		if op.Fields[i].Name == name {
			return &op.Fields[i]
		}
	}
	return nil
}

// accept applies the default of a field and checks its value. where is what
// the message calls the field; request says that the bounds of requests hold.
func (f *Field) accept(op *Op, p *Params, where string, request bool) error {
	if f.requestOnly && !request {
		return nil
	}
	switch v := f.ref(p).(type) {
	case *int:
		if *v == 0 && f.Default != nil {
			*v = f.Default.(int)
		}
		if *v != 0 && (*v < f.Min || f.Max > 0 && *v > f.Max) {
			return f.outOfRange(op, where, *v)
		}
	case *string:
		if *v == "" && f.Default != nil {
			*v = f.Default.(string)
		}
		return f.acceptText(where, *v)
	case *[]string:
		if n := len(*v); n < f.Min || n > f.Max {
			return errorf(InvalidRequest, "", "%s has %d elements: %d to %d are taken", where, n, f.Min, f.Max)
		}
		for i, s := range *v {
			if len(s) == 0 || len(s) > maxName {
				return errorf(InvalidRequest, "", "%s[%d] has %d bytes: 1 to %d are taken", where, i, len(s), maxName)
			}
		}
	}
	return nil
}

func (f *Field) acceptText(where, v string) error {
	switch {
	case f.Enum != nil && !slices.Contains(f.Enum, v):
		return errorf(InvalidRequest, "", "%s %q is none of %v", where, v, f.Enum)
	case v == "" && !f.Required:
	case f.Max > 0 && (len(v) < f.Min || len(v) > f.Max):
		return errorf(InvalidRequest, "", "%s has %d bytes: %d to %d are taken", where, len(v), f.Min, f.Max)
	}
	return nil
}

func (f *Field) outOfRange(op *Op, where string, v int) error {
	most := "more"
	if f.Max > 0 {
		most = fmt.Sprint(f.Max)
	}
	return errorf(InvalidRequest, "", "%s %d is out of range: %s takes %d to %s", where, v, op.Name, cmp.Or(f.Min, 0), most)
}
