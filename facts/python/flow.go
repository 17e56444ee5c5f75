package python

import (
	"codeidx/facts"
)

// end returns where the branch being read ends: the end of the scope outside
// of branches.
func (fl flow) end(w *walker) uint32 {
	if fl.cond {
		return fl.to
	}
	return 0
}

// never is the Merge of a branch that does not fall through.
func (w *walker) never() uint32 { return uint32(len(w.src)) }

// branch reads one branch of the statement that ends at stmtEnd. Its bindings
// hold inside of it, and perhaps after the statement unless it never falls
// through.
func (w *walker) branch(n uint32, stmtEnd uint32, read func()) {
	outer := w.flow
	w.flow.cond = true
	w.flow.flags = facts.Conditional
	w.flow.imports |= facts.CondImport
	w.flow.to, w.flow.merge = w.node(n).End, stmtEnd
	if w.leaves(n) {
		w.flow.merge = w.never()
	}
	read()
	w.flow = outer
}

// leaves says whether a block never reaches the statement after it.
func (w *walker) leaves(block uint32) bool {
	last := uint32(0)
	for c := block + 1; c < w.t.Nodes[block].Next; c = w.t.Nodes[c].Next {
		if w.named(c) {
			last = c
		}
	}
	if last == 0 {
		return false
	}
	switch w.kind(last) {
	case kReturnStatement, kRaiseStatement, kContinueStatement, kBreakStatement:
		return true
	case kIfStatement:
		return w.allLeave(last)
	case kWithStatement:
		b := w.child(last, w.fields.body)
		return b != 0 && w.leaves(b)
	case kElseClause, kBlock:
		return w.leaves(last)
	}
	return false
}

// allLeave says whether an if statement has an else and no branch falls through.
func (w *walker) allLeave(n uint32) bool {
	hasElse := false
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		switch w.kind(c) {
		case kBlock:
			if !w.leaves(c) {
				return false
			}
		case kElifClause:
			if b := w.child(c, w.fields.consequence); b == 0 || !w.leaves(b) {
				return false
			}
		case kElseClause:
			hasElse = true
			if b := w.child(c, w.fields.body); b == 0 || !w.leaves(b) {
				return false
			}
		}
	}
	return hasElse
}

func (w *walker) ifStatement(n uint32) {
	end := w.node(n).End
	cond := w.child(n, w.fields.cond)
	typing := false
	if cond != 0 {
		w.expr(cond, facts.Read)
		typing = w.typeChecking(cond)
	}
	body := w.child(n, w.fields.consequence)
	if body != 0 {
		if cond != 0 {
			w.narrow(cond, true, w.node(body).Start, w.node(body).End)
		}
		if typing {
			w.typingBlock(body)
		} else {
			w.branch(body, end, func() { w.block(body) })
		}
	}
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		switch w.kind(c) {
		case kElifClause:
			w.elif(c, cond, end)
		case kElseClause:
			if b := w.child(c, w.fields.body); b != 0 {
				w.narrow(cond, false, w.node(b).Start, w.node(b).End)
				w.branch(b, end, func() {
					if typing {
						w.flow.merge = w.never()
					}
					w.block(b)
				})
			}
		}
	}
	if body != 0 && cond != 0 && w.leaves(body) {
		w.narrow(cond, false, end, w.flow.end(w))
	}
}

func (w *walker) elif(c, first, end uint32) {
	cond := w.child(c, w.fields.cond)
	body := w.child(c, w.fields.consequence)
	if cond != 0 {
		w.narrow(first, false, w.node(cond).Start, w.node(c).End)
		w.expr(cond, facts.Read)
	}
	if body == 0 {
		return
	}
	if cond != 0 {
		w.narrow(cond, true, w.node(body).Start, w.node(body).End)
	}
	w.branch(body, end, func() { w.block(body) })
}

// typeChecking says whether a condition is TYPE_CHECKING.
func (w *walker) typeChecking(cond uint32) bool {
	n := cond
	if w.kind(n) == kAttribute {
		n = w.child(n, w.fields.attribute)
	}
	return n != 0 && string(w.text(n)) == "TYPE_CHECKING"
}

