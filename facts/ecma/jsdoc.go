package ecma

import (
	"codeidx/facts"
)

// docType returns the type that "@type {T}" of a doc comment gives.
func (w *walker) docType(doc facts.Span) facts.ExprID { return w.docTag(doc, "@type", "") }

// docParam returns the type of "@param {T} name".
func (w *walker) docParam(doc facts.Span, name string) facts.ExprID {
	if name == "" {
		return 0
	}
	return w.docTag(doc, "@param", name)
}

// docResult returns the type of "@returns {T}".
func (w *walker) docResult(doc facts.Span) facts.ExprID {
	if e := w.docTag(doc, "@returns", ""); e != 0 {
		return e
	}
	return w.docTag(doc, "@return", "")
}

// cast is the value of "/** @type {T} */ (x)" in JavaScript, else x.
func (w *walker) cast(n uint32, x facts.ExprID) facts.ExprID {
	if !w.js || x == 0 || len(w.doc) == 0 {
		return x
	}
	doc := w.docOf(n)
	if doc.End == 0 {
		return x
	}
	t := w.docType(doc)
	if t == 0 {
		return x
	}
	mark := len(w.kids)
	w.push(t)
	return w.add(n, facts.Expr{Kind: facts.Assert, X: x, Kids: w.take(mark)})
}

// docTag reads the type of the first tag in a doc comment, for the parameter
// called name where one is asked for.
func (w *walker) docTag(doc facts.Span, tag, name string) facts.ExprID {
	for p := doc.Start; p < doc.End; p++ {
		if w.src[p] != '@' || !hasWord(w.src[p:doc.End], tag) {
			continue
		}
		q := docType{w: w, pos: p + uint32(len(tag)), end: doc.End}
		if !q.next('{') {
			continue
		}
		exprs := len(w.f.Exprs)
		e := q.union()
		if !q.bad && q.next('}') && (name == "" || q.named(name)) {
			return e
		}
		w.f.Exprs = w.f.Exprs[:exprs]
	}
	return 0
}

func hasWord(s []byte, word string) bool {
	return len(s) > len(word) && string(s[:len(word)]) == word && !letter(s[len(word)])
}

func letter(c byte) bool {
	return c == '_' || c == '$' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// docType parses a JSDoc type in src[pos:end]. Its names are echoes: a comment
// holds no references.
type docType struct {
	w        *walker
	pos, end uint32
	depth    int
	bad      bool
}

func (q *docType) space() {
	for q.pos < q.end {
		switch q.w.src[q.pos] {
		case ' ', '\t', '\n', '\r', '*':
			q.pos++
		default:
			return
		}
	}
}

func (q *docType) peek() byte {
	q.space()
	if q.pos < q.end {
		return q.w.src[q.pos]
	}
	return 0
}

func (q *docType) next(c byte) bool {
	if q.peek() == c {
		q.pos++
		return true
	}
	return false
}

// named says whether the parameter name comes next, perhaps as "[name=1]".
func (q *docType) named(name string) bool {
	q.next('[')
	q.space()
	rest := q.w.src[q.pos:q.end]
	return len(rest) > len(name) && string(rest[:len(name)]) == name && !letter(rest[len(name)]) && rest[len(name)] != '.'
}

func (q *docType) add(pos uint32, e facts.Expr, kids ...facts.ExprID) facts.ExprID {
	e.Scope, e.Pos = q.w.scope, pos
	return q.w.b.Expr(e, kids...)
}

const maxDocDepth = 20

func (q *docType) union() facts.ExprID {
	if q.depth++; q.depth > maxDocDepth {
		q.bad = true
	}
	defer func() { q.depth-- }()
	pos := q.pos
	var kids []facts.ExprID
	for !q.bad {
		q.next('?')
		q.next('!')
		kids = append(kids, q.postfix())
		if !q.next('|') {
			break
		}
	}
	q.next('=')
	if q.bad || len(kids) == 1 {
		if q.bad {
			return 0
		}
		return kids[0]
	}
	return q.add(pos, facts.Expr{Kind: facts.Union}, kids...)
}

func (q *docType) postfix() facts.ExprID {
	e := q.atom()
	for !q.bad {
		switch {
		case q.next('.'):
			if q.peek() == '<' {
				continue
			}
			pos, name := q.ident()
			e = q.add(pos, facts.Expr{Kind: facts.Select, Ctx: facts.Echo, Name: name, X: e})
		case q.next('<'):
			e = q.add(q.pos, facts.Expr{Kind: facts.Index, Ctx: facts.TypeUse, X: e}, q.list('>')...)
		case q.peek() == '[':
			q.pos++
			if !q.next(']') {
				q.bad = true
			}
			e = q.add(q.pos, facts.Expr{Kind: facts.ArrayType, X: e})
		default:
			return e
		}
	}
	return 0
}

func (q *docType) list(end byte) []facts.ExprID {
	var out []facts.ExprID
	for !q.bad && !q.next(end) {
		out = append(out, q.union())
		if !q.next(',') && q.peek() != end {
			q.bad = true
		}
	}
	return out
}

func (q *docType) atom() facts.ExprID {
	c := q.peek()
	pos := q.pos
	switch {
	case c == '(':
		q.pos++
		e := q.union()
		if !q.next(')') {
			q.bad = true
		}
		return e
	case c == '\'' || c == '"':
		return q.str(c)
	case c == '*':
		q.pos++
		return q.add(pos, facts.Expr{Kind: facts.Name, Ctx: facts.Echo, Name: q.w.b.InternString("any")})
	case !letter(c):
		q.bad = true
		return 0
	}
	at, name := q.ident()
	if q.w.f.Names[name] == "import" && q.next('(') {
		return q.imported(at)
	}
	return q.add(at, facts.Expr{Kind: facts.Name, Ctx: facts.Echo, Name: name})
}

// imported reads "import('m')" in a type.
func (q *docType) imported(at uint32) facts.ExprID {
	s := q.peek()
	if s != '\'' && s != '"' {
		q.bad = true
		return 0
	}
	lit := q.str(s)
	if q.bad || !q.next(')') || q.w.f.Exprs[lit].Name == 0 {
		q.bad = true
		return 0
	}
	x := q.add(at, facts.Expr{Kind: facts.Name, Ctx: facts.Echo, Name: q.w.b.InternString("import")})
	return q.add(at, facts.Expr{Kind: facts.Call, X: x}, lit)
}

func (q *docType) str(quote byte) facts.ExprID {
	pos := q.pos
	for q.pos++; q.pos < q.end && q.w.src[q.pos] != '\n'; q.pos++ {
		if q.w.src[q.pos] == quote {
			name := q.w.b.Intern(q.w.src[pos+1 : q.pos])
			q.pos++
			return q.add(pos, facts.Expr{Kind: facts.Literal, Lit: facts.StringLit, Name: name})
		}
	}
	q.bad = true
	return 0
}

func (q *docType) ident() (uint32, facts.NameID) {
	q.space()
	start := q.pos
	for q.pos < q.end {
		c := q.w.src[q.pos]
		if letter(c) || q.pos > start && c >= '0' && c <= '9' {
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
