package query

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"codeidx/gitstore"
	"codeidx/graph"
)

// state is one end of a comparison: a generation, or the work tree as it is.
type state struct {
	Endpoint
	index *Index // nil for the work tree
	tree  *workTree
	files []gitstore.File // by path
}

// baseline finds the two states that changes are measured between: from the
// last explicit index to the work tree or to what an automatic sync made of
// it, or, where nothing has happened since, from the index before
// (spec/engine.md §5).
func (x *Index) baseline() (before, after *state, err error) {
	diff, err := x.tree.check()
	if err != nil {
		return nil, nil, verification(err)
	}
	current, err := x.generation(gitstore.Current)
	if err != nil {
		return nil, nil, err
	}
	switch {
	case current != nil && !diff.Clean():
		after = &state{Endpoint: Endpoint{State: "worktree"}, tree: x.tree, files: diff.Seen.Files}
		before, err = stateOf(gitstore.Current, current)
		return before, after, err
	case current != nil && current.gen.Manifest != x.gen.Manifest:
		before, err = stateOf(gitstore.Current, current)
	default:
		previous, prevErr := x.generation(gitstore.Previous)
		if prevErr != nil {
			return nil, nil, prevErr
		}
		if previous == nil {
			return nil, nil, errorf(BaselineUnavailable, "edit something and ask again: changes are measured from this index, also before the next git codeidx sync",
				"this is the first index of this work tree and nothing has changed since: there is nothing to compare with")
		}
		before, err = stateOf(gitstore.Previous, previous)
	}
	if err != nil {
		return nil, nil, err
	}
	after, err = stateOf(x.gen.Ref, x)
	if current != nil && current.gen.Manifest == x.gen.Manifest {
		after.State = string(gitstore.Current)
	}
	return before, after, err
}

// generation opens what a pointer names, nil where it names nothing. A damaged
// generation is no baseline: what comes before it would show other changes.
func (x *Index) generation(ref gitstore.RefName) (*Index, error) {
	env := x.tree.env
	gen, err := env.Store.Generation(env.Binding, ref)
	switch {
	case errors.Is(err, gitstore.ErrNoGeneration):
		return nil, nil
	case err != nil:
		return nil, err
	case gen.Fallback != nil:
		return nil, errorf(BaselineUnavailable, "see: git codeidx fsck", "the %s generation is damaged: %v", ref, gen.Fallback)
	}
	return newIndex(gen, Fingerprint(gen.Manifest, env.Binding, env.Repo)), nil
}

func stateOf(ref gitstore.RefName, x *Index) (*state, error) {
	snap, err := x.gen.Snapshot()
	if err != nil {
		return nil, err
	}
	return &state{
		Endpoint: Endpoint{State: string(ref), Fingerprint: x.Fingerprint, BuiltAt: x.gen.Time.UTC().Format(time.RFC3339)},
		index:    x, files: snap.Files,
	}, nil
}

// content returns the bytes and the definitions of a file, nil where it has none.
func (s *state) content(f *gitstore.File) (src []byte, t *graph.FileSymbols, err error) {
	switch {
	case f == nil:
		return nil, nil, nil
	case s.index == nil:
		if src, err = s.tree.read(f); err == nil {
			t, err = s.tree.symbols(f, src)
		}
		return src, t, err
	}
	if t, err = s.index.Symbols(f.Path); err != nil || t == nil {
		return nil, nil, err
	}
	src, err = s.index.Source(f.Path)
	return src, t, err
}

func (s *state) has(path string) bool {
	_, ok := slices.BinarySearchFunc(s.files, path, func(f gitstore.File, p string) int { return cmp.Compare(f.Path, p) })
	return ok
}

// sym makes the answer form of a definition in this state.
func (s *state) sym(t *graph.FileSymbols, i int) *Sym {
	if s.index == nil {
		out := liveSym(t, i)
		return &out
	}
	out := s.index.symOf(t, i)
	return &out
}

// fileDelta is a file that differs between two states; one side may be nil.
type fileDelta struct {
	path          string
	before, after *gitstore.File
	// Path of the file with the same bytes at the other side, where this one
	// was renamed.
	renamed string
}

// deltas lists the files that differ by content, by path.
func deltas(before, after *state) []fileDelta {
	var out []fileDelta
	a, b := before.files, after.files
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].Path < b[0].Path:
			out, a = append(out, fileDelta{path: a[0].Path, before: &a[0]}), a[1:]
		case len(a) == 0 || b[0].Path < a[0].Path:
			out, b = append(out, fileDelta{path: b[0].Path, after: &b[0]}), b[1:]
		default:
			if a[0].SHA256 != b[0].SHA256 {
				out = append(out, fileDelta{path: a[0].Path, before: &a[0], after: &b[0]})
			}
			a, b = a[1:], b[1:]
		}
	}
	pairRenames(out)
	return out
}

// pairRenames joins each deleted file with an added one of the same bytes, the
// first by path with the first.
func pairRenames(list []fileDelta) {
	added := map[gitstore.Digest][]int{}
	for i, d := range list {
		if d.before == nil && d.after.Size > 0 {
			added[d.after.SHA256] = append(added[d.after.SHA256], i)
		}
	}
	for i, d := range list {
		if d.after != nil {
			continue
		}
		if same := added[d.before.SHA256]; len(same) > 0 {
			list[i].renamed, list[same[0]].renamed = list[same[0]].path, d.path
			added[d.before.SHA256] = slices.Delete(same, 0, 1)
		}
	}
}
