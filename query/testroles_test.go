package query

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestShellWord(t *testing.T) {
	for in, want := range map[string]string{
		"a/b_c.py::T::m": "a/b_c.py::T::m", "": "''", "a b": "'a b'", "^X$": "'^X$'", "it's": `'it'\''s'`, "größe.py": "'größe.py'",
	} {
		if got := shellWord(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

func TestTestStem(t *testing.T) {
	for in, want := range map[string]string{
		"a/test_cart.py": "cart", "cart.py": "cart", "cart_test.go": "cart", "src/Cart.test.tsx": "cart", "test-cart.js": "cart", "CartTest.php": "cart",
	} {
		if got := testStem(in); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

func TestSelectors(t *testing.T) {
	hit := func(runner, granularity, name, selector string) Item {
		return &TestHit{Runner: runner, Granularity: granularity, Symbol: Sym{Name: name}, Selector: selector}
	}
	items := []Item{
		hit("go", "symbol", "TestB", "./p -run '^TestB$'"), hit("pytest", "symbol", "test_a", "t.py::test_a"), hit("go", "symbol", "TestA", "./p -run '^TestA$'"),
		hit("go", "symbol", "BenchmarkC", "./q -run '^$' -bench '^BenchmarkC$'"), hit("unittest", "symbol", "test_u", "u.py::U::test_u"),
		hit("pytest", "symbol", "test_a", "t.py::test_a"), hit("jest", "module", "x", "x.test.js"),
	}
	for runner, want := range map[string][]string{
		"go":     {"./p -run '^(TestB|TestA)$'", "./q -run '^$' -bench '^BenchmarkC$'"},
		"pytest": {"t.py::test_a", "u.py::U::test_u"},
		"jest":   {"x.test.js"}, "phpunit": nil,
	} {
		if d := cmp.Diff(want, Selectors(items, runner)); d != "" {
			t.Errorf("%s: %s", runner, d)
		}
	}
}
