package gitstore

import (
	"context"
	"io"
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
