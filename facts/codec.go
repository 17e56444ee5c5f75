package facts

import (
	"errors"
	"fmt"
)

// Format is the version of the encoding that Encode writes and Decode reads.
// Raise it with every change of the layout below: it is part of every
// extraction key, so that facts in an older format are extracted again.
const Format = 1

const magic = "cxf"

// Errors of Decode.
var (
	ErrFormat    = errors.New("not facts of this format")
	ErrMalformed = errors.New("malformed facts")
)

// Encode returns the canonical encoding of valid facts (see Validate): equal
// facts give equal bytes.
func Encode(f *File) []byte {
	c := coder{b: make([]byte, 0, 16*len(f.Exprs)+256), writing: true}
	c.b = append(append(c.b, magic...), Format)
	file := *f
	layout(&c, &file)
	return c.b
}

// Decode reads what Encode wrote. It accepts exactly the encodings of valid
// facts, so that encoding the result gives b again; of anything else it
// reports ErrFormat or ErrMalformed, having allocated no more than a small
// multiple of len(b). The result does not alias b.
func Decode(b []byte) (*File, error) {
	if len(b) < len(magic)+1 || string(b[:len(magic)]) != magic || b[len(magic)] != Format {
		return nil, fmt.Errorf("decode facts: %w", ErrFormat)
	}
	c := coder{b: b[len(magic)+1:]}
	f := new(File)
	layout(&c, f)
	if c.bad || len(c.b) != 0 {
		return nil, fmt.Errorf("decode facts: %w", ErrMalformed)
	}
	if err := check(f); err != nil {
		return nil, fmt.Errorf("decode facts: %w: %w", ErrMalformed, err)
	}
	return f, nil
}

// layout is the format: it says, for both directions, in which order the
// columns stand and how each is written.
//
// A file is "cxf", the format byte, a header (language, partial, size, path),
// and the tables, each as its number of records followed by one column per
// field. Column by column, values resemble their neighbours, which makes the
// bytes small and lets a general compressor do the rest. All numbers are
// shortest-form unsigned varints below 2^33; a signed difference d is written
// as 2d, or -2d-1 where it is negative, computed in 32 bits. Columns:
//
//	bytes     one byte a record
//	plain     the value
//	delta     the difference to the record before (0 before the first)
//	optional  0 for 0; else 1 + the difference to the last value that was not 0
//	below     0 for 0; else by how much it is below the record's own index
//	relative  the difference to another field of the record
//	span      delta column of starts, plain column of lengths
//	range     plain column of N; for each N > 0 the difference of First to
//	          the end of the range before
//
// The records at index 0 of Names, Imports and Exprs mean "none" and are not
// written. Valid facts have one encoding, and only valid facts have one: what
// check reports is not decoded.
func layout(c *coder, f *File) {
	c.header(f)
	layoutNames(c, f)
	layoutScopes(c, table(c, &f.Scopes, 0, 4))
	layoutDefs(c, table(c, &f.Defs, 0, 18))
	layoutBinds(c, table(c, &f.Binds, 0, 14))
	layoutImports(c, table(c, &f.Imports, 1, 11))
	layoutExprs(c, table(c, &f.Exprs, 1, 9))
	kids := table(c, &f.Kids, 0, 1)
	column(c, kids, delta, func(x *ExprID) *ExprID { return x })
	texts := table(c, &f.Texts, 0, 3)
	byteColumn(c, texts, func(x *Text) *TextKind { return &x.Kind })
	spans(c, texts, func(x *Text) *Span { return &x.Span })
	spans(c, table(c, &f.Errors, 0, 2), func(x *Span) *Span { return x })
	marks := table(c, &f.Marks, 0, 2)
	column(c, marks, plain, func(x *Mark) *NameID { return &x.Key })
	column(c, marks, plain, func(x *Mark) *NameID { return &x.Value })
}

func (c *coder) header(f *File) {
	one := []*File{f}
	column(c, one, plain, func(x **File) *Lang { return &(*x).Lang })
	c.flag(&f.Partial)
	column(c, one, plain, func(x **File) *uint32 { return &(*x).Size })
	c.text(&f.Path)
	column(c, one, plain, func(x **File) *NameID { return &(*x).Package })
	ranges(c, one, func(x **File) *Range { return &(*x).Exports })
	column(c, table(c, &f.Lines, 0, 1), delta, func(x *uint32) *uint32 { return x })
}

func layoutNames(c *coder, f *File) {
	names := table(c, &f.Names, 1, 2)
	lengths := c.scratch(len(names))
	for i, n := range names {
		lengths[i] = uint32(len(n))
	}
	c.run(plain, lengths)
	c.strings(names, lengths)
}

