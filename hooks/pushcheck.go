package hooks

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"codeidx/facts"
	"codeidx/graph"
)

// checkBranch fills in what a push does to the uses of what it changes.
func (s *sources) checkBranch(ctx context.Context, p *Push) error {
	diff := DiffTrees(ctx, s.Repo, []CommitPair{{p.Old, p.New}})[0]
	if diff.Err != nil {
		return diff.Err
	}
	changes := slices.DeleteFunc(diff.Changes, func(c TreeChange) bool { return !isSource(c.Path) && !isSource(c.OldPath) })
	if len(changes) == 0 {
		return nil
	}
	if limit := s.Config.DriftPaths; len(changes) > limit {
		p.Skipped = fmt.Sprintf("%d source files change, more than %d (codeidx.driftPaths)", len(changes), limit)
		return nil
	}
	tree, err := s.listTree(ctx, p.New)
	if err != nil {
		return err
	}
	was := s.before(tree, diff.Changes)
	t := &treeFacts{sources: s, facts: map[versionKey]*facts.File{}}
	if err := t.load(ctx, was, tree); err != nil {
		return err
	}
	c := &comparison{push: p, changes: changes}
	if c.old, err = t.resolve(was); err != nil {
		return err
	}
	if c.new, err = t.resolve(tree); err != nil {
		return err
	}
	for i := range changes {
		c.deltas = append(c.deltas, t.treeDelta(was, tree, &changes[i]))
	}
	findMoves(c.deltas)
	c.run()
	return ctx.Err()
}

func (t *treeFacts) treeDelta(was, is blobs, c *TreeChange) *Delta {
	var old, new *version
	from := c.Path
	if c.OldPath != "" {
		from = c.OldPath
	}
	if c.Kind != Add {
		old = t.version(was, from)
	}
	if c.Kind != Delete {
		new = t.version(is, c.Path)
		_, listed := is[c.Path]
		if new == nil && (c.Kind == Modify || listed && isSource(c.Path)) {
			// It is there, but could not be read: nothing in it is proven to be gone.
			return &Delta{Path: validPath(c.Path), movedAway: map[int]bool{}, movedHere: map[int]bool{}, Note: noteUnparsed}
		}
	}
	return newDelta(c.Path, c.OldPath, old, new)
}

// comparison is the two resolved trees of one branch.
type comparison struct {
	push     *Push
	changes  []TreeChange
	old, new *program
	deltas   []*Delta
}

func (c *comparison) run() {
	c.goneUses()
	c.signatureUses()
	c.impact()
	for _, d := range c.deltas {
		c.push.Changed += len(d.removed) + len(d.pairs)
	}
	p := c.push
	slices.SortFunc(p.Uses, func(a, b Use) int {
		if a.Proven != b.Proven {
			return map[bool]int{true: -1, false: 1}[a.Proven]
		}
		return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col), strings.Compare(a.What, b.What))
	})
	p.Uses = slices.CompactFunc(p.Uses, func(a, b Use) bool { return a.Path == b.Path && a.Line == b.Line && a.Col == b.Col })
}

// goneTargets returns the ends of the old program's edges that the new one does
// not have, with what to call each.
func (c *comparison) goneTargets() map[graph.Target]string {
	gone := map[graph.Target]string{}
	for _, d := range c.deltas {
		if d.old == nil {
			continue
		}
		n, ok := c.old.number[d.old.path]
		if !ok {
			continue
		}
		name := func(i int) string { return d.old.definition(i).Name + " of " + validPath(d.old.path) }
		if d.replacesPath {
			for i := range d.old.table.Symbols {
				gone[graph.Target{File: int32(n), Def: facts.DefID(i)}] = name(i)
			}
			gone[graph.Target{File: int32(n)}] = validPath(d.old.path)
		}
		for _, i := range d.removed {
			gone[graph.Target{File: int32(n), Def: facts.DefID(i)}] = name(i)
		}
	}
	folders := map[string]bool{}
	for _, f := range c.new.Files {
		folders[path.Dir(f.Path)] = true
	}
	for i, dir := range c.old.Dirs {
		if !folders[cmp.Or(dir, ".")] {
			gone[graph.Target{File: int32(-i - 1)}] = "the package folder " + validPath(dir)
		}
	}
	return gone
}

