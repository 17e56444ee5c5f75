package facts

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"os"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

var rewrite = flag.Bool("rewrite", false, "write the frozen vector anew")

// fill sets every number, string and flag below v to a value that differs from
// zero, and gives every slice n elements.
func fill(t *testing.T, v reflect.Value, n int) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i), n)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			fill(t, v.Index(i), n)
		}
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		v.SetUint(1)
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	default:
		t.Fatalf("facts hold a %s, which the codec does not know", v.Type())
	}
}

// fullFile is a valid file in which every field is set in some record.
func fullFile(t *testing.T) *File {
	f := new(File)
	fill(t, reflect.ValueOf(f).Elem(), 3)
	f.Size = 1000
	f.Lines = []uint32{0, 10, 500}
	f.Names = []string{"", "x", "yz"}
	f.Imports[0], f.Exprs[0] = Import{}, Expr{}
	f.Scopes[0] = Scope{Kind: ScopeFile, Span: Span{0, 1000}}
	f.Scopes[1].Parent = 0
	f.Defs[0] = Def{Kind: DefFile, Span: Span{0, 1000}, Doc: Span{0, 7}}
	f.Defs[1].Parent = 0
	f.Exprs[1].X, f.Exprs[1].Kids = 0, Range{}
	f.Defs[2].Bases = Range{0, 2}
	return f
}

// TestCodecIsComplete fails when a field is added that the codec forgets.
func TestCodecIsComplete(t *testing.T) {
	f := fullFile(t)
	if err := Validate(f); err != nil {
		t.Fatal(err)
	}
	got, err := Decode(Encode(f))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(f, got); diff != "" {
		t.Errorf("decoded facts differ (-want +got):\n%s", diff)
	}
}

func TestCodecKeepsAnEmptyFile(t *testing.T) {
	f := NewBuilder("a.py", Python, nil).File
	got, err := Decode(Encode(f))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(f, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("decoded facts differ (-want +got):\n%s", diff)
	}
}

func TestCodecRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawFile(t)
		if err := Validate(f); err != nil {
			t.Fatalf("the generator draws facts that are not valid: %v", err)
		}
		b := Encode(f)
		got, err := Decode(b)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(f, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("decoded facts differ (-want +got):\n%s", diff)
		}
		cut := rapid.IntRange(0, len(b)-1).Draw(t, "cut")
		if _, err := Decode(b[:cut]); err == nil {
			t.Fatalf("the first %d of %d bytes decode", cut, len(b))
		}
		if _, err := Decode(append(b, 0)); !errors.Is(err, ErrMalformed) {
			t.Fatalf("a trailing byte gives %v", err)
		}
	})
}

func TestDecodeRejectsOtherFormats(t *testing.T) {
	b := Encode(fullFile(t))
	b[len(magic)]++
	for _, in := range [][]byte{nil, []byte("cx"), []byte("cxf"), b} {
		if _, err := Decode(in); !errors.Is(err, ErrFormat) {
			t.Errorf("Decode(%q) = %v, want ErrFormat", in, err)
		}
	}
}

