package golang

import (
	"testing"

	"codeidx/graph"
)

func TestFind(t *testing.T) {
	folders := map[string]bool{
		"": true, "a": true, "sub": true, "sub/b": true, "vendor/example.com/dep": true, "fork": true, "fork/x": true,
		"legacy/src/old/pkg": true, "wide": true,
	}
	p := &graph.Program{
		Roots: []string{"legacy/src"},
		Config: []graph.ConfigFile{
			{Path: "broken/go.mod", Data: []byte("module\nreplace => ./x")},
			{Path: "fork/go.mod", Data: []byte("module example.com/forked")},
			{Path: "go.mod", Data: []byte(`module "example.com/top" // the module
replace (
	example.com/fork v1.0.0 => ./fork
	example.com/out => ../out
	example.com/top/sub/b => example.com/other v1.0.0
)
`)},
			{Path: "go.work", Data: []byte("go 1.26\nuse ./sub\nreplace example.com/wide => ./wide\n")},
			{Path: "sub/go.mod", Data: []byte("module example.com/top/sub\n")},
		},
	}
	m := newModules(p, func(dir string) bool { return folders[dir] })
	tests := []struct {
		from, path, want string
		ok               bool
	}{
		{"a", "example.com/top", "", true},
		{"a", "example.com/top/a", "a", true},
		{"a", "example.com/top/missing", "", false},
		{"a", "example.com/top/sub", "sub", true},
		{"a", "example.com/top/sub/b", "", false}, // replaced by a module outside
		{"sub/b", "example.com/top/sub/b", "sub/b", true},
		{"a", "example.com/dep", "vendor/example.com/dep", true},
		{"sub", "example.com/dep", "", false},
		{"a", "example.com/fork/x", "fork/x", true},
		{"a", "example.com/forked/x", "fork/x", true},
		{"a", "example.com/out", "", false},
		{"sub", "example.com/wide", "wide", true},
		{"a", "example.com/wide", "", false},
		{"a", "example.com/topology", "", false},
		{"a", "old/pkg", "legacy/src/old/pkg", true},
		{"a", "fmt", "", false},
	}
	for _, tt := range tests {
		dir, ok := m.find(m.of(tt.from), tt.path)
		if ok != tt.ok || ok && dir != tt.want {
			t.Errorf("import %q from %q: got %q, %v, want %q, %v", tt.path, tt.from, dir, ok, tt.want, tt.ok)
		}
	}
}

func TestGuessName(t *testing.T) {
	for path, want := range map[string]string{
		"fmt": "fmt", "math/rand/v2": "rand", "gopkg.in/yaml.v3": "yaml", "github.com/a/go-isatty": "isatty",
		"github.com/a/b-go": "b", "github.com/a/nats.go": "nats", "github.com/a/v2": "a", "v2": "v2",
	} {
		if got := guessName(path); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
}

// TestExternalTable reads the table: every type has a method, every type that
// another one takes over stands above it, and no method is listed twice.
func TestExternalTable(t *testing.T) {
	r := newResolution(&graph.Program{}, nil)
	r.readExternals()
	if len(r.externals.methods) < 40 {
		t.Fatalf("only %d types", len(r.externals.methods))
	}
	for name, methods := range r.externals.methods {
		seen := map[sym]typeID{}
		for _, m := range methods {
			if old, ok := seen[m.name]; ok && old != m.typ {
				t.Errorf("%s.%s has two signatures", r.names[name], r.names[m.name])
			}
			seen[m.name] = m.typ
		}
		if len(methods) == 0 {
			t.Errorf("%s has no methods", r.names[name])
		}
	}
}
