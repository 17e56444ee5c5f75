package worker

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"codeidx/facts"
)

// nest is a source that nests or chains one form as often as fits.
type nest struct {
	name              string
	open, mid, closer string // open…open mid closer…closer
	indent            bool   // each open stands on a line of its own, one step deeper
}

// of makes about size bytes between a head and a tail.
func (n nest) of(size int, head, tail string) []byte {
	var b strings.Builder
	b.WriteString(head)
	times := max(size/(len(n.open)+len(n.closer)), 1)
	if n.indent {
		// Depth d costs d bytes of indentation.
		for times = 1; times*times/2+times*len(n.open) < size; times++ {
		}
	}
	for i := range times {
		if n.indent {
			b.WriteString(strings.Repeat(" ", i))
		}
		b.WriteString(n.open)
	}
	if n.indent {
		b.WriteString(strings.Repeat(" ", times))
	}
	b.WriteString(n.mid + strings.Repeat(n.closer, times) + tail)
	return []byte(b.String())
}

// anyLanguage are forms that most grammars have something to say about, also
// where they are wrong.
var anyLanguage = []nest{
	{name: "parentheses", open: "(", mid: "1", closer: ")"}, {name: "brackets", open: "[", mid: "1", closer: "]"},
	{name: "braces", open: "{", mid: "1", closer: "}"}, {name: "all brackets", open: "([{", mid: "1", closer: "}])"},
	{name: "open parentheses", open: "("}, {name: "open brackets", open: "["}, {name: "open braces", open: "{"}, {name: "closed", open: ")]}"},
	{name: "calls", open: "f(", mid: "1", closer: ")"}, {name: "open calls", open: "f(a, "}, {name: "call chain", open: ".f()", mid: ""},
	{name: "members", open: "a.", mid: "b"}, {name: "subscripts", open: "a[", mid: "1", closer: "]"}, {name: "subscript chain", open: "[0]"},
	{name: "conditional", open: "a ? b : ", mid: "c"}, {name: "open conditional", open: "a ? "}, {name: "nested conditional", open: "a ? ", mid: "b", closer: " : c"},
	{name: "minus", open: "-", mid: "a"}, {name: "not", open: "!", mid: "a"}, {name: "plus", open: "a + ", mid: "b"}, {name: "power", open: "a ** ", mid: "b"},
	{name: "mixed operators", open: "a + b * c == d && e || ", mid: "f"}, {name: "assignments", open: "a = ", mid: "b"}, {name: "less", open: "a < ", mid: "b"},
	{name: "generics", open: "a<", mid: "b", closer: ">"}, {name: "open generics", open: "a<"}, {name: "angle brackets", open: "<"}, {name: "comparison or call", open: "f(a<b, c>(d), ", closer: ")"},
	{name: "quotes", open: "'"}, {name: "double quotes", open: "\""}, {name: "backticks", open: "`"}, {name: "template literals", open: "`${", mid: "1", closer: "}`"},
	{name: "open template literals", open: "`${"}, {name: "escapes", open: "\"\\"}, {name: "block comments", open: "/*"}, {name: "comment ends", open: "*/"},
	{name: "commas", open: ","}, {name: "semicolons", open: ";"}, {name: "colons", open: ":"}, {name: "at signs", open: "@a\n"}, {name: "equals", open: "="}, {name: "arrows", open: "a => ", mid: "b"},
	{name: "newlines", open: "\n"}, {name: "carriage returns", open: "\r"}, {name: "nulls", open: "\x00"}, {name: "backslashes", open: "\\"}, {name: "backslash lines", open: "\\\n"}, {name: "dollars", open: "$"}, {name: "hashes", open: "#"}, {name: "ellipses", open: "...a, "},
	{name: "numbers", open: "1"}, {name: "exponents", open: "1e"}, {name: "words", open: "word "}, {name: "one word", open: "w"}, {name: "letters of other scripts", open: "é"}, {name: "combining marks", open: "\u0301"},
}

