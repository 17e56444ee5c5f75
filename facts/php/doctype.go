package php

import (
	"bytes"

	"codeidx/facts"
)

// docParser reads the type expressions of docblocks. It builds expressions of
// role Echo in the current scope: doc comments make no references.
type docParser struct {
	w      *walker
	pos    uint32
	end    uint32
	depth  int
	wordAt uint32 // position of the last word
}

// maxDocDepth bounds the nesting of types.
const maxDocDepth = 16

func (w *walker) docType(t docLine) *docParser { return &docParser{w: w, pos: t.start, end: t.end} }

// space skips white space and the asterisks that lines begin with.
func (p *docParser) space() {
	line := false
	for p.pos < p.end {
		switch c := p.w.src[p.pos]; {
		case c == '\n':
			line = true
		case c == '*' && line:
			line = false
		case c == ' ' || c == '\t' || c == '\r':
		default:
			return
		}
		p.pos++
	}
}

// peek returns the next character that is no space, 0 at the end.
func (p *docParser) peek() byte {
	p.space()
	return p.next()
}

func (p *docParser) next() byte {
	if p.pos < p.end {
		return p.w.src[p.pos]
	}
	return 0
}

func (p *docParser) take(c byte) bool {
	if p.peek() == c {
		p.pos++
		return true
	}
	return false
}

