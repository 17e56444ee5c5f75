package gitstore

import (
	"context"
	"fmt"
	"io"
	"strings"
)

// Run runs a git command on this work tree, from its top, and returns what it
// prints. stdin may be nil. A failure is a *GitError; what was printed before
// it is returned with it. It is for callers outside the package that ask git
// what the package itself has no use for.
func (r *Repo) Run(ctx context.Context, stdin io.Reader, args ...string) ([]byte, error) {
	c := r.git(args...)
	c.stdin = stdin
	return c.run(ctx)
}

// RunUnfiltered is Run for a command that reads files of the work tree: no filter
// driver of the configuration is run on them (gitattributes of the repository
// choose the driver). A file that a driver would change comes as it is on disk.
func (r *Repo) RunUnfiltered(ctx context.Context, args ...string) ([]byte, error) {
	out, err := r.git("config", "-z", "--name-only", "--get-regexp", `^filter\.`).run(ctx)
	if git, ok := err.(*GitError); err != nil && (!ok || git.Exit != 1) {
		return nil, fmt.Errorf("list filter drivers: %w", err)
	}
	var off []string
	for _, key := range splitNUL(out) {
		// The last "=" parts key and variable, so that a driver's name may hold one.
		name, value := string(key), emptyVariable
		if strings.HasSuffix(name, ".required") {
			value = falseVariable
		}
		off = append(off, "--config-env="+name+"="+value)
	}
	c := r.git(append(off, args...)...)
	c.env = append(c.env, emptyVariable+"=", falseVariable+"=false")
	return c.run(ctx)
}

// Variables that hold values of configuration for one command.
const (
	emptyVariable = "CODEIDX_EMPTY"
	falseVariable = "CODEIDX_FALSE"
)
