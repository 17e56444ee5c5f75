package build

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"codeidx/facts"
	"codeidx/gitstore"
	"codeidx/graph"
)

// manyDefinitions is source that fills a run of the text index by itself.
func manyDefinitions(word string) string {
	var b strings.Builder
	for i := range 3200 {
		fmt.Fprintf(&b, "def f%d(): %s()\n", i, word)
	}
	return b.String()
}

// Runs whose files are what they were keep their blocks, without a look at
// their files; whatever changes gives what a build from nothing gives.
func TestTextRunsAreReused(t *testing.T) {
	sources := map[string]string{"a.py": manyDefinitions("one"), "b.py": manyDefinitions("two"), "c.py": manyDefinitions("three"), "d.py": "x = 1\n"}
	tr := newTree(t, sources)
	tr.index()
	g, err := tr.store.Generation(tr.Binding, gitstore.Current)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		change func()
		read   string
	}{
		{func() {}, ""},
		{func() { sources["b.py"] += "y = 2\n" }, "b.py"},
		{func() { delete(sources, "b.py") }, ""},
		{func() { sources["a0.py"] = "z = 3\n" }, "a0.py c.py"},
		{func() { sources["e.py"] = "z = 3\n" }, "a0.py c.py d.py e.py"},
	} {
		c.change()
		var read []string
		var files []textFile
		for path, src := range sources {
			lang := facts.ByID(facts.Detect(path))
			sum := gitstore.DigestOf([]byte(src))
			files = append(files, textFile{path, gitstore.Digest(facts.ExtractionKey(path, sum, lang)),
				func() (*graph.FileSymbols, *facts.File, []byte, error) {
					read = append(read, path)
					f := extract(t, path, src)
					return graph.SymbolsOf(f, []byte(src)), f, []byte(src), nil
				}})
		}
		slices.SortFunc(files, func(a, b textFile) int { return strings.Compare(a.path, b.path) })
		w, err := tr.store.NewWriter()
		if err != nil {
			t.Fatal(err)
		}
		defer w.Abort()
		got, err := textBlocks(w, files, g)
		if err != nil {
			t.Fatal(err)
		}
		if have := strings.Join(read, " "); have != c.read {
			t.Errorf("read %q, want %q", have, c.read)
		}
		fresh, err := textBlocks(w, files, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !sameBlocks(got, fresh) {
			t.Errorf("%d blocks with reuse, %d without", len(got), len(fresh))
		}
	}
}
