package php_test

import (
	"path/filepath"
	"testing"
	"time"

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

func TestBrokenSources(t *testing.T) {
	factstest.Broken(t, "m.php", factstest.Corpus(t, sources, facts.PHP), extractor(t))
}

func FuzzExtract(f *testing.F) {
	for _, src := range factstest.Corpus(f, sources, facts.PHP) {
		f.Add(src)
	}
	extract := extractor(f)
	f.Fuzz(func(t *testing.T, src []byte) { factstest.Check(t, "m.php", src, extract) })
}
