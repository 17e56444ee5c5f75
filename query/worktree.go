package query

import (
	"context"
	"fmt"

	"codeidx/facts"
	"codeidx/gitstore"
	"codeidx/graph"
)

// workTree is the tree as it is now, for the operations that look at it. It
// belongs to one question, whose context it carries.
type workTree struct {
	ctx   context.Context
	env   *Env
	check func() (*gitstore.Diff, error) // waits for the question's first check
}

// file returns what the check saw at a path: a file that is included now, or
// the reason why there is none.
func (w *workTree) file(path string) (*gitstore.File, gitstore.Reason, error) {
	diff, err := w.check()
	if err != nil {
		return nil, "", verification(err)
	}
	if f := diff.Seen.FindFile(path); f != nil {
		return f, "", nil
	}
	for i := range diff.Seen.Omitted {
		if o := &diff.Seen.Omitted[i]; o.Path == path {
			return nil, o.Reason, nil
		}
	}
	return nil, "", nil
}

// read returns the bytes that the check saw.
func (w *workTree) read(f *gitstore.File) ([]byte, error) {
	data, err := w.env.Repo.ReadFile(f.Path, w.env.Policy.MaxFileSize)
	if err == nil && gitstore.DigestOf(data) != f.SHA256 {
		err = fmt.Errorf("it changed meanwhile")
	}
	if err != nil {
		return nil, errorf(WorkspaceBusy, "ask again", "%s could not be read as it was verified: %v", f.Path, err)
	}
	return data, nil
}

// symbols extracts the definitions of a file, nil where it has none or cannot
// be parsed.
func (w *workTree) symbols(f *gitstore.File, src []byte) (*graph.FileSymbols, error) {
	if f.Class != gitstore.ClassSource || w.env.Extract == nil {
		return nil, nil
	}
	parsed, err := w.env.Extract(w.ctx, f.Path, facts.Lang(f.Lang), src)
	if err != nil || parsed == nil {
		return nil, err
	}
	return graph.SymbolsOf(parsed, src), nil
}
