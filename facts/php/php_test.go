package php_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"

	"codeidx/facts"
	"codeidx/facts/factstest"
	"codeidx/facts/php"
	"codeidx/facts/treesitter"
)

const sources = "../../testdata/php"

// extractor returns a function that parses and extracts one file.
func extractor(t testing.TB) func(path string, src []byte) (*facts.File, error) {
	parser, err := treesitter.New("php")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(parser.Close)
	x := php.New(parser.Grammar())
	return func(path string, src []byte) (*facts.File, error) {
		tree, err := parser.Parse(src, time.Minute)
		if err != nil {
			return nil, err
		}
		return x.Extract(path, tree)
	}
}

func TestFacts(t *testing.T) {
	factstest.Golden(t, filepath.Join(sources, "facts", "*.txtar"), extractor(t))
}

// corpus returns every PHP member of the archives below sources.
func corpus(t testing.TB) [][]byte {
	var all [][]byte
	for _, glob := range []string{"*.txtar", "facts/*.txtar"} {
		paths, err := filepath.Glob(filepath.Join(sources, glob))
		if err != nil || len(paths) == 0 {
			t.Fatalf("no archives match %s (%v)", glob, err)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range txtar.Parse(data).Files {
				if facts.Detect(f.Name) == facts.PHP {
					all = append(all, f.Data)
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
		src := rapid.SampledFrom(all).Draw(r, "source")
		for range rapid.IntRange(1, 4).Draw(r, "cuts") {
			from := rapid.IntRange(0, len(src)).Draw(r, "from")
			to := min(len(src), from+rapid.IntRange(0, 40).Draw(r, "length"))
			src = append(append([]byte{}, src[:from]...), src[to:]...)
		}
		check(r, extract, src)
	})
}

func check(t interface{ Fatalf(string, ...any) }, extract func(string, []byte) (*facts.File, error), src []byte) {
	f, err := extract("m.php", src)
	if err != nil {
		t.Fatalf("extract: %v", err)
	}
	if err := facts.Validate(f); err != nil {
		t.Fatalf("facts are not valid: %v", err)
	}
	again, err := extract("m.php", src)
	if err != nil {
		t.Fatalf("extract again: %v", err)
	}
	if !bytes.Equal(facts.Encode(f), facts.Encode(again)) {
		t.Fatalf("two extractions differ")
	}
}

func FuzzExtract(f *testing.F) {
	for _, src := range corpus(f) {
		f.Add(src)
	}
	extract := extractor(f)
	f.Fuzz(func(t *testing.T, src []byte) { check(t, extract, src) })
}
