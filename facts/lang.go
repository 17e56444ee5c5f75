package facts

import (
	"bytes"
	"path"
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

// Language is one entry of the registry.
type Language struct {
	ID         Lang
	Name       string   // as users write it: --lang go
	Grammar    string   // name in facts/treesitter
	Version    string   // exact version of the grammar module
	Extractor  int      // version of our extraction rules: part of every extraction key
	Extensions []string // with the dot
	FileNames  []string
	Shebangs   []string // interpreter base names
	TestFile   func(path string) bool
}

// Languages lists every language that is extracted, in order of id.
var Languages = []Language{
	{
		ID: Python, Name: "python", Grammar: "python", Version: "v0.25.0", Extractor: 1,
		Extensions: []string{".py", ".pyi", ".pyw"}, Shebangs: []string{"python", "python2", "python3"},
		TestFile: pythonTest,
	},
	{
		ID: Go, Name: "go", Grammar: "go", Version: "v0.25.0", Extractor: 1,
		Extensions: []string{".go"},
		TestFile:   func(p string) bool { return strings.HasSuffix(p, "_test.go") },
	},
}

func pythonTest(p string) bool {
	base := path.Base(p)
	return strings.HasPrefix(base, "test_") || strings.HasSuffix(base, "_test.py") || base == "conftest.py" ||
		strings.HasPrefix(p, "tests/") || strings.Contains(p, "/tests/")
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

// Detect returns the language of a path by extension or file name, NoLang
// where only a shebang could tell.
func Detect(p string) Lang {
	ext, base := strings.ToLower(path.Ext(p)), path.Base(p)
	for i := range Languages {
		for _, e := range Languages[i].Extensions {
			if e == ext {
				return Languages[i].ID
			}
		}
		for _, n := range Languages[i].FileNames {
			if n == base {
				return Languages[i].ID
			}
		}
	}
	return NoLang
}

// MayHaveShebang says whether the first line of a file decides its language:
// files without an extension.
func MayHaveShebang(p string) bool { return path.Ext(p) == "" }

// DetectShebang returns the language that the "#!" line of head names.
func DetectShebang(head []byte) Lang {
	if !bytes.HasPrefix(head, []byte("#!")) {
		return NoLang
	}
	line, _, _ := bytes.Cut(head[2:], []byte("\n"))
	words := strings.Fields(string(line))
	for i, w := range words {
		base := path.Base(w)
		if i == 0 && base == "env" || strings.HasPrefix(w, "-") {
			continue
		}
		base = strings.TrimRight(base, "0123456789.")
		for j := range Languages {
			for _, s := range Languages[j].Shebangs {
				if s == base {
					return Languages[j].ID
				}
			}
		}
		return NoLang
	}
	return NoLang
}
