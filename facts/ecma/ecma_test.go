package ecma_test

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"

	"codeidx/facts"
	"codeidx/facts/ecma"
	"codeidx/facts/factstest"
	"codeidx/facts/treesitter"
)

const sources = "../../testdata/ecma"

// extractor returns a function that parses and extracts one file by the
// grammar of its language.
func extractor(t testing.TB) func(path string, src []byte) (*facts.File, error) {
	parsers := map[facts.Lang]*treesitter.Parser{}
	for _, l := range []facts.Lang{facts.JavaScript, facts.TypeScript, facts.TSX} {
		p, err := treesitter.New(facts.ByID(l).Grammar)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Close)
		parsers[l] = p
	}
	return func(path string, src []byte) (*facts.File, error) {
		p := parsers[facts.Detect(path)]
		tree, err := p.Parse(src, time.Minute)
		if err != nil {
			return nil, err
		}
		return ecma.New(p.Grammar()).Extract(path, tree)
	}
}

func TestFacts(t *testing.T) {
	factstest.Golden(t, filepath.Join(sources, "facts", "*.txtar"), extractor(t))
}

// corpus returns every source of the archives below sources.
func corpus(t testing.TB) []txtar.File {
	var all []txtar.File
	for _, glob := range []string{"*.txtar", "facts/*.txtar"} {
		paths, err := filepath.Glob(filepath.Join(sources, glob))
		if err != nil || len(paths) == 0 {
			t.Fatalf("no archives match %s (%v)", glob, err)
		}
		for _, path := range paths {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range archive.Files {
				switch facts.Detect(f.Name) {
				case facts.JavaScript, facts.TypeScript, facts.TSX:
					all = append(all, f)
				}
			}
		}
	}
	return all
}

// TestBrokenSources cuts pieces out of sources: whatever remains must give
// valid facts, the same ones twice.
func TestBrokenSources(t *testing.T) {
	extract, all := extractor(t), corpus(t)
	rapid.Check(t, func(r *rapid.T) {
		f := all[rapid.IntRange(0, len(all)-1).Draw(r, "source")]
		src := f.Data
		for range rapid.IntRange(1, 4).Draw(r, "cuts") {
			from := rapid.IntRange(0, len(src)).Draw(r, "from")
			to := min(len(src), from+rapid.IntRange(0, 40).Draw(r, "length"))
			src = append(append([]byte{}, src[:from]...), src[to:]...)
		}
		check(r, extract, f.Name, src)
	})
}

func check(t interface{ Fatalf(string, ...any) }, extract func(string, []byte) (*facts.File, error), path string, src []byte) {
	first, err := extract(path, src)
	if err != nil {
		t.Fatalf("extract %s: %v", path, err)
	}
	if err := facts.Validate(first); err != nil {
		t.Fatalf("%s: %v\n%s", path, err, src)
	}
	again, err := extract(path, src)
	if err != nil || !reflect.DeepEqual(first, again) {
		t.Fatalf("%s: the same bytes give other facts (%v)", path, err)
	}
}

// TestNesting extracts sources nested deeper than the parser keeps.
func TestNesting(t *testing.T) {
	extract := extractor(t)
	for name, src := range map[string]string{
		"calls.js":     strings.Repeat("f(", 20000) + strings.Repeat(")", 20000),
		"arrays.ts":    "let a = " + strings.Repeat("[", 20000) + strings.Repeat("]", 20000),
		"types.ts":     "type A = " + strings.Repeat("{a: ", 5000) + "b" + strings.Repeat("}", 5000),
		"functions.js": strings.Repeat("() => ", 20000) + "1",
		"blocks.js":    strings.Repeat("{", 20000) + strings.Repeat("}", 20000),
		"elements.tsx": strings.Repeat("<a>", 5000) + strings.Repeat("</a>", 5000),
		"members.js":   "a" + strings.Repeat(".b", 50000),
		"jsdoc.js":     "/** @type {" + strings.Repeat("(", 5000) + "} */\nvar x\n",
	} {
		check(t, extract, name, []byte(src))
	}
}

// FuzzExtract gives the extractor arbitrary bytes in each of its languages.
func FuzzExtract(f *testing.F) {
	for _, s := range corpus(f) {
		f.Add(s.Data, uint8(facts.Detect(s.Name)))
	}
	extract := extractor(f)
	names := map[facts.Lang]string{facts.JavaScript: "a.jsx", facts.TypeScript: "a.ts", facts.TSX: "a.tsx"}
	f.Fuzz(func(t *testing.T, src []byte, lang uint8) {
		if name := names[facts.Lang(lang)]; name != "" {
			check(t, extract, name, src)
		}
	})
}

// TestRegistry compares what the registry promises with the files' names.
func TestRegistry(t *testing.T) {
	for path, want := range map[string]facts.Lang{
		"a.js": facts.JavaScript, "a.jsx": facts.JavaScript, "a.mjs": facts.JavaScript, "a.cjs": facts.JavaScript,
		"a.ts": facts.TypeScript, "a.mts": facts.TypeScript, "a.cts": facts.TypeScript, "a.d.ts": facts.TypeScript, "a.tsx": facts.TSX,
		"a.json": facts.NoLang,
	} {
		if got := facts.Detect(path); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
	for line, want := range map[string]facts.Lang{
		"#!/usr/bin/env node\n": facts.JavaScript, "#!/usr/bin/env -S deno run\n": facts.TypeScript, "#!/usr/bin/env bun\n": facts.TypeScript,
		"#!/usr/bin/env ts-node\n": facts.TypeScript, "#!/bin/sh\n": facts.NoLang,
	} {
		if got := facts.DetectShebang([]byte(line)); got != want {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
	tests := facts.ByID(facts.TypeScript).TestFile
	for path, want := range map[string]bool{"src/a.test.ts": true, "src/a.spec.ts": true, "src/__tests__/a.ts": true, "test/a.ts": true, "src/latest.ts": false} {
		if tests(path) != want {
			t.Errorf("%s: test file is %v, want %v", path, !want, want)
		}
	}
}