func wordByte(c byte) bool {
	return c == '_' || c == '\\' || c >= 0x80 || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// word reads a name, which may hold hyphens ("class-string").
func (p *docParser) word() []byte {
	p.space()
	start := p.pos
	for p.pos < p.end && (wordByte(p.next()) || p.next() == '-' && p.pos > start && p.pos+1 < p.end && wordByte(p.w.src[p.pos+1])) {
		p.pos++
	}
	p.wordAt = start
	return p.w.src[start:p.pos]
}

// variable reads "$name", also behind "&" and "...", nil where none follows.
func (p *docParser) variable() []byte {
	for p.peek() == '&' || p.next() == '.' {
		p.pos++
	}
	if p.next() != '$' {
		return nil
	}
	start := p.pos
	p.pos++
	for p.pos < p.end && wordByte(p.next()) && p.next() != '\\' {
		p.pos++
	}
	if p.pos == start+1 {
		return nil
	}
	p.wordAt = start
	return p.w.src[start:p.pos]
}

// peekType says whether a type and another word follow.
func (p *docParser) peekType() bool {
	at, exprs, kids := p.pos, len(p.w.f.Exprs), len(p.w.f.Kids)
	p.parse()
	more := wordByte(p.peek())
	p.pos = at
	p.w.f.Exprs, p.w.f.Kids = p.w.f.Exprs[:exprs], p.w.f.Kids[:kids]
	return more
}

// parse reads a type: a union of intersections of simple types.
func (p *docParser) parse() facts.ExprID {
	if p.depth++; p.depth > maxDocDepth {
		p.pos = p.end
		return 0
	}
	defer func() { p.depth-- }()
	t := p.operands('|', facts.Union, func() facts.ExprID { return p.operands('&', facts.Intersect, p.single) })
	return t
}

// operands reads parts joined by sep; a single part stands for itself. A "&"
// before a variable belongs to the parameter.
func (p *docParser) operands(sep byte, k facts.ExprKind, part func() facts.ExprID) facts.ExprID {
	w, at := p.w, p.pos
	mark := len(w.kids)
	w.push(part())
	for p.next() == sep || p.peekJoin(sep) {
		if p.pos++; sep == '&' && (p.peek() == '$' || p.next() == '.') {
			break
		}
		w.push(part())
	}
	if len(w.kids) == mark+1 {
		t := w.kids[mark]
		w.kids = w.kids[:mark]
		return t
	}
	e := facts.Expr{Kind: k, Ctx: facts.Echo, Scope: w.scope, Pos: at, Kids: w.b.Range(w.kids[mark:])}
	w.kids = w.kids[:mark]
	return w.b.Expr(e)
}

// peekJoin skips space before sep.
func (p *docParser) peekJoin(sep byte) bool {
	at := p.pos
	if p.peek() == sep {
		return true
	}
	p.pos = at
	return false
}

func (p *docParser) expr(at uint32, e facts.Expr) facts.ExprID {
	e.Ctx, e.Scope, e.Pos = facts.Echo, p.w.scope, at
	return p.w.b.Expr(e)
}

// single reads one type with its "[]".
func (p *docParser) single() facts.ExprID {
	p.space()
	at := p.pos
	var t facts.ExprID
	switch c := p.next(); {
	case c == '?':
		p.pos++
		inner := p.single()
		null := p.expr(at, facts.Expr{Kind: facts.Literal, Lit: facts.NilLit})
		return p.expr(at, facts.Expr{Kind: facts.Union, Kids: p.w.b.Range([]facts.ExprID{inner, null})})
	case c == '(':
		p.pos++
		t = p.parse()
		p.conditional(&t)
		p.take(')')
	case c == '$': // $this
		if bytes.HasPrefix(p.w.src[p.pos:p.end], []byte("$this")) {
			p.pos += 5
			t = p.expr(at, facts.Expr{Kind: facts.Name, Name: p.w.b.InternString("static")})
		}
		return t
	case c == '\'' || c == '"':
		p.quoted(c)
		t = p.expr(at, facts.Expr{Kind: facts.Name, Name: p.w.b.InternString("string")})
	default:
		t = p.named()
	}
	for p.pos+1 < p.end && p.next() == '[' && p.w.src[p.pos+1] == ']' {
		p.pos += 2
		t = p.expr(at, facts.Expr{Kind: facts.ArrayType, X: t})
	}
	return t
}

func (p *docParser) quoted(c byte) {
	p.pos++
	for p.pos < p.end && p.next() != c {
		p.pos++
	}
	p.take(c)
}

// conditional reads "($x is T ? A : B)" as a union of A and B.
func (p *docParser) conditional(t *facts.ExprID) {
	if v := p.variable(); v == nil && p.peek() != 'i' {
		return
	}
	for p.pos < p.end && p.next() != '?' && p.next() != ')' {
		p.pos++
	}
	if !p.take('?') {
		return
	}
	a := p.parse()
	if !p.take(':') {
		return
	}
	b := p.parse()
	*t = p.expr(p.pos, facts.Expr{Kind: facts.Union, Kids: p.w.b.Range([]facts.ExprID{a, b})})
}

// named reads a name with its arguments, shape or signature.
func (p *docParser) named() facts.ExprID {
	name := p.word()
	if len(name) == 0 {
		return 0
	}
	at := p.wordAt
	if equalFold(name, "null") {
		return p.expr(at, facts.Expr{Kind: facts.Literal, Lit: facts.NilLit})
	}
	t := p.name(at, name)
	switch p.next() {
	case '<':
		return p.arguments(at, t)
	case '{':
		return p.shape(at, t)
	case '(':
		if equalFold(name, "callable") || equalFold(name, "closure") || equalFold(name, `\closure`) {
			return p.signature(at)
		}
	case ':': // a constant: A::B
		if p.pos+1 < p.end && p.w.src[p.pos+1] == ':' {
			p.pos += 2
			for p.pos < p.end && (wordByte(p.next()) || p.next() == '*') {
				p.pos++
			}
			return 0
		}
	}
	return t
}

func (p *docParser) name(at uint32, name []byte) facts.ExprID {
	var x facts.ExprID
	if i := bytes.LastIndexByte(name, '\\'); i >= 0 {
		x = p.expr(at, facts.Expr{Kind: facts.Name, Name: p.w.b.Intern(name[:i+1])})
		at, name = at+uint32(i)+1, name[i+1:]
	}
	return p.expr(at, facts.Expr{Kind: facts.Name, Name: p.w.b.Intern(name), X: x})
}

// arguments reads "<A, B>".
func (p *docParser) arguments(at uint32, t facts.ExprID) facts.ExprID {
	p.pos++
	mark := len(p.w.kids)
	for p.peek() != 0 && p.next() != '>' {
		before := p.pos
		p.w.push(p.parse())
		if !p.take(',') && p.peek() != '>' || p.pos == before {
			break
		}
	}
	p.take('>')
	kids := p.w.b.Range(p.w.kids[mark:])
	p.w.kids = p.w.kids[:mark]
	return p.expr(at, facts.Expr{Kind: facts.Index, X: t, Kids: kids})
}

// shape reads "array{key: A, B}" as a Dict of its entries, with the type before it as X.
func (p *docParser) shape(at uint32, t facts.ExprID) facts.ExprID {
	p.pos++
	mark := len(p.w.kids)
	for p.peek() != 0 && p.next() != '}' {
		before := p.pos
		p.w.push(p.entry())
		if !p.take(',') && p.peek() != '}' || p.pos == before {
			break
		}
	}
	for p.next() != '}' && p.pos < p.end {
		p.pos++
	}
	p.take('}')
	kids := p.w.b.Range(p.w.kids[mark:])
	p.w.kids = p.w.kids[:mark]
	return p.expr(at, facts.Expr{Kind: facts.Dict, X: t, Kids: kids})
}

// entry reads "key: A", "key?: A" or "A".
func (p *docParser) entry() facts.ExprID {
	p.space()
	at := p.pos
	if c := p.next(); c == '\'' || c == '"' {
		p.quoted(c)
	} else {
		p.word()
	}
	key := bytes.Trim(p.w.src[at:p.pos], `'"`)
	p.take('?')
	if !p.take(':') || p.next() == ':' {
		p.pos = at
		return p.parse()
	}
	k := p.expr(at, facts.Expr{Kind: facts.Literal, Lit: facts.StringLit, Name: p.w.b.Intern(key)})
	v := p.parse()
	return p.expr(at, facts.Expr{Kind: facts.KeyValue, Kids: p.w.b.Range([]facts.ExprID{k, v})})
}

// signature reads "(A, B): R" behind callable.
func (p *docParser) signature(at uint32) facts.ExprID {
	p.pos++
	mark := len(p.w.kids)
	for p.peek() != 0 && p.next() != ')' {
		before := p.pos
		p.w.push(p.parse())
		p.variable()
		p.take('=')
		if !p.take(',') && p.peek() != ')' || p.pos == before {
			break
		}
	}
	p.take(')')
	kids := p.w.b.Range(p.w.kids[mark:])
	p.w.kids = p.w.kids[:mark]
	var r facts.ExprID
	if p.take(':') {
		r = p.single()
	}
	return p.expr(at, facts.Expr{Kind: facts.FuncType, X: r, Kids: kids})
}
