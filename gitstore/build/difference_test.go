package build

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// goFile is a Go file under random edits: what other files see of it, and the
// statements of its bodies.
type goFile struct{ decls, body []string }

// Declarations and statements of which files are put together. $ is the
// package that the file imports; BODY is where statements go.
var (
	goDecls = []string{
		"type A struct{ n int }", "type A struct{ B; n []int }", "type B struct{ $.A }", "type B struct{ next *B }",
		"type I interface{ M(int) int }", "type I interface{ M(int) int; N() }", "type J interface{ I; N() }", "type C = $.A",
		"func (a *A) M(x int) int { BODY; return x }", "func (a A) N() { BODY }", "func (b *B) M(x int) int { BODY; return x }",
		"type L[T any] struct{ x T }", "func (l L[T]) M(x int) int { BODY; return x }",
		"func F() *A { BODY; return nil }", "func F() $.I { BODY; return nil }", "func G[T I](t T) T { BODY; return t }",
		"var V = F()", "var V, W = $.F(), $.V", "const K = 1", "func H() *A { BODY; return F() }", "var X = H()", "var X = $.X", "func V() {}",
	}
	goTypes  = slices.Index(goDecls, "func F() *A { BODY; return nil }") // from here on nothing declares types or methods
	goBodies = []string{
		"V.M(1)", "F().M(2)", "$.F().M(3)", "var i I = F(); i.M(4)", "var j $.J; j.N(); j.M(5)", "G(F()).M(6)", "$.V.M(7)", "_ = A{n: K}",
		"type T struct{ A }; T{}.N()", "f := func(i $.I) { i.M(8) }; f(V)", "for _, a := range []A{} { a.N() }", "// words\n", "var l L[A]; l.x.M(9)",
		"X.M(11)", "$.X.M(12)", "H().N()", "_ = [K]int{}", "type I interface{ M(int) int }; var i I; i.M(10)", "func(x interface{ N() }) { x.N() }(W)", "undefined.Name()",
	}
)

func (g *goFile) source(pkg, other string) string {
	body := strings.Join(g.body, "\n\t")
	text := "package " + pkg + "\n\nimport \"example.com/m/" + other + "\"\n\nvar _ = " + other + ".K\n\n" + strings.Join(g.decls, "\n\n") + "\n"
	return strings.ReplaceAll(strings.ReplaceAll(text, "BODY", "\n\t"+body+"\n\t"), "$", other)
}

// mustPatch syncs and fails where that builds the whole.
func (tr *tree) mustPatch() *Result {
	tr.t.Helper()
	res := tr.sync()
	if !res.Patched && !res.Unchanged && !res.Known {
		tr.t.Fatal("the sync built the whole")
	}
	return res
}

// A sync after each of many edits gives what a full rebuild gives, whether it
// resolved the edited file alone or more.
func TestSelectiveSyncEqualsRebuild(t *testing.T) {
	paths := []string{"x/a.go", "x/b.go", "y/a.go", "y/a_linux.go", "y/a_test.go", "z/a.go"}
	imports := map[string]string{"x": "y", "y": "z", "z": "x"}
	alone, few := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		files := map[string]*goFile{}
		some := func(label string, from []string) []string {
			return rapid.SliceOfNDistinct(rapid.SampledFrom(from), 0, 6, rapid.ID).Draw(rt, label)
		}
		tr := newTree(t, map[string]string{"go.mod": "module example.com/m\n"})
		write := func(path string) {
			pkg := filepath.Dir(path)
			tr.write(path, files[path].source(pkg, imports[pkg]))
		}
		for _, p := range paths {
			files[p] = &goFile{some("decls", goDecls), some("body", goBodies)}
			write(p)
		}
		tr.git("add", "-A")
		tr.index()
		for range rapid.IntRange(1, 3).Draw(rt, "edits") {
			path := rapid.SampledFrom(paths).Draw(rt, "path")
			switch rapid.IntRange(0, 9).Draw(rt, "edit") {
			case 0:
				os.Remove(filepath.Join(tr.dir, path))
			case 1:
				tr.write("go.mod", rapid.SampledFrom([]string{"module example.com/m\n", "module example.com/n\n", ""}).Draw(rt, "mod"))
			case 2:
				files[path].decls = some("decls", goDecls)
				write(path)
			case 3, 4, 5:
				g := files[path]
				d := rapid.SampledFrom(goDecls[goTypes:]).Draw(rt, "decl")
				if i := slices.Index(g.decls, d); i >= 0 {
					g.decls = slices.Delete(slices.Clone(g.decls), i, i+1)
				} else {
					g.decls = append(slices.Clone(g.decls), d)
				}
				write(path)
			default:
				files[path].body = some("body", goBodies)
				write(path)
			}
			tr.git("add", "-A")
			switch res := tr.mustPatch(); {
			case res.Parsed != 1:
			case res.Resolved == 1:
				alone++
			case res.Resolved < len(paths):
				few++
			}
			tr.mustVerify()
		}
	})
	if alone == 0 || few == 0 {
		t.Errorf("%d edited files were resolved alone, %d with those that they concern", alone, few)
	}
}

