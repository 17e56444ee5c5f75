package hooks

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"codeidx/facts"
	"codeidx/gitstore"
	"codeidx/graph"
)

// blobs is a tree: git's id of each file by path.
type blobs map[string]string

// listTree lists the files of a commit that the policy includes by their path,
// those that steer resolution with them. What the index leaves out for its content
// (generated, minified) is left out, too. Blobs that are too large, or that a
// partial clone does not have, are listed, but never read.
func (s *sources) listTree(ctx context.Context, commit string) (blobs, error) {
	out, err := s.Repo.Run(ctx, nil, "ls-tree", "-r", "-z", "--full-tree", commit)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrGone, err)
	}
	tree := blobs{}
	var paths []string
	for record := range bytes.SplitSeq(out, []byte{0}) {
		head, path, ok := strings.Cut(string(record), "\t")
		f := strings.Fields(head)
		if !ok || len(f) != 3 || f[1] != "blob" || f[0] == "120000" || s.index.omits(path) {
			continue
		}
		tree[path] = f[2]
		paths = append(paths, path)
	}
	for i, class := range gitstore.SelectPaths(s.Policy, paths) {
		if class != gitstore.ClassSource && class != gitstore.ClassConfig {
			delete(tree, paths[i])
		}
	}
	return tree, nil
}

// before returns the tree that changes led from.
func (s *sources) before(t blobs, changes []TreeChange) blobs {
	old := make(blobs, len(t))
	for p, id := range t {
		old[p] = id
	}
	var paths, ids []string
	for i := range changes {
		c := &changes[i]
		delete(old, c.Path)
		from := c.Path
		if c.OldPath != "" {
			from = c.OldPath
		}
		if c.OldBlob != "" && !s.index.omits(from) {
			paths, ids = append(paths, from), append(ids, c.OldBlob)
		}
	}
	for i, class := range gitstore.SelectPaths(s.Policy, paths) {
		if class == gitstore.ClassSource || class == gitstore.ClassConfig {
			old[paths[i]] = ids[i]
		}
	}
	return old
}

// versionKey names one version of a file.
type versionKey struct{ path, blob string }

// treeFacts are the facts of the files of two trees; what both have is there once.
type treeFacts struct {
	*sources
	mu    sync.Mutex
	facts map[versionKey]*facts.File // nil values are files that no parser finished
}

// load gets the facts of all source files of some trees: from the index by git's id, else
// by the extraction key of the bytes, else by parsing. The bytes of files that
// differ between the trees are kept.
func (t *treeFacts) load(ctx context.Context, trees ...blobs) error {
	differs := func(k versionKey) bool {
		for _, tree := range trees {
			if tree[k.path] != k.blob {
				return true
			}
		}
		return false
	}
	var wanted []versionKey
	var ids []string
	for _, tree := range trees {
		for path, blob := range tree {
			k := versionKey{path, blob}
			source := isSource(path)
			if _, ok := t.facts[k]; ok && source {
				continue
			}
			known := source && t.fromIndex(k)
			if source && !known {
				wanted = append(wanted, k)
			}
			if !known || differs(k) {
				ids = append(ids, blob)
			}
		}
	}
	slices.Sort(ids)
	if err := t.fetch(ctx, slices.Compact(ids)); err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(2 * max(t.Config.Workers, 1))
	for _, k := range wanted {
		group.Go(func() error { return t.parse(ctx, k) })
	}
	return group.Wait()
}

// fromIndex takes facts whose file the index has with this very blob.
func (t *treeFacts) fromIndex(k versionKey) bool {
	f := t.index.file(k.path)
	if f == nil || f.Blob == "" || f.Blob.String() != k.blob {
		return false
	}
	return t.take(k, f)
}

func (t *treeFacts) take(k versionKey, f *gitstore.Entry) bool {
	if f.Facts.Len == 0 {
		return false
	}
	raw, err := t.index.gen.Get(f.Facts)
	if err != nil {
		return false
	}
	file, err := facts.Decode(raw)
	if err != nil || file.Path != k.path {
		return false
	}
	t.put(k, file)
	return true
}

func (t *treeFacts) put(k versionKey, f *facts.File) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.facts[k] = f
}

func (t *treeFacts) parse(ctx context.Context, k versionKey) error {
	src, ok := t.blobs[k.blob]
	if !ok {
		t.put(k, nil)
		return nil
	}
	if f := t.index.file(k.path); f != nil {
		key := facts.ExtractionKey(k.path, gitstore.DigestOf(src), facts.ByID(facts.Detect(k.path)))
		if facts.Key(f.Key) == key && t.take(k, f) {
			return nil
		}
	}
	f, err := t.extract(ctx, k.path, src)
	if err != nil {
		return err
	}
	t.put(k, f)
	return nil
}

// program is a resolved tree.
type program struct {
	*graph.Program
	edges  []graph.FileEdges
	number map[string]int // of a file, by path
}

// resolve binds the references of a tree whose facts are loaded.
func (t *treeFacts) resolve(tree blobs) (*program, error) {
	p := &program{Program: &graph.Program{
		Roots: slices.Clone(t.Config.SourceRoots), Includes: slices.Clone(t.Config.PHPIncludes), Callbacks: slices.Clone(t.Config.Callbacks),
	}, number: map[string]int{}}
	slices.Sort(p.Roots)
	paths := make([]string, 0, len(tree))
	for path := range tree {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		if f := t.facts[versionKey{path, tree[path]}]; f != nil {
			p.number[path] = len(p.Files)
			p.Files = append(p.Files, f)
		}
		if graph.Steers(t.Resolvers, path) {
			if data, ok := t.blobs[tree[path]]; ok {
				p.Config = append(p.Config, graph.ConfigFile{Path: path, Data: data})
			}
		}
	}
	var err error
	p.edges, err = graph.Resolve(p.Program, t.Resolvers)
	return p, err
}

// version returns a file of a tree with its definitions, nil where there is none.
func (t *treeFacts) version(tree blobs, path string) *version {
	f := t.facts[versionKey{path, tree[path]}]
	src, ok := t.blobs[tree[path]]
	if f == nil || !ok {
		return nil
	}
	return &version{path: path, src: src, table: graph.SymbolsOf(f, src)}
}
