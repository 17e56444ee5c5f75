package python

import (
	"codeidx/facts"
)

// typeExpr reads an annotation: the same nodes as for values, names as
// TypeUse, quoted types parsed.
func (w *walker) typeExpr(n uint32) facts.ExprID {
	if w.broken(n) {
		return 0
	}
	switch w.kind(n) {
	case kType, kParenthesized:
		if c := w.lastNamed(n); c != 0 {
			return w.typeExpr(c)
		}
		return 0
	case kString:
		return w.quoted(n)
	case kGenericType:
		return w.genericType(n)
	case kUnionType:
		return w.typeOperands(n, facts.Expr{Kind: facts.Binary, Op: facts.OpBitOr})
	case kBinaryOperator:
		return w.typeOperands(n, facts.Expr{Kind: facts.Binary, Op: facts.OpBitOr})
	case kMemberType:
		return w.memberType(n)
	case kSplatType, kListSplat:
		return w.splatType(n)
	case kConstrainedType:
		return w.typeOperands(n, facts.Expr{Kind: facts.Other})
	}
	return w.expr(n, facts.TypeUse)
}

func (w *walker) typeOperands(n uint32, e facts.Expr) facts.ExprID {
	mark := len(w.kids)
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		if w.named(c) {
			w.push(w.typeExpr(c))
		}
	}
	return w.finish(n, e, mark)
}

// genericType reads "name[args]", which the grammar keeps apart from subscripts.
func (w *walker) genericType(n uint32) facts.ExprID {
	var x facts.ExprID
	mark := len(w.kids)
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		switch w.kind(c) {
		case kIdentifier:
			x = w.name(c, facts.TypeUse)
		case kTypeParameter:
			literal := w.lastName(x) == "Literal"
			for a := c + 1; a < w.t.Nodes[c].Next; a = w.t.Nodes[a].Next {
				switch {
				case !w.named(a):
				case literal:
					w.push(w.expr(w.unwrapType(a), facts.Read))
				default:
					w.push(w.typeExpr(a))
				}
			}
		}
	}
	return w.finish(n, facts.Expr{Kind: facts.Index, X: x}, mark)
}

func (w *walker) unwrapType(n uint32) uint32 {
	if w.kind(n) == kType {
		if c := w.lastNamed(n); c != 0 {
			return c
		}
	}
	return n
}

func (w *walker) memberType(n uint32) facts.ExprID {
	var x facts.ExprID
	last := w.lastNamed(n)
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		switch {
		case !w.named(c):
		case c == last:
			return w.add(c, facts.Expr{Kind: facts.Select, Ctx: facts.TypeUse, Name: w.b.Intern(w.text(c)), X: x})
		default:
			x = w.typeExpr(c)
		}
	}
	return x
}

func (w *walker) splatType(n uint32) facts.ExprID {
	var x facts.ExprID
	if c := w.lastNamed(n); c != 0 {
		x = w.typeExpr(c)
	}
	return w.add(n, facts.Expr{Kind: facts.Spread, X: x})
}

// quoted reads a quoted type. What is no type expression stays a string.
func (w *walker) quoted(n uint32) facts.ExprID {
	start, end, ok := w.content(n)
	if !ok {
		return w.string(n)
	}
	q := quotedType{w: w, pos: start, end: end}
	mark, exprs := len(w.kids), len(w.f.Exprs)
	e := q.union()
	if q.space(); q.bad || q.pos != q.end || e == 0 {
		w.kids = w.kids[:mark]
		w.f.Exprs = w.f.Exprs[:exprs]
		return w.string(n)
	}
	return e
}

// quotedType parses the type expression in src[pos:end] of a quoted annotation.
type quotedType struct {
	w        *walker
	pos, end uint32
	depth    int
	bad      bool
}

func (q *quotedType) space() {
	for q.pos < q.end {
		switch q.w.src[q.pos] {
		case ' ', '\t', '\n', '\r':
			q.pos++
		default:
			return
		}
	}
}

// next says whether c comes next and takes it.
func (q *quotedType) next(c byte) bool {
	q.space()
	if q.pos < q.end && q.w.src[q.pos] == c {
		q.pos++
		return true
	}
	return false
}