// TestDecodeRejectsBrokenRules encodes facts that break one rule each.
func TestDecodeRejectsBrokenRules(t *testing.T) {
	for name, spoil := range map[string]func(*File){
		"unknown language":         func(f *File) { f.Lang = 200 },
		"package":                  func(f *File) { f.Package = 3 },
		"exports":                  func(f *File) { f.Exports = Range{2, 2} },
		"no scope":                 func(f *File) { f.Scopes = nil },
		"no def":                   func(f *File) { f.Defs = nil },
		"lines":                    func(f *File) { f.Lines[2] = 10 },
		"line beyond the end":      func(f *File) { f.Lines[2] = 1001 },
		"empty name":               func(f *File) { f.Names[1] = "" },
		"kid":                      func(f *File) { f.Kids[0] = 3 },
		"text kind":                func(f *File) { f.Texts[0].Kind = 99 },
		"text span":                func(f *File) { f.Texts[0].Span = Span{5, 4} },
		"error span":               func(f *File) { f.Errors[0].End = 1001 },
		"mark":                     func(f *File) { f.Marks[0].Value = 3 },
		"scope before its parent":  func(f *File) { f.Scopes[1].Parent = 1 },
		"scope's def":              func(f *File) { f.Scopes[1].Def = 3 },
		"def before its parent":    func(f *File) { f.Defs[1].Parent = 2 },
		"def flag":                 func(f *File) { f.Defs[1].Flags = 1 << 31 },
		"def scope":                func(f *File) { f.Defs[1].Scope = 3 },
		"def bases":                func(f *File) { f.Defs[1].Bases = Range{3, 1} },
		"def value":                func(f *File) { f.Defs[1].Value = 3 },
		"doc":                      func(f *File) { f.Defs[1].Doc = Span{3, 2} },
		"bind part":                func(f *File) { f.Binds[0].Part = 99 },
		"bind flag":                func(f *File) { f.Binds[0].Flags = 128 },
		"bind name":                func(f *File) { f.Binds[0].Name = 3 },
		"bind def":                 func(f *File) { f.Binds[0].Def = 3 },
		"bind import":              func(f *File) { f.Binds[0].Import = 3 },
		"import scope":             func(f *File) { f.Imports[1].Scope = 3 },
		"import module":            func(f *File) { f.Imports[1].Module = 3 },
		"expr kind":                func(f *File) { f.Exprs[1].Kind = 200 },
		"expr scope":               func(f *File) { f.Exprs[1].Scope = 3 },
		"expr position":            func(f *File) { f.Exprs[1].Pos = 1001 },
		"expr before its operand":  func(f *File) { f.Exprs[1].X = 2 },
		"expr before its child":    func(f *File) { f.Kids[1] = 2 },
		"shared children":          func(f *File) { f.Exprs[2].Kids = Range{0, 3}; f.Exprs[1].Kids = Range{0, 1} },
		"children beyond the list": func(f *File) { f.Exprs[2].Kids = Range{1, 1 << 31} },
	} {
		f := fullFile(t)
		spoil(f)
		if Validate(f) == nil {
			t.Errorf("%s: Validate takes it", name)
		}
		if _, err := Decode(Encode(f)); !errors.Is(err, ErrMalformed) {
			t.Errorf("%s: Decode gives %v, want ErrMalformed", name, err)
		}
	}
}

// TestValidateWantsMoreThanDecode covers the rules that encoded facts cannot
// break, or that only the tests of extractors check.
func TestValidateWantsMoreThanDecode(t *testing.T) {
	for name, spoil := range map[string]func(*File){
		"a name that occurs twice":        func(f *File) { f.Names[2] = f.Names[1] },
		"an empty range not at zero":      func(f *File) { f.Exports = Range{2, 0} },
		"an expression at index 0":        func(f *File) { f.Exprs[0].Kind = Name },
		"an import at index 0":            func(f *File) { f.Imports[0].Level = 1 },
		"a name at index 0":               func(f *File) { f.Names[0] = "a" },
		"no record for the absent import": func(f *File) { f.Imports = nil },
	} {
		f := fullFile(t)
		spoil(f)
		if Validate(f) == nil {
			t.Errorf("Validate takes %s", name)
		}
	}
}

// TestFrozenVector fails when the layout changes without a new Format.
func TestFrozenVector(t *testing.T) {
	const vector, digest = "testdata/full.facts", "testdata/full.facts.sha256"
	got := Encode(fullFile(t))
	sum := sha256.Sum256(got)
	if *rewrite {
		if err := errors.Join(os.WriteFile(vector, got, 0o644), os.WriteFile(digest, []byte(hex.EncodeToString(sum[:])+"\n"), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(vector)
	if err != nil {
		t.Fatal(err)
	}
	wantSum, err := os.ReadFile(digest)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) || hex.EncodeToString(sum[:])+"\n" != string(wantSum) {
		t.Errorf("the encoding of the frozen facts changed: raise Format and run this test with -rewrite")
	}
	f, err := Decode(want)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(fullFile(t), f); diff != "" {
		t.Errorf("decoded vector differs (-want +got):\n%s", diff)
	}
}

func FuzzDecode(f *testing.F) {
	vector, err := os.ReadFile("testdata/full.facts")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(vector)
	f.Add(Encode(NewBuilder("a.go", Go, []byte("package a\n")).File))
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := Decode(b)
		if err != nil {
			return
		}
		if !bytes.Equal(Encode(x), b) {
			t.Errorf("%x decodes and encodes to %x", b, Encode(x))
		}
		if err := Dump(bytes.NewBuffer(nil), x, nil); err != nil {
			t.Error(err)
		}
	})
}