func layoutScopes(c *coder, t []Scope) {
	byteColumn(c, t, func(x *Scope) *ScopeKind { return &x.Kind })
	column(c, t, delta, func(x *Scope) *ScopeID { return &x.Parent })
	column(c, t, delta, func(x *Scope) *DefID { return &x.Def })
	spans(c, t, func(x *Scope) *Span { return &x.Span })
}

func layoutDefs(c *coder, t []Def) {
	byteColumn(c, t, func(x *Def) *DefKind { return &x.Kind })
	column(c, t, plain, func(x *Def) *DefFlags { return &x.Flags })
	column(c, t, delta, func(x *Def) *NameID { return &x.Name })
	column(c, t, optional, func(x *Def) *NameID { return &x.Container })
	column(c, t, delta, func(x *Def) *DefID { return &x.Parent })
	column(c, t, delta, func(x *Def) *ScopeID { return &x.Scope })
	spans(c, t, func(x *Def) *Span { return &x.Span })
	start := func(x *Def) uint32 { return x.Span.Start }
	relative(c, t, start, func(x *Def) *uint32 { return &x.NamePos })
	relative(c, t, start, func(x *Def) *uint32 { return &x.SigEnd })
	column(c, t, optional, func(x *Def) *uint32 { return &x.Doc.End })
	relative(c, t, func(x *Def) uint32 { return x.Doc.End }, func(x *Def) *uint32 { return &x.Doc.Start })
	ranges(c, t, func(x *Def) *Range { return &x.Decorators })
	ranges(c, t, func(x *Def) *Range { return &x.Bases })
	ranges(c, t, func(x *Def) *Range { return &x.Implements })
	column(c, t, optional, func(x *Def) *ExprID { return &x.Recv })
	column(c, t, optional, func(x *Def) *ExprID { return &x.Type })
	column(c, t, optional, func(x *Def) *ExprID { return &x.Result })
	column(c, t, optional, func(x *Def) *ExprID { return &x.Value })
}

func layoutBinds(c *coder, t []Bind) {
	byteColumn(c, t, func(x *Bind) *BindKind { return &x.Kind })
	byteColumn(c, t, func(x *Bind) *Part { return &x.Part })
	column(c, t, plain, func(x *Bind) *uint16 { return &x.Index })
	column(c, t, delta, func(x *Bind) *ScopeID { return &x.Scope })
	column(c, t, optional, func(x *Bind) *NameID { return &x.Name })
	column(c, t, delta, func(x *Bind) *uint32 { return &x.Pos })
	column(c, t, optional, func(x *Bind) *uint32 { return &x.From })
	column(c, t, optional, func(x *Bind) *uint32 { return &x.To })
	column(c, t, optional, func(x *Bind) *ExprID { return &x.Type })
	column(c, t, optional, func(x *Bind) *ExprID { return &x.Value })
	column(c, t, optional, func(x *Bind) *ExprID { return &x.On })
	column(c, t, optional, func(x *Bind) *DefID { return &x.Def })
	column(c, t, optional, func(x *Bind) *ImportID { return &x.Import })
	byteColumn(c, t, func(x *Bind) *BindFlags { return &x.Flags })
	column(c, t, optional, func(x *Bind) *uint32 { return &x.Merge })
}

func layoutImports(c *coder, t []Import) {
	byteColumn(c, t, func(x *Import) *ImportKind { return &x.Kind })
	byteColumn(c, t, func(x *Import) *ImportFlags { return &x.Flags })
	byteColumn(c, t, func(x *Import) *uint8 { return &x.Level })
	column(c, t, optional, func(x *Import) *NameID { return &x.Module })
	column(c, t, optional, func(x *Import) *uint32 { return &x.ModulePos })
	column(c, t, optional, func(x *Import) *NameID { return &x.Name })
	column(c, t, optional, func(x *Import) *uint32 { return &x.NamePos })
	column(c, t, optional, func(x *Import) *NameID { return &x.Alias })
	column(c, t, delta, func(x *Import) *ScopeID { return &x.Scope })
	spans(c, t, func(x *Import) *Span { return &x.Stmt })
}

func layoutExprs(c *coder, t []Expr) {
	byteColumn(c, t, func(x *Expr) *ExprKind { return &x.Kind })
	byteColumn(c, t, func(x *Expr) *Ctx { return &x.Ctx })
	byteColumn(c, t, func(x *Expr) *Lit { return &x.Lit })
	byteColumn(c, t, func(x *Expr) *Op { return &x.Op })
	column(c, t, plain, func(x *Expr) *NameID { return &x.Name })
	column(c, t, delta, func(x *Expr) *ScopeID { return &x.Scope })
	column(c, t, delta, func(x *Expr) *uint32 { return &x.Pos })
	column(c, t, below, func(x *Expr) *ExprID { return &x.X })
	ranges(c, t, func(x *Expr) *Range { return &x.Kids })
}
