package cli

import (
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The table of one verb takes what the whole table takes for it.
func TestTableForAVerb(t *testing.T) {
	whole, err := newParser(&commands{}, &app{err: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	for _, verb := range whole.Model.Children {
		one, err := newParser(tableFor([]string{verb.Name}), &app{err: io.Discard})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(one.Model.Children); n != 1 {
			t.Errorf("the table of %s has %d verbs", verb.Name, n)
			continue
		}
		alone := one.Model.Children[0]
		if d := cmp.Diff([]string{verb.Name, verb.Help, usage(verb)}, []string{alone.Name, alone.Help, usage(alone)}); d != "" {
			t.Error(d)
		}
	}
	for _, word := range []string{"frobnicate", "-h", "--json"} {
		if _, ok := tableFor([]string{word}).(*commands); !ok {
			t.Errorf("%q is taken for a verb", word)
		}
	}
}
