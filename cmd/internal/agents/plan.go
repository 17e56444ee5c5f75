package agents

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"codeidx/gitstore"
)

// Events of our hooks: what follows "agents hook".
const (
	HookSession = "session-start"
	HookEdit    = "post-edit"
)

// Options say what is wired.
type Options struct {
	Clients []string // empty: those that seem to be in use
	Scope   string   // Project or User
	Top     string   // of the work tree; for Project
	Home    string   // of the person
	Command []string // how clients start this program, as in ["git", "codeidx"]
	// Instructions adds a block to the project's AGENTS.md.
	Instructions bool
	Force        bool // change files that git tracks, too
}

// State is how a part of ours stands in a file.
type State string

// States.
const (
	Missing   State = "missing"
	Installed State = "installed"
	Outdated  State = "outdated" // of another version or another place of the program
)

// Change is one file with what becomes of it.
type Change struct {
	Client string `json:"client"`
	What   string `json:"what"`
	Path   string `json:"path"`
	State  State  `json:"state"` // before
	// Problem says why the file is left as it is.
	Problem string `json:"problem,omitempty"`
	Paste   string `json:"paste,omitempty"` // of install: what a person would put in by hand
	Changed bool   `json:"changed"`         // the file is to change

	old, new []byte // nil is no file
	// folder is the client's, which goes when it is left empty; "" where the
	// file lies at the top of the work tree or the home folder.
	folder string
}

// Install works out how to put our parts in.
func Install(o Options) ([]*Change, error) {
	parts, err := o.parts()
	if err != nil {
		return nil, err
	}
	changes, err := plan(o, parts, install)
	for i := range changes {
		changes[i].Paste = parts[i].paste()
	}
	return changes, err
}

// Uninstall works out how to take all of our parts out.
func Uninstall(o Options) ([]*Change, error) {
	o.Instructions = true
	parts, err := o.parts()
	if err != nil {
		return nil, err
	}
	return plan(o, parts, remove)
}

// Status works out what is there.
func Status(o Options) ([]*Change, error) {
	o.Instructions = true
	parts, err := o.parts()
	if err != nil {
		return nil, err
	}
	return plan(o, parts, nil)
}

type action func(p *part, text []byte) ([]byte, error)

// parts lists all parts that the options mean.
func (o Options) parts() ([]part, error) {
	l := layout{o}
	var parts []part
	for _, c := range o.Clients {
		if !slices.Contains(Clients(), c) {
			return nil, fmt.Errorf("there is no client %q; there are %s", c, strings.Join(Clients(), ", "))
		}
		parts = append(parts, l.parts(c)...)
	}
	if o.Instructions && o.Scope == Project {
		parts = append(parts, l.instructions())
	}
	return parts, nil
}

// plan works out one change for each part; no two share a file.
func plan(o Options, parts []part, act action) ([]*Change, error) {
	var out []*Change
	for i := range parts {
		c := parts[i].change(act)
		if dir := filepath.Dir(c.Path); dir != o.Top && dir != o.Home {
			c.folder = dir
		}
		if c.Changed && o.Scope == Project && !o.Force {
			tracked, err := isTracked(o.Top, c.Path)
			if err != nil {
				return nil, err
			}
			if tracked {
				c.refuse("git tracks it")
			}
		}
		out = append(out, c)
	}
	return out, nil
}

// change works out what becomes of one file.
func (p *part) change(act action) *Change {
	c := &Change{Client: p.client, What: p.what, Path: p.path}
	text, err := readConfiguration(p.path)
	if err != nil {
		c.State = Missing
		c.refuse(err.Error())
		return c
	}
	c.old, c.new = text, text
	if c.State, err = p.state(text); err != nil {
		c.refuse(err.Error())
		return c
	}
	if act == nil {
		return c
	}
	if c.new, err = act(p, text); err != nil {
		c.new = text
		c.refuse(err.Error())
		return c
	}
	c.Changed = (c.old == nil) != (c.new == nil) || !bytes.Equal(c.old, c.new)
	return c
}

// readConfiguration reads a file, nil where there is none.
func readConfiguration(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(path); err == nil {
			return nil, errors.New("it is a link that leads nowhere")
		}
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("it cannot be read: %w", err)
	case text == nil:
		text = []byte{}
	}
	return text, nil
}

func (c *Change) refuse(why string) {
	c.Changed, c.new, c.Problem = false, c.old, why
}

// paste is what a person would put in by hand.
func (p *part) paste() string {
	if p.block != nil {
		return strings.Join(p.block.lines, "\n") + "\n"
	}
	text, err := install(p, nil)
	if err != nil {
		return ""
	}
	return string(text)
}

