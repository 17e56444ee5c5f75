package php

import (
	"codeidx/facts"
)

// narrow states what a condition proves about variables and properties within
// from:to when it is true, or when it is false.
func (w *walker) narrow(cond uint32, truth bool, from, to uint32) {
	if cond == 0 || w.broken(cond) {
		return
	}
	switch w.kind(cond) {
	case kParenthesized:
		w.narrow(w.firstNamed(cond), truth, from, to)
	case kUnary:
		if op := w.child(cond, w.fields.operator); op != 0 && string(w.text(op)) == "!" {
			w.narrow(w.child(cond, w.fields.argument), !truth, from, to)
		}
	case kBinary:
		w.narrowBinary(cond, truth, from, to)
	case kFunctionCall:
		w.narrowCall(cond, truth, from, to)
	}
}

func (w *walker) narrowBinary(n uint32, truth bool, from, to uint32) {
	l, r, op := w.child(n, w.fields.left), w.child(n, w.fields.right), w.child(n, w.fields.operator)
	if l == 0 || r == 0 || op == 0 {
		return
	}
	t := w.text(op)
	switch {
	case string(t) == "&&" || equalFold(t, "and"):
		if truth {
			w.narrow(l, truth, from, to)
			w.narrow(r, truth, from, to)
		}
	case string(t) == "||" || equalFold(t, "or"):
		if !truth {
			w.narrow(l, truth, from, to)
			w.narrow(r, truth, from, to)
		}
	case equalFold(t, "instanceof"):
		w.narrowTo(l, r, truth, from, to)
	case string(t) == "===" || string(t) == "==":
		w.narrowEqual(l, r, truth, from, to)
	case string(t) == "!==" || string(t) == "!=":
		w.narrowEqual(l, r, !truth, from, to)
	}
}

// narrowEqual reads comparisons of a test with true or false.
func (w *walker) narrowEqual(l, r uint32, truth bool, from, to uint32) {
	if w.kind(l) == kBoolean {
		l, r = r, l
	}
	if w.kind(r) == kBoolean && (w.kind(l) == kFunctionCall || w.kind(l) == kBinary || w.kind(l) == kParenthesized) {
		w.narrow(l, truth == equalFold(w.text(r), "true"), from, to)
	}
}

// narrowCall reads is_a($x, A::class).
func (w *walker) narrowCall(n uint32, truth bool, from, to uint32) {
	f, args := w.child(n, w.fields.function), w.child(n, w.fields.arguments)
	if f == 0 || args == 0 {
		return
	}
	if t := w.text(f); !equalFold(t, "is_a") && !equalFold(t, `\is_a`) {
		return
	}
	var a [2]uint32
	i := 0
	w.each(args, func(c uint32) {
		if i < 2 && w.kind(c) == kArgument {
			a[i] = w.firstNamed(c)
		}
		i++
	})
	if a[0] == 0 || a[1] == 0 || w.kind(a[1]) != kClassConstant {
		return
	}
	if c := w.firstNamed(a[1]); c != 0 {
		w.narrowTo(a[0], c, truth, from, to)
	}
}

// narrowTo states that the variable or property at n has the class at typ.
func (w *walker) narrowTo(n, typ uint32, truth bool, from, to uint32) {
	for w.kind(n) == kParenthesized {
		if n = w.firstNamed(n); n == 0 {
			return
		}
	}
	if k := w.kind(n); k == kAssignment {
		n = w.child(n, w.fields.left)
	}
	if n == 0 {
		return
	}
	switch w.kind(typ) {
	case kName, kQualifiedName, kRelativeName, kRelativeScope:
	default:
		return
	}
	b := facts.Bind{Kind: facts.BindNarrow, Scope: w.vars, Pos: w.node(n).Start, From: from, To: to}
	if !truth {
		b.Flags = facts.Negated
	}
	switch w.kind(n) {
	case kVariable:
		b.Name = w.b.Intern(w.text(n))
	case kMember, kNullsafeMember:
		name, plain := w.memberName(n)
		o := w.child(n, w.fields.object)
		if !plain || o == 0 {
			return
		}
		if b.On = w.echo(o); b.On == 0 {
			return
		}
		b.Name = w.b.Intern(w.text(name))
	default:
		return
	}
	b.Type = w.name(typ, facts.Echo)
	w.b.Bind(b)
}

// echo builds the nodes of a variable or of properties of one without making
// them references: the source is read elsewhere.
func (w *walker) echo(n uint32) facts.ExprID {
	switch w.kind(n) {
	case kVariable:
		return w.add(n, facts.Expr{Kind: facts.Name, Ctx: facts.Echo, Name: w.b.Intern(w.text(n))})
	case kParenthesized:
		if c := w.firstNamed(n); c != 0 {
			return w.echo(c)
		}
	case kMember, kNullsafeMember:
		name, plain := w.memberName(n)
		o := w.child(n, w.fields.object)
		if !plain || o == 0 {
			return 0
		}
		if x := w.echo(o); x != 0 {
			return w.add(name, facts.Expr{Kind: facts.Select, Ctx: facts.Echo, Name: w.b.Intern(w.text(name)), X: x})
		}
	case kSubscript:
		a := w.firstNamed(n)
		if a == 0 {
			return 0
		}
		if x := w.echo(a); x != 0 {
			return w.add(n, facts.Expr{Kind: facts.Index, Ctx: facts.Echo, X: x})
		}
	case kScopedProperty:
		s, name := w.child(n, w.fields.scope), w.child(n, w.fields.name)
		if s != 0 && name != 0 && w.kind(name) == kVariable {
			if x := w.className(s, facts.Echo); x != 0 {
				return w.add(name, facts.Expr{Kind: facts.ScopedVar, Ctx: facts.Echo, Name: w.b.Intern(w.text(name)[1:]), X: x})
			}
		}
	}
	return 0
}
