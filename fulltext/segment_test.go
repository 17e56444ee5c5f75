package fulltext

import (
	"encoding/hex"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the frozen vectors anew")

// synthetic returns docs of a made-up repository whose words are as unevenly
// frequent as those of real ones.
func synthetic(n int) []Doc {
	rnd := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(rnd, 1.2, 8, 1200)
	word := func() string {
		var w []byte
		for n := zipf.Uint64() + 1; n > 0; n /= 50 {
			w = append(w, "bcdfghklnr"[n%10], "aeiou"[n/10%5])
		}
		w[0] -= 'a' - 'A'
		return string(w)
	}
	words := func(n int, joint string) string {
		list := make([]string, n)
		for i := range list {
			list[i] = word()
		}
		return strings.Join(list, joint)
	}
	var docs []Doc
	for len(docs) < n {
		path := strings.ToLower(words(2+rnd.IntN(3), "/")) + fmt.Sprintf("/f%d.go", len(docs))
		flags := byte(rnd.IntN(4) / 3) // Test for one file in four
		for s := range min(1+rnd.IntN(50), n-len(docs)) {
			name := words(1+rnd.IntN(3), "")
			docs = append(docs, Doc{
				Path: path, Sym: uint32(s), Kind: byte(rnd.IntN(8)), Lang: 2, Flags: flags,
				Fields: [NumFields]string{
					Name: name, Qualified: word() + "." + name,
					Signature: "func " + name + "(" + words(rnd.IntN(6), ", ") + ")", Docstring: words(rnd.IntN(12), " "),
				},
			})
		}
	}
	return docs
}

func boundary(path string, files, docs int) bool { return Boundary(PathHash(path), files, docs) }

func TestLargeIndexEqualsNaiveScan(t *testing.T) {
	docs := synthetic(5000)
	ix := open(t, section(t, docs, boundary))
	if len(ix.segments) < 3 {
		t.Fatalf("only %d segments", len(ix.segments))
	}
	d := docs[len(docs)/2]
	for _, q := range []Query{
		{Text: d.Fields[Name]}, {Text: d.Fields[Qualified]}, {Text: d.Path}, {Text: "D"}, {Text: "ca"},
		{Text: d.Fields[Docstring], Limit: 30}, {Text: d.Fields[Signature], Kinds: []byte{3}},
		{Text: "func", PathPrefix: filepath.Dir(d.Path)}, {Text: "zzz"}, {Text: "go"},
	} {
		check(t, fmt.Sprintf("%+v", q), naive(docs, q), search(t, ix, q))
	}
}

func TestBlocks(t *testing.T) {
	blocks := section(t, synthetic(20000), boundary)
	for _, b := range blocks {
		if len(b.Data) > 48<<10 {
			t.Errorf("block %q has %d bytes", b.Key, len(b.Data))
		}
	}
}

func TestRunAboveLimits(t *testing.T) {
	for name, doc := range map[string]func(i int) Doc{
		"one file":   func(i int) Doc { return Doc{Path: "a.go", Sym: uint32(i)} },
		"many files": func(i int) Doc { return Doc{Path: fmt.Sprintf("%05d.go", i)} },
	} {
		var docs []Doc
		for i := range 2*maxDocs + 1 {
			d := doc(i)
			d.Fields[Name] = fmt.Sprintf("Name%d", i%100)
			docs = append(docs, d)
		}
		ix := open(t, section(t, docs, oneRun))
		if ix.Docs() != len(docs) || len(ix.segments) < 3 {
			t.Errorf("%s: %d docs in %d segments", name, ix.Docs(), len(ix.segments))
		}
		q := Query{Text: "name 7", Limit: 200}
		check(t, name, naive(docs, q), search(t, ix, q))
	}
}

func TestEncodeSegmentRefuses(t *testing.T) {
	for name, docs := range map[string][]Doc{
		"a symbol twice": {{Path: "a", Sym: 1}, {Path: "b"}, {Path: "a", Sym: 1}},
		"no path":        {{Path: ""}},
		"a NUL byte":     {{Path: "a\x00b"}},
	} {
		if _, err := EncodeSegment(docs); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if blocks, err := EncodeSegment(nil); len(blocks) != 0 || err != nil {
		t.Errorf("no docs: %d blocks, %v", len(blocks), err)
	}
}

func TestBoundaryFollowsPaths(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	paths := make([]string, 4000)
	for i := range paths {
		paths[i] = fmt.Sprintf("pkg%d/file%d.go", i/20, i)
	}
	slices.Sort(paths)
	size := map[string]int{"new.go": 5}
	for _, p := range paths {
		size[p] = 1 + rnd.IntN(40)
	}
	runs := func(paths []string) map[string]int {
		ends, files, docs := map[string]int{}, 0, 0
		for _, p := range paths {
			files, docs = files+1, docs+size[p]
			if boundary(p, files, docs) {
				ends[p], files, docs = docs, 0, 0
			}
		}
		return ends
	}
	before := runs(paths)
	if n := len(before); n < 25 || n > 60 { // of some 80,000 docs
		t.Errorf("%d runs", n)
	}
	for end, docs := range before {
		if docs < 1536 || docs >= maxDocs {
			t.Errorf("run up to %s has %d docs", end, docs)
		}
	}
	after := runs(append([]string{"new.go"}, paths...))
	moved := 0
	for end := range after {
		if before[end] == 0 {
			moved++
		}
	}
	if moved > len(before)/4 {
		t.Errorf("a new file moves %d of %d boundaries", moved, len(before))
	}
}

func TestUnder(t *testing.T) {
	for _, tt := range []struct {
		path, prefix string
		want         bool
	}{
		{"a/b.go", "", true}, {"a/b.go", "a", true}, {"a/b.go", "a/", true}, {"a/b.go", "a/b.go", true},
		{"ab/c.go", "a", false}, {"a/b.go", "a/b", false}, {"a", "a/", false}, {"a", "ab", false}, {"b/a/c", "a", false},
	} {
		if got := Under(tt.path, tt.prefix); got != tt.want {
			t.Errorf("Under(%q, %q) = %v", tt.path, tt.prefix, got)
		}
	}
}

// frozenDocs are the docs of testdata/segment.v2.txt.
func frozenDocs() []Doc {
	docs := []Doc{
		{Path: "api/client.go", Sym: 0, Kind: 0, Lang: 2, Fields: [NumFields]string{Name: "client.go"}},
		{Path: "api/client.go", Sym: 3, Kind: 8, Lang: 2, Fields: [NumFields]string{
			Name: "NewHTTPClient", Qualified: "NewHTTPClient",
			Signature: "func NewHTTPClient(url string, url2 string) *Client", Docstring: "NewHTTPClient makes a client of a client.",
			Code: "return &Client{url: url}", Comment: "the client keeps it", String: strings.Repeat("text/plain ", 40),
		}},
		{Path: "api/client_test.go", Sym: 1, Kind: 8, Lang: 2, Flags: Test, Fields: [NumFields]string{Name: "TestÉtat"}},
	}
	for i := range 20 {
		docs = append(docs, Doc{Path: "web/view.py", Sym: uint32(2 * i), Kind: 9, Lang: 1, Fields: [NumFields]string{
			Name: fmt.Sprintf("render_%d", i), Qualified: fmt.Sprintf("View.render_%d", i),
		}})
	}
	return docs
}

// TestFrozenSegment pins the bytes of the format: each line is the key and the
// data of a block.
func TestFrozenSegment(t *testing.T) {
	name := filepath.Join("testdata", "segment.v2.txt")
	blocks, err := EncodeSegment(frozenDocs())
	if err != nil {
		t.Fatal(err)
	}
	var lines strings.Builder
	for _, b := range blocks {
		fmt.Fprintf(&lines, "%x %x\n", b.Key, b.Data)
	}
	if *update {
		if err := os.WriteFile(name, []byte(lines.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	frozen, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(frozen), lines.String()); diff != "" {
		t.Errorf("the format changed (-frozen +now):\n%s", diff)
	}
	var list blockList
	for line := range strings.Lines(string(frozen)) {
		var b Block
		key, data, _ := strings.Cut(strings.TrimSpace(line), " ")
		b.Key, _ = hex.DecodeString(key)
		b.Data, _ = hex.DecodeString(data)
		list = append(list, b)
	}
	ix := open(t, list)
	for _, q := range []Query{{Text: "http client"}, {Text: "View.render_7"}, {Text: "rend", Limit: 3}, {Text: "go", Langs: []byte{2}},
		{Text: "client", Fields: FieldsOf(Code, Comment)}, {Text: "plain", Fields: FieldsOf(String)}} {
		check(t, fmt.Sprintf("%+v", q), naive(frozenDocs(), q), search(t, ix, q))
	}
}
