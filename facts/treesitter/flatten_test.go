package treesitter

import (
	"os"
	"testing"
	"time"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	sitter "github.com/tree-sitter/go-tree-sitter"
	"pgregory.net/rapid"

	"codeidx/facts/syntax"
)

// samples are sources that use most of each grammar.
var samples = map[string]string{"go": "testdata/sample.go.txt", "python": "testdata/sample.py"}

func sample(t *testing.T, grammar string) []byte {
	t.Helper()
	src, err := os.ReadFile(samples[grammar])
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// cursorWalk is the reference for flattening: the same nodes by the library's
// public cursor.
func cursorWalk(t testing.TB, language unsafe.Pointer, src []byte) []syntax.Node {
	parser := sitter.NewParser()
	defer parser.Close()
	if err := parser.SetLanguage(sitter.NewLanguage(language)); err != nil {
		t.Fatal(err)
	}
	tree := parser.Parse(src, nil)
	defer tree.Close()
	cursor := tree.Walk()
	defer cursor.Close()
	var nodes []syntax.Node
	var walk func()
	walk = func() {
		i := len(nodes)
		nodes = append(nodes, nodeOf(cursor))
		if cursor.GotoFirstChild() {
			for ok := true; ok; ok = cursor.GotoNextSibling() {
				walk()
			}
			cursor.GotoParent()
		}
		nodes[i].Next = uint32(len(nodes))
	}
	walk()
	return nodes
}

func nodeOf(c *sitter.TreeCursor) syntax.Node {
	n := c.Node()
	out := syntax.Node{Start: uint32(n.StartByte()), End: uint32(n.EndByte()), Kind: n.KindId(), Field: uint8(c.FieldId())}
	for flag, set := range map[uint8]bool{
		syntax.Named: n.IsNamed(), syntax.Error: n.IsError(), syntax.Missing: n.IsMissing(),
		syntax.HasError: n.HasError(), syntax.Extra: n.IsExtra(),
	} {
		if set {
			out.Flags |= flag
		}
	}
	return out
}

// TestFlattenAgreesWithTheCursor compares the walk over the library's memory
// layout with its public interface, on whole and on damaged sources.
func TestFlattenAgreesWithTheCursor(t *testing.T) {
	for grammar := range samples {
		t.Run(grammar, func(t *testing.T) {
			src := sample(t, grammar)
			p := newParser(t, grammar)
			compare := func(t testing.TB, src []byte) {
				tree, err := p.Parse(src, time.Minute)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(cursorWalk(t, languageOf(grammar), src), tree.Nodes); diff != "" {
					t.Fatalf("%q: nodes differ (-cursor +flat):\n%s", src, diff)
				}
			}
			compare(t, src)
			rapid.Check(t, func(r *rapid.T) {
				damaged := append([]byte(nil), src...)
				for range rapid.IntRange(1, 4).Draw(r, "cuts") {
					from := rapid.IntRange(0, len(damaged)).Draw(r, "from")
					to := rapid.IntRange(from, min(from+200, len(damaged))).Draw(r, "to")
					damaged = append(damaged[:from], damaged[to:]...)
				}
				compare(t, damaged)
			})
		})
	}
}

func newParser(t testing.TB, grammar string) *Parser {
	t.Helper()
	p, err := New(grammar)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}
