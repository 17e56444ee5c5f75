package facts

import (
	"os"
	"strings"
	"testing"
)

func TestDetect(t *testing.T) {
	for path, want := range map[string]Lang{
		"a.go":               Go,
		"pkg/a_test.go":      Go,
		"A.GO":               Go,
		"src/app/models.py":  Python,
		"stubs/a.pyi":        Python,
		"gui.pyw":            Python,
		"deploy/app.wsgi":    Python,
		"SConstruct":         Python,
		"build/wscript":      Python,
		"go":                 NoLang,
		"py":                 NoLang,
		"a.go.tmpl":          NoLang,
		"a.py.orig":          NoLang,
		"dir.go/README":      NoLang,
		"Makefile":           NoLang,
		"a.pyc":              NoLang,
		"":                   NoLang,
		"wscript.d/settings": NoLang,
		"index.php":          PHP,
		"views/page.phtml":   PHP,
		"lib/db.inc":         PHP,
		"my.module":          PHP,
		".profile":           NoLang,
	} {
		if got := Detect(path); got != want {
			t.Errorf("Detect(%q) = %v, want %v", path, got, want)
		}
	}
}

func TestDetectShebang(t *testing.T) {
	for head, want := range map[string]Lang{
		"#!/usr/bin/python\nimport os\n":                 Python,
		"#!/usr/bin/python3.12 -u\n":                     Python,
		"#! /usr/bin/env python3\r\n":                    Python,
		"#!/usr/bin/env -S python3 -W error\n":           Python,
		"#!/usr/bin/env -S PYTHONPATH=lib python3\n":     Python,
		"#!/usr/bin/env -S uv run --script\n":            Python,
		"#!/opt/pypy3":                                   Python,
		"#!/bin/sh\n# python\n":                          NoLang,
		"#!/bin/sh -c python\n":                          NoLang,
		"#!/usr/bin/env pythonista\n":                    NoLang,
		"#!/usr/bin/env\n":                               NoLang,
		"#!\n":                                           NoLang,
		"#!":                                             NoLang,
		"# !/usr/bin/python\n":                           NoLang,
		"import os\n#!/usr/bin/python\n":                 NoLang,
		"":                                               NoLang,
		"#!/usr/bin/env -i\n/usr/bin/python\n":           NoLang,
		"#!/usr/bin/env python3 -m http.server --bind 1": Python,
		"#!/usr/bin/env php\n<?php\n":                    PHP,
		"#!/usr/bin/php8.3 -q\n":                         PHP,
	} {
		if got := DetectShebang([]byte(head)); got != want {
			t.Errorf("DetectShebang(%q) = %v, want %v", head, got, want)
		}
	}
}

func TestMayHaveShebang(t *testing.T) {
	for path, want := range map[string]bool{"bin/tool": true, "hooks.d/run": true, "a.py": false, "a.txt": false} {
		if got := MayHaveShebang(path); got != want {
			t.Errorf("MayHaveShebang(%q) = %v, want %v", path, got, want)
		}
	}
}

func TestTestFiles(t *testing.T) {
	for path, want := range map[string]bool{
		"a_test.go":              true,
		"src/CartTest.php":       true,
		"tests/Pest.php":         true,
		"src/Cart.php":           false,
		"pkg/deep/a_test.go":     true,
		"a.go":                   false,
		"test/a.go":              false,
		"latest.go":              false,
		"test_a.py":              true,
		"pkg/a_test.py":          true,
		"pkg/conftest.py":        true,
		"app/tests.py":           true,
		"tests/helpers.py":       true,
		"a/tests/b/data.py":      true,
		"test/support.py":        true,
		"a.py":                   false,
		"latest.py":              false,
		"testing/a.py":           false,
		"contests/a.py":          false,
		"tests_of_strength/a.py": false,
	} {
		if got := ByID(Detect(path)).TestFile(path); got != want {
			t.Errorf("TestFile(%q) = %v, want %v", path, got, want)
		}
	}
}

func TestRegistryIsConsistent(t *testing.T) {
	mod, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	pinned := func(module, version string) bool {
		if module == "tree-sitter-tsx" {
			module = "tree-sitter-typescript" // one module with two grammars
		}
		for line := range strings.Lines(string(mod)) {
			if f := strings.Fields(line); len(f) >= 2 && f[0] == "github.com/tree-sitter/"+module && f[1] == version {
				return true
			}
		}
		return false
	}
	if !pinned("go-tree-sitter", Runtime) {
		t.Errorf("go.mod does not pin the tree-sitter library at %s", Runtime)
	}
	seen := map[string]string{}
	last := NoLang
	for i := range Languages {
		l := &Languages[i]
		if l.ID <= last {
			t.Errorf("%s is out of order", l.Name)
		}
		last = l.ID
		if ByID(l.ID) != l || ByName(l.Name) != l || l.ID.String() != l.Name {
			t.Errorf("%s is not found by its id or name", l.Name)
		}
		if l.Extractor <= 0 || l.TestFile == nil || !pinned("tree-sitter-"+l.Grammar, l.Version) {
			t.Errorf("%s lacks an extractor version, a test convention or the grammar at %s in go.mod", l.Name, l.Version)
		}
		for _, marks := range [][]string{l.Extensions, l.FileNames, l.Shebangs} {
			for _, m := range marks {
				if seen[m] != "" {
					t.Errorf("%q stands for %s and for %s", m, seen[m], l.Name)
				}
				seen[m] = l.Name
			}
		}
	}
	if ByID(NoLang) != nil || ByName("") != nil || NoLang.String() != "" {
		t.Error("NoLang is in the registry")
	}
}