func (q *quotedType) add(pos uint32, e facts.Expr) facts.ExprID {
	e.Scope, e.Pos = q.w.scope, pos
	return q.w.b.Expr(e)
}

// union parses "A | B".
func (q *quotedType) union() facts.ExprID {
	q.space()
	start := q.pos
	e := q.postfix()
	for !q.bad && q.next('|') {
		r := q.postfix()
		e = q.kidsOf(start, facts.Expr{Kind: facts.Binary, Op: facts.OpBitOr}, e, r)
	}
	return e
}

func (q *quotedType) kidsOf(pos uint32, e facts.Expr, kids ...facts.ExprID) facts.ExprID {
	e.Kids = q.w.b.Range(kids)
	return q.add(pos, e)
}

// postfix parses a name, a list, a literal, with members and arguments behind.
func (q *quotedType) postfix() facts.ExprID {
	e := q.atom()
	for !q.bad {
		switch {
		case q.next('.'):
			q.space()
			pos, name := q.ident()
			e = q.add(pos, facts.Expr{Kind: facts.Select, Ctx: facts.TypeUse, Name: name, X: e})
		case q.next('['):
			pos := q.pos - 1
			args := q.list(']')
			e = q.add(pos, facts.Expr{Kind: facts.Index, X: e, Kids: args})
		default:
			return e
		}
	}
	return 0
}

// list parses comma-separated types up to close.
func (q *quotedType) list(close byte) facts.Range {
	if q.depth++; q.depth > 50 {
		q.bad = true
	}
	mark := len(q.w.kids)
	for !q.bad && !q.next(close) {
		q.w.push(q.union())
		if !q.next(',') && !(q.peek() == close) {
			q.bad = true
		}
	}
	q.depth--
	r := q.w.b.Range(q.w.kids[mark:])
	q.w.kids = q.w.kids[:mark]
	return r
}

func (q *quotedType) peek() byte {
	q.space()
	if q.pos < q.end {
		return q.w.src[q.pos]
	}
	return 0
}

func (q *quotedType) atom() facts.ExprID {
	c := q.peek()
	start := q.pos
	switch {
	case c == '[':
		q.pos++
		return q.add(start, facts.Expr{Kind: facts.List, Kids: q.list(']')})
	case c == '(':
		q.pos++
		return q.add(start, facts.Expr{Kind: facts.Tuple, Kids: q.list(')')})
	case c == '*':
		q.pos++
		x := q.postfix()
		return q.add(start, facts.Expr{Kind: facts.Spread, X: x})
	case c == '\'' || c == '"':
		return q.literal(c)
	case c == '.' && q.pos+3 <= q.end && string(q.w.src[q.pos:q.pos+3]) == "...":
		q.pos += 3
		return q.add(start, facts.Expr{Kind: facts.Literal, Lit: facts.EllipsisLit})
	case c >= '0' && c <= '9':
		for q.pos < q.end && q.w.src[q.pos] >= '0' && q.w.src[q.pos] <= '9' {
			q.pos++
		}
		return q.add(start, facts.Expr{Kind: facts.Literal, Lit: facts.IntLit})
	}
	pos, name := q.ident()
	if q.bad {
		return 0
	}
	if q.w.f.Names[name] == "None" {
		return q.add(pos, facts.Expr{Kind: facts.Literal, Lit: facts.NilLit})
	}
	return q.add(pos, facts.Expr{Kind: facts.Name, Ctx: facts.TypeUse, Name: name})
}

// literal skips a string inside of a quoted type, as in "Literal['a']".
func (q *quotedType) literal(quote byte) facts.ExprID {
	start := q.pos
	for q.pos++; q.pos < q.end; q.pos++ {
		if q.w.src[q.pos] == quote {
			q.pos++
			return q.add(start, facts.Expr{Kind: facts.Literal, Lit: facts.StringLit})
		}
	}
	q.bad = true
	return 0
}

func (q *quotedType) ident() (uint32, facts.NameID) {
	start := q.pos
	for q.pos < q.end {
		c := q.w.src[q.pos]
		if c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 || q.pos > start && c >= '0' && c <= '9' {
			q.pos++
			continue
		}
		break
	}
	if q.pos == start {
		q.bad = true
		return start, 0
	}
	return start, q.w.b.Intern(q.w.src[start:q.pos])
}
