package facts

import (
	"fmt"
	"strconv"
	"strings"
)

// FormatExpr writes an expression in one line that looks like source, with
// what the look leaves open said in words: literals as kind:text (strings
// quoted), operators by class, function literals with their scope
// ("func#3"). A role other than read follows its node as "^role"; the callee
// of a call needs none. The empty string stands for no expression.
func (f *File) FormatExpr(id ExprID) string {
	if id == 0 {
		return ""
	}
	var p exprPrinter
	p.f = f
	p.expr(id, Read, 0)
	return p.b.String()
}

// FormatExprs writes a children list, its elements separated by commas.
func (f *File) FormatExprs(r Range) string {
	var p exprPrinter
	p.f = f
	p.list(f.KidsOf(r), 0)
	return p.b.String()
}

// maxPrintDepth bounds the nesting that is written out.
const maxPrintDepth = 100

type exprPrinter struct {
	f *File
	b strings.Builder
}

func (p *exprPrinter) expr(id ExprID, usual Ctx, depth int) {
	if depth > maxPrintDepth {
		p.b.WriteString("…")
		return
	}
	if id == 0 {
		p.b.WriteString("_")
		return
	}
	e := &p.f.Exprs[id]
	p.node(e, depth+1)
	if e.Ctx != usual && e.Ctx != Read {
		p.b.WriteString("^" + e.Ctx.String())
	}
}

// shapes gives the text around the operands: "X" stands for the main operand,
// "K" for the children list, "0" and "1" for single children, "N" for the
// name, "L", "O" and "S" for the literal kind, operator class and scope.
// "~" before an operand leaves it out where it is absent.
var shapes = [...]string{
	Bad: "bad", Name: "~XN", Select: "X.N", New: "new X(K)", Index: "X[K]", Slice: "X[:K]", Deref: "*X",
	AddrOf: "&X", Assert: "X.(K)", Composite: "~X{K}", KeyValue: "0: 1", Keyword: "N=X", Spread: "...X", KeySpread: "**X",
	Tuple: "(K)", List: "[K]", Set: "set{K}", Dict: "dict{K}", Comp: "comp L{X; K}", Func: "func#S", Unary: "O X",
	Binary: "(0 O 1)", Cond: "(0 if X else 1)", Await: "await X", Yield: "yield ~X", Receive: "<-X", ArrayType: "[]X",
	MapType: "map[0]X", ChanType: "chan X", FuncType: "func(K) ~X", StructType: "struct#S{K}",
	InterfaceType: "interface{K}", Union: "union(K)", VarType: "...X", Element: "<X K>", Template: "template(K)",
	ClassExpr: "class#S", Other: "other(K)",
	Intersect: "intersect(K)", Lookup: "lookup(K)",
	Scoped: "X::N", ScopedVar: "X::$N", Include: "N X", Match: "match X{K}",
}

func (p *exprPrinter) node(e *Expr, depth int) {
	switch {
	case e.Kind == Literal:
		p.literal(e)
	case e.Kind == Call:
		p.expr(e.X, Callee, depth)
		p.b.WriteByte('(')
		p.list(p.f.KidsOf(e.Kids), depth)
		p.b.WriteByte(')')
	case e.Kind == ChanType && e.Op == OpSend:
		p.shape(e, "chan<- X", depth)
	case e.Kind == ChanType && e.Op == OpReceive:
		p.shape(e, "<-chan X", depth)
	case int(e.Kind) < len(shapes):
		p.shape(e, shapes[e.Kind], depth)
	default:
		p.b.WriteString("?")
	}
}

func (p *exprPrinter) shape(e *Expr, shape string, depth int) {
	kids := p.f.KidsOf(e.Kids)
	for i := 0; i < len(shape); i++ {
		switch c := shape[i]; c {
		case '~':
			if i++; e.X == 0 {
				continue
			}
			p.expr(e.X, Read, depth)
		case 'X':
			usual := Read
			if e.Kind == New {
				usual = Callee
			}
			p.expr(e.X, usual, depth)
		case 'K':
			p.list(kids, depth)
		case '0', '1':
			k := ExprID(0)
			if n := int(c - '0'); n < len(kids) {
				k = kids[n]
			}
			p.expr(k, Read, depth)
		case 'N':
			p.b.WriteString(p.f.Names[e.Name])
		case 'L':
			p.b.WriteString(e.Lit.String())
		case 'O':
			p.b.WriteString(e.Op.String())
		case 'S':
			fmt.Fprint(&p.b, e.Scope)
		default:
			p.b.WriteByte(c)
		}
	}
}

func (p *exprPrinter) literal(e *Expr) {
	name := p.f.Names[e.Name]
	switch {
	case e.Lit == StringLit && name != "":
		p.b.WriteString(strconv.Quote(name))
	case name != "":
		p.b.WriteString(e.Lit.String() + ":" + name)
	default:
		p.b.WriteString(e.Lit.String())
	}
}

func (p *exprPrinter) list(kids []ExprID, depth int) {
	for i, k := range kids {
		if i > 0 {
			p.b.WriteString(", ")
		}
		p.expr(k, Read, depth)
	}
}
