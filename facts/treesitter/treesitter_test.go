package treesitter

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"codeidx/facts/syntax"
)

// TestMain makes the test binary the process that runs into its memory limit.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "go-over-the-limit" {
		goOverTheLimit()
		return
	}
	os.Exit(m.Run())
}

func parse(t *testing.T, p *Parser, src string) *syntax.Tree {
	t.Helper()
	tree, err := p.Parse([]byte(src), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	checkTree(t, tree)
	return tree
}

// checkTree checks what every tree promises: children lie within their parents
// and follow each other, and errors are known to all ancestors.
func checkTree(t *testing.T, tree *syntax.Tree) {
	t.Helper()
	if len(tree.Nodes) == 0 || int(tree.Nodes[0].Next) != len(tree.Nodes) {
		t.Fatalf("the root does not span the %d nodes", len(tree.Nodes))
	}
	for i := range tree.Nodes {
		n := tree.Nodes[i]
		at := n.Start
		tree.Children(uint32(i), func(c uint32) bool {
			child := tree.Nodes[c]
			if child.Start < at || child.End > n.End || child.Start > child.End || child.Next > n.Next {
				t.Errorf("node %d %+v does not fit into its parent %+v", c, child, n)
			}
			if child.Flags&syntax.HasError != 0 && n.Flags&syntax.HasError == 0 {
				t.Errorf("node %d %+v does not know of the error in %+v", i, n, child)
			}
			at = child.End
			return !t.Failed()
		})
	}
}

// kinds returns the kinds of the root's children.
func kinds(p *Parser, tree *syntax.Tree) string {
	var names []string
	tree.Children(0, func(c uint32) bool {
		name := "ERROR"
		if k := tree.Nodes[c].Kind; k != syntax.ErrorKind {
			name = p.Grammar().Kinds[k]
		}
		names = append(names, name)
		return true
	})
	return strings.Join(names, " ")
}

func find(tree *syntax.Tree, flag uint8) (found []string) {
	for i := range tree.Nodes {
		if tree.Nodes[i].Flags&flag != 0 {
			found = append(found, tree.Text(uint32(i)))
		}
	}
	return found
}

func TestNewWantsALinkedGrammar(t *testing.T) {
	if _, err := New("cobol"); err == nil {
		t.Error("a grammar that is not linked gives a parser")
	}
}

func TestGrammar(t *testing.T) {
	g := newParser(t, "go").Grammar()
	if k := g.Kind("call_expression"); g.Kinds[k] != "call_expression" || !g.Named[k] {
		t.Errorf("call_expression has kind %d", k)
	}
	if k := g.Token("func"); g.Kinds[k] != "func" || g.Named[k] {
		t.Errorf("func has kind %d", k)
	}
	if f := g.Field("receiver"); g.Fields[f] != "receiver" || g.Fields[0] != "" {
		t.Errorf("receiver has field %d", f)
	}
	if g.Kind("func") != syntax.ErrorKind-1 || g.Token("call_expression") != syntax.ErrorKind-1 || g.Field("nothing") != 255 {
		t.Error("what the grammar lacks has an id")
	}
}

func TestParse(t *testing.T) {
	p := newParser(t, "go")
	tree := parse(t, p, "package a\r\n\r\nfunc f() { g() }\r\n")
	g := p.Grammar()
	if got := kinds(p, tree); got != "package_clause function_declaration" {
		t.Errorf("root's children: %q", got)
	}
	fn := tree.First(0)
	for tree.Nodes[fn].Kind != g.Kind("function_declaration") {
		fn = tree.Sibling(0, fn)
	}
	name := tree.Child(fn, g.Field("name"))
	if tree.Text(name) != "f" || tree.Nodes[name].Start != 18 {
		t.Errorf("name is %q at %d, want f at 18", tree.Text(name), tree.Nodes[name].Start)
	}
	if tree.Nodes[0].Flags&syntax.HasError != 0 {
		t.Error("a source with CRLF has errors")
	}
}

func TestEmptyAndBlank(t *testing.T) {
	for grammar := range samples {
		p := newParser(t, grammar)
		for _, src := range []string{"", "\n", " \n\n", "\ufeff"} {
			if tree := parse(t, p, src); tree.Nodes[0].Flags&syntax.Named == 0 {
				t.Errorf("%s: %q has no root", grammar, src)
			}
		}
		if tree := parse(t, p, ""); len(tree.Nodes) != 1 || tree.Nodes[0].End != 0 {
			t.Errorf("%s: the empty file gives %+v", grammar, tree.Nodes)
		}
	}
}

func TestErrorRegionLeavesTheRest(t *testing.T) {
	p := newParser(t, "go")
	tree := parse(t, p, "package a\n\nfunc f() {}\n\n]\n\nfunc g() {}\n")
	if got := strings.Join(find(tree, syntax.Error), "|"); !strings.Contains(got, "]") || strings.Contains(got, "func") {
		t.Errorf("errors: %q", got)
	}
	if got := strings.Count(kinds(p, tree), "function_declaration"); got != 2 {
		t.Errorf("%d functions beside the error, want 2", got)
	}
	if tree.Nodes[0].Flags&syntax.HasError == 0 {
		t.Error("the root does not know of the error")
	}
}

func TestMissingNode(t *testing.T) {
	tree := parse(t, newParser(t, "python"), "def f(:\n    pass\n")
	missing := find(tree, syntax.Missing)
	if len(missing) != 1 || missing[0] != "" {
		t.Errorf("missing nodes: %q, want one without text", missing)
	}
}

func TestInvalidUTF8(t *testing.T) {
	p := newParser(t, "python")
	tree := parse(t, p, "a = '\xff\xfe'\nb = \xc3\x28\n\x00\ndef f(): pass\n")
	if got := kinds(p, tree); !strings.HasSuffix(got, "function_definition") {
		t.Errorf("root's children: %q", got)
	}
}

func TestDeepNestingIsCut(t *testing.T) {
	const depth = 50000
	p := newParser(t, "go")
	tree := parse(t, p, "package a\n\nvar x = "+strings.Repeat("(", depth)+"1"+strings.Repeat(")", depth)+"\n\nfunc after() {}\n")
	if got := kinds(p, tree); got != "package_clause var_declaration function_declaration" {
		t.Errorf("root's children: %q", got)
	}
	var open []uint32 // ends of the nodes around the current one
	for i, n := range tree.Nodes {
		for len(open) > 0 && uint32(i) >= open[len(open)-1] {
			open = open[:len(open)-1]
		}
		open = append(open, n.Next)
		if len(open) > MaxDepth || n.Flags&syntax.Error != 0 && len(open) != MaxDepth {
			t.Fatalf("node %+v at depth %d", n, len(open))
		}
	}
	if cut := find(tree, syntax.Error); len(cut) != 1 {
		t.Errorf("%d errors, the first of %d bytes", len(cut), len(cut[0]))
	}
	if tree.Nodes[0].Flags&syntax.HasError == 0 {
		t.Error("the root does not know that nodes are missing")
	}
}

func TestLongLine(t *testing.T) {
	const calls = 20000
	arg := strings.Repeat("x", 250)
	src := "package a; var x = f(" + strings.Repeat(arg+"(1), ", calls) + "1)"
	if len(src) < 5<<20 {
		src += "//" + strings.Repeat(" ", 5<<20-len(src))
	}
	p := newParser(t, "go")
	tree := parse(t, p, src)
	found := 0
	for i, n := range tree.Nodes {
		if n.Kind == p.Grammar().Kind("identifier") && tree.Text(uint32(i)) == arg {
			found++
		}
	}
	if found != calls || tree.Nodes[0].Flags&syntax.HasError != 0 {
		t.Errorf("%d identifiers, want %d", found, calls)
	}
}

// TestTimeout wants nothing of a file that timed out in the next one's tree.
func TestTimeout(t *testing.T) {
	p := newParser(t, "go")
	long := []byte("package a\n\nvar x = []int{" + strings.Repeat("1, ", 1<<16) + "}\n")
	for range 2 {
		if _, err := p.Parse(long, time.Microsecond); !errors.Is(err, ErrTimeout) {
			t.Fatalf("%v, want ErrTimeout", err)
		}
		if got := kinds(p, parse(t, p, "package b\n")); got != "package_clause" {
			t.Errorf("next file's children: %q", got)
		}
	}
}

func TestParsersRunBesideEachOther(t *testing.T) {
	var wait sync.WaitGroup
	for range 4 {
		for grammar := range samples {
			src := sample(t, grammar)
			p := newParser(t, grammar)
			wait.Go(func() {
				var first []syntax.Node
				for range 20 {
					tree, err := p.Parse(src, time.Minute)
					if err != nil {
						t.Error(err)
						return
					}
					if first == nil {
						first = append(first, tree.Nodes...)
					}
					if string(nodeBytes(first)) != string(nodeBytes(tree.Nodes)) {
						t.Errorf("%s: parsing again gives another tree", grammar)
					}
				}
			})
		}
	}
	wait.Wait()
}

func nodeBytes(nodes []syntax.Node) []byte {
	var b bytes.Buffer
	for _, n := range nodes {
		b.Write([]byte{byte(n.Start), byte(n.End), byte(n.Next), byte(n.Kind), n.Field, n.Flags})
	}
	return b.Bytes()
}

func TestMemoryIsGivenBack(t *testing.T) {
	before := Allocated()
	p := newParser(t, "go")
	parse(t, p, "package a\n\nvar x = []int{"+strings.Repeat("1, ", 1<<16)+"}\n")
	if Allocated() <= before {
		t.Errorf("a parser of a large file holds %d bytes, %d before", Allocated(), before)
	}
	parse(t, p, "package a\n")
	const kept = 64 << 20
	if held := Allocated() - before; held > kept {
		t.Errorf("%d bytes are still held after a small file, want at most %d", held, kept)
	}
	p.Close()
	if Allocated() != before || PeakAllocated() <= before {
		t.Errorf("%d bytes are held after Close, %d before (peak %d)", Allocated(), before, PeakAllocated())
	}
}

func goOverTheLimit() {
	Limit(4 << 20)
	p, err := New("go")
	if err != nil {
		return
	}
	p.Parse([]byte("package a\n\nvar x = []int{"+strings.Repeat("1, ", 1<<16)+"}\n"), time.Minute)
}

func TestMemoryLimitEndsTheProcess(t *testing.T) {
	var exit *exec.ExitError
	if err := exec.Command(os.Args[0], "go-over-the-limit").Run(); !errors.As(err, &exit) || exit.ExitCode() != ExitMemory {
		t.Errorf("the process ended with %v, want status %d", err, ExitMemory)
	}
}

// BenchmarkParse parses the Go files below CODEIDX_BENCH_TREE.
func BenchmarkParse(b *testing.B) {
	dir := os.Getenv("CODEIDX_BENCH_TREE")
	if dir == "" {
		b.Skip("CODEIDX_BENCH_TREE names no tree")
	}
	var srcs [][]byte
	total := 0
	filepath.Walk(dir, func(p string, i os.FileInfo, err error) error {
		if err == nil && filepath.Ext(p) == ".go" {
			s, _ := os.ReadFile(p)
			srcs = append(srcs, s)
			total += len(s)
		}
		return nil
	})
	p := newParser(b, "go")
	b.SetBytes(int64(total))
	for b.Loop() {
		n := 0
		for _, s := range srcs {
			t, err := p.Parse(s, 5*time.Second)
			if err != nil {
				b.Fatal(err)
			}
			n += len(t.Nodes)
		}
		b.ReportMetric(float64(n), "nodes")
	}
}