// An edit of a body, in a tree of several languages, binds the references of
// that file alone; one of a function those of the files that mention it, too;
// one of a type or of configuration those of all files of the language.
func TestResolvesWhatIsConcerned(t *testing.T) {
	tr := newTree(t, small)
	tr.index()
	for _, step := range []struct {
		path, text string
		want       int
	}{
		{"main.go", "package main\n\nimport \"example.com/m/a\"\n\nfunc main() {\n\ta.Open().Close()\n}\n", 1},
		{"main.go", "package main\n\nimport \"example.com/m/a\"\n\nfunc main() {\n\ta.Open().Close()\n}\n\nfunc more() {}\n", 1},
		{"main.go", "package main\n\nimport \"example.com/m/a\"\n\nfunc main() {\n\ta.Open().Close()\n}\n\ntype more int\n", 2},
		{"a/a.go", "package a\n\ntype File struct{ name string }\n\nfunc (f *File) Close() error { return nil }\n", 2},
		{"a/a.go", "package a\n\nfunc Open() int { return 1 }\n\ntype File struct{ name string }\n\nfunc (f *File) Close() error { return nil }\n", 2},
		{"a/a.go", "package a\n\nfunc Open() int { return 1 }\n\nfunc Shut() {}\n\ntype File struct{ name string }\n\nfunc (f *File) Close() error { return nil }\n", 1},
		{"notes.txt", "more words\n", 0},
		{"py/more.py", "x = 1\n", 3},
		{"go.mod", "module example.com/other\n", 2},
		{"lib/new.go", "package lib\n", 3},
	} {
		tr.write(step.path, step.text)
		tr.git("add", "-A")
		if res := tr.mustPatch(); res.Resolved != step.want && !res.Unchanged {
			t.Errorf("%s: %d files were resolved, want %d", step.path, res.Resolved, step.want)
		}
		tr.mustVerify()
	}
}

// Where the baseline is damaged, a sync builds the whole.
func TestDamagedBaseline(t *testing.T) {
	files := map[string]string{"go.mod": "module example.com/m\n"}
	for i := range 40 {
		files[fmt.Sprintf("p%d/a.go", i)] = fmt.Sprintf("package p%d\n\n// %s\nfunc F%d() {}\n", i, strings.Repeat("word ", 300), i)
	}
	tr := newTree(t, files)
	tr.index()
	base, err := tr.prior("current")
	if err != nil {
		t.Fatal(err)
	}
	base.serving.Sections["graph/edges"][0].Blob.Digest[0] ^= 1
	tr.write("p1/a.go", "package p1\n\nfunc Other() {}\n")
	res, start, err := tr.shortcut(t.Context(), "current", base)
	if err != nil || res != nil || start == nil {
		t.Fatalf("%v, %v, %v", res, start, err)
	}
	base.base = start
	if res, err = tr.build(t.Context(), "current", base, true); err != nil || res.Resolved != 40 || res.Patched {
		t.Fatalf("%+v, %v", res, err)
	}
	tr.mustVerify()
}

