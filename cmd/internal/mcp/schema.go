package mcp

import (
	"bytes"
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"codeidx/query"
)

// arg is one argument of a tool. Its names are those of the command line.
type arg struct {
	name     string
	kind     query.FieldType
	required bool
	enum     []string
	min, max int // of a number, or of the bytes of a text; max 0 is no bound
	help     string
}

// ofOp takes an argument over from the operation that it goes to.
func ofOp(op, field, help string) arg {
	for _, f := range query.OpByName(op).Fields {
		if f.Name != field {
			continue
		}
		a := arg{name: f.Flag, kind: f.Type, required: f.Required, enum: f.Enum, min: f.Min, max: f.Max, help: help}
		if a.name == "" {
			a.name = f.Name
		}
		return a
	}
	panic("operation " + op + " has no field " + field)
}

// schema writes a flat object schema: no unions, no nullables, which some
// clients answer by dropping the whole server.
func (t *tool) schema() json.RawMessage {
	var b bytes.Buffer
	b.WriteString(`{"type":"object","properties":{`)
	var required []string
	for i, a := range t.args {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(quote(a.name) + `:{"type":` + quote(string(a.kind)))
		if a.enum != nil {
			list, _ := json.Marshal(a.enum)
			b.WriteString(`,"enum":` + string(list))
		}
		if a.help != "" {
			b.WriteString(`,"description":` + quote(a.help))
		}
		b.WriteByte('}')
		if a.required {
			required = append(required, a.name)
		}
	}
	b.WriteByte('}')
	if required != nil {
		list, _ := json.Marshal(required)
		b.WriteString(`,"required":` + string(list))
	}
	b.WriteString(`,"additionalProperties":false}`)
	return b.Bytes()
}

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// describe is the tool as the protocol lists it.
func (t *tool) describe() *sdk.Tool {
	no := false
	return &sdk.Tool{
		Name: t.name, Description: t.about, InputSchema: t.schema(),
		Annotations: &sdk.ToolAnnotations{ReadOnlyHint: !t.writes, IdempotentHint: true, DestructiveHint: &no, OpenWorldHint: &no},
	}
}
