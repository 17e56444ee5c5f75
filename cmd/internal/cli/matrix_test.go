package cli

import (
	"crypto/sha256"
	"encoding/json"
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

// The Git matrix: every kind of repository that git makes here, gone through from
// the first index to a hook's note of a commit. What a git is too old for is
// skipped and named. `just matrix` prints it for docs/RELIABILITY.md.

// matrixColumns are the steps of a row, in order.
var matrixColumns = []string{"index", "status", "query", "edit seen", "sync", "verify", "fsck", "untouched", "hook of a commit"}

// matrixConfig is the user's own configuration. Nothing works behind our back, so
// that what changes in a repository was changed by us.
const matrixConfig = `[init]
	defaultBranch = main
[advice]
	detachedHead = false
	skippedCherryPicks = false
	graftFileDeprecated = false
[protocol "file"]
	allow = always
[maintenance]
	auto = false
`

// matrixRow is one kind of repository that is being gone through.
type matrixRow struct {
	*testing.T
	root string // everything that belongs to the row lies below it
	top  string // work tree; commands run there
	env  []string

	// What make may set:
	refused  string         // words of the refusal that is right for this kind
	omitted  map[string]int // reasons that status must count
	between  func()         // between index and edit
	commit   func()         // commits the edit; nil is add and commit
	noCommit string         // why git cannot commit here
	canary   string         // a file that no command of ours may bring about

	cells map[string]string
}

// skip says why this git has no such repository.
func (m *matrixRow) skip(why string) {
	m.cells["index"] = "– (" + why + ")"
	m.Skip(why)
}

func (m *matrixRow) path(name string) string { return filepath.Join(m.top, name) }

func (m *matrixRow) write(name, text string) {
	m.Helper()
	if err := os.MkdirAll(filepath.Dir(m.path(name)), 0o755); err != nil {
		m.Fatal(err)
	}
	if err := os.WriteFile(m.path(name), []byte(text), 0o644); err != nil {
		m.Fatal(err)
	}
}

func (m *matrixRow) must(err error) {
	m.Helper()
	if err != nil {
		m.Fatal(err)
	}
}

// try runs a program in the work tree.
func (m *matrixRow) try(name string, args ...string) (string, error) {
	c := exec.Command(name, args...)
	c.Dir, c.Env = m.top, m.environment()
	out, err := c.CombinedOutput()
	return string(out), err
}

func (m *matrixRow) environment() []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") })
	return append(append(env,
		"GIT_CONFIG_GLOBAL="+filepath.Join(m.root, "gitconfig"), "GIT_CONFIG_NOSYSTEM=1", "GIT_TEMPLATE_DIR=", "HOME="+m.root,
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com",
		"GIT_CEILING_DIRECTORIES="+filepath.Dir(m.root), "GIT_EDITOR=true"), m.env...)
}

func (m *matrixRow) git(args ...string) string {
	m.Helper()
	out, err := m.try("git", args...)
	if err != nil {
		m.Fatalf("git %q: %v: %s", args, err, out)
	}
	return strings.TrimSpace(out)
}

// step notes what became of a step.
func (m *matrixRow) step(column string, err error) {
	m.Helper()
	m.cells[column] = "yes"
	if err != nil {
		m.cells[column] = "FAILS"
		m.Errorf("%s: %v", column, err)
	}
}

// ask runs a verb, and wants each of some words in what it prints.
func (m *matrixRow) ask(words []string, args ...string) error {
	out, err := m.try("git", append([]string{"codeidx"}, args...)...)
	if err != nil {
		return fmt.Errorf("%q: %w: %s", args, err, out)
	}
	for _, w := range words {
		if !strings.Contains(out, w) {
			return fmt.Errorf("%q: no %q in: %s", args, w, out)
		}
	}
	return nil
}