// site is a name as it is used in a definition of one file.
type site struct {
	from, name string
	kind       graph.Kind
}

// goneUses finds what was bound to a definition that is gone and is bound to
// nothing now.
func (c *comparison) goneUses() {
	gone := c.goneTargets()
	if len(gone) == 0 {
		return
	}
	for i, f := range c.old.Files {
		n, ok := c.new.number[f.Path]
		if !ok {
			continue
		}
		lost := map[site]graph.Edge{}
		for _, e := range c.old.edges[i].Edges {
			if _, is := gone[e.To]; is && e.Resolution == graph.Resolved {
				lost[site{f.Qualified(e.From), f.Names[e.Name], e.Kind}] = e
			}
		}
		if len(lost) > 0 {
			c.lostIn(f, n, lost, looseSites(f, c.old.edges[i].Unresolved), gone)
		}
	}
}

func looseSites(f *facts.File, list []graph.Unresolved) map[site]bool {
	m := map[site]bool{}
	for i := range list {
		u := &list[i]
		m[site{f.Qualified(u.From), f.Names[u.Name], u.Kind}] = true
	}
	return m
}

// lostIn reports the sites of one file of the new program that used to be bound.
func (c *comparison) lostIn(old *facts.File, n int, lost map[site]graph.Edge, before map[site]bool, gone map[graph.Target]string) {
	f := c.new.Files[n]
	for i := range c.new.edges[n].Unresolved {
		u := &c.new.edges[n].Unresolved[i]
		s := site{f.Qualified(u.From), f.Names[u.Name], u.Kind}
		e, ok := lost[s]
		if !ok || before[s] {
			continue
		}
		line, col := f.Position(u.Pos)
		verb := map[graph.Kind]string{graph.Imports: "imports", graph.Calls: "calls", graph.Inherits: "inherits from"}[u.Kind]
		c.push.Uses = append(c.push.Uses, Use{
			Path: validPath(f.Path), Line: uint32(line), Col: uint32(col), From: validPath(s.from),
			What: cmp.Or(verb, "uses") + " " + validPath(s.name) + ", but " + gone[e.To] + " is gone",
			Rule: e.Rule.String(), Proven: c.provenLost(f, u),
		})
	}
}

// provenLost says whether a use that is bound to nothing cannot be right: the
// name is looked up in this tree alone, and without a condition.
func (c *comparison) provenLost(f *facts.File, u *graph.Unresolved) bool {
	if f.Partial {
		return false
	}
	imp := importAt(f, u.Pos)
	if imp != nil && imp.Flags&(facts.CondImport|facts.Dynamic) != 0 {
		return false
	}
	switch u.Reason {
	case graph.UndefinedName, graph.NoSuchMember:
		return true
	case graph.ExternalImport:
		// A package outside may have the name of the one that is gone, except below a
		// package that is still here.
		return imp != nil && (f.Lang == facts.Go || imp.Level > 0 || c.hasPackage(f.Names[imp.Module]))
	}
	return false
}

func importAt(f *facts.File, pos uint32) *facts.Import {
	for i := 1; i < len(f.Imports); i++ {
		if f.Imports[i].NamePos == pos || f.Imports[i].ModulePos == pos {
			return &f.Imports[i]
		}
	}
	return nil
}

// hasPackage says whether the outermost package of a dotted module is in the new
// tree.
func (c *comparison) hasPackage(module string) bool {
	top, _, dotted := strings.Cut(module, ".")
	if !dotted {
		return false
	}
	return slices.ContainsFunc(c.new.Files, func(f *facts.File) bool {
		return strings.HasPrefix(f.Path, top+"/") || strings.Contains(f.Path, "/"+top+"/")
	})
}

