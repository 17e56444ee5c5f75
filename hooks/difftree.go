package hooks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
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

// TreeDiff is the difference of one pair: the files that differ, by path, or why
// there is no answer.
type TreeDiff struct {
	Changes []TreeChange
	Err     error // ErrGone, or what kept git from answering
}

// DiffTrees compares pairs of commits with one git command; where git fails over
// one of them, it asks for each alone. Submodules are left out. A rename is a file
// that moved with the same bytes, so that no file is read: in a partial clone
// none may be there.
func DiffTrees(ctx context.Context, r *gitstore.Repo, pairs []CommitPair) []TreeDiff {
	diffs, err := diffAll(ctx, r, pairs)
	switch {
	case err == nil:
		return diffs
	case len(pairs) == 1 || ctx.Err() != nil:
		return slices.Repeat([]TreeDiff{{Err: err}}, len(pairs))
	}
	diffs = nil
	for i := range pairs {
		diffs = append(diffs, DiffTrees(ctx, r, pairs[i:i+1])...)
	}
	return diffs
}

func diffAll(ctx context.Context, r *gitstore.Repo, pairs []CommitPair) ([]TreeDiff, error) {
	if len(pairs) == 0 {
		return nil, nil
	}
	out, err := r.Run(ctx, diffInput(pairs), "diff-tree", "--stdin", "-r", "-z", "--raw", "--no-abbrev", "--root", "--always",
		"--diff-merges=first-parent", "-M100%")
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

// parseDiffs reads the answers to n pairs. Each is the id of the commit and NUL,
// then the changes. Git passes over a commit that it does not have.
func parseDiffs(out []byte, n int) ([]TreeDiff, error) {
	diffs := make([]TreeDiff, 0, n+1)
	for len(out) > 0 {
		var ok bool
		var head []byte
		switch out[0] {
		case '=':
			head, out, ok = bytes.Cut(out, []byte{'\n'})
			if ok = ok && string(head) == "="+strconv.Itoa(len(diffs)); ok {
				diffs = append(diffs, TreeDiff{Err: ErrGone})
			}
		case ':':
			var c TreeChange
			if c, out, ok = cutChange(out); ok && len(diffs) > 0 && c.Kind != "" {
				d := &diffs[len(diffs)-1]
				d.Changes = append(d.Changes, c)
			}
		default:
			if _, out, ok = bytes.Cut(out, []byte{0}); ok && len(diffs) > 0 {
				diffs[len(diffs)-1].Err = nil
			}
		}
		if !ok {
			return nil, errDiff
		}
	}
	if len(diffs) != n+1 || diffs[n].Err == nil || diffs[n].Changes != nil {
		return nil, errDiff
	}
	return diffs[:n], nil
}

// gitlink is the mode of a submodule.
const gitlink = "160000"

// cutChange reads ":MODE MODE ID ID STATUS\0PATH\0[PATH\0]". A submodule gives
// a change without kind.
func cutChange(out []byte) (c TreeChange, rest []byte, ok bool) {
	head, rest, ok := bytes.Cut(out[1:], []byte{0})
	f := strings.Split(string(head), " ")
	if !ok || len(f) != 5 || f[4] == "" {
		return c, nil, false
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
		path, rest, ok = bytes.Cut(rest, []byte{0})
		c.Kind, c.OldPath, c.Path = Rename, c.Path, string(path)
	}
	ok = ok && c.Kind != "" && c.Path != "" && (c.Kind != Rename || c.OldPath != "")
	if f[0] == gitlink || f[1] == gitlink {
		c.Kind = ""
	}
	return c, rest, ok
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
