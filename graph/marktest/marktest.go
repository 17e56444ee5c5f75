// Package marktest runs marked sources: archives of small files whose comments
// say which edges a resolver must give and which it must not give. The
// notation is described in testdata/README.md.
package marktest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"codeidx/facts"
	"codeidx/graph"

	"golang.org/x/tools/txtar"
)

// Build extracts and resolves one case. out[i] belongs to Program.Files[i].
type Build func(files map[string][]byte) (p *graph.Program, out []graph.FileEdges)

// Run checks every archive of dir ("*.txtar") and fails where there is none.
func Run(t *testing.T, dir string, build Build) {
	t.Helper()
	archives, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives in %s (%v)", dir, err)
	}
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files := Files(data)
			wants := 0
			p, out := build(files)
			for i, f := range p.Files {
				wants += checkFile(t, p, out, i, files[f.Path])
			}
			if wants == 0 {
				t.Error("the archive expects nothing")
			}
		})
	}
}

// Files returns the members of an archive by path.
func Files(archive []byte) map[string][]byte {
	files := map[string][]byte{}
	for _, f := range txtar.Parse(archive).Files {
		files[f.Name] = f.Data
	}
	return files
}

// checkFile compares the edges of file i with its marks and returns how many
// marks it has.
func checkFile(t *testing.T, p *graph.Program, out []graph.FileEdges, i int, src []byte) int {
	t.Helper()
	f := p.Files[i]
	wants, err := parseWants(src)
	if err != nil {
		t.Errorf("%s: %v", f.Path, err)
		return 0
	}
	got := describe(p, f, &out[i])
	for site, want := range wants {
		have := got[site]
		if have == nil {
			have = &found{}
		}
		sort.Strings(want)
		sort.Strings(have.edges)
		edges := want[:0:0]
		for _, w := range want {
			if reason, ok := strings.CutPrefix(w, "unresolved "); ok {
				if !contains(have.unresolved, reason) {
					t.Errorf("%s:%d: %s: want unresolved %s, have %q", f.Path, site.line, site.name, reason, have.unresolved)
				}
			} else if w != "none" {
				edges = append(edges, w)
			}
		}
		if !equal(p, edges, have.edges) {
			t.Errorf("%s:%d: %s:\nwant %q\nhave %q %q", f.Path, site.line, site.name, edges, have.edges, have.unresolved)
		}
	}
	return len(wants)
}

// site is a name on a line: the unit that marks speak of.
type site struct {
	line int
	name string
}

type found struct{ edges, unresolved []string }

// describe lists what was found per site, in the notation of the marks.
func describe(p *graph.Program, f *facts.File, out *graph.FileEdges) map[site]*found {
	m := map[site]*found{}
	at := func(pos uint32, name facts.NameID) *found {
		s := site{f.Line(pos), f.Name(name)}
		if m[s] == nil {
			m[s] = &found{}
		}
		return m[s]
	}
	seen := map[string]bool{}
	for _, e := range out.Edges {
		if e.Kind == graph.Contains {
			continue
		}
		s := fmt.Sprintf("%s -> %s", e.Kind, target(p, e.To))
		if e.Resolution == graph.Candidate {
			s += " candidate"
		}
		if e.Open {
			s += " open"
		}
		at := at(e.Pos, e.Name)
		if key := fmt.Sprintf("%p%s", at, s); !seen[key] {
			seen[key] = true
			at.edges = append(at.edges, s)
		}
	}
	for _, u := range out.Unresolved {
		at := at(u.Pos, u.Name)
		at.unresolved = append(at.unresolved, u.Reason.String())
	}
	for s := range m {
		sort.Strings(m[s].edges)
	}
	return m
}

// target writes the end of an edge as "path#Qualified", or "folder/".
func target(p *graph.Program, to graph.Target) string {
	if to.File < 0 {
		return p.Dirs[-to.File-1] + "/"
	}
	f := p.Files[to.File]
	return f.Path + "#" + f.Qualified(to.Def)
}

// equal compares wanted with found edges; a wanted target may also be given as
// path:line.
func equal(p *graph.Program, want, have []string) bool {
	if len(want) != len(have) {
		return false
	}
	left := append([]string(nil), have...)
	for _, w := range want {
		k := -1
		for i, h := range left {
			if h == w || h != "" && byLine(p, h) == w {
				k = i
				break
			}
		}
		if k < 0 {
			return false
		}
		left[k] = ""
	}
	return true
}

// byLine rewrites "kind -> path#Name rest" to "kind -> path:line rest".
func byLine(p *graph.Program, edge string) string {
	head, rest, _ := strings.Cut(edge, " -> ")
	to, flags, _ := strings.Cut(rest, " ")
	path, name, ok := strings.Cut(to, "#")
	if !ok {
		return ""
	}
	for _, f := range p.Files {
		if f.Path != path {
			continue
		}
		for id := range f.Defs {
			if f.Qualified(facts.DefID(id)) == name {
				s := fmt.Sprintf("%s -> %s:%d", head, path, f.Line(f.Defs[id].NamePos))
				return strings.TrimSpace(s + " " + flags)
			}
		}
	}
	return ""
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// parseWants reads the marks of a file. A mark behind code speaks of its own
// line, a mark alone on its line of the nearest line above that is no mark.
func parseWants(src []byte) (map[site][]string, error) {
	wants := map[site][]string{}
	spoken := 0
	for i, line := range bytes.Split(src, []byte("\n")) {
		code, mark, ok := cutMark(string(line))
		if !ok || code != "" {
			spoken = i + 1
		}
		if !ok {
			continue
		}
		for _, m := range strings.Split(mark, ";") {
			name, want, err := parseMark(m)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", i+1, err)
			}
			s := site{spoken, name}
			wants[s] = append(wants[s], want)
		}
	}
	return wants, nil
}

func cutMark(line string) (code, mark string, ok bool) {
	for _, lead := range []string{"// want: ", "# want: "} {
		if code, mark, ok = strings.Cut(line, lead); ok {
			return strings.TrimSpace(code), mark, true
		}
	}
	return line, "", false
}

// parseMark reads "KIND NAME -> TARGET [FLAGS]", "none NAME" or
// "unresolved NAME REASON".
func parseMark(mark string) (name, want string, err error) {
	w := strings.Fields(mark)
	switch {
	case len(w) == 2 && w[0] == "none":
		return w[1], "none", nil
	case len(w) == 3 && w[0] == "unresolved":
		return w[1], "unresolved " + w[2], nil
	case len(w) >= 4 && w[2] == "->":
		if _, ok := graph.KindByName(w[0]); !ok {
			return "", "", fmt.Errorf("mark %q: no edge kind %q", mark, w[0])
		}
		return w[1], w[0] + " -> " + strings.Join(w[3:], " "), nil
	}
	return "", "", fmt.Errorf("mark %q: not readable", mark)
}
