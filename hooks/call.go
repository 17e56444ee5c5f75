package hooks

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"codeidx/gitstore"
)

// Call is one call of a git hook: its name, its arguments and what git sends it.
type Call struct {
	Name  string
	Args  []string
	Stdin io.Reader // may be nil
}

// newEvent describes a call. It reads at most a file or two of the git directory.
func newEvent(ctx context.Context, r *gitstore.Repo, c Call, now time.Time) (*Event, error) {
	e := &Event{
		Schema: eventSchema, Time: now.UTC().Format(time.RFC3339Nano),
		Event: c.Name, DetectedBy: "hook:" + c.Name, New: r.Head, Rebase: rebasing(r.GitDir),
	}
	var err error
	switch c.Name {
	case PostCommit:
	case PostCheckout:
		err = e.setCheckout(c.Args, r.Format)
	case PostMerge:
		err = e.setMerge(ctx, c.Args, r)
	case PostRewrite:
		err = e.setRewrite(ctx, c, r)
	default:
		err = fmt.Errorf("no such event %q", c.Name)
	}
	if err != nil {
		return nil, err
	}
	e.ID, err = contentID(e)
	return e, err
}

// setCheckout reads the arguments of post-checkout: old and new commit, and "1"
// for a branch or "0" for paths.
func (e *Event) setCheckout(args []string, format gitstore.ObjectFormat) error {
	if len(args) != 3 || args[2] != "0" && args[2] != "1" {
		return fmt.Errorf("bad arguments of post-checkout: %q", args)
	}
	for _, id := range args[:2] {
		if !isCommit(id, format) {
			return fmt.Errorf("bad commit of post-checkout: %q", id)
		}
	}
	e.Old, e.New, e.Branch = orNone(args[0]), orNone(args[1]), args[2] == "1"
	return nil
}

// setMerge reads the argument of post-merge, "1" for a squash, which commits
// nothing. Where HEAD was before is in ORIG_HEAD.
func (e *Event) setMerge(ctx context.Context, args []string, r *gitstore.Repo) error {
	if len(args) != 1 || args[0] != "0" && args[0] != "1" {
		return fmt.Errorf("bad arguments of post-merge: %q", args)
	}
	if e.Squash = args[0] == "1"; e.Squash {
		return nil
	}
	if e.Old = readCommit(filepath.Join(r.GitDir, "ORIG_HEAD"), r.Format); e.Old != "" {
		return nil
	}
	e.Old = resolve(ctx, r, "ORIG_HEAD") // reftable keeps it in its tables
	return nil
}

// rewrittenLines bounds what is read of the list of rewritten commits.
const rewrittenLines = 1024

// setRewrite reads post-rewrite: "amend" or "rebase", and on stdin a line "old
// new" a commit. The state directory of a rebase that merges knows where it
// began; the other kind began at the parent of the first new commit.
func (e *Event) setRewrite(ctx context.Context, c Call, r *gitstore.Repo) error {
	if len(c.Args) < 1 || c.Args[0] != rewriteAmend && c.Args[0] != rewriteRebase {
		return fmt.Errorf("bad arguments of post-rewrite: %q", c.Args)
	}
	e.Rewrite = c.Args[0]
	if e.Rewrite == rewriteRebase {
		if e.Old = readCommit(filepath.Join(r.GitDir, rebaseDirs()[0], "orig-head"), r.Format); e.Old != "" {
			return nil
		}
	}
	if c.Stdin == nil {
		return nil
	}
	lines := bufio.NewScanner(c.Stdin)
	for n := 0; n < rewrittenLines && lines.Scan(); n++ {
		f := strings.Fields(lines.Text())
		switch {
		case len(f) < 2 || !isCommit(f[0], r.Format) || !isCommit(f[1], r.Format):
		case e.Rewrite == rewriteRebase:
			e.Old = resolve(ctx, r, f[1]+"^")
			return nil
		case f[1] == e.New:
			e.Old = f[0]
		}
	}
	return lines.Err()
}

// resolve asks git for a commit, "" where there is none.
func resolve(ctx context.Context, r *gitstore.Repo, name string) string {
	out, err := r.Run(ctx, nil, "rev-parse", "--verify", "--quiet", name+"^{commit}")
	id := string(bytes.TrimSpace(out))
	if err != nil || !isCommit(id, r.Format) {
		return ""
	}
	return id
}

// readCommit returns the id that a file holds, "" where it holds none.
func readCommit(path string, format gitstore.ObjectFormat) string {
	data, err := os.ReadFile(path)
	id := string(bytes.TrimSpace(data))
	if err != nil || !isCommit(id, format) {
		return ""
	}
	return id
}

// isCommit says whether a text can be an id in hex.
func isCommit(id string, format gitstore.ObjectFormat) bool {
	raw, err := hex.DecodeString(id)
	return err == nil && len(raw) == format.Size()
}
