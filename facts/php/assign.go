package php

import (
	"bytes"
	"strings"

	"codeidx/facts"
)

// source is what an assignment target takes its value from.
type source struct {
	value facts.ExprID
	part  facts.Part
	index uint16
	from  uint32 // visible from here on
	stmt  uint32 // node of the whole assignment, for the span of definitions
}

func (w *walker) assignment(n uint32) facts.ExprID {
	left, right := w.child(n, w.fields.left), w.child(n, w.fields.right)
	var value facts.ExprID
	if right != 0 {
		value = w.expr(right, facts.Read)
	}
	if left != 0 && !w.broken(left) {
		w.target(left, source{value: value, from: w.node(n).End, stmt: n})
	}
	return value
}

// augmented reads "x op= y".
func (w *walker) augmented(n uint32) facts.ExprID {
	left, right, op := w.child(n, w.fields.left), w.child(n, w.fields.right), w.child(n, w.fields.operator)
	if left == 0 || right == 0 || op == 0 {
		return 0
	}
	value := w.expr(right, facts.Read)
	s := source{value: value, part: facts.PartAugment, from: w.node(n).End, stmt: n}
	if string(w.text(op)) == "??=" {
		mark := len(w.kids)
		w.push(w.echo(left))
		w.push(value)
		s.part, s.value = facts.PartWhole, w.finish(n, facts.Expr{Kind: facts.Binary, Op: facts.OpCoalesce}, mark)
		value = s.value
	}
	w.target(left, s)
	return value
}

// target binds what an assignment target names.
func (w *walker) target(n uint32, s source) {
	switch w.kind(n) {
	case kVariable:
		w.variable(n, s)
	case kMember, kNullsafeMember, kScopedProperty:
		w.attribute(n, s)
	case kSubscript:
		w.store(n, s)
	case kList, kArray:
		w.unpack(n, s)
	case kByRef, kParenthesized, kElement:
		if c := w.firstNamed(n); c != 0 {
			w.target(c, s)
		}
	default:
		w.expr(n, facts.Write)
	}
}

// unpack binds the elements of list() or [...]. An element with a key takes
// its value from "value[key]".
func (w *walker) unpack(n uint32, s source) {
	index, key := uint16(0), facts.ExprID(0)
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		nd := w.node(c)
		switch {
		case w.named(c):
			if w.keyOf(n, c) {
				key = w.expr(c, facts.Read)
				continue
			}
			e := s.element(index)
			if key != 0 && s.part == facts.PartWhole && s.value != 0 {
				mark := len(w.kids)
				w.push(key)
				e.part, e.index = facts.PartWhole, 0
				e.value = w.finish(c, facts.Expr{Kind: facts.Index, X: s.value}, mark)
			}
			w.target(c, e)
			key = 0
		case w.src[nd.Start] == ',':
			index++
		}
	}
}

// keyOf says whether child c of a destructuring is followed by "=>".
func (w *walker) keyOf(n, c uint32) bool {
	next := w.t.Nodes[c].Next
	return next < w.t.Nodes[n].Next && bytes.HasPrefix(w.src[w.node(next).Start:], []byte("=>"))
}

// element returns the source of element i of a destructuring.
func (s source) element(i uint16) source {
	e := source{value: s.value, from: s.from}
	switch s.part {
	case facts.PartWhole:
		e.part, e.index = facts.PartIndex, i
	case facts.PartElem:
		e.part, e.index = facts.PartElemIndex, i
	default:
		e.value = 0
	}
	return e
}

// variable binds a plain variable. The first binding of a variable of the file
// defines it.
func (w *walker) variable(n uint32, s source) {
	name := w.b.Intern(w.text(n))
	b := facts.Bind{
		Kind: facts.BindVar, Part: s.part, Index: s.index, Scope: w.vars, Name: name, Pos: w.node(n).Start, From: s.from, Value: s.value,
	}
	if w.vars == 0 && s.part == facts.PartWhole && s.stmt != 0 && string(w.text(n)) != "$this" {
		b.Def = w.global(n, name, s)
	}
	w.expr(n, facts.Write)
	w.bind(b)
}

func (w *walker) global(n uint32, name facts.NameID, s source) facts.DefID {
	if d, ok := w.globals[name]; ok {
		return d
	}
	d := facts.Def{Kind: facts.DefVariable, Flags: w.flow.flags, Name: name, Scope: 0, Span: w.span(n), NamePos: w.node(n).Start, Value: s.value}
	d.Span.End = w.node(s.stmt).End
	d.SigEnd = w.lineEnd(d.Span)
	id := w.b.Def(d)
	w.globals[name] = id
	return id
}

// lineEnd returns where the first line of a span ends.
func (w *walker) lineEnd(s facts.Span) uint32 {
	if i := bytes.IndexByte(w.src[s.Start:s.End], '\n'); i >= 0 {
		return s.Start + uint32(i)
	}
	return s.End
}

// attribute binds "$object->name = value" and "Class::$name = value".
func (w *walker) attribute(n uint32, s source) {
	e := w.expr(n, facts.Write)
	if e == 0 {
		return
	}
	x := w.f.Exprs[e]
	if x.Kind != facts.Select && x.Kind != facts.ScopedVar {
		return
	}
	w.bind(facts.Bind{
		Kind: facts.BindAttr, Part: s.part, Index: s.index, Scope: w.vars, Name: x.Name, Pos: x.Pos, From: s.from, Value: s.value, On: x.X,
	})
}

// store reads "$a[k] = value": the innermost variable or property holds an
// array that value is put into.
func (w *walker) store(n uint32, s source) {
	e := w.expr(n, facts.Write)
	if s.part != facts.PartWhole || e == 0 {
		return
	}
	depth := uint16(0)
	for ; w.f.Exprs[e].Kind == facts.Index; depth++ {
		e = w.f.Exprs[e].X
	}
	x := w.f.Exprs[e]
	b := facts.Bind{Part: facts.PartStore, Index: depth, Scope: w.vars, Name: x.Name, Pos: x.Pos, From: s.from, Value: s.value}
	switch {
	case x.Kind == facts.Name && x.X == 0 && depth > 0 && strings.HasPrefix(w.f.Names[x.Name], "$"):
		b.Kind = facts.BindVar
	case (x.Kind == facts.Select || x.Kind == facts.ScopedVar) && depth > 0:
		b.Kind, b.On = facts.BindAttr, x.X
	default:
		return
	}
	w.bind(b)
}
