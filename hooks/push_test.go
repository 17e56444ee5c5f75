package hooks

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeidx/facts"
	"codeidx/facts/worker"
)

func TestParsePush(t *testing.T) {
	a, b := strings.Repeat("a", 64), strings.Repeat("b", 64)
	zeros := strings.Repeat("0", 64)
	tests := []struct {
		text string
		want []PushRef
		bad  bool
	}{
		{"", nil, false},
		{"\n", nil, false},
		{"refs/heads/main " + a + " refs/heads/main " + b + "\n", []PushRef{{"refs/heads/main", a, "refs/heads/main", b}}, false},
		{"HEAD~1 " + a + " refs/heads/x " + zeros, []PushRef{{"HEAD~1", a, "refs/heads/x", ""}}, false},
		{"(delete) " + zeros + " refs/heads/x " + b + "\n", []PushRef{{"(delete)", "", "refs/heads/x", b}}, false},
		{"refs/heads/main\n", nil, true},
		{"refs/heads/main --output refs/heads/main " + b + "\n", nil, true},
	}
	for _, tt := range tests {
		got, err := ParsePush(strings.NewReader(tt.text))
		if diff := cmp.Diff(tt.want, got); diff != "" || (err != nil) != tt.bad {
			t.Errorf("%q: %v\n%s", tt.text, err, diff)
		}
	}
}

func FuzzParsePush(f *testing.F) {
	f.Add("refs/heads/main aa refs/heads/main 00\n")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := ParsePush(strings.NewReader(text))
		for _, r := range list {
			if err == nil && (!isHex(r.Local) && r.Local != "" || strings.Trim(r.Remote, "0") == "" && r.Remote != "") {
				t.Errorf("%q gave %+v", text, r)
			}
		}
	})
}

// TestMisfit calls f in one file with each list of arguments.
func TestMisfit(t *testing.T) {
	tests := []struct{ head, arguments, want string }{
		{"def f(): pass", "", ""},
		{"def f(): pass", "1", "with 1 positional arguments, but it takes 0"},
		{"def f(a, b): pass", "1", "without b, which it needs"},
		{"def f(a, b=1): pass", "1", ""},
		{"def f(a, *rest): pass", "1, 2, 3", ""},
		{"def f(a, **more): pass", "1, x=2", ""},
		{"def f(a): pass", "1, x=2", "with x, which it does not take"},
		{"def f(a, *, k): pass", "1", "without k, which it needs"},
		{"def f(a, *, k): pass", "1, k=2", ""},
		{"def f(a, *, k=1): pass", "1, 2", "with 2 positional arguments, but it takes 1"},
		{"def f(a, b): pass", "*x", ""},
		{"def f(a, b): pass", "**x", ""},
		{"def f(a, /, b): pass", "1, b=2", ""},
		{"@wrap\ndef f(a): pass", "1, 2", ""},
		{"if x:\n    def f(a): pass", "1, 2", ""},
		{"class f:\n    def __init__(self): pass", "1", ""},
	}
	for _, tt := range tests {
		src := []byte(tt.head + "\n\nf(" + tt.arguments + ")\n")
		f, err := worker.ExtractInProcess("a.py", facts.Python, src)
		if err != nil {
			t.Fatal(err)
		}
		def := facts.DefID(0)
		for i := range f.Defs {
			if f.Names[f.Defs[i].Name] == "f" {
				def = facts.DefID(i)
			}
		}
		pos := uint32(strings.LastIndex(string(src), "f("))
		if got := misfit(f, pos, f, def); got != tt.want || def == 0 {
			t.Errorf("%s; f(%s): %q, want %q", tt.head, tt.arguments, got, tt.want)
		}
	}
}

func TestSignatureLen(t *testing.T) {
	tests := []struct {
		text, signature string
		want            int
	}{
		{"def f(a,\n  b,\n): x", "def f(a, b)", 15},
		{"func F() {}", "func F()", 8},
		{"func F() {}", "", 0},
		{"func F() {}", "func G()", 0},
		{"func", "func F()", 0},
	}
	for _, tt := range tests {
		if got := signatureLen([]byte(tt.text), tt.signature); got != uint32(tt.want) {
			t.Errorf("%q in %q: %d, want %d", tt.signature, tt.text, got, tt.want)
		}
	}
}
