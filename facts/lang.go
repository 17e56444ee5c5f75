package facts

import (
	"bytes"
	"path"
	"slices"
	"strings"
)

// Lang is a language of the registry. The numbers are stored: append only.
type Lang uint8

// Languages.
const (
	NoLang Lang = iota
	Python
	Go
	JavaScript
	TypeScript
	TSX
	PHP
)

// Language is one entry of the registry. A language is added in five places:
//
//   - here: an id above, an entry in Languages;
//   - go.mod: the grammar's module, at the version that the entry names;
//   - facts/treesitter: one line in its table of grammars;
//   - facts/<language>: the extractor, and one line in facts/worker's table;
//   - graph/<language>: the resolver.
//
// Raise Extractor whenever the same bytes give other facts than before: old
// facts are then extracted again.
type Language struct {
	ID         Lang
	Name       string   // as users write it: --lang go
	Grammar    string   // name in facts/treesitter
	Version    string   // exact version of the grammar module
	Extractor  int      // version of our extraction rules
	Extensions []string // lower case, with the dot
	FileNames  []string // base names that decide without an extension
	Shebangs   []string // interpreters, without path and version number
	// TestFile says whether a file of this language holds tests, by the
	// conventions of its test runners.
	TestFile func(path string) bool
}

// Languages lists every language that is extracted, in order of id.
var Languages = []Language{
	{
		ID: Python, Name: "python", Grammar: "python", Version: "v0.25.0", Extractor: 1,
		Extensions: []string{".py", ".pyi", ".pyw", ".py3", ".wsgi"},
		FileNames:  []string{"SConstruct", "SConscript", "wscript"},
		Shebangs:   []string{"python", "pypy", "uv", "pipx"},
		TestFile:   pythonTest,
	},
	{
		ID: Go, Name: "go", Grammar: "go", Version: "v0.25.0", Extractor: 1,
		Extensions: []string{".go"},
		TestFile:   func(p string) bool { return strings.HasSuffix(p, "_test.go") },
	},
	{
		ID: JavaScript, Name: "javascript", Grammar: "javascript", Version: "v0.25.0", Extractor: 1,
		Extensions: []string{".js", ".jsx", ".mjs", ".cjs"},
		Shebangs:   []string{"node", "nodejs"},
		TestFile:   ecmaTest,
	},
	{
		ID: TypeScript, Name: "typescript", Grammar: "typescript", Version: "v0.23.2", Extractor: 1,
		Extensions: []string{".ts", ".mts", ".cts"},
		Shebangs:   []string{"ts-node", "tsx", "deno", "bun"},
		TestFile:   ecmaTest,
	},
	{
		ID: TSX, Name: "tsx", Grammar: "tsx", Version: "v0.23.2", Extractor: 1,
		Extensions: []string{".tsx"},
		TestFile:   ecmaTest,
	},
	{
		ID: PHP, Name: "php", Grammar: "php", Version: "v0.24.2", Extractor: 1,
		Extensions: []string{".php", ".phtml", ".inc", ".module", ".php3", ".php4", ".php5", ".php7", ".php8", ".phps", ".phpt"},
		Shebangs:   []string{"php", "php-cli"},
		TestFile:   phpTest,
	},
}

// ecmaTest knows the names that Jest, Vitest, Mocha, AVA and node:test collect.
func ecmaTest(p string) bool {
	dir, base := path.Split(p)
	return strings.Contains(base, ".test.") || strings.Contains(base, ".spec.") || strings.HasPrefix(base, "test-") ||
		strings.Contains("/"+dir, "/__tests__/") || strings.Contains("/"+dir, "/test/") || strings.Contains("/"+dir, "/tests/")
}

// pythonTest knows the names that pytest and unittest collect, what stands
// beside them in test directories, and Django's tests.py.
func pythonTest(p string) bool {
	dir, base := path.Split(p)
	stem := strings.TrimSuffix(base, path.Ext(base))
	return strings.HasPrefix(base, "test_") || strings.HasSuffix(stem, "_test") || stem == "conftest" || stem == "tests" ||
		strings.Contains("/"+dir, "/tests/") || strings.Contains("/"+dir, "/test/")
}

// phpTest knows the names that PHPUnit collects and the directories that
// PHPUnit and Pest are told to look into.
func phpTest(p string) bool {
	dir, base := path.Split(p)
	stem := strings.TrimSuffix(base, path.Ext(base))
	return strings.HasSuffix(stem, "Test") || strings.HasSuffix(stem, "_test") || strings.Contains("/"+dir, "/tests/") ||
		strings.Contains("/"+dir, "/test/") || strings.Contains("/"+dir, "/Tests/")
}

// ByID returns the registry entry of a language, nil where there is none.
func ByID(id Lang) *Language {
	for i := range Languages {
		if Languages[i].ID == id {
			return &Languages[i]
		}
	}
	return nil
}

// ByName returns the registry entry that users call name, nil where there is none.
func ByName(name string) *Language {
	for i := range Languages {
		if Languages[i].Name == name {
			return &Languages[i]
		}
	}
	return nil
}

// String returns the name that users write.
func (l Lang) String() string {
	if e := ByID(l); e != nil {
		return e.Name
	}
	return ""
}

// Detect returns the language of a path by file name or extension, NoLang
// where only a shebang could tell.
func Detect(p string) Lang {
	ext, base := strings.ToLower(path.Ext(p)), path.Base(p)
	for i := range Languages {
		l := &Languages[i]
		if slices.Contains(l.FileNames, base) || slices.Contains(l.Extensions, ext) {
			return l.ID
		}
	}
	return NoLang
}

// MayHaveShebang says whether the first line of a file decides its language:
// files without an extension.
func MayHaveShebang(p string) bool { return path.Ext(p) == "" }

// DetectShebang returns the language that the "#!" line of head names, also
// through env with options and variables.
func DetectShebang(head []byte) Lang {
	if !bytes.HasPrefix(head, []byte("#!")) {
		return NoLang
	}
	line, _, _ := bytes.Cut(head[2:], []byte("\n"))
	words := strings.Fields(string(line))
	if len(words) > 0 && path.Base(words[0]) == "env" {
		words = words[1:]
		for len(words) > 0 && (strings.HasPrefix(words[0], "-") || strings.Contains(words[0], "=")) {
			words = words[1:]
		}
	}
	if len(words) == 0 {
		return NoLang
	}
	interpreter := strings.TrimRight(path.Base(words[0]), "0123456789.")
	for i := range Languages {
		if slices.Contains(Languages[i].Shebangs, interpreter) {
			return Languages[i].ID
		}
	}
	return NoLang
}
