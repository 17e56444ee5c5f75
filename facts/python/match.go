package python

import (
	"codeidx/facts"
)

func (w *walker) matchStatement(n uint32) {
	end := w.node(n).End
	var subject uint32
	var value facts.ExprID
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		if w.node(c).Field == w.fields.subject {
			value, subject = w.expr(c, facts.Read), c
		}
	}
	body := w.child(n, w.fields.body)
	if body == 0 {
		return
	}
	for c := body + 1; c < w.t.Nodes[body].Next; c = w.t.Nodes[c].Next {
		if w.kind(c) == kCaseClause {
			w.caseClause(c, subject, value, end)
		}
	}
}

func (w *walker) caseClause(n, subject uint32, value facts.ExprID, end uint32) {
	block := w.child(n, w.fields.consequence)
	if block == 0 {
		return
	}
	w.branch(block, end, func() {
		for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
			if w.kind(c) == kCasePattern {
				if class := w.pattern(c, source{value: value, from: w.node(c).Start}); class != 0 {
					w.narrowTo(subject, facts.Bind{Type: class, From: w.node(n).Start, To: w.node(block).End})
				}
			}
		}
		if g := w.child(n, w.fields.guard); g != 0 {
			w.children(g)
		}
		w.block(block)
	})
}

// pattern binds the captures of a pattern. It returns the class expression
// when the whole subject must be an instance of one.
func (w *walker) pattern(n uint32, s source) facts.ExprID {
	switch w.kind(n) {
	case kCasePattern:
		if c := w.lastNamed(n); c != 0 {
			return w.pattern(c, s)
		}
	case kDottedName:
		w.nameOrCapture(n, s)
	case kAsPattern:
		return w.patternAs(n, s)
	case kClassPattern:
		return w.classPattern(n)
	case kSplatPattern:
		if c := w.first(n, kIdentifier); c != 0 {
			w.variable(c, source{from: s.from})
		}
	case kKeywordPattern:
		if c := w.lastNamed(n); c != 0 {
			w.pattern(c, source{from: s.from})
		}
	case kUnionPattern, kListPattern, kTuplePattern, kDictPattern:
		for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
			if w.named(c) {
				w.pattern(c, source{from: s.from})
			}
		}
	case kString, kConcatenatedString:
		w.expr(n, facts.Read)
	}
	return 0
}

// nameOrCapture reads a plain name, which is captured, or a dotted one, which
// is compared.
func (w *walker) nameOrCapture(n uint32, s source) {
	id := w.t.First(n)
	if id == 0 {
		return
	}
	if w.t.Sibling(n, id) == 0 {
		w.variable(id, s)
		return
	}
	w.dotted(n, facts.Read)
}

// dotted reads a dotted name as an expression.
func (w *walker) dotted(n uint32, ctx facts.Ctx) facts.ExprID {
	var x facts.ExprID
	last := w.lastNamed(n)
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		if w.kind(c) != kIdentifier {
			continue
		}
		e := facts.Expr{Kind: facts.Name, Name: w.b.Intern(w.text(c)), X: x}
		if x != 0 {
			e.Kind = facts.Select
		}
		if c == last {
			e.Ctx = ctx
		}
		x = w.add(c, e)
	}
	return x
}

func (w *walker) patternAs(n uint32, s source) facts.ExprID {
	var class facts.ExprID
	id := uint32(0)
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		switch w.kind(c) {
		case kCasePattern:
			class = w.pattern(c, source{from: s.from})
		case kIdentifier:
			id = c
		}
	}
	if id != 0 {
		s.typ = class
		w.variable(id, s)
	}
	return class
}

func (w *walker) classPattern(n uint32) facts.ExprID {
	var class facts.ExprID
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		switch w.kind(c) {
		case kDottedName:
			class = w.dotted(c, facts.Read)
		case kCasePattern:
			w.pattern(c, source{from: w.node(c).Start})
		}
	}
	return class
}
