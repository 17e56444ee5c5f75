package lint

import (
	"bufio"
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	top     = "../../.."
	module  = "codeidx"
	maxLine = 600
)

// topLevel is everything that may stand at the top, dot files apart.
var topLevel = []string{
	"LICENSE", "README.md", "cmd", "docs", "facts", "fulltext", "gitstore", "go.mod", "go.sum", "graph", "hooks", "justfile", "query", "testdata",
}

// rooms says what each room may import of the others, by prefix, longest
// prefix first where several fit. A room always sees itself.
var rooms = map[string][]string{
	"facts":            {},
	"facts/syntax":     {},
	"facts/wire":       {},
	"facts/treesitter": {"facts/syntax"},
	"facts/ecma":       {"facts", "facts/syntax"},
	"facts/golang":     {"facts", "facts/syntax"},
	"facts/php":        {"facts", "facts/syntax"},
	"facts/python":     {"facts", "facts/syntax"},
	"facts/worker":     {"facts", "facts/syntax", "facts/treesitter", "facts/ecma", "facts/golang", "facts/php", "facts/python"},
	"facts/factstest":  {"facts"},
	"graph":            {"facts", "facts/wire"},
	"graph/ecma":       {"facts", "graph"},
	"graph/golang":     {"facts", "graph"},
	"graph/php":        {"facts", "graph"},
	"graph/python":     {"facts", "graph"},
	"graph/resolvers":  {"graph", "graph/ecma", "graph/golang", "graph/php", "graph/python"},
	"graph/marktest":   {"facts", "graph"},
	"fulltext":         {},
	"fulltext/trigram": {},
	"gitstore":         {},
	"gitstore/build":   {"gitstore", "facts", "facts/worker", "graph", "fulltext", "fulltext/trigram"},
	"query":            {"gitstore", "facts", "graph", "fulltext", "fulltext/trigram"},
	"hooks":            {"gitstore", "gitstore/build", "facts", "facts/worker", "graph", "graph/resolvers", "fulltext", "query"},
}

// outside says which rooms may import which modules from outside.
var outside = map[string][]string{
	"facts/treesitter": {"github.com/tree-sitter/"},
	"fulltext":         {"github.com/RoaringBitmap/roaring/v2"},
	"gitstore":         {"github.com/go-git/go-git/v5", "github.com/klauspost/compress/zstd", "golang.org/x/sys/"},
	"gitstore/build":   {"golang.org/x/sync/errgroup"},
	"hooks":            {"golang.org/x/sync/errgroup"},
	"cmd":              {"github.com/alecthomas/kong", "golang.org/x/term", "github.com/modelcontextprotocol/go-sdk"},
}

// source is one Go file of the project.
type source struct {
	path string // from the top
	room string // folder
	test bool
	ast  *ast.File
	text []byte
}

func sources(t *testing.T) []source {
	t.Helper()
	var out []source
	err := filepath.WalkDir(top, func(p string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(top, p)
		switch {
		case err != nil:
			return err
		case d.IsDir() && rel != "." && (strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "scratch_") || d.Name() == "testdata"):
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(p) != ".go":
			return nil
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), p, text, parser.ParseComments)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		out = append(out, source{rel, filepath.ToSlash(filepath.Dir(rel)), strings.HasSuffix(p, "_test.go"), f, text})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) < 50 {
		t.Fatalf("only %d Go files found below %s", len(out), top)
	}
	return out
}

func TestTopLevel(t *testing.T) {
	out, err := exec.Command("git", "-C", top, "ls-files", "-z").Output()
	if err != nil {
		t.Skipf("not a checkout: %v", err)
	}
	for name := range bytes.SplitSeq(out, []byte{0}) {
		first, _, _ := strings.Cut(string(name), "/")
		if first != "" && !strings.HasPrefix(first, ".") && !slices.Contains(topLevel, first) {
			t.Errorf("%s: nothing but %v stands at the top", name, topLevel)
		}
	}
}

func TestImportDirections(t *testing.T) {
	for _, s := range sources(t) {
		if s.test || strings.HasPrefix(s.room, "cmd") {
			continue
		}
		for _, imp := range s.ast.Imports {
			path, _ := strconv.Unquote(imp.Path.Value)
			if rest, ok := strings.CutPrefix(path, module+"/"); ok {
				if !mayImport(s.room, rest) {
					t.Errorf("%s imports %s: see docs/ARCHITECTURE.md", s.path, rest)
				}
			}
		}
	}
}

// mayImport applies the rule of the closest room above or at a folder. Folders
// below a room (its internal packages) share its rule.
func mayImport(room, target string) bool {
	rule := closest(room)
	if rule == "" {
		return false
	}
	if target == rule || strings.HasPrefix(target, room+"/internal/") || strings.HasPrefix(target, rule+"/internal/") {
		return true
	}
	return slices.Contains(rooms[rule], target)
}

func closest(room string) string {
	for r := room; ; r = r[:strings.LastIndexByte(r, '/')] {
		if _, ok := rooms[r]; ok {
			return r
		}
		if !strings.Contains(r, "/") {
			return ""
		}
	}
}

func TestOutsideImports(t *testing.T) {
	for _, s := range sources(t) {
		if s.test || strings.HasSuffix(s.room, "test") {
			continue
		}
		for _, imp := range s.ast.Imports {
			path, _ := strconv.Unquote(imp.Path.Value)
			if first, _, _ := strings.Cut(path, "/"); !strings.Contains(first, ".") {
				continue
			}
			if !allowedOutside(s.room, path) {
				t.Errorf("%s imports %s, which its room does not", s.path, path)
			}
		}
	}
}

func allowedOutside(room, path string) bool {
	for r, list := range outside {
		if room != r && !strings.HasPrefix(room, r+"/") {
			continue
		}
		for _, p := range list {
			if path == p || strings.HasPrefix(path, strings.TrimSuffix(p, "/")+"/") {
				return true
			}
		}
	}
	return false
}

// Only facts/treesitter may need the C toolchain.
func TestCgo(t *testing.T) {
	for _, s := range sources(t) {
		for _, imp := range s.ast.Imports {
			if imp.Path.Value == `"C"` && s.room != "facts/treesitter" {
				t.Errorf("%s uses cgo", s.path)
			}
		}
	}
}

func TestFileSizes(t *testing.T) {
	for _, s := range sources(t) {
		if s.test || ast.IsGenerated(s.ast) {
			continue
		}
		n := 0
		for sc := bufio.NewScanner(bytes.NewReader(s.text)); sc.Scan(); {
			n++
		}
		if n > maxLine {
			t.Errorf("%s has %d lines: one idea a file, %d at most", s.path, n, maxLine)
		}
	}
}

// Libraries return errors; only cmd ends the process.
func TestNoExit(t *testing.T) {
	for _, s := range sources(t) {
		if s.test || strings.HasPrefix(s.room, "cmd") {
			continue
		}
		ast.Inspect(s.ast, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			x, ok := sel.X.(*ast.Ident)
			if ok && (x.Name == "os" && sel.Sel.Name == "Exit" || x.Name == "log" && strings.HasPrefix(sel.Sel.Name, "Fatal")) {
				t.Errorf("%s calls %s.%s", s.path, x.Name, sel.Sel.Name)
			}
			return true
		})
	}
}

func TestPackageComments(t *testing.T) {
	documented := map[string]bool{}
	for _, s := range sources(t) {
		if !s.test {
			documented[s.room] = documented[s.room] || s.ast.Doc != nil
		}
	}
	for room, ok := range documented {
		if !ok {
			t.Errorf("package in %s has no package comment", room)
		}
	}
}
