package graph

import (
	"path"
	"strings"

	"codeidx/facts"
)

// IsTest says whether a definition is a test by its language's convention.
func (s *Symbol) IsTest() bool { return s.Flags&facts.Test != 0 }

// Normalize returns a user's name of a symbol with dots between its parts:
// "Class::method" and "Class#method" are "Class.method". PHP's namespace is left
// out: qualified names begin with the class.
func Normalize(name string) string {
	name = name[strings.LastIndexByte(name, '\\')+1:]
	return strings.NewReplacer("::", ".", "#", ".").Replace(name)
}

// LastPart returns the part of a dotted name after its last dot.
func LastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// Matches says whether a normalized name means the symbol: its qualified name
// or a suffix of it, or that after the file's module path ("pkg.mod.f") or
// folder ("pkg.Type.Method", as Go packages are named).
func (k Key) Matches(name string) bool {
	if suffixOf(k.Qualified, name) {
		return true
	}
	if strings.Count(name, ".") <= strings.Count(k.Qualified, ".") {
		return false
	}
	file := strings.TrimSuffix(k.Path, path.Ext(k.Path))
	return suffixOf(dotted(file)+"."+k.Qualified, name) || suffixOf(dotted(path.Dir(k.Path))+"."+k.Qualified, name)
}

func dotted(p string) string { return strings.ReplaceAll(p, "/", ".") }

// suffixOf says whether name is full or ends it at a dot.
func suffixOf(full, name string) bool {
	return full == name || strings.HasSuffix(full, "."+name)
}