// typingBlock reads the body of "if TYPE_CHECKING", which holds for types.
func (w *walker) typingBlock(body uint32) {
	outer := w.flow
	w.flow.flags = facts.Conditional
	w.flow.imports |= facts.CondImport | facts.TypeOnly
	w.block(body)
	w.flow = outer
}

func (w *walker) forStatement(n uint32) {
	var value facts.ExprID
	if r := w.child(n, w.fields.right); r != 0 {
		value = w.expr(r, facts.Read)
	}
	body := w.child(n, w.fields.body)
	if l := w.child(n, w.fields.left); l != 0 {
		w.target(l, source{value: value, part: facts.PartElem, from: w.node(l).Start})
	}
	w.loop(n, body)
}

func (w *walker) whileStatement(n uint32) {
	body := w.child(n, w.fields.body)
	if c := w.child(n, w.fields.cond); c != 0 {
		w.expr(c, facts.Read)
		if body != 0 {
			w.narrow(c, true, w.node(body).Start, w.node(body).End)
		}
	}
	w.loop(n, body)
}

func (w *walker) loop(n, body uint32) {
	end := w.node(n).End
	if body != 0 {
		w.branch(body, end, func() {
			w.flow.merge = end // a loop may end early
			w.block(body)
		})
	}
	if e := w.first(n, kElseClause); e != 0 && w.child(n, w.fields.alternative) == e {
		w.suite(e, w.fields.body)
	}
}

func (w *walker) tryStatement(n uint32) {
	end := w.node(n).End
	outer := w.flow
	w.flow.flags, w.flow.imports = facts.Conditional, w.flow.imports|facts.CondImport
	w.suite(n, w.fields.body)
	w.flow = outer
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		switch w.kind(c) {
		case kExceptClause:
			w.exceptClause(c, end)
		case kElseClause:
			w.suite(c, w.fields.body)
		case kFinallyClause:
			for d := c + 1; d < w.t.Nodes[c].Next; d = w.t.Nodes[d].Next {
				if w.kind(d) == kBlock {
					w.block(d)
				}
			}
		case kError:
			w.recover(c)
		}
	}
}

func (w *walker) exceptClause(n, end uint32) {
	block := uint32(0)
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		if w.kind(c) == kBlock {
			block = c
		}
	}
	var value facts.ExprID
	var alias uint32
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		switch {
		case c == block || !w.named(c):
		case w.node(c).Field == w.fields.alias:
			alias = c
		case w.kind(c) == kAsPattern:
			value, alias = w.asPattern(c)
		default:
			value = w.expr(c, facts.Read)
		}
	}
	if block == 0 {
		return
	}
	w.branch(block, end, func() {
		if alias != 0 {
			w.flow.merge = w.never() // Python deletes the name after the clause
			w.target(alias, source{value: value, part: facts.PartCaught, from: w.node(alias).Start})
			w.flow.merge = end
			if w.leaves(block) {
				w.flow.merge = w.never()
			}
		}
		w.block(block)
	})
}

// asPattern splits "X as name" into the value and the target's node.
func (w *walker) asPattern(n uint32) (facts.ExprID, uint32) {
	var value facts.ExprID
	var alias uint32
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		switch {
		case !w.named(c):
		case w.kind(c) == kAsPatternTarget:
			alias = w.t.First(c)
		default:
			value = w.expr(c, facts.Read)
		}
	}
	return value, alias
}

func (w *walker) withStatement(n uint32) {
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		if w.kind(c) != kWithClause {
			continue
		}
		for i := c + 1; i < w.t.Nodes[c].Next; i = w.t.Nodes[i].Next {
			if w.kind(i) == kWithItem {
				w.withItem(i)
			}
		}
	}
	w.suite(n, w.fields.body)
}

func (w *walker) withItem(n uint32) {
	v := w.child(n, w.fields.value)
	if v == 0 {
		return
	}
	if w.kind(v) != kAsPattern {
		w.expr(v, facts.Read)
		return
	}
	value, alias := w.asPattern(v)
	if alias != 0 {
		w.target(alias, source{value: value, part: facts.PartEnter, from: w.node(alias).Start})
	}
}
