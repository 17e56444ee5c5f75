package golang

import (
	"crypto/sha256"
	"encoding/binary"

	"codeidx/facts"
	"codeidx/graph"
)

// outline is what other files can see of a file: what stands outside of
// function bodies, without positions.
type outline struct {
	head  [32]byte // package clause and file-level marks
	items []item
}

// item is a declaration, or what is bound to its name: two items may have one
// name.
type item struct {
	name   string
	loose  bool // a function, variable or constant: others reach it by its name alone
	digest [32]byte
	uses   map[string]bool // names in it, but for those that inner scopes bind
}

// outlineOf reads the outline of a file. An expression is digested with all its
// operands, a struct or interface type with its members, and a name that an
// inner scope binds, such as a type parameter, with its binding.
func outlineOf(f *facts.File) *outline {
	o := outliner{file: newReader(f), symbols: graph.SymbolsOf(f, nil)}
	o.name(f.Package)
	for _, m := range f.Marks {
		o.name(m.Key)
		o.name(m.Value)
	}
	out := &outline{head: sha256.Sum256(o.out)}
	for i := 1; i < len(f.Defs); i++ {
		if d := &f.Defs[i]; d.Flags&facts.Local == 0 {
			loose := d.Parent == 0 && (d.Kind == facts.DefFunction || d.Kind == facts.DefVariable || d.Kind == facts.DefConstant)
			out.items = append(out.items, o.item(f.Names[d.Name], loose, func() { o.def(facts.DefID(i)) }))
		}
	}
	for i := range f.Binds {
		if b := &f.Binds[i]; b.Scope == 0 && b.Def != 0 { // without a definition, as "_", nothing can name it
			out.items = append(out.items, o.item(f.Names[b.Name], !o.file.isType(b.Def), func() { o.bind(int32(i)) }))
		}
	}
	return out
}

// newReader makes the indexes of a file that is looked at by itself.
func newReader(f *facts.File) *file {
	g := &file{File: f}
	g.indexBinds()
	g.indexDefs()
	return g
}

// outliner writes the canonical form of declarations.
type outliner struct {
	out     []byte
	file    *file
	symbols *graph.FileSymbols
	uses    map[string]bool
	binds   map[int32]bool         // inner ones that the item at hand has written
	types   map[facts.ScopeID]bool // struct and interface types likewise
}

func (o *outliner) item(name string, loose bool, write func()) item {
	o.out, o.uses, o.binds, o.types = o.out[:0], map[string]bool{}, map[int32]bool{}, map[facts.ScopeID]bool{}
	write()
	return item{name, loose, sha256.Sum256(o.out), o.uses}
}

func (o *outliner) byte(b byte) { o.out = append(o.out, b) }

func (o *outliner) number(n uint64) { o.out = binary.AppendUvarint(o.out, n) }

func (o *outliner) text(s string) {
	o.number(uint64(len(s)))
	o.out = append(o.out, s...)
}

func (o *outliner) name(id facts.NameID) { o.text(o.file.Names[id]) }

// Marks of what follows.
const (
	tagDef byte = iota + 1
	tagBind
	tagExpr
	tagLocal
	tagEnd
)

func (o *outliner) def(id facts.DefID) {
	d, s := &o.file.Defs[id], &o.symbols.Symbols[id]
	o.byte(tagDef)
	o.byte(byte(d.Kind))
	o.number(uint64(d.Flags))
	o.name(d.Name)
	o.name(d.Container)
	if d.Container != 0 {
		o.uses[o.file.Names[d.Container]] = true
	}
	o.text(s.Qualified)
	o.number(uint64(s.Ordinal))
	o.kids(d.Bases)
	o.kids(d.Implements)
	for _, e := range [...]facts.ExprID{d.Recv, d.Type, d.Result, d.Value} {
		o.expr(e)
	}
	for _, i := range o.file.typeParams[d.Scope] {
		o.bind(int32(i))
	}
	o.byte(tagEnd)
}

func (o *outliner) bind(i int32) {
	b := &o.file.Binds[i]
	o.byte(tagBind)
	o.byte(byte(b.Kind))
	o.byte(byte(b.Part))
	o.byte(byte(b.Flags))
	o.number(uint64(b.Index))
	o.name(b.Name)
	if b.Def != 0 {
		s := &o.symbols.Symbols[b.Def]
		o.text(s.Qualified)
		o.number(uint64(s.Ordinal))
	}
	o.expr(b.Type)
	o.expr(b.Value)
	o.byte(tagEnd)
}

func (o *outliner) kids(r facts.Range) {
	o.number(uint64(r.N))
	for _, e := range o.file.KidsOf(r) {
		o.expr(e)
	}
}

func (o *outliner) expr(id facts.ExprID) {
	if id == 0 {
		o.byte(tagEnd)
		return
	}
	e := &o.file.Exprs[id]
	o.byte(tagExpr)
	for _, b := range [...]byte{byte(e.Kind), byte(e.Ctx), byte(e.Lit), byte(e.Op)} {
		o.byte(b)
	}
	o.name(e.Name)
	if e.Name != 0 && !(e.Kind == facts.Name && o.local(e)) {
		o.uses[o.file.Names[e.Name]] = true
	}
	if e.Kind == facts.StructType || e.Kind == facts.InterfaceType {
		o.members(e.Scope)
	}
	o.expr(e.X)
	o.kids(e.Kids)
}

// local writes what an inner scope binds the name of e to, if one does.
func (o *outliner) local(e *facts.Expr) bool {
	i := o.file.local(e.Name, e.Pos)
	if i < 0 {
		return false
	}
	o.byte(tagLocal)
	if !o.binds[i] {
		o.binds[i] = true
		o.bind(i)
	}
	return true
}

// members writes the fields or methods of a struct or interface type.
func (o *outliner) members(s facts.ScopeID) {
	if o.types[s] {
		return
	}
	o.types[s] = true
	for d := o.file.firstMember[s]; d != 0; d = o.file.nextMember[d] {
		o.def(d)
	}
}