// signatureUses finds the calls that do not fit a changed signature any more, and
// those of public definitions that nobody touched.
func (c *comparison) signatureUses() {
	type changed struct {
		old *facts.File
		was facts.DefID
		is  facts.DefID
	}
	changes := map[graph.Target]changed{}
	touched := map[string]bool{}
	for _, d := range c.deltas {
		if d.new == nil {
			continue
		}
		touched[d.new.path] = true
		if d.old == nil {
			continue
		}
		n, ok := c.new.number[d.new.path]
		o, okOld := c.old.number[d.old.path]
		for _, p := range d.pairs {
			if ok && okOld && slices.Contains(p.how, SignatureChanged) {
				changes[graph.Target{File: int32(n), Def: facts.DefID(p.new)}] = changed{c.old.Files[o], facts.DefID(p.old), facts.DefID(p.new)}
			}
		}
	}
	if len(changes) == 0 {
		return
	}
	for i, f := range c.new.Files {
		for _, e := range c.new.edges[i].Edges {
			ch, ok := changes[e.To]
			if !ok || e.Kind != graph.Calls || e.Resolution != graph.Resolved {
				continue
			}
			target := c.new.Files[e.To.File]
			why := misfit(f, e.Pos, target, ch.is)
			if why != "" && misfit(f, e.Pos, ch.old, ch.was) != "" {
				continue // it did not fit before
			}
			private := target.Defs[ch.is].Flags&facts.Private != 0
			if why == "" && (touched[f.Path] || private) {
				continue
			}
			line, col := f.Position(e.Pos)
			name := validPath(f.Names[e.Name])
			u := Use{
				Path: validPath(f.Path), Line: uint32(line), Col: uint32(col), From: validPath(f.Qualified(e.From)), Rule: e.Rule.String(),
				What: "calls " + name + ", whose signature changed", Proven: why != "",
			}
			if why != "" {
				u.What = "calls " + name + " " + why
			}
			c.push.Uses = append(c.push.Uses, u)
		}
	}
}

// impactDepth is how many calls away from what changed a test may be.
const impactDepth = 3

// impact lists the files that use what changed, and the tests that reach it.
func (c *comparison) impact() {
	seeds := map[graph.Target]bool{}
	own := map[int32]bool{}
	for _, d := range c.deltas {
		if d.new == nil {
			continue
		}
		n, ok := c.new.number[d.new.path]
		if !ok {
			continue
		}
		own[int32(n)] = true
		for _, p := range d.pairs {
			seeds[graph.Target{File: int32(n), Def: facts.DefID(p.new)}] = true
		}
	}
	tests := map[string]bool{}
	for n := range own {
		if isTest(c.new.Files[n]) {
			tests[validPath(c.new.Files[n].Path)] = true
		}
	}
	for depth := range impactDepth {
		next := map[graph.Target]bool{}
		for i, f := range c.new.Files {
			sites := 0
			for _, e := range c.new.edges[i].Edges {
				if e.Resolution == graph.Resolved && e.Kind != graph.Contains && seeds[e.To] {
					sites++
					next[graph.Target{File: int32(i), Def: e.From}] = true
				}
			}
			if sites > 0 && isTest(f) {
				tests[validPath(f.Path)] = true
			}
			if sites > 0 && depth == 0 && !own[int32(i)] {
				c.push.Affected = append(c.push.Affected, Affected{validPath(f.Path), sites})
			}
		}
		seeds = next
	}
	for t := range tests {
		c.push.Tests = append(c.push.Tests, t)
	}
	slices.Sort(c.push.Tests)
}

func isTest(f *facts.File) bool {
	l := facts.ByID(f.Lang)
	return l != nil && l.TestFile != nil && l.TestFile(f.Path)
}
