package gitstore

import (
	"context"
	"strings"
	"testing"
)

func TestDirty(t *testing.T) {
	tests := []struct {
		name   string
		change func(w *testTree)
		want   bool
	}{
		{"clean", func(*testTree) {}, false},
		{"edit", func(w *testTree) { w.write("a.go", "package b\n") }, true},
		{"staged edit", func(w *testTree) { w.write("a.go", "package b\n"); w.git("add", "-A") }, true},
		{"staged, then taken back on disk", func(w *testTree) {
			w.write("a.go", "package b\n")
			w.git("add", "-A")
			w.write("a.go", "package a\n")
		}, false},
		{"new file", func(w *testTree) { w.write("aa.go", "x"); w.git("add", "-A") }, true},
		{"last new file", func(w *testTree) { w.write("z.go", "x"); w.git("add", "-A") }, true},
		{"deleted", func(w *testTree) { w.remove("a.go") }, true},
		{"deleted and staged", func(w *testTree) { w.git("rm", "-q", "a.go") }, true},
		{"untracked", func(w *testTree) { w.write("u.go", "x") }, false},
		{"not included", func(w *testTree) { w.write("README.md", "new"); w.remove("LICENSE") }, false},
		{"generated", func(w *testTree) { w.write("gen.go", generatedGo+"\n") }, false},
		{"crlf on disk", func(w *testTree) { w.write("a.go", "package a\r\n") }, false},
		{"mode", func(w *testTree) { w.git("update-index", "--chmod=+x", "a.go") }, false},
		{"conflict", func(w *testTree) {
			blob := strings.TrimSpace(w.git("rev-parse", ":a.go"))
			w.gitIn("0 "+blob+"\ta.go\n100644 "+blob+" 2\ta.go\n", "update-index", "--index-info")
		}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newTree(t)
			w.write("a.go", "package a\n")
			w.write("d/b.go", "package d\n")
			w.write("gen.go", generatedGo)
			w.write("README.md", "old")
			w.write("LICENSE", "old")
			w.link("a.go", "ln.go")
			w.commit()
			tt.change(w)
			got, err := Dirty(context.Background(), w.discover(), testPolicy(), w.capture(testPolicy()))
			if err != nil || got != tt.want {
				t.Errorf("%v, %v; want %v", got, err, tt.want)
			}
		})
	}
}

func TestDirtyUnborn(t *testing.T) {
	w := newTree(t)
	if got, err := Dirty(context.Background(), w.discover(), testPolicy(), w.capture(testPolicy())); err != nil || got {
		t.Errorf("nothing at all: %v, %v", got, err)
	}
	w.write("a.go", "x")
	w.git("add", "-A")
	if got, err := Dirty(context.Background(), w.discover(), testPolicy(), w.capture(testPolicy())); err != nil || !got {
		t.Errorf("a first file: %v, %v", got, err)
	}
}
