package ecma

import (
	"codeidx/facts"
)

// importStatement reads the forms of "import".
func (w *walker) importStatement(n uint32) {
	i := facts.Import{Stmt: w.span(n), Scope: w.scope}
	if w.first(n, tType) != 0 {
		i.Flags |= facts.TypeOnly
	}
	clause := w.first(n, kImportClause)
	if r := w.first(n, kImportRequireClause); r != 0 {
		w.importRequire(r, i)
		return
	}
	s := w.child(n, w.fields.source)
	if s == 0 || !w.setModule(&i, s) {
		return
	}
	if clause == 0 {
		i.Kind = facts.ImportEffect
		w.b.Import(i)
		return
	}
	for c := clause + 1; c < w.next(clause); c = w.next(c) {
		switch w.kind(c) {
		case kIdentifier:
			d := i
			d.Kind, d.Name, d.Alias, d.NamePos = facts.ImportName, w.b.InternString("default"), w.name(c), w.node(c).Start
			w.importBind(d, d.NamePos)
		case kNamespaceImport:
			if id := w.only(c); id != 0 {
				d := i
				d.Kind, d.Alias, d.NamePos = facts.ImportModule, w.name(id), w.node(id).Start
				w.importBind(d, d.NamePos)
			}
		case kNamedImports:
			w.specifiers(c, i)
		}
	}
	if w.first(clause, kNamedImports) != 0 && w.only(w.first(clause, kNamedImports)) == 0 {
		i.Kind = facts.ImportEffect
		w.b.Import(i)
	}
}

// setModule gives an import the module that a string names.
func (w *walker) setModule(i *facts.Import, s uint32) bool {
	i.Module, i.ModulePos = w.b.Intern(w.content(s)), w.node(s).Start
	return i.Module != 0
}

// importBind adds an import and the name that it binds at pos.
func (w *walker) importBind(i facts.Import, pos uint32) {
	id := w.b.Import(i)
	name := i.Alias
	if name == 0 {
		name = i.Name
	}
	w.bind(facts.Bind{Kind: facts.BindImport, Name: name, Pos: pos, Import: id})
}

func (w *walker) specifiers(n uint32, i facts.Import) {
	for c := n + 1; c < w.next(n); c = w.next(c) {
		if w.kind(c) != kImportSpecifier {
			continue
		}
		name, alias := w.child(c, w.fields.name), w.child(c, w.fields.alias)
		if name == 0 || w.broken(name) {
			continue
		}
		d := i
		d.Kind, d.Name, d.NamePos = facts.ImportName, w.moduleName(name), w.node(name).Start
		pos := d.NamePos
		if alias != 0 {
			d.Alias, pos = w.name(alias), w.node(alias).Start
		}
		if w.first(c, tType) != 0 {
			d.Flags |= facts.TypeOnly
		}
		w.importBind(d, pos)
	}
}

// moduleName is an exported name, which may be written as a string.
func (w *walker) moduleName(n uint32) facts.NameID {
	if w.kind(n) == kString {
		return w.b.Intern(w.content(n))
	}
	return w.name(n)
}

// importRequire reads "import x = require('m')".
func (w *walker) importRequire(r uint32, i facts.Import) {
	s, id := w.child(r, w.fields.source), w.first(r, kIdentifier)
	if s == 0 || id == 0 || !w.setModule(&i, s) {
		return
	}
	i.Kind, i.Name, i.Alias, i.NamePos = facts.ImportModule, w.b.InternString("export="), w.name(id), w.node(id).Start
	w.importBind(i, i.NamePos)
}

// importAlias reads "import A = B.C".
func (w *walker) importAlias(n uint32) {
	id, value := w.only(n), w.last(n)
	if id == 0 || value == id {
		return
	}
	v := w.typeExpr(value)
	w.bind(facts.Bind{Kind: facts.BindConst, Name: w.name(id), Pos: w.node(id).Start, Value: v})
	if w.flags&facts.Exported != 0 {
		w.bind(facts.Bind{Kind: facts.BindExport, Name: w.name(id), Pos: w.node(id).Start, Value: v})
	}
}

