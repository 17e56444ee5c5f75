package build

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"codeidx/facts"
	"codeidx/facts/worker"
	"codeidx/fulltext"
	"codeidx/graph"
)

func extract(t *testing.T, path, src string) *facts.File {
	t.Helper()
	f, err := worker.ExtractInProcess(path, facts.Detect(path), []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestSplitSource shows, for each definition, what its texts hold.
func TestSplitSource(t *testing.T) {
	for path, c := range map[string]struct{ src, want string }{
		"a.py": {`"""Module words."""
import os  # why

@decorated("once")
def outer(x=DEFAULT):
    """Outer words."""
    # think twice
    def inner():
        return "text", x
    return inner() + os.sep
`, `
a.py code: import os @decorated( )
a.py comment: # why
a.py string: "once"
outer doc: """Outer words."""
outer code: : return inner() + os.sep
outer comment: # think twice
inner code: : return , x
inner string: "text"
a.py doc: """Module words."""`},
		"a.go": {`// Package a words.
package a

// Kept in mind.

// Run words.
func Run(n int) error { // at once
	return fmt.Errorf("bad %d", n)
}

var first, second = pair("both")
`, `
a.go code: package a
a.go comment: // Kept in mind.
a.go doc: // Package a words.
Run doc: // Run words.
Run code: { return fmt.Errorf( , n) }
Run comment: // at once
Run string: "bad %d"
first string: "both"`},
		"a.ts": {"/** Class words. */\nexport class Box {\n  /* how much */\n  size = 'small'\n  open() { return `all ${this.size}` }\n}\n", `
Box doc: /** Class words. */
Box comment: /* how much */
open code: { return }
open string: ` + "`all ${this.size}`" + `
size string: 'small'`},
		"a.php": {"<p>Hello</p>\n<?php\n/** Class words. */\nclass Box {\n  # how much\n  function open() { return 'text' . $this->size; }\n}\n", `
a.php code: <?php
a.php string: <p>Hello</p>
Box doc: /** Class words. */
Box comment: # how much
open code: { return . $this->size; }
open string: 'text'`},
	} {
		f := extract(t, path, c.src)
		texts := splitSource(f, []byte(c.src))
		got := map[string]bool{}
		for i := range texts {
			name := f.Names[f.Defs[i].Name]
			if i == 0 {
				name = path
			}
			for field, text := range texts[i] {
				if len(fulltext.Words(string(text))) > 0 {
					got[fmt.Sprintf("%s %s: %s", name, fulltext.Field(field), strings.Join(strings.Fields(string(text)), " "))] = true
				}
			}
		}
		want := map[string]bool{}
		for line := range strings.Lines(strings.TrimSpace(c.want)) {
			want[strings.TrimSpace(line)] = true
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
}

// TestNoWordIsLost takes every marked source and checks that each of its words
// stands in some field of some definition.
func TestNoWordIsLost(t *testing.T) {
	archives, err := filepath.Glob("../../testdata/*/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files := 0
	for _, archive := range archives {
		data, err := os.ReadFile(archive)
		if err != nil {
			t.Fatal(err)
		}
		for _, member := range txtar.Parse(data).Files {
			if facts.Detect(member.Name) == facts.NoLang {
				continue
			}
			files++
			f := extract(t, member.Name, string(member.Data))
			held := map[string]bool{}
			for _, d := range appendDocs(nil, graph.SymbolsOf(f, member.Data), f, member.Data) {
				for _, text := range d.Fields {
					for _, w := range fulltext.Words(text) {
						held[w] = true
					}
				}
			}
			for _, w := range fulltext.Words(string(member.Data)) {
				if !held[w] {
					t.Errorf("%s %s: %q is lost", archive, member.Name, w)
				}
			}
		}
	}
	if files < 100 {
		t.Errorf("only %d files", files)
	}
}
