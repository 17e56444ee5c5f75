package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"codeidx/facts"
)

// fact is one proven relation: the name at a place refers to a definition.
type fact struct {
	Path     string
	Line     int
	Kind     string // calls, references, imports, inherits, implements, overrides
	From     string // qualified name of the definition around the place
	FromLine int    // of it, 0 where it is not known
	DefPath  string `json:"def_path"`
	DefLine  int    `json:"def_line"`
	DefName  string `json:"def_name"` // qualified
	DefKind  string `json:"def_kind"`

	Resolution string
	External   bool
	Name       string
	Caller     string
	CallerLine int `json:"caller_line"`
}

func (f *fact) site() string { return place(f.Path, f.Line) }
func (f *fact) def() string  { return place(f.DefPath, f.DefLine) }

func place(path string, line int) string { return fmt.Sprintf("%s:%d", path, line) }

// simple is the last part of a qualified name.
func simple(name string) string { return name[strings.LastIndexAny(name, `.:#\`)+1:] }

// world is a repository with what is known about it.
type world struct {
	dir, binary string
	source      string // edges or gold
	facts       []*fact
	undecided   map[string]bool   // places on which the truth has no word
	bodies      map[string][2]int // first and last line by the place of the definition; of gold
}

// load reads the facts. Gold wins: a program that is not measured made it.
func load(dir, binary, gold string) (*world, error) {
	w := &world{dir: dir, binary: binary, source: "gold", undecided: map[string]bool{}, bodies: map[string][2]int{}}
	base := filepath.Join(gold, filepath.Base(dir))
	if _, err := os.Stat(base + ".jsonl.gz"); gold == "" || errors.Is(err, fs.ErrNotExist) {
		w.source = "edges"
		return w, w.loadEdges()
	}
	return w, errors.Join(w.loadGold(base), w.loadBodies(base), w.loadOverrides(base), w.loadUndecided(base))
}

func (w *world) loadEdges() error {
	cmd := exec.Command(w.binary, "edges", "--jsonl")
	cmd.Dir = w.dir
	out, err := cmd.Output()
	if err != nil {
		return err
	}
	return eachLine(bytes.NewReader(out), func(line []byte) error {
		f := &fact{}
		if err := json.Unmarshal(line, f); err != nil || f.Resolution != "resolved_static" {
			if f.Resolution == "candidate" {
				w.undecided[f.site()] = true
			}
			return err
		}
		w.facts = append(w.facts, f)
		return nil
	})
}

// goldKinds are the names of kinds in the gold.
var goldKinds = map[string]string{"call": "calls", "ref": "references", "import": "imports", "inherit": "inherits", "implement": "implements"}

func (w *world) loadGold(base string) error {
	return eachPacked(base+".jsonl.gz", func(line []byte) error {
		f := &fact{}
		if err := json.Unmarshal(line, f); err != nil || f.External || f.DefPath == "" {
			return err
		}
		f.Kind, f.From, f.FromLine = goldKinds[f.Kind], f.Caller, f.CallerLine
		w.facts = append(w.facts, f)
		return nil
	})
}

func (w *world) loadBodies(base string) error {
	return eachPacked(base+".defs.jsonl.gz", func(line []byte) error {
		var d struct {
			Path             string
			Line, Start, End int
		}
		err := json.Unmarshal(line, &d)
		w.bodies[place(d.Path, d.Line)] = [2]int{d.Start, d.End}
		return err
	})
}

func (w *world) loadOverrides(base string) error {
	return eachPacked(base+".dispatch.jsonl.gz", func(line []byte) error {
		var d struct {
			Path, Name string
			Line       int
			Impls      [][2]any
		}
		err := json.Unmarshal(line, &d)
		for _, i := range d.Impls {
			path, _ := i[0].(string)
			at, _ := i[1].(float64)
			w.facts = append(w.facts, &fact{Path: path, Line: int(at), Kind: "overrides", DefPath: d.Path, DefLine: d.Line, DefName: d.Name, DefKind: "method"})
		}
		return err
	})
}

func (w *world) loadUndecided(base string) error {
	return eachPacked(base+".neg.jsonl.gz", func(line []byte) error {
		var d struct {
			Path  string
			Sites [][]any
		}
		err := json.Unmarshal(line, &d)
		for _, s := range d.Sites {
			if at, ok := s[0].(float64); ok && s[4] != "local" && s[4] != "external" {
				w.undecided[place(d.Path, int(at))] = true
			}
		}
		return err
	})
}

func eachPacked(file string, f func([]byte) error) error {
	r, err := os.Open(file)
	if err != nil {
		return err
	}
	defer r.Close()
	z, err := gzip.NewReader(r)
	if err != nil {
		return err
	}
	return eachLine(z, f)
}

func eachLine(r io.Reader, f func([]byte) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		if err := f(lines.Bytes()); err != nil {
			return err
		}
	}
	return lines.Err()
}

// body returns the lines of a definition.
func (w *world) body(at string) ([2]int, error) {
	if b, ok := w.bodies[at]; ok {
		return b, nil
	}
	cmd := exec.Command(w.binary, "code", at, "--json")
	cmd.Dir = w.dir
	out, err := cmd.Output()
	var doc struct {
		Items []struct {
			First int `json:"first_line"`
			Last  int `json:"last_line"`
		}
	}
	if err == nil {
		err = json.Unmarshal(out, &doc)
	}
	if err != nil || len(doc.Items) == 0 {
		return [2]int{}, fmt.Errorf("find lines of %s: %w", at, err)
	}
	return [2]int{doc.Items[0].First, doc.Items[0].Last}, nil
}

func isCode(path string) bool { return facts.Detect(path) != 0 }

func isTest(path string) bool {
	l := facts.ByID(facts.Detect(path))
	return l != nil && l.TestFile(path)
}

func isOneOf(s string, list ...string) bool { return slices.Contains(list, s) }