// hostile are the forms that one language has beside those.
var hostile = []struct {
	path, head, tail string
	nests            []nest
}{
	{"a.py", "x = ", "\n\n\ndef after():\n    pass\n", []nest{
		{name: "lambda", open: "lambda: ", mid: "1"}, {name: "not", open: "not ", mid: "a"}, {name: "await", open: "await ", mid: "a"}, {name: "conditional", open: "a if b else ", mid: "c"},
		{name: "f-strings", open: "f'{", mid: "1", closer: "}'"}, {name: "nested f-strings", open: "f\"{f'{", mid: "1", closer: "}'}\""}, {name: "open f-strings", open: "f'{"}, {name: "format specs", open: "f'{a:{", mid: "b", closer: "}}'"},
		{name: "comprehensions", open: "[a for a in ", mid: "b", closer: "]"}, {name: "for clauses", open: "for a in b if c ", mid: ""}, {name: "walrus", open: "(a := ", mid: "b", closer: ")"}, {name: "stars", open: "*", mid: "a"},
		{name: "triple quotes", open: "'''"}, {name: "open triple quote", open: "'''a"}, {name: "strings side by side", open: "'a' "}, {name: "dictionaries", open: "{1: ", mid: "1", closer: "}"},
		{name: "if", open: "if a:\n", mid: "pass\n", indent: true}, {name: "def", open: "def f(a):\n", mid: "pass\n", indent: true}, {name: "class", open: "class A:\n", mid: "pass\n", indent: true},
		{name: "try", open: "try:\n", mid: "pass\n", indent: true}, {name: "match", open: "match a:\n", mid: "pass\n", indent: true}, {name: "elif", open: "\nif a: pass\nelif b: pass\n"}, {name: "with", open: "with a as b, "}, {name: "decorators", open: "\n@a(b)"},
		{name: "annotations", open: "a: b[", mid: "c", closer: "]"}, {name: "parameters", open: "\ndef f(a=", mid: "1", closer: "): pass"}, {name: "print", open: "print >>a, "}, {name: "exec", open: "exec a in b, "}, {name: "one line", open: "a; "}, {name: "import", open: "\nfrom a import (b as c, "},
	}},
	{"a.go", "package a\n\nvar x = ", "\n\nfunc After() {}\n", []nest{
		{name: "func literals", open: "func() { ", mid: "", closer: " }()"}, {name: "composites", open: "T{", mid: "1", closer: "}"}, {name: "open composites", open: "T{a: "}, {name: "pointers", open: "*", mid: "a"}, {name: "address", open: "&", mid: "a"}, {name: "receive", open: "<-", mid: "a"},
		{name: "slice types", open: "[]", mid: "int{}"}, {name: "map types", open: "map[a]", mid: "int{}"}, {name: "func types", open: "func(a ", mid: "int", closer: ")"}, {name: "struct types", open: "struct { a ", mid: "int", closer: " }"}, {name: "interfaces", open: "interface { a() ", mid: "", closer: " }"},
		{name: "channels", open: "chan ", mid: "int"}, {name: "instantiations", open: "a[", mid: "int", closer: "]"}, {name: "type assertions", open: ".(a)"}, {name: "conversions", open: "a(", mid: "1", closer: ")"}, {name: "if", open: "\nfunc f() { if a { ", mid: "", closer: " } }"},
		{name: "blocks", open: "\nfunc f() { for { switch { case a: ", mid: "", closer: " } } }"}, {name: "else if", open: "else if a {} "}, {name: "constraints", open: "\nfunc f[T ~int | "}, {name: "raw strings", open: "`a"}, {name: "constants", open: "\nconst ( a = iota; "}, {name: "imports", open: "\nimport (a \"b\"; "}, {name: "labels", open: "a: "}, {name: "selects", open: "select { case <-a: ", closer: "}"},
	}},
	{"a.js", "x = ", "\n\nfunction after() {}\n", ecmaNests},
	{"a.ts", "x = ", "\n\nfunction after() {}\n", append(typeNests, ecmaNests...)},
	{"a.tsx", "x = ", "\n\nfunction after() {}\n", append(typeNests, ecmaNests...)},
	{"a.php", "<?php\n$x = ", ";\n\nfunction after() {}\n", []nest{
		{name: "variables of variables", open: "$", mid: "a"}, {name: "braced variables", open: "${", mid: "'a'", closer: "}"}, {name: "members", open: "$a->"}, {name: "call chain", open: "->f()"}, {name: "static chain", open: "a::"}, {name: "closures", open: "function() { return ", mid: "1", closer: "; }"}, {name: "arrow functions", open: "fn($a) => ", mid: "1"},
		{name: "arrays", open: "array(", mid: "1", closer: ")"}, {name: "heredocs", open: "<<<A\n{$a[", mid: "1", closer: "]}\nA\n"}, {name: "open heredocs", open: "<<<A\n"}, {name: "nowdocs", open: "<<<'A'\n"}, {name: "strings with code", open: "\"{$a[", mid: "1", closer: "]}\""}, {name: "open strings with code", open: "\"{$"}, {name: "elvis", open: "$a ?: ", mid: "1"}, {name: "null coalescing", open: "$a ?? ", mid: "1"},
		{name: "casts", open: "(int)", mid: "1"}, {name: "new", open: "new ", mid: "A"}, {name: "anonymous classes", open: "new class { public $a = ", mid: "1", closer: "; }"}, {name: "match", open: "match(1) { 1 => ", mid: "1", closer: " }"}, {name: "if", open: "\nif (a) { ", closer: " }"}, {name: "if with colons", open: "\nif (a): ", mid: "", closer: " endif;"}, {name: "else if", open: "else if (a) "}, {name: "tags", open: "?><?php "}, {name: "html", open: "?><a>"}, {name: "namespaces", open: "\nnamespace a { ", closer: " }"},
		{name: "attributes", open: "#[A("}, {name: "docblocks", open: "/** @var array<"}, {name: "types", open: "\nfunction f(A|B&", closer: ""}, {name: "namespaced names", open: "\\a"}, {name: "clone", open: "clone ", mid: "$a"}, {name: "silence", open: "@", mid: "$a"}, {name: "references", open: "&", mid: "$a"}, {name: "yield", open: "yield ", mid: "1"}, {name: "list", open: "list(", mid: "$a", closer: ")"}, {name: "switch", open: "\nswitch(a) { case 1: ", closer: "}"},
	}},
}

