package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"codeidx/gitstore"
	"codeidx/query"
)

// Bounds of the hook after an edit: it is a favour to the next question, which
// would bring the index up to date itself, and must not be felt.
const (
	editHookTime  = 2 * time.Second
	editHookFiles = 3000
	maxHookInput  = 1 << 20
)

// enterClientFolder goes to the folder that the client's document names.
// Where there is none, the current one is right.
func enterClientFolder(in io.Reader) {
	if f, ok := in.(*os.File); ok {
		if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice != 0 {
			return
		}
	}
	data, err := io.ReadAll(io.LimitReader(in, maxHookInput))
	var doc struct {
		Dir   string   `json:"cwd"`
		Roots []string `json:"workspace_roots"`
	}
	if err != nil || json.Unmarshal(data, &doc) != nil {
		return
	}
	if doc.Dir == "" && len(doc.Roots) > 0 {
		doc.Dir = doc.Roots[0]
	}
	if doc.Dir != "" {
		_ = os.Chdir(doc.Dir) // a folder that is gone: ask about the current one
	}
}

// sessionNote tells an agent at its start how the index stands. Without an
// index it says nothing.
func (a *app) sessionNote() error {
	s, err := a.open(false)
	if err != nil {
		return err
	}
	defer s.close()
	s.wide()
	ctx, cancel := context.WithTimeout(a.ctx, s.config.HooksBudget)
	defer cancel()
	st, err := query.GetStatus(ctx, s.env(), s.config.Freshness.String(), s.resolvers)
	if err != nil || st.Coverage == nil {
		return err
	}
	fmt.Fprintf(a.out, "git codeidx: this work tree has a code index (%s, %s)", plural(st.Coverage.Files, "file"), plural(st.Coverage.Symbols, "definition"))
	if st.Changed.Total > 0 {
		fmt.Fprintf(a.out, "; %s changed since it was made, which questions take into account", plural(st.Changed.Total, "file"))
	}
	if st.Ledger > 0 {
		fmt.Fprintf(a.out, "; %s recorded by git hooks (git codeidx drift)", plural(st.Ledger, "unsettled change"))
	}
	fmt.Fprintln(a.out, ". For structure prefer its tools explore, symbols, relations and read over grep.")
	return nil
}

// syncAfterEdit brings the live index up to date where that is quick.
func (a *app) syncAfterEdit() error {
	s, err := a.open(false)
	if err != nil {
		return err
	}
	defer s.close()
	if s.store == nil || s.binding == "" {
		return nil
	}
	g, err := s.store.Generation(s.binding, gitstore.Live)
	if err != nil {
		return nil // nothing to bring up to date
	}
	var c gitstore.Coverage
	if json.Unmarshal(g.Meta[gitstore.CoverageMeta], &c) != nil || c.Files > editHookFiles {
		return nil
	}
	s.wide()
	s.config.LockWait = 50 * time.Millisecond // who builds now does our work
	ctx, cancel := context.WithTimeout(a.ctx, editHookTime)
	defer cancel()
	_, err = s.builder().Sync(ctx, gitstore.Live)
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// wide includes untracked files, as the MCP server does, unless the
// configuration says something.
func (s *session) wide() {
	if len(s.config.Raw("includeUntracked")) == 0 {
		s.config.IncludeUntracked = true
	}
}