// goThrough takes the row through all steps.
func (m *matrixRow) goThrough() {
	before := m.everything()
	if m.refused != "" {
		m.refuse(before)
		return
	}
	m.step("index", m.ask([]string{"indexed"}, "index"))
	m.step("status", m.status())
	m.step("query", m.ask([]string{"app.py:5:12", "f  py.name.imported"}, "callers", "g"))
	if m.between != nil {
		m.between()
		before = m.everything()
	}
	text, err := os.ReadFile(m.path("app.py"))
	m.must(err)
	m.write("app.py", "# edited\n"+string(text))
	edited, err := filepath.EvalSymlinks(m.path("app.py"))
	m.must(err)
	m.step("edit seen", m.ask([]string{"[stale]", "app.py was modified after it was indexed"}, "callers", "g"))
	m.step("sync", m.sync())
	m.step("verify", m.ask([]string{"the index equals a full rebuild"}, "verify"))
	m.step("fsck", m.ask([]string{"the store is sound"}, "fsck"))
	after := m.everything()
	delete(before, edited)
	delete(after, edited)
	m.step("untouched", sameEverything(before, after))
	if m.noCommit != "" {
		m.cells["hook of a commit"] = "yes, but for the hook: " + m.noCommit
		return
	}
	m.step("hook of a commit", m.hookOfCommit())
}

func (m *matrixRow) refuse(before map[string]string) {
	out, err := m.try("git", "codeidx", "index")
	if err == nil || !strings.Contains(out, m.refused) {
		m.Errorf("index: %v, want %q in: %s", err, m.refused, out)
	}
	m.cells["index"] = "refused: " + m.refused
	m.step("untouched", sameEverything(before, m.everything()))
}

func (m *matrixRow) sync() error {
	if err := m.ask(nil, "sync"); err != nil {
		return err
	}
	return m.ask([]string{"app.py:6:12"}, "callers", "g")
}

func (m *matrixRow) status() error {
	out, err := m.try("git", "codeidx", "status", "--json")
	var st struct {
		State, Freshness string
		Coverage         struct{ Omitted map[string]int }
	}
	if err == nil {
		err = json.Unmarshal([]byte(out), &st)
	}
	if err != nil || st.State != "ready" || st.Freshness != "fresh" {
		return fmt.Errorf("%w: %s", err, out)
	}
	for reason, n := range m.omitted {
		if st.Coverage.Omitted[reason] != n {
			return fmt.Errorf("%d omitted as %s, want %d", st.Coverage.Omitted[reason], reason, n)
		}
	}
	return nil
}

// hookOfCommit installs the hooks, commits the edit and looks for it in the
// ledger; then nothing of the hooks may be left.
func (m *matrixRow) hookOfCommit() error {
	place := m.hookPlaces()
	if err := m.ask(nil, "install"); err != nil {
		return err
	}
	if m.commit != nil {
		m.commit()
	} else {
		m.git("add", "app.py")
		m.git("commit", "-q", "-m", "edit")
	}
	out, err := m.try("git", "codeidx", "drift", "--json")
	var d struct {
		Entries  []struct{ Path, Kind string }
		Failures []any
	}
	if err == nil {
		err = json.Unmarshal([]byte(out), &d)
	}
	if err != nil || len(d.Failures) > 0 {
		return fmt.Errorf("drift: %v: %s", err, out)
	}
	if !slices.ContainsFunc(d.Entries, func(e struct{ Path, Kind string }) bool { return e.Path == "app.py" }) {
		return fmt.Errorf("the commit is not in the ledger: %s", out)
	}
	if err := m.ask([]string{"app.py:6:12"}, "callers", "g"); err != nil {
		return err
	}
	if err := m.ask(nil, "uninstall"); err != nil {
		return err
	}
	return sameEverything(place, m.hookPlaces())
}

// hookPlaces are the files that the hooks could be written to.
func (m *matrixRow) hookPlaces() map[string]string {
	places := m.everything()
	for p := range places {
		if name := filepath.Base(p); filepath.Base(filepath.Dir(p)) != "hooks" && name != "config" && name != "config.worktree" {
			delete(places, p)
		}
	}
	return places
}