// variants are what each file of a tree of four languages may hold; "" is for a
// file that is not there.
var variants = map[string][]string{
	"tsconfig.json": {
		`{"compilerOptions":{"baseUrl":".","paths":{"@/*":["src/*"]}}}`, `{"compilerOptions":{"baseUrl":".","paths":{"@/*":["lib/*"]}}}`, `{broken`, "",
	},
	"package.json":      {`{"name":"top","workspaces":["lib"]}`, `{"name":"top","imports":{"#a":"./src/a.ts"}}`, ""},
	"src/index.ts":      {"export * from './a'\n", "export { run as go } from '@/a'\nexport * from '../lib/a'\n", "import './style.css'\nimport a from '#a'\na()\n", ""},
	"src/a.ts":          {"export function run() { return new Box() }\nexport class Box { open() { run() } }\n", "export default function go() {}\n", ""},
	"lib/a.ts":          {"export class Box { open() {} }\nexport const run = () => new Box()\n", "export { Box } from '@/a'\n", ""},
	"src/use.js":        {"import { run, go } from '.'\nrun().open()\ngo().open()\n", "const { run } = require('./index')\nrun()\n", ""},
	"src/style.css":     {"a {}\n", ""},
	"composer.json":     {`{"autoload":{"psr-4":{"App\\":"app/"}}}`, `{"autoload":{"psr-4":{"App\\":"lib/"},"files":["app/B.php"]}}`, ""},
	"app/A.php":         {"<?php\nnamespace App;\nclass A extends B { function go() { return $this->step(); } }\n", "<?php\nnamespace App;\nfunction help() { return new A(); }\n", ""},
	"app/B.php":         {"<?php\nnamespace App;\nclass B { function step() { return new A(); } }\n", "<?php\nrequire 'A.php';\n(new App\\A())->go()->step();\n", ""},
	"lib/A.php":         {"<?php\nnamespace App;\nclass A { use T; }\ntrait T { function step() {} }\n", ""},
	"pyproject.toml":    {"[tool.setuptools.packages.find]\nwhere = [\"lib\"]\n", "[project]\nname = \"x\"\n", ""},
	"lib/p/__init__.py": {"from .m import *\n__all__ = ['Base']\n", "from p.m import run as Base\n", ""},
	"lib/p/m.py":        {"class Base:\n    def go(self):\n        return self.go2()\n", "def run(x=None):\n    return run(Base())\n", ""},
	"use.py":            {"from p import Base\nBase().go()\n", "import lib.p.m as m\nm.run(m.Base())\n", ""},
	"x.go":              {"package x\n\nfunc Run() {}\n", "package x\n\nfunc Run() { Run() }\n", ""},
	"notes":             {"#!/usr/bin/env python\nimport use\n", "words\n", ""},
}

// Whatever was edited in a tree of four languages, its configuration included,
// each sync gives what a full rebuild gives.
func TestSyncOfManyLanguages(t *testing.T) {
	paths := slices.Sorted(maps.Keys(variants))
	rapid.Check(t, func(rt *rapid.T) {
		files := map[string]string{}
		for _, p := range paths {
			if text := rapid.SampledFrom(variants[p]).Draw(rt, p); text != "" {
				files[p] = text
			}
		}
		tr := newTree(t, files)
		tr.index()
		for range rapid.IntRange(1, 3).Draw(rt, "syncs") {
			for range rapid.IntRange(1, 3).Draw(rt, "edits") {
				p := rapid.SampledFrom(paths).Draw(rt, "path")
				os.Remove(filepath.Join(tr.dir, p))
				if text := rapid.SampledFrom(variants[p]).Draw(rt, "text"); text != "" {
					tr.write(p, text)
				}
			}
			tr.git("add", "-A")
			tr.mustPatch()
			tr.mustVerify()
		}
	})
}
