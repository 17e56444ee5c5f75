package cli

import (
	"bufio"
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Wrapping loses nothing and breaks only between words.
func TestWrap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "größe", "calls", "at", "cart.go:12", "→", strings.Repeat("x", 30)}), 1, 30).Draw(t, "words"), " ")
		width := rapid.IntRange(1, 40).Draw(t, "width")
		lines := wrap(text, width)
		if got := strings.Join(lines, " "); got != text {
			t.Fatalf("%q became %q", text, got)
		}
		for _, l := range lines {
			if columns(l) > width && strings.Contains(l, " ") {
				t.Fatalf("%q is wider than %d", l, width)
			}
		}
	})
}

// On a terminal evidence goes on below rather than being cut; piped it stays on
// its line; a signature is cut.
func TestListedLines(t *testing.T) {
	path := "calls pay at tests/test_checkout.py:5 → calls total at shop/checkout.py:4"
	for _, c := range []struct {
		tty   bool
		width int
		line  listed
		want  string
	}{
		{true, 80, listed{place: "a.py:1", kind: "go", name: "TestA", rest: path, whole: true}, "a.py:1  go  TestA\n    calls pay at tests/test_checkout.py:5 → calls total at shop/checkout.py:4\n"},
		{true, 50, listed{place: "a.py:1", kind: "go", name: "TestA", rest: path, whole: true},
			"a.py:1  go  TestA\n    calls pay at tests/test_checkout.py:5 → calls\n    total at shop/checkout.py:4\n"},
		{false, 50, listed{place: "a.py:1", kind: "go", name: "TestA", rest: path, whole: true}, "a.py:1  go  TestA  " + path + "\n"},
		{true, 50, listed{place: "a.py:1", name: "pay", rest: "def pay(cart, customer, when, amount)"}, "a.py:1  pay  def pay(cart, customer, when, amount)\n"},
		{true, 40, listed{place: "a.py:1", name: "pay", rest: "def pay(cart, customer, when, amount)"}, "a.py:1  pay  def pay(cart, customer, wh…\n"},
		{true, 40, listed{place: "a.py:1", name: "pay_customers_later", rest: "def pay_customers_later(cart, customer, when)"},
			"a.py:1  pay_customers_later\n    def pay_customers_later(cart, custo…\n"},
	} {
		var out bytes.Buffer
		a := &app{out: bufio.NewWriter(&out), tty: c.tty, width: c.width}
		a.printListed([]listed{c.line}, "")
		a.out.Flush()
		if out.String() != c.want {
			t.Errorf("at %d columns:\n%s\nwant:\n%s", c.width, out.String(), c.want)
		}
	}
}
