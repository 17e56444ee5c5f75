package gitstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Kinds of failed discovery, for errors.Is. The error that wraps one of them
// carries git's own words.
var (
	ErrNotRepository = errors.New("not a git repository")
	ErrBare          = errors.New("a bare repository has no work tree to index")
	ErrNoWorkTree    = errors.New("not inside a work tree")
	ErrForeignOwner  = errors.New("the repository belongs to another user")
	ErrOldGit        = errors.New("git is too old: 2.31 or newer is needed")
)

// discoverError joins a kind with git's message; the message is git's alone.
type discoverError struct{ kind, git error }

func (e *discoverError) Error() string   { return e.git.Error() }
func (e *discoverError) Unwrap() []error { return []error{e.kind, e.git} }

// Repo is one work tree as git describes it. All paths are absolute.
type Repo struct {
	Top       string // top level of the work tree
	GitDir    string // of this work tree
	CommonDir string // shared by linked work trees
	Prefix    string // of the caller's folder below Top: "" or "a/b/"
	Format    ObjectFormat
	Head      string // commit of HEAD in hex, "" while HEAD is unborn

	bindingDir     string
	indexFile      string
	attributesFile string // $GIT_COMMON_DIR/info/attributes
}

// pathQuestions are the options of rev-parse whose answers are free text. Each
// is followed by one whose answer is known, so that a newline inside a path
// cannot be taken for the end of the answer.
var pathQuestions = [...][]string{
	{"--show-toplevel"},
	{"--git-dir"},
	{"--git-common-dir"},
	{"--show-prefix"},
	{"--git-path", "codeidx"},
	{"--git-path", "index"},
	{"--git-path", "info/attributes"},
}

const fence = "--is-bare-repository"

// Discover finds the repository and the work tree of a folder ("" is the
// current one) with one git command, under the rules and the environment of
// git itself.
func Discover(ctx context.Context, cwd string) (*Repo, error) {
	args := []string{"rev-parse", "--path-format=absolute", fence}
	for _, q := range pathQuestions {
		args = append(append(args, q...), fence)
	}
	args = append(args, "--show-object-format", "--revs-only", "HEAD")
	out, err := gitCommand{dir: cwd, args: args}.run(ctx)
	if strings.HasPrefix(string(out), "true\n") {
		return nil, ErrBare
	}
	if err != nil {
		return nil, discoveryFailure(err)
	}
	return parseDiscovery(string(out))
}

// discoveryFailure sorts a failure by git's message, which LC_ALL=C fixes.
func discoveryFailure(err error) error {
	var git *GitError
	if !errors.As(err, &git) {
		return err
	}
	kinds := [...]struct {
		words string
		kind  error
	}{
		{"not a git repository", ErrNotRepository},
		{"dubious ownership", ErrForeignOwner},
		{"unsafe repository", ErrForeignOwner},
		{"must be run in a work tree", ErrNoWorkTree},
		{"cannot use bare repository", ErrBare}, // safe.bareRepository
	}
	for _, k := range kinds {
		if strings.Contains(git.Stderr, k.words) {
			return &discoverError{k.kind, git}
		}
	}
	return fmt.Errorf("find repository: %w", err)
}

func parseDiscovery(out string) (*Repo, error) {
	if strings.HasPrefix(out, "--path-format") {
		return nil, ErrOldGit
	}
	out, ok := strings.CutPrefix(out, "false\n")
	parts := strings.Split(out, "\nfalse\n")
	if !ok || len(parts) != len(pathQuestions)+1 {
		return nil, fmt.Errorf("find repository: unexpected answer of git rev-parse: %q", out)
	}
	tail := strings.Split(parts[len(pathQuestions)], "\n")
	r := &Repo{
		Top: parts[0], GitDir: parts[1], CommonDir: parts[2], Prefix: parts[3],
		bindingDir: parts[4], indexFile: parts[5], attributesFile: parts[6],
	}
	// An alias runs at the top level and leaves the caller's folder in here.
	if p := os.Getenv("GIT_PREFIX"); r.Prefix == "" && p != "" {
		r.Prefix = p
	}
	var err error
	if r.Format, err = parseObjectFormat(tail[0]); err != nil {
		return nil, fmt.Errorf("find repository: %w", err)
	}
	if len(tail) > 1 && tail[1] != "" {
		if _, err = parseGitID(tail[1], r.Format); err != nil {
			return nil, fmt.Errorf("find repository: read HEAD: %w", err)
		}
		r.Head = tail[1]
	}
	return r, nil
}

// git runs a git command at the top of the work tree, bound to this repository
// whatever the environment says in relative terms.
func (r *Repo) git(args ...string) gitCommand {
	c := gitCommand{
		dir:  r.Top,
		args: append([]string{"--git-dir=" + r.GitDir, "--work-tree=" + r.Top}, args...),
		env:  []string{"GIT_COMMON_DIR=" + r.CommonDir},
	}
	if os.Getenv("GIT_INDEX_FILE") != "" {
		c.env = append(c.env, "GIT_INDEX_FILE="+r.indexFile)
	}
	return c
}

// StoreDir returns the folder of the private store, which all work trees of
// the repository share.
func (r *Repo) StoreDir() string { return filepath.Join(r.CommonDir, "codeidx") }

// BindingDir returns the folder of what belongs to this work tree alone; git
// moves and prunes it with the work tree. In the main work tree it is the
// same folder as StoreDir.
func (r *Repo) BindingDir() string { return r.bindingDir }

// ColorBool says whether git's configuration of a colour key ("color.codeidx"),
// with color.ui behind it, asks for colour on a terminal.
func (r *Repo) ColorBool(ctx context.Context, key string) bool {
	out, err := r.git("config", "--get-colorbool", key, "true").run(ctx)
	return err == nil && strings.TrimSpace(string(out)) == "true"
}
