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

func TestTakesParameter(t *testing.T) {
	for signature, want := range map[string]bool{
		"def f(db)": true, "def f(a, db: Db[int, str] = g(1, 2)) -> x": true, "def f(a=db)": false, "def f(a: db)": false, "def f()": false,
		"def f(self, a, *, db)": true, "def f(xdb, db2)": false, "def f(a, (db": false, "db": false, "def f(a=(1, db), b=2)": false,
	} {
		if got := takesParameter(signature, "db"); got != want {
			t.Errorf("%s: %v", signature, got)
		}
	}
}

func TestSelectors(t *testing.T) {
	hit := func(runner, selector string) Item { return &TestHit{Runner: runner, Selector: selector} }
	of := func(dir string, names []string, methods ...string) Item {
		return &TestHit{Runner: "go", goTests: goTests{dir, names, methods}}
	}
	suite := []string{"TestSuite", "TestOther"}
	items := []Item{
		of("p", []string{"TestB"}), hit("pytest", "t.py::test_a"), of("p", []string{"TestA"}), of("", []string{"BenchmarkC"}), of("p", suite, "TestM"),
		hit("unittest", "u.py::U::test_u"), of("p", suite, "TestN"), of("p", []string{"TestB", "TestD"}), hit("pytest", "t.py::test_a"), hit("jest", "x.test.js"),
	}
	for runner, want := range map[string][]string{
		"go":     {"./p -run '^(TestB|TestA|TestD)$'", ". -run '^$' -bench '^BenchmarkC$'", "./p -run '^(TestSuite|TestOther)$/^(TestM|TestN)$'"},
		"pytest": {"t.py::test_a", "u.py::U::test_u"},
		"jest":   {"x.test.js"}, "phpunit": nil,
	} {
		if d := cmp.Diff(want, Selectors(items, runner)); d != "" {
			t.Errorf("%s: %s", runner, d)
		}
	}
}