// exportStatement reads the forms of "export".
func (w *walker) exportStatement(n uint32) {
	i := facts.Import{Stmt: w.span(n), Scope: w.scope}
	if w.first(n, tType) != 0 {
		i.Flags |= facts.TypeOnly
	}
	if s := w.child(n, w.fields.source); s != 0 {
		if w.setModule(&i, s) {
			w.reexports(n, i)
		}
		return
	}
	if d := w.child(n, w.fields.declaration); d != 0 {
		w.exportDeclaration(n, d)
		return
	}
	if v := w.child(n, w.fields.value); v != 0 {
		w.exportDefault(n, v)
		return
	}
	for c := n + 1; c < w.next(n); c = w.next(c) {
		switch {
		case w.kind(c) == kExportClause:
			w.exportClause(c)
		case !w.named(c) || w.kind(c) == kDecorator:
			if w.kind(c) == kError {
				w.recover(c)
			}
		default: // export = x
			v := w.valueExpr(c)
			w.bind(facts.Bind{Kind: facts.BindExport, Name: w.b.InternString("export="), Pos: w.node(c).Start, Value: v})
		}
	}
}

func (w *walker) exportDeclaration(n, d uint32) {
	outer := w.flags
	if w.first(n, tDefault) != 0 {
		w.defaultDeclaration(n, d)
		return
	}
	w.flags |= facts.Exported
	w.declared(d, n)
	w.flags = outer
}

// defaultDeclaration reads "export default function f() {}" and its like.
func (w *walker) defaultDeclaration(n, d uint32) {
	name := w.b.InternString("default")
	nameNode := w.child(d, w.fields.name)
	before := len(w.f.Defs)
	outer := w.flags
	if nameNode != 0 {
		w.declared(d, n)
	} else {
		w.anonymous(n, d)
	}
	w.flags = outer
	if before < len(w.f.Defs) {
		id := facts.DefID(before)
		w.f.Defs[id].Flags |= facts.Exported
		w.bind(facts.Bind{Kind: facts.BindExport, Name: name, Pos: w.f.Defs[id].NamePos, Def: id})
	}
}

// anonymous reads a default export without a name: it is called "default".
func (w *walker) anonymous(n, d uint32) {
	name := w.b.InternString("default")
	pos := w.node(d).Start
	if t := w.first(n, tDefault); t != 0 {
		pos = w.node(t).Start
	}
	switch w.kind(d) {
	case kClassDeclaration, kAbstractClassDeclaration, kClass:
		w.classDef(d, n, name, pos)
	default:
		w.functionDef(d, n, name, pos, w.defFlags()|w.modifiers(d))
	}
}

// exportDefault reads "export default value". A plain name is another name for
// what it names; other values are a definition called "default".
func (w *walker) exportDefault(n, v uint32) {
	name := w.b.InternString("default")
	switch w.kind(v) {
	case kIdentifier:
		x := w.expr(v, facts.Export)
		w.bind(facts.Bind{Kind: facts.BindExport, Name: name, Pos: w.node(v).Start, Value: x})
		return
	case kFunctionExpression, kGeneratorFunction, kClass:
		w.defaultDeclaration(n, v)
		return
	}
	pos := w.node(v).Start
	if t := w.first(n, tDefault); t != 0 {
		pos = w.node(t).Start
	}
	id := w.b.Def(facts.Def{
		Kind: facts.DefVariable, Flags: w.defFlags() | facts.Exported, Name: name, Parent: w.def, Scope: w.scope, Span: w.span(n),
		NamePos: pos, SigEnd: w.signatureEnd(n, pos), Doc: w.docOf(n),
	})
	x := w.valueOf(v, id)
	w.describe(id, x)
	w.bind(facts.Bind{Kind: facts.BindExport, Name: name, Pos: pos, Value: x, Def: id})
}

// exportClause reads "export {a, b as c}".
func (w *walker) exportClause(n uint32) {
	for c := n + 1; c < w.next(n); c = w.next(c) {
		if w.kind(c) != kExportSpecifier {
			continue
		}
		name, alias := w.child(c, w.fields.name), w.child(c, w.fields.alias)
		if name == 0 || w.broken(name) {
			continue
		}
		x := w.add(name, facts.Expr{Kind: facts.Name, Ctx: facts.Export, Name: w.moduleName(name)})
		as := w.f.Exprs[x].Name
		if alias != 0 {
			as = w.moduleName(alias)
		}
		w.bind(facts.Bind{Kind: facts.BindExport, Name: as, Pos: w.node(name).Start, Value: x})
	}
}

