package marktest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeidx/facts"
	"codeidx/graph"
)

func TestParseWants(t *testing.T) {
	src := "a()\nb() // want: calls b -> f.go#B open; none c\n// want: unresolved d builtin\n\nx = 1\n# want: references x -> f.go:5 candidate\n"
	got, err := parseWants([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	want := map[site][]string{
		{2, "b"}: {"calls -> f.go#B open"},
		{2, "c"}: {"none"},
		{2, "d"}: {"unresolved builtin"},
		{5, "x"}: {"references -> f.go:5 candidate"},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(site{})); diff != "" {
		t.Error(diff)
	}
	for _, bad := range []string{"// want: calls a", "// want: wishes a -> b", "// want: none"} {
		if _, err := parseWants([]byte(bad)); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}

func TestEqual(t *testing.T) {
	b := facts.NewBuilder("f.go", facts.Go, []byte("\n\nfunc B"))
	b.Def(facts.Def{Kind: facts.DefFunction, Name: b.InternString("B"), NamePos: 7})
	p := &graph.Program{Files: []*facts.File{b.File}}
	have := []string{"calls -> f.go#B open", "calls -> dir/"}
	tests := []struct {
		name string
		want []string
		ok   bool
	}{
		{"by name", []string{"calls -> dir/", "calls -> f.go#B open"}, true},
		{"by line", []string{"calls -> f.go:3 open", "calls -> dir/"}, true},
		{"other line", []string{"calls -> f.go:4 open", "calls -> dir/"}, false},
		{"not open", []string{"calls -> f.go#B", "calls -> dir/"}, false},
		{"one too few", []string{"calls -> dir/"}, false},
		{"one too many", []string{"calls -> dir/", "calls -> dir/", "calls -> f.go#B open"}, false},
		{"same twice", []string{"calls -> dir/", "calls -> dir/"}, false},
	}
	for _, tt := range tests {
		if got := equal(p, tt.want, have); got != tt.ok {
			t.Errorf("%s: got %v", tt.name, got)
		}
	}
}