// state compares a file with what we would write.
func (p *part) state(text []byte) (State, error) {
	if p.block != nil {
		return p.block.state(text)
	}
	found, same := 0, 0
	for _, e := range p.entries {
		at, err := locate(text, e)
		if err != nil {
			return Missing, err
		}
		if at == nil {
			continue
		}
		found++
		if compact(at.text(text)) == compact(style{"\n", "  "}.render(e.value, "", false)) {
			same++
		}
	}
	switch {
	case found == 0:
		return Missing, nil
	case same == len(p.entries):
		return Installed, nil
	}
	return Outdated, nil
}

// compact drops white space outside strings; comments stay and count.
func compact(s string) string {
	var b strings.Builder
	inside := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case inside && c == '\\' && i+1 < len(s):
			b.WriteByte(c)
			i++
			b.WriteByte(s[i])
			continue
		case c == '"':
			inside = !inside
		case !inside && (c == ' ' || c == '\t' || c == '\n' || c == '\r'):
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// install puts a part in. What is there already stays as it is.
func install(p *part, text []byte) ([]byte, error) {
	state, err := p.state(text)
	if err != nil || state == Installed {
		return text, err
	}
	if state == Outdated {
		if text, err = remove(p, text); err != nil {
			return nil, err
		}
	}
	if p.block != nil {
		return p.block.insert(text)
	}
	if text == nil && p.seed != "" {
		text = p.seeded()
	}
	for _, e := range slices.Backward(p.entries) {
		if text, err = insert(text, e); err != nil {
			return nil, err
		}
	}
	return text, nil
}

func (p *part) seeded() []byte { return []byte("{\n  " + p.seed + "\n}\n") }

// remove takes a part out, nil where the file goes with it.
func remove(p *part, text []byte) ([]byte, error) {
	if text == nil {
		return nil, nil
	}
	if p.block != nil {
		return p.block.cut(text)
	}
	for _, e := range p.entries {
		for text != nil {
			at, err := locate(text, e)
			if err != nil && !errors.Is(err, errForeign) {
				return nil, err
			}
			if at == nil {
				break
			}
			text = at.cut(text)
		}
	}
	if p.seed != "" && bytes.Equal(text, p.seeded()) {
		return nil, nil
	}
	return text, nil
}

// isTracked asks git about a file.
func isTracked(top, path string) (bool, error) {
	cmd := exec.Command("git", "-C", top, "ls-files", "-z", "--", ":(top,literal)"+relative(top, path))
	out, err := cmd.Output()
	if err != nil {
		return false, fmt.Errorf("ask git about %s: %w", path, err)
	}
	return len(out) > 0, nil
}

func relative(top, path string) string {
	rel, err := filepath.Rel(top, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(rel)
}

// Apply writes the change in one step: readers see the old file or the new
// one. A symbolic link stays one; what it points at changes.
func (c *Change) Apply() error {
	path := c.Path
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	gitstore.SweepReplaced(filepath.Dir(path))
	if !c.Changed {
		c.dropFolder()
		return nil
	}
	if now, err := os.ReadFile(path); err == nil && !bytes.Equal(now, c.old) {
		return fmt.Errorf("%s changed meanwhile: run it again", c.Path)
	}
	if c.new == nil {
		if err := os.Remove(path); err != nil {
			return err
		}
		c.dropFolder()
		return nil
	}
	return replace(path, c.new)
}

// dropFolder removes the folder of a file that is gone, also one that a killed
// run left. A folder with anything in it stays.
func (c *Change) dropFolder() {
	if c.new == nil && c.folder != "" {
		_ = os.Remove(c.folder)
	}
}

func replace(path string, text []byte) error {
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	} else if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return gitstore.ReplaceFile(path, text, mode)
}

// InUse lists the clients that left traces in the work tree or the home folder.
func InUse(top, home string) []string {
	traces := map[string][]string{
		"claude": {".claude", ".mcp.json", ".claude.json"}, "codex": {".codex"}, "cursor": {".cursor"}, "gemini": {".gemini"},
		"vscode": {".vscode", ".config/Code", "Library/Application Support/Code"}, "opencode": {"opencode.json", "opencode.jsonc", ".config/opencode"},
	}
	var out []string
	for _, c := range Clients() {
		for _, t := range traces[c] {
			if exists(top, t) || exists(home, t) {
				out = append(out, c)
				break
			}
		}
	}
	return out
}

func exists(dir, name string) bool {
	if dir == "" {
		return false
	}
	_, err := os.Lstat(filepath.Join(dir, name))
	return err == nil
}

// Gone says whether our part is taken out.
func (c *Change) Gone() bool { return c.State != Missing && len(c.new) < len(c.old) }