var ecmaNests = []nest{
	{name: "arrow bodies", open: "() => { ", mid: "", closer: " }"}, {name: "arrow parameters", open: "(a = ", mid: "1", closer: ") => 1"}, {name: "open arrow parameters", open: "(a, b = ("}, {name: "functions", open: "function() { ", closer: " }"}, {name: "async", open: "async "}, {name: "async arrows", open: "async (a) => ", mid: "1"},
	{name: "classes", open: "class { a = ", mid: "1", closer: " }"}, {name: "objects", open: "{ a: ", mid: "1", closer: " }"}, {name: "in parentheses", open: "({ a: ", mid: "1", closer: " })"}, {name: "patterns", open: "{ a: [", mid: "b", closer: "] }"}, {name: "spread", open: "[...", mid: "a", closer: "]"}, {name: "elements", open: "<a>", closer: "</a>"}, {name: "open elements", open: "<a>"},
	{name: "attributes", open: "<a b={", mid: "1", closer: "}/>"}, {name: "open attributes", open: "<a b={"}, {name: "element text", open: "<a>{"}, {name: "regular expressions", open: "/["}, {name: "slashes", open: "/a/"}, {name: "new", open: "new ", mid: "A"}, {name: "typeof", open: "typeof ", mid: "a"}, {name: "await", open: "await ", mid: "a"}, {name: "yield", open: "yield ", mid: "a"},
	{name: "optional chain", open: "?.a"}, {name: "tagged templates", open: "a`${", mid: "1", closer: "}`"}, {name: "if", open: "\nif (a) { ", closer: " }"}, {name: "else if", open: "else if (a) ; "}, {name: "labels", open: "\na: "}, {name: "for", open: "for (a of ", mid: "b", closer: ") ;"}, {name: "switch", open: "\nswitch (a) { case b: ", closer: " }"}, {name: "comments", open: "<!--"}, {name: "missing semicolons", open: "a\n"}, {name: "plus plus", open: "a++ + "}, {name: "in", open: "a in "}, {name: "get and set", open: "{ get a() { return ", mid: "1", closer: " } }"},
}

var typeNests = []nest{
	{name: "type arguments", open: "a<b<", mid: "c", closer: ">>"}, {name: "generic calls", open: "a<b>(", mid: "c", closer: ")"}, {name: "generic arrows", open: "<T,>(a: ", mid: "b", closer: ") => c"}, {name: "casts", open: "<a>", mid: "b"}, {name: "as", open: " as a"}, {name: "satisfies", open: " satisfies a"}, {name: "non-null", open: "!"},
	{name: "conditional types", open: "\ntype A = B extends C ? D : ", mid: "E"}, {name: "nested conditional types", open: "(a extends infer ", mid: "b", closer: " ? c : d)"}, {name: "function types", open: "\ntype A = (a: ", mid: "b", closer: ") => c"}, {name: "object types", open: "\ntype A = { a: ", mid: "b", closer: " }"}, {name: "tuples", open: "\ntype A = [", mid: "b", closer: "]"}, {name: "unions", open: "\ntype A = B | "},
	{name: "mapped types", open: "\ntype A = { [k in ", mid: "b", closer: "]: c }"}, {name: "template types", open: "\ntype A = `${", mid: "b", closer: "}`"}, {name: "annotations", open: "let a: ", mid: "b"}, {name: "arrow results", open: "(a): b => ", mid: "c"}, {name: "modules", open: "\ndeclare module a { ", closer: " }"}, {name: "decorators", open: "@a(", mid: "1", closer: ") class {}"}, {name: "abstract", open: "abstract "}, {name: "keyof", open: "\ntype A = keyof "}, {name: "enums", open: "\nenum A { a = ", mid: "1", closer: " }"}, {name: "signatures", open: "\nfunction f(a?: "},
}

