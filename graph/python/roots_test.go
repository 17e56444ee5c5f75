package python

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeidx/facts"
	"codeidx/graph"
)

func TestSourceRoots(t *testing.T) {
	tests := []struct {
		name   string
		files  []string
		config map[string]string
		roots  []string // configured
		want   []string
	}{
		{"flat", []string{"pkg/__init__.py"}, nil, nil, []string{""}},
		{"src", []string{"src/pkg/__init__.py"}, nil, nil, []string{"src", ""}},
		{"setuptools find", []string{"lib/pkg/__init__.py"}, map[string]string{"pyproject.toml": "[tool.setuptools.packages.find]\nwhere = [\"lib\"]\n"}, nil, []string{"lib", ""}},
		{"package_dir of setup.py", []string{"python/pkg/__init__.py"}, map[string]string{"setup.py": "setup(package_dir={'': 'python'})"}, nil, []string{"python", ""}},
		{"package_dir of setup.cfg", []string{"code/pkg/__init__.py"}, map[string]string{"setup.cfg": "[options]\npackage_dir =\n    = code\n"}, nil, []string{"code", ""}},
		{"poetry", []string{"lib/pkg/__init__.py"}, map[string]string{"pyproject.toml": "packages = [{ include = \"pkg\", from = \"lib\" }]"}, nil, []string{"lib", ""}},
		{"folder that does not exist", []string{"pkg/__init__.py"}, map[string]string{"pyproject.toml": "where = [\"gone\"]"}, nil, []string{""}},
		{"project below the top", []string{"sub/src/pkg/__init__.py"}, map[string]string{"sub/pyproject.toml": ""}, nil, []string{"sub/src", "", "sub"}},
		{"configured", []string{"src/pkg/__init__.py", "lib/other.py"}, nil, []string{"lib"}, []string{"lib"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := &graph.Program{Roots: test.roots}
			for _, path := range test.files {
				p.Files = append(p.Files, facts.NewBuilder(path, facts.Python, nil).File)
			}
			for path, data := range test.config {
				p.Config = append(p.Config, graph.ConfigFile{Path: path, Data: []byte(data)})
			}
			if diff := cmp.Diff(test.want, newWorld(p).roots); diff != "" {
				t.Errorf("roots (-want +have):\n%s", diff)
			}
		})
	}
}

func TestResolutionOrder(t *testing.T) {
	object := func(name string) *typ { return external(name) }
	o, a, b, c, d, e := object("O"), object("A"), object("B"), object("C"), object("D"), object("E")
	// K1(A, B, C), K2(D, B, E), K3(D, A), Z(K1, K2, K3): the classic example.
	k1, k2, k3 := object("K1"), object("K2"), object("K3")
	got := merge([][]*typ{{k1, a, b, c, o}, {k2, d, b, e, o}, {k3, d, a, o}, {k1, k2, k3}})
	var names []string
	for _, t := range got {
		names = append(names, t.name)
	}
	if diff := cmp.Diff([]string{"K1", "K2", "K3", "D", "A", "B", "C", "E", "O"}, names); diff != "" {
		t.Errorf("order (-want +have):\n%s", diff)
	}
}
