package php

import (
	"codeidx/facts"
)

// end returns where the branch being read ends: the end of the scope outside
// of branches.
func (fl flow) end() uint32 {
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
	w.flow.to, w.flow.merge = w.node(n).End, stmtEnd
	if w.leaves(n) {
		w.flow.merge = w.never()
	}
	read()
	w.flow = outer
}

// body reads a statement that may be a block.
func (w *walker) body(n uint32) {
	switch w.kind(n) {
	case kCompound, kColonBlock, kCase, kDefault:
		w.block(n)
	default:
		w.doc = 0
		w.statement(n)
	}
}

// leaves says whether a statement never reaches the one after it.
func (w *walker) leaves(n uint32) bool {
	switch w.kind(n) {
	case kReturn, kContinue, kBreak, kExit, kGoto:
		return true
	case kExpressionStatement:
		c := w.firstNamed(n)
		return c != 0 && (w.kind(c) == kThrow || w.exits(c))
	case kIf:
		return w.allLeave(n)
	case kCompound, kColonBlock, kElse, kCase, kDefault:
		last := uint32(0)
		w.each(n, func(c uint32) { last = c })
		return last != 0 && w.leaves(last)
	}
	return false
}

// exits says whether an expression is a call of exit or die.
func (w *walker) exits(n uint32) bool {
	if w.kind(n) != kFunctionCall {
		return false
	}
	f := w.child(n, w.fields.function)
	return f != 0 && (equalFold(w.text(f), "die") || equalFold(w.text(f), "exit"))
}

// allLeave says whether an if statement has an else and no branch falls through.
func (w *walker) allLeave(n uint32) bool {
	hasElse := false
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		f := w.node(c).Field
		if f == w.fields.body && !w.leaves(c) {
			return false
		}
		if f != w.fields.alternative {
			continue
		}
		hasElse = hasElse || w.kind(c) == kElse
		if b := w.child(c, w.fields.body); b == 0 || !w.leaves(b) {
			return false
		}
	}
	return hasElse
}

func (w *walker) ifStatement(n uint32) {
	end := w.node(n).End
	cond := w.child(n, w.fields.condition)
	if cond != 0 {
		w.expr(cond, facts.Read)
	}
	body := w.child(n, w.fields.body)
	if body != 0 {
		w.narrow(cond, true, w.node(body).Start, w.node(body).End)
		w.branch(body, end, func() { w.body(body) })
	}
	left := body != 0 && w.leaves(body) // no branch so far reaches the end
	if left {
		w.narrow(cond, false, end, w.flow.end())
	}
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		if w.node(c).Field != w.fields.alternative {
			continue
		}
		w.alternative(c, cond, end)
		b := w.child(c, w.fields.body)
		if left = left && b != 0 && w.leaves(b); left {
			w.narrow(w.child(c, w.fields.condition), false, end, w.flow.end())
		}
	}
}

// alternative reads an elseif or else clause of an if with condition first.
func (w *walker) alternative(c, first, end uint32) {
	w.narrow(first, false, w.node(c).Start, w.node(c).End)
	cond, body := w.child(c, w.fields.condition), w.child(c, w.fields.body)
	if cond != 0 {
		w.expr(cond, facts.Read)
	}
	if body == 0 {
		return
	}
	w.narrow(cond, true, w.node(body).Start, w.node(body).End)
	w.branch(body, end, func() { w.body(body) })
}

func (w *walker) whileStatement(n uint32) {
	cond, body := w.child(n, w.fields.condition), w.child(n, w.fields.body)
	if cond != 0 {
		w.expr(cond, facts.Read)
	}
	if body != 0 {
		w.narrow(cond, true, w.node(body).Start, w.node(body).End)
		w.loop(n, body)
	}
}

// loop reads a loop's body; a loop may end early, so its bindings reach
// behind it.
func (w *walker) loop(n, body uint32) {
	end := w.node(n).End
	w.branch(body, end, func() {
		w.flow.merge = end
		w.body(body)
	})
}

func (w *walker) doStatement(n uint32) {
	if b := w.child(n, w.fields.body); b != 0 {
		w.body(b)
	}
	if c := w.child(n, w.fields.condition); c != 0 {
		w.expr(c, facts.Read)
	}
}

func (w *walker) forStatement(n uint32) {
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		if !w.named(c) {
			continue
		}
		switch w.node(c).Field {
		case w.fields.body:
			w.loop(n, c)
		default:
			w.expr(c, facts.Read)
		}
	}
}

func (w *walker) foreachStatement(n uint32) {
	doc := w.doc
	w.doc = 0
	subject := w.firstNamed(n)
	if subject == 0 {
		return
	}
	value := w.expr(subject, facts.Read)
	if doc != 0 {
		w.docVariables(doc, 0)
	}
	body := w.child(n, w.fields.body)
	if t := w.nextNamed(n, w.t.Nodes[subject].Next); t != 0 && t != body {
		w.foreachTarget(t, value)
	}
	if body != 0 {
		w.loop(n, body)
	}
}

// foreachTarget binds "$value" or "$key => $value".
func (w *walker) foreachTarget(t uint32, value facts.ExprID) {
	if w.kind(t) == kPair {
		k := w.firstNamed(t)
		if k == 0 {
			return
		}
		w.target(k, source{value: value, part: facts.PartKey, from: w.node(k).Start})
		t = w.nextNamed(t, w.t.Nodes[k].Next)
	}
	if t != 0 {
		w.target(t, source{value: value, part: facts.PartElem, from: w.node(t).Start})
	}
}

func (w *walker) switchStatement(n uint32) {
	if c := w.child(n, w.fields.condition); c != 0 {
		w.expr(c, facts.Read)
	}
	b := w.child(n, w.fields.body)
	if b == 0 {
		return
	}
	end := w.node(n).End
	w.each(b, func(c uint32) {
		w.branch(c, end, func() {
			w.flow.merge = end // break leaves the switch only
			w.switchCase(c)
		})
	})
}

func (w *walker) switchCase(n uint32) {
	value := w.child(n, w.fields.value)
	w.each(n, func(c uint32) {
		if c == value {
			w.expr(c, facts.Read)
		} else {
			w.statement(c)
		}
	})
}

func (w *walker) tryStatement(n uint32) {
	end := w.node(n).End
	outer := w.flow
	w.flow.flags = facts.Conditional
	if b := w.child(n, w.fields.body); b != 0 {
		w.block(b)
	}
	w.flow = outer
	w.each(n, func(c uint32) {
		switch w.kind(c) {
		case kCatch:
			w.catch(c, end)
		case kFinally:
			if b := w.child(c, w.fields.body); b != 0 {
				w.block(b)
			}
		case kError:
			w.recover(c)
		}
	})
}

func (w *walker) catch(n, end uint32) {
	var value facts.ExprID
	if t := w.child(n, w.fields.typ); t != 0 {
		value = w.typeExpr(t)
	}
	b := w.child(n, w.fields.body)
	if b == 0 {
		return
	}
	w.branch(b, end, func() {
		if v := w.child(n, w.fields.name); v != 0 {
			w.target(v, source{value: value, part: facts.PartCaught, from: w.node(v).Start})
		}
		w.block(b)
	})
}