// everything is each file below the row's root, but for what is our own.
func (m *matrixRow) everything() map[string]string {
	m.Helper()
	if m.canary != "" {
		if _, err := os.Lstat(m.canary); err == nil {
			m.Errorf("a program of the repository was run: %s is there", m.canary)
		}
	}
	all := map[string]string{}
	m.must(filepath.WalkDir(m.root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && d.Name() == "codeidx" {
			return cmpOrSkip(err)
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		state := info.Mode().String()
		switch {
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := os.Readlink(p)
			if err != nil {
				return err
			}
			state += " " + target
		case info.Mode().IsRegular():
			text, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			state += fmt.Sprintf(" %x", sha256.Sum256(text))
		}
		all[p] = state
		return nil
	}))
	return all
}

func cmpOrSkip(err error) error {
	if err != nil {
		return err
	}
	return filepath.SkipDir
}

func sameEverything(before, after map[string]string) error {
	var differs []string
	for p, s := range before {
		if after[p] != s {
			differs = append(differs, p)
		}
	}
	for p := range after {
		if _, ok := before[p]; !ok {
			differs = append(differs, p+" (new)")
		}
	}
	if slices.Sort(differs); len(differs) > 0 {
		return fmt.Errorf("differ: %s", strings.Join(differs, ", "))
	}
	return nil
}

func TestGitMatrix(t *testing.T) {
	kinds := matrixKinds()
	rows := make([]map[string]string, len(kinds))
	t.Run("kinds", func(t *testing.T) {
		for i, k := range kinds {
			rows[i] = map[string]string{}
			t.Run(k.name, func(t *testing.T) {
				t.Parallel()
				root, err := filepath.EvalSymlinks(t.TempDir())
				if err != nil {
					t.Fatal(err)
				}
				m := &matrixRow{T: t, root: root, top: filepath.Join(root, "w"), cells: rows[i]}
				m.must(os.Mkdir(m.top, 0o755))
				m.must(os.WriteFile(filepath.Join(root, "gitconfig"), []byte(matrixConfig), 0o644))
				k.make(m)
				m.goThrough()
			})
		}
	})
	if file := os.Getenv("CODEIDX_MATRIX"); file != "" {
		if err := os.WriteFile(file, []byte(matrixTable(kinds, rows)), 0o644); err != nil {
			t.Error(err)
		}
	}
}

// gitVersion is what git calls itself.
var gitVersion = sync.OnceValue(func() string {
	out, err := exec.Command("git", "version").Output()
	if err != nil {
		return "git"
	}
	return strings.TrimSpace(strings.Replace(string(out), " version", "", 1))
})

// matrixTable is a Markdown table with what became of each kind.
func matrixTable(kinds []matrixKind, rows []map[string]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| kind | %s |\n| --- | --- |\n", gitVersion())
	for i, k := range kinds {
		fmt.Fprintf(&b, "| %s | %s |\n", k.name, rowOutcome(rows[i]))
	}
	return b.String()
}

// rowOutcome is "yes" where every step went well, else what did not.
func rowOutcome(cells map[string]string) string {
	var odd []string
	for _, c := range matrixColumns {
		switch v := cells[c]; {
		case v == "yes", v == "":
		case strings.HasPrefix(v, "–"), strings.HasPrefix(v, "refused"), strings.HasPrefix(v, "yes"):
			odd = append(odd, v)
		default:
			odd = append(odd, c+" "+v)
		}
	}
	if odd == nil {
		return "yes"
	}
	return strings.Join(odd, "; ")
}

// Every kind has its row in docs/RELIABILITY.md.
func TestGitMatrixIsDocumented(t *testing.T) {
	text, err := os.ReadFile("../../../docs/RELIABILITY.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range matrixKinds() {
		if !strings.Contains(string(text), "\n| "+k.name+" |") {
			t.Errorf("%s is not in docs/RELIABILITY.md: just matrix", k.name)
		}
	}
}
