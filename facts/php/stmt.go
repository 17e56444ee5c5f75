package php

import (
	"bytes"

	"codeidx/facts"
)

// block reads the statements or clauses of n in order. A doc comment belongs
// to what follows it.
func (w *walker) block(n uint32) {
	outer, doc := w.scope, uint32(0)
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		if w.kind(c) == kComment {
			if bytes.HasPrefix(w.text(c), []byte("/**")) {
				doc = c
			}
			continue
		}
		if !w.named(c) {
			continue
		}
		w.doc = doc
		w.statement(c)
		w.doc, doc = 0, 0
	}
	w.scope = outer
}

// statement reads one statement. w.doc is the doc comment before it.
func (w *walker) statement(n uint32) {
	switch w.kind(n) {
	case kError:
		w.recover(n)
	case kExpressionStatement, kEcho, kExit, kThrow:
		w.expressionStatement(n)
	case kCompound, kColonBlock, kDeclare:
		w.block(n)
	case kIf:
		w.ifStatement(n)
	case kWhile:
		w.whileStatement(n)
	case kDo:
		w.doStatement(n)
	case kFor:
		w.forStatement(n)
	case kForeach:
		w.foreachStatement(n)
	case kSwitch:
		w.switchStatement(n)
	case kTry:
		w.tryStatement(n)
	case kReturn:
		w.returnStatement(n)
	case kUnset:
		w.each(n, func(c uint32) { w.expr(c, facts.Delete) })
	case kGlobal:
		w.globalStatement(n)
	case kStaticDeclaration:
		w.staticVariables(n)
	case kBreak, kContinue, kGoto, kMarkup, kInterpolation, kTag, kEndTag, kDirective, kEmpty:
	default:
		w.declaration(n)
	}
}

// declaration reads a statement that defines something, or an expression where
// error recovery left one.
func (w *walker) declaration(n uint32) {
	switch w.kind(n) {
	case kNamespace:
		w.namespace(n)
	case kUse:
		w.use(n)
	case kClass, kInterface, kTrait, kEnum:
		w.classLike(n)
	case kFunction:
		w.function(n)
	case kConst:
		w.constants(n)
	case kMethod, kProperty, kEnumCase, kTraitUse, kHook:
		w.member(n)
	default:
		w.expr(n, facts.Read)
	}
}

// each calls f for the named children of n.
func (w *walker) each(n uint32, f func(c uint32)) {
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		if w.named(c) {
			f(c)
		}
	}
}

// recover reads what an error node left readable.
func (w *walker) recover(n uint32) {
	w.each(n, func(c uint32) {
		switch w.kind(c) {
		case kName, kVariable, kComment, kOther:
		default:
			w.statement(c)
		}
	})
}

func (w *walker) expressionStatement(n uint32) {
	doc := w.doc
	w.doc = 0
	w.each(n, func(c uint32) {
		if doc != 0 {
			w.docVariables(doc, w.assignedName(c))
		}
		w.expr(c, facts.Read)
	})
}

// assignedName returns the variable that an expression assigns to, 0 for none.
func (w *walker) assignedName(n uint32) facts.NameID {
	if k := w.kind(n); k != kAssignment && k != kRefAssignment {
		return 0
	}
	if l := w.child(n, w.fields.left); l != 0 && w.kind(l) == kVariable {
		return w.b.Intern(w.text(l))
	}
	return 0
}

func (w *walker) returnStatement(n uint32) {
	if w.doc != 0 {
		w.docVariables(w.doc, 0)
		w.doc = 0
	}
	if c := w.firstNamed(n); c != 0 {
		v := w.expr(c, facts.Read)
		w.b.Bind(facts.Bind{Kind: facts.BindReturn, Scope: w.vars, Pos: w.node(c).Start, Value: v})
	}
}

// globalStatement reads "global $db": the variable of the file is meant.
func (w *walker) globalStatement(n uint32) {
	if w.doc != 0 {
		w.docVariables(w.doc, 0)
	}
	w.each(n, func(c uint32) {
		if w.kind(c) != kVariable {
			w.expr(c, facts.Read)
			return
		}
		w.expr(c, facts.Read)
		w.b.Bind(facts.Bind{Kind: facts.BindGlobal, Scope: w.vars, Name: w.b.Intern(w.text(c)), Pos: w.node(c).Start})
	})
}

func (w *walker) staticVariables(n uint32) {
	doc := w.doc
	w.each(n, func(c uint32) {
		name := w.child(c, w.fields.name)
		if w.kind(c) != kStaticVariable || name == 0 {
			return
		}
		if doc != 0 {
			w.docVariables(doc, w.b.Intern(w.text(name)))
		}
		s := source{from: w.node(c).End, stmt: c}
		if v := w.child(c, w.fields.value); v != 0 {
			s.value = w.expr(v, facts.Read)
		} else {
			s.value = w.add(c, facts.Expr{Kind: facts.Literal, Ctx: facts.Echo, Lit: facts.NilLit})
		}
		w.target(name, s)
	})
}
