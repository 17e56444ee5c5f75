package main

import (
	"encoding/xml"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"codeidx/facts"
)

func read(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(p)
		rel, _ := filepath.Rel(dir, p)
		out[rel] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestGeneratedTrees(t *testing.T) {
	first, again := t.TempDir(), t.TempDir()
	for _, dir := range []string{first, again} {
		if err := generate(dir, 160); err != nil {
			t.Fatal(err)
		}
	}
	files := read(t, first)
	byLang := map[facts.Lang]int{}
	for path, text := range read(t, again) {
		if files[path] != text {
			t.Errorf("%s differs from one time to the next", path)
		}
		byLang[facts.Detect(path)]++
	}
	for _, lang := range []facts.Lang{facts.Go, facts.Python, facts.TypeScript, facts.PHP} {
		if byLang[lang] != 40 {
			t.Errorf("%d files of %s, want 40", byLang[lang], lang)
		}
	}
	imports := regexp.MustCompile(`part\d\d[./]pack\d{5}`)
	crossing := 0
	for path, text := range files {
		for _, m := range imports.FindAllString(text, -1) {
			crossing++
			if info, err := os.Stat(filepath.Join(first, strings.Replace(m, ".", "/", 1))); err != nil || !info.IsDir() {
				t.Errorf("%s imports %s, which is not there", path, m)
			}
		}
	}
	if crossing < 12 {
		t.Errorf("only %d imports lead from package to package", crossing)
	}
}

func TestPlotIsWellFormed(t *testing.T) {
	for _, points := range [][]point{{{Files: 10}}, {{Files: 10, Cold: 1}, {Files: 1000, Cold: 1e6, Peak: 5}}} {
		picture := plot(points)
		d := xml.NewDecoder(strings.NewReader(string(picture)))
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
		for _, bad := range []string{"NaN", "Inf"} {
			if strings.Contains(string(picture), bad) {
				t.Errorf("%s in the picture of %d points", bad, len(points))
			}
		}
	}
}

func TestMissingToolsAreNamed(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, tool := range tools("no-such-binary", "", "") {
		if tool.missing() == "" {
			t.Errorf("%s is said to be there", tool.name)
		}
	}
}

func TestCommands(t *testing.T) {
	ours := tools("b", "", "")[0]
	if got := ours.command(callers, "x y"); !slices.Equal(got, []string{"b", "callers", "x y"}) {
		t.Errorf("got %q", got)
	}
	rg := tools("b", "", "")[4]
	if got := rg.command(cold, "x"); got != nil {
		t.Errorf("ripgrep has no index, got %q", got)
	}
}
