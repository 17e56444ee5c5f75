package factstest

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"

	"codeidx/facts"
)

// Extract parses and extracts one file.
type Extract func(path string, src []byte) (*facts.File, error)

// Corpus returns every member in language lang of the archives in dir and in
// its folder facts.
func Corpus(t testing.TB, dir string, lang facts.Lang) [][]byte {
	t.Helper()
	var all [][]byte
	for _, glob := range []string{"*.txtar", "facts/*.txtar"} {
		paths, err := filepath.Glob(filepath.Join(dir, glob))
		if err != nil || len(paths) == 0 {
			t.Fatalf("no archives match %s (%v)", glob, err)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range txtar.Parse(data).Files {
				if facts.Detect(f.Name) == lang {
					all = append(all, f.Data)
				}
			}
		}
	}
	return all
}

// Broken cuts pieces out of sources: whatever remains must give valid facts,
// the same ones twice. name is the path that they are extracted under.
func Broken(t *testing.T, name string, sources [][]byte, extract Extract) {
	rapid.Check(t, func(r *rapid.T) {
		src := rapid.SampledFrom(sources).Draw(r, "source")
		for range rapid.IntRange(1, 4).Draw(r, "cuts") {
			from := rapid.IntRange(0, len(src)).Draw(r, "from")
			to := min(len(src), from+rapid.IntRange(0, 40).Draw(r, "length"))
			src = append(append([]byte{}, src[:from]...), src[to:]...)
		}
		Check(r, name, src, extract)
	})
}

// Check extracts any bytes: the facts are valid and the same ones twice.
func Check(t interface{ Fatalf(string, ...any) }, name string, src []byte, extract Extract) {
	f, err := extract(name, src)
	if err != nil {
		t.Fatalf("extract: %v", err)
	}
	if err := facts.Validate(f); err != nil {
		t.Fatalf("facts are not valid: %v", err)
	}
	again, err := extract(name, src)
	if err != nil {
		t.Fatalf("extract again: %v", err)
	}
	if !bytes.Equal(facts.Encode(f), facts.Encode(again)) {
		t.Fatalf("two extractions differ")
	}
}
