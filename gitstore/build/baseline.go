package build

import (
	"slices"

	"codeidx/facts"
	"codeidx/gitstore"
	"codeidx/graph"
)

// baseline is the generation that a sync starts from, with what a strict check
// found to differ from it.
type baseline struct {
	gen     *gitstore.Generation
	known   *gitstore.Snapshot
	entries []gitstore.Entry // sorted by path, as known.Files
	diff    *gitstore.Diff
}

// readBaseline reads the manifest of a generation.
func readBaseline(g *gitstore.Generation) (*baseline, error) {
	base := &baseline{gen: g, known: &gitstore.Snapshot{}}
	copy(base.known.Attributes[:], g.Meta[gitstore.AttributesMeta])
	err := g.EachEntry(func(e *gitstore.Entry) {
		base.entries = append(base.entries, *e)
		base.known.Files = append(base.known.Files, e.File())
	})
	if err == nil {
		err = g.EachOmission(func(o *gitstore.Omission) { base.known.Omitted = append(base.known.Omitted, *o) })
	}
	return base, err
}

// entry returns the entry of a path, nil where there is none.
func (base *baseline) entry(path string) *gitstore.Entry {
	i, ok := slices.BinarySearchFunc(base.entries, path, func(e gitstore.Entry, p string) int {
		switch {
		case e.Path < p:
			return -1
		case e.Path > p:
			return 1
		}
		return 0
	})
	if !ok {
		return nil
	}
	return &base.entries[i]
}

// hasFacts says whether an entry is a file of the graph.
func hasFacts(e *gitstore.Entry) bool {
	return e != nil && e.Class == gitstore.ClassSource && e.Facts.Len > 0
}

// alteration is a file of the graph that is new, gone or has other facts or
// bytes.
type alteration struct {
	path string
	lang facts.Lang
	old  *gitstore.Entry // nil: new
	now  *gitstore.Entry // nil: gone
}

// alterations compares the files of the graph with those of the baseline. A
// file whose language changed is one that is gone and one that is new.
func (base *baseline) alterations(entries []gitstore.Entry) []alteration {
	var list []alteration
	gone := func(e *gitstore.Entry) {
		if hasFacts(e) {
			list = append(list, alteration{path: e.Path, lang: facts.Lang(e.Lang), old: e})
		}
	}
	fresh := func(e *gitstore.Entry) {
		if hasFacts(e) {
			list = append(list, alteration{path: e.Path, lang: facts.Lang(e.Lang), now: e})
		}
	}
	old := base.entries
	for i := range entries {
		e := &entries[i]
		for len(old) > 0 && old[0].Path < e.Path {
			gone(&old[0])
			old = old[1:]
		}
		if len(old) == 0 || old[0].Path != e.Path {
			fresh(e)
			continue
		}
		o := &old[0]
		old = old[1:]
		switch {
		case !hasFacts(o) || !hasFacts(e) || o.Lang != e.Lang:
			gone(o)
			fresh(e)
		case o.Key != e.Key || o.Facts.Digest != e.Facts.Digest:
			list = append(list, alteration{e.Path, facts.Lang(e.Lang), o, e})
		}
	}
	for i := range old {
		gone(&old[i])
	}
	return list
}

// surroundings is what a resolver may read beside facts: the content of the
// configuration files by path, and the names of files without facts.
type surroundings struct {
	config map[string]gitstore.Digest
	others []string
}

func surroundingsOf(s *gitstore.Snapshot, resolvers []graph.Resolver) *surroundings {
	out := &surroundings{config: map[string]gitstore.Digest{}}
	for i := range s.Files {
		if f := &s.Files[i]; graph.Steers(resolvers, f.Path) {
			out.config[f.Path] = f.SHA256
			if facts.Detect(f.Path) == facts.NoLang {
				out.others = append(out.others, f.Path)
			}
		}
	}
	for i := range s.Omitted {
		if s.Omitted[i].Reason == gitstore.Unsupported {
			out.others = append(out.others, s.Omitted[i].Path)
		}
	}
	slices.Sort(out.others)
	return out
}

// steered says whether the configuration of a resolver differs.
func (a *surroundings) steered(b *surroundings, r graph.Resolver) bool {
	return a.misses(b, r) || b.misses(a, r)
}

func (a *surroundings) misses(b *surroundings, r graph.Resolver) bool {
	for path, sum := range a.config {
		if got, ok := b.config[path]; r.ConfigFile(path) && (!ok || got != sum) {
			return true
		}
	}
	return false
}
