package reliability

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// programs is a folder with this binary as git-codeidx, first on PATH. A copy,
// not a link: hooks name the program with links resolved.
var programs = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "reliability-bin")
	if err != nil {
		return "", err
	}
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	to := filepath.Join(dir, "git-codeidx")
	if os.Link(self, to) == nil {
		return dir, nil
	}
	b, err := os.ReadFile(self)
	if err != nil {
		return "", err
	}
	return dir, os.WriteFile(to, b, 0o700)
})

// place is a work tree under test with an environment of its own.
type place struct {
	dir string // of the work tree
	env []string
	exe string
	// flags go with each question.
	flags []string
}

// newPlace returns the place at dir, which need not be there yet.
func newPlace(t testing.TB, dir string) *place {
	t.Helper()
	bin, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	p := &place{dir: dir, exe: filepath.Join(bin, "git-codeidx")}
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); !strings.HasPrefix(name, "GIT_") && name != "PATH" && name != "HOME" {
			p.env = append(p.env, v)
		}
	}
	p.env = append(p.env, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "HOME="+t.TempDir(),
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_TEMPLATE_DIR=", "NO_COLOR=1",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com")
	return p
}

// at is the same environment in another folder.
func (p *place) at(dir string) *place { return &place{dir: dir, env: p.env, exe: p.exe} }

// command prepares "git …" or, for any other name, git-codeidx with it as verb.
func (p *place) command(args ...string) *exec.Cmd {
	var c *exec.Cmd
	if args[0] == "git" {
		c = exec.Command("git", args[1:]...)
	} else {
		c = exec.Command(p.exe, args...)
	}
	c.Dir, c.Env = p.dir, p.env
	return c
}

// run runs a command and returns both of its outputs and its exit status, -1
// where a signal ended it.
func (p *place) run(args ...string) (out, errs string, status int) {
	c := p.command(args...)
	var o, e bytes.Buffer
	c.Stdout, c.Stderr = &o, &e
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return "", err.Error(), -1
	}
	return o.String(), e.String(), c.ProcessState.ExitCode()
}

func (p *place) must(t testing.TB, args ...string) string {
	t.Helper()
	out, errs, status := p.run(args...)
	if status != 0 {
		t.Fatalf("%s: status %d: %s%s", args, status, out, errs)
	}
	return out
}

func (p *place) write(t testing.TB, name, text string) {
	t.Helper()
	path := filepath.Join(p.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// small is the tree that sweeps work on: g is called from f, and from h once
// edited holds.
var small = map[string]string{
	"a.py":         "def f():\n    return g()\n\n\ndef g():\n    return 1\n",
	"go.mod":       "module example.com/m\n\ngo 1.22\n",
	"main.go":      "package main\n\nfunc main() { helper() }\n\nfunc helper() {}\n",
	"lib/util.js":  "export function once() { return twice(); }\nfunction twice() { return 2; }\n",
	"lib/User.php": "<?php\nclass User { function name() { return $this->full(); } function full() { return 'x'; } }\n",
	"README.md":    "nothing to index\n",
}

const edited = "def f():\n    return g()\n\n\ndef g():\n    return 1\n\n\ndef h():\n    return g()\n"

// callersOf are the lines at which g is called in each state of a.py.
var (
	before = []int{2}
	behind = []int{2, 10}
)

// newRepo makes a repository of small with one commit.
func newRepo(t testing.TB, dir string) *place {
	t.Helper()
	p := newPlace(t, dir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range small {
		p.write(t, name, text)
	}
	p.must(t, "git", "init", "-q", "-b", "main")
	p.must(t, "git", "add", "-A")
	p.must(t, "git", "commit", "-q", "-m", "first")
	return p
}

// copyOf copies a place with modes and times into a new folder.
func (p *place) copyOf(t testing.TB) *place {
	t.Helper()
	to := filepath.Join(t.TempDir(), "r")
	if out, err := exec.Command("cp", "-a", p.dir, to).CombinedOutput(); err != nil {
		t.Fatalf("copy: %v: %s", err, out)
	}
	return p.at(to)
}

// answer is what these tests look at in an answer of callers.
type answer struct {
	Code      string `json:"code"` // of an error
	Message   string `json:"message"`
	Hint      string `json:"hint"`
	Freshness string `json:"freshness"`
	Mode      string `json:"freshness_mode"`
	Complete  bool   `json:"complete"`
	Binding   string `json:"binding"`
	Items     []struct {
		Edge struct {
			Line int `json:"line"`
		} `json:"edge"`
	} `json:"items"`
	Notes []string `json:"notes"`
}

// ask asks who calls g.
func (p *place) ask(t testing.TB, flags ...string) (a answer, status int) {
	t.Helper()
	out, errs, status := p.run(append([]string{"callers", "g", "--json"}, flags...)...)
	if err := json.Unmarshal([]byte(out), &a); err != nil {
		t.Fatalf("callers: status %d: no JSON document: %v: %s%s", status, err, out, errs)
	}
	return a, status
}

func (a *answer) lines() (list []int) {
	for _, it := range a.Items {
		list = append(list, it.Edge.Line)
	}
	slices.Sort(list)
	return list
}

// digest lists what belongs to the user: every path of the work tree and of the
// git directory, our own store apart, with its mode and bytes.
func (p *place) digest(t testing.TB) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(p.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(p.dir, path)
		if err != nil {
			return err
		}
		if rel == filepath.Join(".git", "codeidx") {
			return filepath.SkipDir
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		what := info.Mode().String()
		switch {
		case info.Mode().IsRegular():
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			what += fmt.Sprintf(" %x", sha256.Sum256(b))
		case info.Mode()&fs.ModeSymlink != 0:
			to, err := os.Readlink(path)
			if err != nil {
				return err
			}
			what += " " + to
		}
		all[filepath.ToSlash(rel)] = what
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// events returns the recorded hook events of all ledgers as git shows them,
// without asking the product.
func (p *place) events(t *testing.T) (list []string) {
	t.Helper()
	refs := p.must(t, "git", "--git-dir=.git/codeidx", "for-each-ref", "--format=%(refname)", "refs/codeidx/*/ledger")
	for ref := range strings.FieldsSeq(refs) {
		for commit := range strings.FieldsSeq(p.must(t, "git", "--git-dir=.git/codeidx", "log", "--format=%H", ref)) {
			for line := range strings.Lines(p.must(t, "git", "--git-dir=.git/codeidx", "cat-file", "-p", commit+":entries")) {
				if strings.Contains(line, `"schema":"codeidx.event.v1"`) && strings.Contains(line, `"detected_by":"hook:`) {
					list = append(list, line)
				}
			}
		}
	}
	slices.Sort(list)
	return list
}
