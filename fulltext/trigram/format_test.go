package trigram

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// encodeTexts makes the blocks of one run.
func encodeTexts(t testing.TB, e *Encoder, texts []string) []Block {
	t.Helper()
	files := make([]File, len(texts))
	for i := range files {
		files[i] = File{Path: fmt.Sprintf("dir/f%04d.go", i), Lang: byte(i % 3)}
	}
	blocks, err := e.Encode(files, func(i int) ([]byte, error) { return []byte(texts[i]), nil })
	if err != nil {
		t.Fatal(err)
	}
	return blocks
}

// The bytes on disk are frozen: see docs/FORMAT.md.
func TestFrozenBytes(t *testing.T) {
	texts := []string{"func Main()\nint\n", "INT K ſe\n", "日本 int\n"}
	for range 20 {
		texts = append(texts, "int x = 1\n")
	}
	var b strings.Builder
	for _, block := range encodeTexts(t, &Encoder{}, texts) {
		fmt.Fprintf(&b, "%s %s\n", hex.EncodeToString(block.Key), hex.EncodeToString(block.Data))
	}
	file := filepath.Join("testdata", "run.v1.txt")
	if os.Getenv("UPDATE_SCRIPTS") != "" {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != b.String() {
		t.Errorf("the stored form changed: raise the version\nwant %s\ngot  %s", want, b.String())
	}
}

// Every trigram of every file is found, and nothing else, whatever was encoded
// before with the same memory.
func TestPostingsAreExact(t *testing.T) {
	var e Encoder
	text := rapid.StringOfN(rapid.SampledFrom([]rune("abcAB \nksKſé")), 0, 60, -1)
	rapid.Check(t, func(rt *rapid.T) {
		texts := rapid.SliceOfN(text, 1, 80).Draw(rt, "texts")
		runs, err := Open(memory(encodeTexts(t, &e, texts)))
		if err != nil {
			rt.Fatal(err)
		}
		want := map[uint32][]int{}
		for i, text := range texts {
			for line := range strings.SplitSeq(string(foldSpecial([]byte(text))), "\n") {
				for _, g := range gramsOf(line) {
					if !slices.Contains(want[g], i) {
						want[g] = append(want[g], i)
					}
				}
			}
		}
		for _, g := range append(gramsOf("zzzz"), gramsOf("abc aka")...) {
			want[g] = append(want[g], nil...)
		}
		for g, files := range want {
			set, err := runs[0].holding(g)
			if err != nil {
				rt.Fatal(err)
			}
			var got []int
			set.each(func(i int) { got = append(got, i) })
			if !slices.Equal(got, files) {
				rt.Fatalf("trigram %x: %v, want %v", g, got, files)
			}
		}
	})
}

// Blocks are bounded, ascend and hold all files of the largest run.
func TestLargeRun(t *testing.T) {
	texts := make([]string, MaxFiles)
	for i := range texts {
		texts[i] = fmt.Sprintf("common text %x %x", i*7919, i*104729)
	}
	blocks := encodeTexts(t, &Encoder{}, texts)
	for i, b := range blocks {
		if len(b.Data) > 65535 || i > 0 && bytes.Compare(blocks[i-1].Key, b.Key) >= 0 {
			t.Errorf("block %d at %x has %d bytes", i, b.Key, len(b.Data))
		}
	}
	if len(blocks) < 4 {
		t.Fatalf("only %d blocks", len(blocks))
	}
	runs, err := Open(memory(blocks))
	if err != nil {
		t.Fatal(err)
	}
	p, err := Substring("common text", false)
	if err != nil {
		t.Fatal(err)
	}
	if list, err := runs[0].Candidates(p); err != nil || len(list) != MaxFiles {
		t.Fatalf("%d files, %v", len(list), err)
	}
}

// An edit moves run boundaries near to it only.
func TestBoundariesFollowThePaths(t *testing.T) {
	cut := func(skip int) map[string]bool {
		ends, files, size := map[string]bool{}, 0, int64(0)
		for i := range 5000 {
			if i == skip {
				continue
			}
			path := fmt.Sprintf("src/%d/file.go", i)
			files, size = files+1, size+6000
			if Boundary(path, files, size) {
				ends[path], files, size = true, 0, 0
			}
		}
		return ends
	}
	all, less := cut(-1), cut(700)
	moved := 0
	for p := range all {
		if !less[p] {
			moved++
		}
	}
	if len(all) < 8 || moved > 3 {
		t.Errorf("%d of %d boundaries moved", moved, len(all))
	}
}

func FuzzRun(f *testing.F) {
	blocks := encodeTexts(f, &Encoder{}, []string{"func main()", "int\nint x", "main int"})
	f.Add(blocks[0].Data, blocks[1].Data)
	f.Add([]byte{version}, []byte{0})
	f.Fuzz(func(t *testing.T, head, data []byte) {
		m := memory{{Key: blocks[0].Key, Data: head}, {Key: blocks[1].Key, Data: data}}
		runs, err := Open(m)
		if err != nil {
			return
		}
		p, err := Substring("main int", false)
		if err != nil {
			t.Fatal(err)
		}
		list, err := runs[0].Candidates(p)
		for _, i := range list {
			if err == nil && i >= len(runs[0].Files) {
				t.Fatalf("file %d of %d", i, len(runs[0].Files))
			}
		}
	})
}

func FuzzPattern(f *testing.F) {
	for _, e := range expressions {
		f.Add(e, corpus[0], false)
	}
	f.Fuzz(func(t *testing.T, expr, text string, fold bool) {
		if len(expr) > 60 || len(text) > 400 || strings.ToValidUTF8(text, "") != text {
			return
		}
		p, err := Regex(expr, fold)
		if err != nil {
			return
		}
		if fold {
			expr = "(?i)" + expr
		}
		want := naive(expr, []string{text})
		if text == "" {
			return
		}
		got := search(t, indexed(t, []string{text}), p, []string{text})
		if fmt.Sprint(want) != fmt.Sprint(got) {
			t.Fatalf("%q in %q: %v, want %v", expr, text, got, want)
		}
	})
}