// reexports reads "export … from".
func (w *walker) reexports(n uint32, i facts.Import) {
	found := false
	for c := n + 1; c < w.next(n); c = w.next(c) {
		switch w.kind(c) {
		case tStar:
			if w.first(n, kNamespaceExport) == 0 {
				i.Kind = facts.ImportStar
				w.b.Import(i)
				found = true
			}
		case kNamespaceExport:
			if id := w.only(c); id != 0 {
				d := i
				d.Kind, d.Name, d.Alias, d.NamePos = facts.ImportReexport, w.b.InternString("*"), w.moduleName(id), w.node(id).Start
				w.b.Import(d)
				found = true
			}
		case kExportClause:
			found = w.reexportClause(c, i) || found
		}
	}
	if !found {
		i.Kind = facts.ImportEffect
		w.b.Import(i)
	}
}

func (w *walker) reexportClause(n uint32, i facts.Import) (found bool) {
	for c := n + 1; c < w.next(n); c = w.next(c) {
		if w.kind(c) != kExportSpecifier {
			continue
		}
		name, alias := w.child(c, w.fields.name), w.child(c, w.fields.alias)
		if name == 0 || w.broken(name) {
			continue
		}
		d := i
		d.Kind, d.Name, d.NamePos = facts.ImportReexport, w.moduleName(name), w.node(name).Start
		if alias != 0 {
			d.Alias = w.moduleName(alias)
		}
		w.b.Import(d)
		found = true
	}
	return found
}

// importCall notes "import('m')" and "require('m')" with a literal name.
func (w *walker) importCall(fn, args uint32) {
	if fn == 0 || w.kind(fn) != kImport && !(w.kind(fn) == kIdentifier && string(w.text(fn)) == "require") {
		return
	}
	s := w.only(args)
	if s == 0 || w.kind(s) != kString {
		return
	}
	i := facts.Import{Kind: facts.ImportEffect, Flags: facts.Dynamic, Scope: w.scope, Stmt: w.span(fn)}
	i.Stmt.End = w.node(args).End
	if w.setModule(&i, s) {
		w.b.Import(i)
	}
}

// requirePattern reads "const {a, b: c} = require('m')" as an import of names.
func (w *walker) requirePattern(pattern, value uint32, s source) bool {
	fn := w.child(value, w.fields.function)
	args := w.child(value, w.fields.args)
	if w.kind(pattern) != kObjectPattern || w.kind(value) != kCallExpression || fn == 0 || args == 0 || string(w.text(fn)) != "require" {
		return false
	}
	str := w.only(args)
	if str == 0 || w.kind(str) != kString || !w.plainPattern(pattern) {
		return false
	}
	v := w.expr(value, facts.Read)
	i := facts.Import{Kind: facts.ImportName, Flags: facts.Dynamic, Scope: w.scope, Stmt: w.span(s.stmt)}
	if v == 0 || !w.setModule(&i, str) {
		return true
	}
	for c := pattern + 1; c < w.next(pattern); c = w.next(c) {
		d := i
		pos := w.node(c).Start
		switch w.kind(c) {
		case kShorthandPropertyIdentifierPattern:
			d.Name, d.NamePos = w.name(c), pos
		case kPairPattern:
			k, a := w.child(c, w.fields.key), w.child(c, w.fields.value)
			d.Name, d.NamePos, d.Alias = w.name(k), w.node(k).Start, w.name(a)
			pos = w.node(a).Start
		default:
			continue
		}
		w.importBind(d, pos)
	}
	return true
}

// plainPattern says whether an object pattern only takes named properties.
func (w *walker) plainPattern(n uint32) bool {
	for c := n + 1; c < w.next(n); c = w.next(c) {
		if !w.named(c) {
			continue
		}
		switch w.kind(c) {
		case kShorthandPropertyIdentifierPattern:
		case kPairPattern:
			k, v := w.child(c, w.fields.key), w.child(c, w.fields.value)
			if k == 0 || v == 0 || w.kind(k) != kPropertyIdentifier || w.kind(v) != kIdentifier {
				return false
			}
		default:
			return false
		}
	}
	return true
}
