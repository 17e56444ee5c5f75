package python

import (
	"codeidx/facts"
)

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
