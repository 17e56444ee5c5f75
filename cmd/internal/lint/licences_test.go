package lint

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/LICENSES.md anew")

// licences are words that only one licence has.
var licences = []struct{ name, words string }{
	{"Apache-2.0", "Apache License"},
	{"MPL-2.0", "Mozilla Public License"},
	{"MIT", "Permission is hereby granted, free of charge"},
	{"BSD-3-Clause", "may be used to endorse or promote"},
	{"BSD-2-Clause", "Redistribution and use in source and binary forms"},
	{"ISC", "Permission to use, copy, modify, and/or distribute"},
}

// linked is one module of which code is in the binary.
type linked struct{ path, version, licence string }

const licencesHead = `# Licences

What is linked into ` + "`git-codeidx`" + `, from ` + "`go.mod`" + `, with the licence in each module's own file. The C
library of tree-sitter and the generated parsers come with the modules of that name. The list is
kept by ` + "`go test ./cmd/internal/lint`" + `; ` + "`-update`" + ` writes it anew. git codeidx itself is under Apache-2.0.

| module | version | licence |
| --- | --- | --- |
`

// docs/LICENSES.md lists every module that is linked into the binary, and each has a
// licence that is known here.
func TestLicences(t *testing.T) {
	var b strings.Builder
	b.WriteString(licencesHead)
	for _, m := range linkedModules(t) {
		if m.licence == "" {
			t.Errorf("%s %s: its licence is not known", m.path, m.version)
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", m.path, m.version, m.licence)
	}
	file := filepath.Join(top, "docs", "LICENSES.md")
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(file); err != nil || string(have) != b.String() {
		t.Errorf("docs/LICENSES.md is not what go.mod says (%v): go test ./cmd/internal/lint -update", err)
	}
}

func linkedModules(t *testing.T) []linked {
	t.Helper()
	c := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if .Version}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}", "./cmd/git-codeidx")
	c.Dir = top
	out, err := c.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var list []linked
	for line := range strings.Lines(string(out)) {
		if f := strings.Fields(line); len(f) == 3 {
			list = append(list, linked{f[0], f[1], licenceIn(f[2])})
		}
	}
	slices.SortFunc(list, func(a, b linked) int { return cmp.Compare(a.path, b.path) })
	list = slices.Compact(list)
	if len(list) < 10 {
		t.Fatalf("only %d modules are linked", len(list))
	}
	return list
}

// licenceIn reads the licence of a module from the file at its top, "" where it is
// none that is known.
func licenceIn(dir string) string {
	for _, pattern := range []string{"LICENSE*", "LICENCE*", "COPYING*", "License*"} {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			continue
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				continue
			}
			if names := licencesOf(string(text)); names != "" {
				return names
			}
		}
	}
	return ""
}

// licencesOf names the licences in a text, in their order there: some modules have
// parts under another one.
func licencesOf(text string) string {
	at := map[string]int{}
	var names []string
	for _, l := range licences {
		if i := strings.Index(text, l.words); i >= 0 {
			at[l.name] = i
			names = append(names, l.name)
		}
	}
	if _, three := at["BSD-3-Clause"]; three { // whose text has the other's words
		names = slices.DeleteFunc(names, func(n string) bool { return n == "BSD-2-Clause" })
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(at[a], at[b]) })
	return strings.Join(names, ", ")
}
