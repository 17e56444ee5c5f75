package cli

import (
	"io"
	"slices"
	"testing"

	"github.com/alecthomas/kong"

	"codeidx/query"
)

// The command line takes what the table of operations says: a flag of the
// same name, or an argument where the table names no flag.
func TestVerbsTakeTheFieldsOfTheirOperation(t *testing.T) {
	var c commands
	k, err := newParser(&c, &app{err: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range query.Ops() {
		i := slices.IndexFunc(k.Model.Children, func(n *kong.Node) bool { return n.Name == op.Name })
		if i < 0 {
			t.Errorf("operation %s has no verb", op.Name)
			continue
		}
		verb := k.Model.Children[i]
		flags := map[string]bool{}
		for _, group := range verb.AllFlags(true) {
			for _, f := range group {
				flags[f.Name] = true
			}
		}
		for _, f := range op.Fields {
			if f.Flag != "" && !flags[f.Flag] {
				t.Errorf("%s has no flag --%s for its field %s", op.Name, f.Flag, f.Name)
			}
			if f.Flag == "" && len(verb.Positional) == 0 {
				t.Errorf("%s has no argument for its field %s", op.Name, f.Name)
			}
		}
		if op.Example == "" || op.Summary == "" {
			t.Errorf("%s has no example or summary", op.Name)
		}
	}
}
