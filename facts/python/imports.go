package python

import (
	"codeidx/facts"
)

// importStatement reads "import a.b, c as d" and the future imports.
func (w *walker) importStatement(n uint32) {
	future := w.kind(n) == kFutureImportStatement
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		dotted, alias := w.importItem(c)
		if dotted == 0 {
			continue
		}
		if future {
			w.importName(n, facts.Import{Module: w.b.InternString("__future__"), ModulePos: w.futurePos(n)}, dotted, alias)
			continue
		}
		i := w.newImport(n, facts.Import{
			Kind: facts.ImportModule, Module: w.b.Intern(w.text(dotted)), ModulePos: w.node(dotted).Start,
		})
		local, pos := w.t.First(dotted), w.node(dotted).Start
		if alias != 0 {
			local, pos = alias, w.node(alias).Start
			i.Alias = w.b.Intern(w.text(alias))
		}
		if local == 0 {
			local = dotted
		}
		w.bindImport(i, w.b.Intern(w.text(local)), pos)
	}
}

// futurePos is the position of "__future__" in "from __future__ import".
func (w *walker) futurePos(n uint32) uint32 {
	f := w.t.First(n)
	if f == 0 || w.t.Sibling(n, f) == 0 {
		return w.node(n).Start
	}
	return w.node(w.t.Sibling(n, f)).Start
}

// importItem returns the dotted name and the alias of an imported thing.
func (w *walker) importItem(c uint32) (dotted, alias uint32) {
	switch w.kind(c) {
	case kDottedName:
		return c, 0
	case kAliasedImport:
		return w.child(c, w.fields.name), w.child(c, w.fields.alias)
	}
	return 0, 0
}

// importFrom reads "from .a import b as c, d" and "from a import *".
func (w *walker) importFrom(n uint32) {
	m := w.child(n, w.fields.module)
	if m == 0 {
		return
	}
	base := facts.Import{ModulePos: w.node(m).Start}
	if w.kind(m) == kRelativeImport {
		for c := m + 1; c < w.t.Nodes[m].Next; c = w.t.Nodes[c].Next {
			switch w.kind(c) {
			case kImportPrefix:
				base.Level = w.dots(c)
			case kDottedName:
				base.Module = w.b.Intern(w.text(c))
			}
		}
	} else {
		base.Module = w.b.Intern(w.text(m))
	}
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		if c == m {
			continue
		}
		if w.kind(c) == kWildcardImport {
			i := w.newImport(n, base)
			i.Kind, i.NamePos = facts.ImportStar, w.node(c).Start
			w.bindImport(i, 0, w.node(c).Start)
			continue
		}
		if dotted, alias := w.importItem(c); dotted != 0 {
			w.importName(n, base, dotted, alias)
		}
	}
}

func (w *walker) dots(n uint32) uint8 {
	level := uint8(0)
	for _, c := range w.text(n) {
		if c == '.' && level < 255 {
			level++
		}
	}
	return level
}

func (w *walker) importName(stmt uint32, base facts.Import, dotted, alias uint32) {
	i := w.newImport(stmt, base)
	i.Kind = facts.ImportName
	i.Name, i.NamePos = w.b.Intern(w.text(dotted)), w.node(dotted).Start
	local, pos := i.Name, i.NamePos
	if alias != 0 {
		i.Alias = w.b.Intern(w.text(alias))
		local, pos = i.Alias, w.node(alias).Start
	}
	w.bindImport(i, local, pos)
}

func (w *walker) newImport(stmt uint32, i facts.Import) facts.Import {
	i.Flags, i.Scope, i.Stmt = w.flow.imports, w.scope, w.span(stmt)
	return i
}

// bindImport appends an import and the name that it binds; a star import has
// no name.
func (w *walker) bindImport(i facts.Import, local facts.NameID, pos uint32) {
	id := w.b.Import(i)
	b := facts.Bind{Kind: facts.BindImport, Name: local, Pos: pos, From: pos, Import: id}
	if w.isGlobal(local) {
		b.Flags = facts.CondBind
		w.b.Bind(b)
		return
	}
	w.addBind(b)
}