// hostileSize is how many bytes of each form are made: CODEIDX_HOSTILE_BYTES to look
// for the slowest ones.
func hostileSize(t *testing.T) int {
	n, err := strconv.Atoi(os.Getenv("CODEIDX_HOSTILE_BYTES"))
	if err != nil {
		return 2 << 10
	}
	t.Logf("%d bytes of each form", n)
	return n
}

// Whatever a grammar meets costs its own file alone, keeps to the limits of time
// and memory, and is said. With CODEIDX_HOSTILE_BYTES the log has CPU time
// and memory of each form, in a process of its own and without the usual timeout.
func TestHostileSources(t *testing.T) {
	size, measure := hostileSize(t), os.Getenv("CODEIDX_HOSTILE_BYTES") != ""
	const limit = 1 << 30
	timeout := DefaultTimeout
	if measure {
		timeout = time.Minute // of a machine that may be busy
	}
	for _, h := range hostile {
		t.Run(h.path, func(t *testing.T) {
			p := newPool(t, Options{Workers: 1, MemoryLimit: limit, Timeout: timeout})
			for _, n := range append(anyLanguage[:len(anyLanguage):len(anyLanguage)], h.nests...) {
				for _, tail := range []string{h.tail, ""} {
					src := n.of(size, h.head, tail)
					if measure && tail == "" {
						continue
					}
					if measure {
						p = newPool(t, Options{Workers: 1, MemoryLimit: limit, Timeout: timeout})
					}
					r, err := p.Extract(context.Background(), Request{h.path, facts.Detect(h.path), src})
					if err != nil {
						t.Fatalf("%s: %v", n.name, err)
					}
					if r.Status == ParseCrashed {
						t.Errorf("%s: %v: %s", n.name, r.Status, r.Err)
					}
					if measure {
						cpu, peak := costOf(p)
						t.Logf("cost %6d ms %5d MiB %8d B  %-13v %s %s (tail %v)", cpu.Milliseconds(), peak>>20, len(src), r.Status, h.path, n.name, tail != "")
						if peak > limit+limit/8 {
							t.Errorf("%s: %d MiB were held", n.name, peak>>20)
						}
					}
				}
			}
			if measure {
				return // each had a pool of its own
			}
			if r := extract(t, p, h.path, h.head+"1"+h.tail); r.Status != OK {
				t.Errorf("the next file: %v %s", r.Status, r.Err)
			}
		})
	}
}

// costOf ends a pool's only process and returns the CPU time that it took and the
// bytes that it held at most.
func costOf(p *Pool) (cpu time.Duration, peak int64) {
	process := p.slots[0].process
	p.Close()
	if process == nil || process.cmd.ProcessState == nil {
		return 0, 0
	}
	state := process.cmd.ProcessState
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		peak = usage.Maxrss << 10
	}
	return state.UserTime() + state.SystemTime(), peak
}

// FuzzHostileSources nests and chains pieces of sources in ways that nobody thought
// of. A parser that crashes takes the process, and the input that did it is kept.
func FuzzHostileSources(f *testing.F) {
	for i, h := range hostile {
		for _, n := range h.nests {
			f.Add(byte(i), n.open, n.mid, n.closer, uint16(40))
		}
	}
	f.Fuzz(func(t *testing.T, which byte, open, mid, closer string, times uint16) {
		h := hostile[int(which)%len(hostile)]
		size := int(times%512) * (len(open) + len(closer))
		src := nest{open: open, mid: mid, closer: closer}.of(min(size, 64<<10), h.head, h.tail)
		file, err := ExtractInProcess(h.path, facts.Detect(h.path), src)
		if err != nil {
			t.Skip(fmt.Sprint("refused: ", err))
		}
		if err := facts.Validate(file); err != nil {
			t.Errorf("%s: %v", h.path, err)
		}
	})
}
