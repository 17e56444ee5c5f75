package facts

import (
	"fmt"

	"pgregory.net/rapid"
)

// drawFile draws any valid file.
func drawFile(t *rapid.T) *File {
	d := drawer{t, &File{Size: rapid.Uint32().Draw(t, "size")}}
	f := d.f
	f.Path = rapid.String().Draw(t, "path")
	f.Lang = Lang(d.below(2)) + Python
	f.Partial = rapid.Bool().Draw(t, "partial")
	f.Lines = []uint32{0}
	for p := uint32(0); p < f.Size && len(f.Lines) < 4; {
		p += 1 + rapid.Uint32Max(f.Size-p-1).Draw(t, "line")
		f.Lines = append(f.Lines, p)
	}
	f.Names = []string{""}
	for i := range d.below(5) {
		f.Names = append(f.Names, fmt.Sprint(rapid.String().Draw(t, "name"), i))
	}
	f.Scopes, f.Defs = make([]Scope, 1+d.below(4)), make([]Def, 1+d.below(4))
	f.Binds, f.Imports = make([]Bind, d.below(4)), make([]Import, 1+d.below(4))
	f.Exprs = make([]Expr, 1+d.below(6))
	for i := 1; i < len(f.Exprs); i++ {
		f.Exprs[i] = d.expr(i)
	}
	for i := range f.Scopes {
		f.Scopes[i] = Scope{
			Kind: ScopeKind(d.below(len(scopeKindNames))), Parent: ScopeID(d.below(max(i, 1))), Def: d.def(), Span: d.span(),
		}
	}
	for i := range f.Defs {
		f.Defs[i] = d.defRecord(i)
	}
	f.Scopes[0].Kind, f.Defs[0].Kind = ScopeFile, DefFile
	for i := range f.Binds {
		f.Binds[i] = Bind{
			Kind: BindKind(d.below(len(bindKindNames))), Part: Part(d.below(len(partNames))),
			Index: rapid.Uint16().Draw(t, "index"), Scope: d.scope(), Name: d.name(),
			Pos: d.pos(), From: d.pos(), To: d.pos(), Merge: d.pos(),
			Type: d.expression(), Value: d.expression(), On: d.expression(),
			Def: d.def(), Import: ImportID(d.below(len(f.Imports))), Flags: BindFlags(d.below(1 << len(bindFlagNames))),
		}
	}
	for i := 1; i < len(f.Imports); i++ {
		f.Imports[i] = Import{
			Kind: ImportKind(d.below(len(importKindNames))), Flags: ImportFlags(d.below(1 << len(importFlagNames))),
			Level: rapid.Uint8().Draw(t, "level"), Module: d.name(), ModulePos: d.pos(), Name: d.name(), NamePos: d.pos(),
			Alias: d.name(), Scope: d.scope(), Stmt: d.span(),
		}
	}
	for range d.below(4) {
		f.Texts = append(f.Texts, Text{TextKind(d.below(len(textKindNames))), d.span()})
		f.Errors = append(f.Errors, d.span())
		f.Marks = append(f.Marks, Mark{d.name(), d.name()})
	}
	f.Package, f.Exports = d.name(), d.kids()
	return f
}

type drawer struct {
	t *rapid.T
	f *File
}

func (d *drawer) below(n int) int    { return rapid.IntRange(0, n-1).Draw(d.t, "n") }
func (d *drawer) name() NameID       { return NameID(d.below(len(d.f.Names))) }
func (d *drawer) scope() ScopeID     { return ScopeID(d.below(len(d.f.Scopes))) }
func (d *drawer) def() DefID         { return DefID(d.below(len(d.f.Defs))) }
func (d *drawer) expression() ExprID { return ExprID(d.below(len(d.f.Exprs))) }
func (d *drawer) pos() uint32        { return rapid.Uint32Max(d.f.Size).Draw(d.t, "pos") }

func (d *drawer) span() Span {
	a, b := d.pos(), d.pos()
	return Span{min(a, b), max(a, b)}
}

// kids draws a run of the children that exist already.
func (d *drawer) kids() Range {
	n := d.below(len(d.f.Kids) + 1)
	if n == 0 {
		return Range{}
	}
	return Range{uint32(d.below(len(d.f.Kids) - n + 1)), uint32(n)}
}

func (d *drawer) expr(i int) Expr {
	e := Expr{
		Kind: ExprKind(d.below(len(exprKindNames))), Ctx: Ctx(d.below(len(ctxNames))), Lit: Lit(d.below(len(litNames))),
		Op: Op(d.below(len(opNames))), Name: d.name(), Scope: d.scope(), Pos: d.pos(), X: ExprID(d.below(i)),
	}
	if n := d.below(3); n > 0 {
		e.Kids = Range{uint32(len(d.f.Kids)), uint32(n)}
		for range n {
			d.f.Kids = append(d.f.Kids, ExprID(d.below(i)))
		}
	}
	return e
}

func (d *drawer) defRecord(i int) Def {
	return Def{
		Kind: DefKind(d.below(len(defKindNames))), Flags: DefFlags(d.below(1 << len(defFlagNames))),
		Name: d.name(), Container: d.name(), Parent: DefID(d.below(max(i, 1))), Scope: d.scope(),
		Span: d.span(), NamePos: d.pos(), SigEnd: d.pos(), Doc: d.span(),
		Decorators: d.kids(), Bases: d.kids(), Implements: d.kids(),
		Recv: d.expression(), Type: d.expression(), Result: d.expression(), Value: d.expression(),
	}
}
