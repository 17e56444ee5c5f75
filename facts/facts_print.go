package facts

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Dump writes the facts of f as text for people and golden tests: one section
// per table, one line per record, positions as line:column, expressions as
// FormatExpr writes them. The expressions that no other one contains stand
// under "exprs". src, the file's bytes, gives signatures and texts; it may be
// nil. The text is not a storage format.
func Dump(w io.Writer, f *File, src []byte) error {
	d := &dumper{w: bufio.NewWriter(w), f: f, src: src}
	d.header()
	d.scopes()
	d.defs()
	d.binds()
	d.imports()
	d.exprs()
	d.texts()
	return d.w.Flush()
}

type dumper struct {
	w   *bufio.Writer
	f   *File
	src []byte
}

func (d *dumper) header() {
	fmt.Fprintf(d.w, "file %s %s %d bytes %d lines", d.f.Path, d.f.Lang, d.f.Size, len(d.f.Lines))
	d.flag(d.f.Partial, "partial")
	d.end()
	if d.f.Package != 0 {
		fmt.Fprintf(d.w, "package %s\n", d.f.Names[d.f.Package])
	}
	for _, m := range d.f.Marks {
		fmt.Fprintf(d.w, "mark %s %q\n", d.f.Names[m.Key], d.f.Names[m.Value])
	}
	if d.f.Exports.N != 0 {
		fmt.Fprintf(d.w, "exports %s\n", d.f.FormatExprs(d.f.Exports))
	}
}

func (d *dumper) scopes() {
	fmt.Fprintln(d.w, "scopes")
	for i := range d.f.Scopes {
		s := &d.f.Scopes[i]
		fmt.Fprintf(d.w, "  %d %s %s", i, s.Kind, d.span(s.Span))
		d.number("in", uint32(s.Parent))
		d.number("def", uint32(s.Def))
		d.end()
	}
}

func (d *dumper) defs() {
	fmt.Fprintln(d.w, "defs")
	for i := 1; i < len(d.f.Defs); i++ {
		x := &d.f.Defs[i]
		fmt.Fprintf(d.w, "  %d %s %s %s name %s", i, x.Kind, d.f.Qualified(DefID(i)), d.span(x.Span), d.pos(x.NamePos))
		d.number("in", uint32(x.Parent))
		d.number("scope", uint32(x.Scope))
		d.flag(x.Flags != 0, "["+x.Flags.String()+"]")
		d.end()
		d.detail("signature", d.text(Span{x.Span.Start, x.SigEnd}))
		d.detail("doc", d.text(x.Doc))
		d.kids("decorators", x.Decorators)
		d.kids("bases", x.Bases)
		d.kids("implements", x.Implements)
		d.detail("receiver", d.f.FormatExpr(x.Recv))
		d.detail("type", d.f.FormatExpr(x.Type))
		d.detail("result", d.f.FormatExpr(x.Result))
		d.detail("value", d.f.FormatExpr(x.Value))
	}
}

func (d *dumper) binds() {
	fmt.Fprintln(d.w, "binds")
	for i := range d.f.Binds {
		x := &d.f.Binds[i]
		fmt.Fprintf(d.w, "  %s %s", d.pos(x.Pos), x.Kind)
		d.field("", d.f.Names[x.Name])
		d.number("scope", uint32(x.Scope))
		d.number("def", uint32(x.Def))
		d.number("import", uint32(x.Import))
		d.flag(x.From|x.To != 0, "visible "+d.pos(x.From)+"-"+d.pos(x.To))
		d.flag(x.Merge != 0, "again from "+d.pos(x.Merge))
		d.flag(x.Flags != 0, "["+x.Flags.String()+"]")
		d.field("on", d.f.FormatExpr(x.On))
		d.field("type", d.f.FormatExpr(x.Type))
		d.flag(x.Kind == BindDoc, nameOf(docTagNames[:], int(x.Index)))
		d.flag(x.Kind != BindDoc && (x.Part != PartWhole || x.Index != 0), fmt.Sprintf("%s %d of", x.Part, x.Index))
		d.field("value", d.f.FormatExpr(x.Value))
		d.end()
	}
}

func (d *dumper) imports() {
	fmt.Fprintln(d.w, "imports")
	for i := 1; i < len(d.f.Imports); i++ {
		x := &d.f.Imports[i]
		fmt.Fprintf(d.w, "  %d %s %s %s%s", i, d.span(x.Stmt), x.Kind, strings.Repeat(".", int(x.Level)), d.f.Names[x.Module])
		d.flag(x.ModulePos != 0, "@"+d.pos(x.ModulePos))
		d.field("name", d.f.Names[x.Name])
		d.flag(x.NamePos != 0, "@"+d.pos(x.NamePos))
		d.field("as", d.f.Names[x.Alias])
		d.number("scope", uint32(x.Scope))
		d.flag(x.Flags != 0, "["+x.Flags.String()+"]")
		d.end()
	}
}

// exprs lists the roots of the forest.
func (d *dumper) exprs() {
	fmt.Fprintln(d.w, "exprs")
	inner := make([]bool, len(d.f.Exprs))
	for i := range d.f.Exprs {
		e := &d.f.Exprs[i]
		inner[e.X] = true
		for _, k := range d.f.KidsOf(e.Kids) {
			inner[k] = true
		}
	}
	for i := 1; i < len(d.f.Exprs); i++ {
		if !inner[i] {
			e := &d.f.Exprs[i]
			fmt.Fprintf(d.w, "  %s scope %d %s\n", d.pos(e.Pos), e.Scope, d.f.FormatExpr(ExprID(i)))
		}
	}
}

func (d *dumper) texts() {
	fmt.Fprintln(d.w, "texts")
	for _, x := range d.f.Texts {
		fmt.Fprintf(d.w, "  %s %s", d.span(x.Span), x.Kind)
		d.field("", d.text(x.Span))
		d.end()
	}
	for _, s := range d.f.Errors {
		fmt.Fprintf(d.w, "error %s", d.span(s))
		d.field("", d.text(s))
		d.end()
	}
}

func (d *dumper) pos(p uint32) string {
	if len(d.f.Lines) == 0 {
		return fmt.Sprint(p)
	}
	line, col := d.f.Position(p)
	return fmt.Sprintf("%d:%d", line, col)
}

func (d *dumper) span(s Span) string { return d.pos(s.Start) + "-" + d.pos(s.End) }

// maxText is how many bytes of a text a dump shows.
const maxText = 72

func (d *dumper) text(s Span) string {
	if s.Start >= s.End || int(s.End) > len(d.src) {
		return ""
	}
	t := d.src[s.Start:s.End]
	if len(t) > maxText {
		return fmt.Sprintf("%q…", t[:maxText])
	}
	return fmt.Sprintf("%q", t)
}

func (d *dumper) end() { d.w.WriteByte('\n') }

func (d *dumper) flag(set bool, text string) {
	if set {
		d.w.WriteString(" " + text)
	}
}

func (d *dumper) number(label string, n uint32) { d.flag(n != 0, fmt.Sprintf("%s %d", label, n)) }

func (d *dumper) field(label, text string) {
	if label != "" {
		label += " "
	}
	d.flag(text != "", label+text)
}

func (d *dumper) detail(label, text string) {
	if text != "" {
		fmt.Fprintf(d.w, "      %s %s\n", label, text)
	}
}

func (d *dumper) kids(label string, r Range) {
	if r.N != 0 {
		d.detail(label, d.f.FormatExprs(r))
	}
}
