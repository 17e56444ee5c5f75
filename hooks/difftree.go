package hooks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"codeidx/gitstore"
)

// TreeChange is a file that differs between two commits.
type TreeChange struct {
	Kind             Kind
	Path, OldPath    string // OldPath is set for renames alone
	OldBlob, NewBlob string // git's ids in hex, "" where there is no file
}

// CommitPair are two commits in hex. Old "" stands for New's first parent, or
// for nothing where New has none.
type CommitPair struct{ Old, New string }

// ErrGone says that git does not have one of the two commits.
var ErrGone = errors.New("git no longer has the commits")

// DiffTree returns the files that differ between two commits, by path.
// Submodules are left out. A rename is a file that moved with the same
// bytes, so that no file is read: in a partial clone none may be there.
func DiffTree(ctx context.Context, r *gitstore.Repo, p CommitPair) ([]TreeChange, error) {
	lists, err := diffAll(ctx, r, []CommitPair{p})
	if err != nil {
		return nil, err
	}
	return lists[0], nil
}

// TreeDiff is the difference of one pair, or why there is none.
type TreeDiff struct {
	Changes []TreeChange
	Err     error
}

// DiffTrees compares many pairs with one git command. Where git fails over one of
// them, it asks for each alone.
func DiffTrees(ctx context.Context, r *gitstore.Repo, pairs []CommitPair) []TreeDiff {
	diffs := make([]TreeDiff, len(pairs))
	lists, err := diffAll(ctx, r, pairs)
	for i := range pairs {
		switch {
		case err == nil:
			diffs[i].Changes = lists[i]
		case ctx.Err() != nil:
			diffs[i].Err = ctx.Err()
		default:
			diffs[i].Changes, diffs[i].Err = DiffTree(ctx, r, pairs[i])
		}
	}
	return diffs
}

func diffAll(ctx context.Context, r *gitstore.Repo, pairs []CommitPair) ([][]TreeChange, error) {
	if len(pairs) == 0 {
		return nil, nil
	}
	out, err := r.Run(ctx, diffInput(pairs), "diff-tree", "--stdin", "-r", "-z", "--raw", "--no-abbrev", "--root",
		"--no-commit-id", "--diff-merges=first-parent", "-M100%")
	var git *gitstore.GitError
	switch {
	case errors.As(err, &git):
		return nil, fmt.Errorf("%w: %w", ErrGone, err)
	case err != nil:
		return nil, fmt.Errorf("compare commits: %w", err)
	}
	return parseDiffs(out, len(pairs))
}

// diffInput writes the commits to compare. Git prints a line that is no id as
// it is: "=N" heads the answer to pair N. "NEW OLD" is NEW with OLD for parent.
func diffInput(pairs []CommitPair) io.Reader {
	var b bytes.Buffer
	for i, p := range pairs {
		fmt.Fprintf(&b, "=%d\n%s\n", i, strings.TrimSpace(p.New+" "+p.Old))
	}
	fmt.Fprintf(&b, "=%d\n", len(pairs))
	return &b
}

var errDiff = errors.New("compare commits: unexpected answer of git diff-tree")

// parseDiffs reads the answers to n pairs.
func parseDiffs(out []byte, n int) ([][]TreeChange, error) {
	lists := make([][]TreeChange, 0, n)
	for len(out) > 0 {
		if out[0] == ':' && len(lists) > 0 {
			c, rest, err := cutChange(out)
			if err != nil {
				return nil, err
			}
			if out = rest; c.Kind != "" {
				lists[len(lists)-1] = append(lists[len(lists)-1], c)
			}
			continue
		}
		head, rest, ok := bytes.Cut(out, []byte{'\n'})
		if !ok || string(head) != "="+strconv.Itoa(len(lists)) {
			return nil, errDiff
		}
		lists, out = append(lists, nil), rest
	}
	if len(lists) != n+1 || lists[n] != nil {
		return nil, errDiff
	}
	return lists[:n], nil
}

// gitlink is the mode of a submodule.
const gitlink = "160000"

// cutChange reads ":MODE MODE ID ID STATUS\0PATH\0[PATH\0]". A submodule gives
// a change without kind.
func cutChange(out []byte) (c TreeChange, rest []byte, err error) {
	head, rest, ok := bytes.Cut(out[1:], []byte{0})
	f := strings.Split(string(head), " ")
	if !ok || len(f) != 5 || f[4] == "" {
		return c, nil, errDiff
	}
	path, rest, ok := bytes.Cut(rest, []byte{0})
	c = TreeChange{Path: string(path), OldBlob: orNone(f[2]), NewBlob: orNone(f[3])}
	switch f[4][0] {
	case 'A':
		c.Kind = Add
	case 'D':
		c.Kind = Delete
	case 'M', 'T':
		c.Kind = Modify
	case 'R':
		var to []byte
		to, rest, ok = bytes.Cut(rest, []byte{0})
		c.Kind, c.OldPath, c.Path = Rename, c.Path, string(to)
	default:
		return c, nil, errDiff
	}
	if !ok || c.Path == "" {
		return c, nil, errDiff
	}
	if f[0] == gitlink || f[1] == gitlink {
		c.Kind = ""
	}
	return c, rest, nil
}

// Subjects returns the subject lines of commits, by id in hex; those that git no
// longer has are left out.
func Subjects(ctx context.Context, r *gitstore.Repo, ids []string) (map[string]string, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	out, err := r.Run(ctx, strings.NewReader(strings.Join(ids, "\n")+"\n"),
		"log", "--no-walk=unsorted", "--ignore-missing", "--no-show-signature", "--no-notes", "--encoding=UTF-8", "--format=%H%x00%s", "--stdin")
	if err != nil {
		return nil, fmt.Errorf("read subjects of commits: %w", err)
	}
	subjects := map[string]string{}
	for line := range strings.Lines(string(out)) {
		if id, subject, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\x00"); ok {
			subjects[id] = subject
		}
	}
	return subjects, nil
}
