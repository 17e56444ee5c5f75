package hooks

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"codeidx/gitstore"
)

// PrePush is the one hook that git waits for.
const PrePush = "pre-push"

// PushRef is one ref that is pushed, a line that git gives to pre-push. Commits
// are hex, "" where there is none: Local of a ref that is deleted, Remote of a new one.
type PushRef struct{ LocalRef, Local, RemoteRef, Remote string }

// maxPushRefs bounds the refs of one push that are looked at.
const maxPushRefs = 16

// ParsePush reads the lines "local-ref local-id remote-ref remote-id".
func ParsePush(r io.Reader) ([]PushRef, error) {
	var list []PushRef
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		f := strings.Fields(lines.Text())
		if len(f) == 0 {
			continue
		}
		if len(f) != 4 || !isHex(f[1]) || !isHex(f[3]) {
			return nil, fmt.Errorf("read refs of pre-push: bad line %q", lines.Text())
		}
		if len(list) < maxPushRefs {
			list = append(list, PushRef{f[0], orNone(f[1]), f[2], orNone(f[3])})
		}
	}
	return list, lines.Err()
}

// Push is what the check of one pushed branch found. Lists are sorted.
type Push struct {
	Branch   string // short name at the remote
	Old, New string // commits that were compared
	Changed  int    // definitions that were removed or changed
	Uses     []Use  // that do not fit any more
	Affected []Affected
	Tests    []string // test files that reach what changed
	Skipped  string   // why nothing was compared, "" where it was
}

// Use is one place in the pushed tree that uses a definition in its old form.
type Use struct {
	Path      string
	Line, Col uint32
	From      string // definition around it, "" for the file
	What      string // what is wrong, as a sentence without its subject
	Rule      string // by which the use was bound before
	Proven    bool   // resolved_static, and cannot be right
}

// Affected is a file with sites that lead to what changed.
type Affected struct {
	Path  string
	Sites int
}

// Proven counts the uses that cannot be right.
func (p *Push) Proven() (n int) {
	for i := range p.Uses {
		if p.Uses[i].Proven {
			n++
		}
	}
	return n
}

// CheckPush compares the commits of each pushed branch with what the remote has of
// it; of a new branch, with where it left the remote's default branch. It reads
// commits and the index, never the work tree. Tags and deleted refs are passed
// over. The error is the context's, gitstore.ErrNoGeneration, or of the check itself.
func (a *Analyst) CheckPush(ctx context.Context, remote string, refs []PushRef) ([]*Push, error) {
	type result struct {
		list []*Push
		err  error
	}
	// Resolving cannot be stopped half-way: it is left alone when time is over.
	done := make(chan result, 1)
	go func() {
		list, err := a.checkPush(ctx, remote, refs)
		done <- result{list, err}
	}()
	select {
	case r := <-done:
		return r.list, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (a *Analyst) checkPush(ctx context.Context, remote string, refs []PushRef) ([]*Push, error) {
	x, err := serving(a.Store, a.Binding)
	if err != nil {
		return nil, err
	}
	if x == nil {
		return nil, gitstore.ErrNoGeneration
	}
	s := a.sources(x)
	defer s.close()
	var list []*Push
	for i := range refs {
		r := &refs[i]
		branch, ok := strings.CutPrefix(r.RemoteRef, "refs/heads/")
		if !ok || r.Local == "" {
			continue
		}
		p := &Push{Branch: branch, New: r.Local}
		if p.Old, p.Skipped = a.base(ctx, remote, r); p.Skipped == "" {
			err = s.checkBranch(ctx, p)
		}
		if errors.Is(err, ErrGone) {
			p.Skipped, err = "git does not have the commits to compare", nil
		}
		if err != nil {
			return nil, fmt.Errorf("check push of %s: %w", branch, err)
		}
		list = append(list, p)
	}
	return list, nil
}

// base finds the commit to compare a branch with, or says why there is none.
func (a *Analyst) base(ctx context.Context, remote string, r *PushRef) (commit, why string) {
	if r.Remote != "" && resolve(ctx, a.Repo, r.Remote) != "" {
		return r.Remote, ""
	}
	tracking := "refs/remotes/" + remote + "/"
	var names []string
	if r.Remote != "" {
		names = append(names, tracking+strings.TrimPrefix(r.RemoteRef, "refs/heads/"))
	}
	if out, err := a.Repo.Run(ctx, nil, "symbolic-ref", "--quiet", tracking+"HEAD"); err == nil {
		names = append(names, string(bytes.TrimSpace(out)))
	}
	for _, name := range append(names, tracking+"main", tracking+"master") {
		if out, err := a.Repo.Run(ctx, nil, "merge-base", name, r.Local); err == nil {
			return string(bytes.TrimSpace(out)), ""
		}
	}
	return "", "nothing of the remote is known to compare it with"
}
