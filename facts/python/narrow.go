package python

import (
	"codeidx/facts"
)

// narrow states what a condition proves about names within from:to when it is
// true, or when it is false. It builds nodes of its own for the tests, without
// reading the condition's expressions again.
func (w *walker) narrow(cond uint32, truth bool, from, to uint32) {
	if cond == 0 || w.broken(cond) {
		return
	}
	switch w.kind(cond) {
	case kParenthesized:
		w.narrow(w.lastNamed(cond), truth, from, to)
	case kNotOperator:
		w.narrow(w.lastNamed(cond), !truth, from, to)
	case kBooleanOperator:
		op := w.child(cond, w.fields.operator)
		if op != 0 && (w.text(op)[0] == 'a') == truth {
			w.narrow(w.child(cond, w.fields.left), truth, from, to)
			w.narrow(w.child(cond, w.fields.right), truth, from, to)
		}
	case kCall:
		w.narrowCall(cond, truth, from, to)
	case kComparisonOperator:
		w.narrowIs(cond, truth, from, to)
	}
}

// narrowCall reads isinstance, issubclass and calls that may be type guards.
func (w *walker) narrowCall(n uint32, truth bool, from, to uint32) {
	fn, args := w.child(n, w.fields.function), w.child(n, w.fields.arguments)
	if fn == 0 || args == 0 || w.kind(args) != kArgumentList {
		return
	}
	var a [2]uint32
	i := 0
	for c := args + 1; c < w.t.Nodes[args].Next; c = w.t.Nodes[c].Next {
		if w.named(c) && i < 2 {
			a[i] = c
			i++
		}
	}
	if a[0] == 0 || !w.narrowable(a[0]) {
		return
	}
	b := facts.Bind{From: from, To: to}
	if !truth {
		b.Flags = facts.Negated
	}
	switch string(w.text(fn)) {
	case "isinstance":
		if a[1] != 0 {
			b.Type = w.echo(a[1])
		}
	case "issubclass":
		if a[1] != 0 {
			b.Value = w.echo(a[1])
		}
	default:
		if !w.narrowable(fn) || builtinTest(string(w.text(fn))) {
			return
		}
		b.Value = w.add(n, facts.Expr{Kind: facts.Call, X: w.echo(fn)})
	}
	if b.Type != 0 || b.Value != 0 {
		w.narrowTo(a[0], b)
	}
}

// builtinTest names frequent calls in conditions that are no type guards.
func builtinTest(name string) bool {
	switch name {
	case "len", "hasattr", "callable", "any", "all", "getattr", "bool", "int", "str", "id":
		return true
	}
	return false
}

// narrowIs reads "x is None" and "type(x) is A".
func (w *walker) narrowIs(n uint32, truth bool, from, to uint32) {
	op := w.child(n, w.fields.operators)
	l, r := w.t.First(n), w.lastNamed(n)
	if op == 0 || l == 0 || r == 0 {
		return
	}
	switch string(w.text(op)) {
	case "is", "==":
	case "is not", "!=":
		truth = !truth
	default:
		return
	}
	b := facts.Bind{From: from, To: to}
	if !truth {
		b.Flags = facts.Negated
	}
	switch {
	case w.kind(r) == kNone && w.narrowable(l):
		b.Type = w.echo(r)
		w.narrowTo(l, b)
	case w.kind(l) == kCall && w.narrowable(r):
		fn, args := w.child(l, w.fields.function), w.child(l, w.fields.arguments)
		if fn == 0 || args == 0 || string(w.text(fn)) != "type" {
			return
		}
		if x := w.lastNamed(args); x != 0 && w.narrowable(x) {
			b.Type = w.echo(r)
			w.narrowTo(x, b)
		}
	}
}

// narrowable says whether n is a name or an attribute of names.
func (w *walker) narrowable(n uint32) bool {
	for w.kind(n) == kAttribute {
		n = w.child(n, w.fields.object)
		if n == 0 {
			return false
		}
	}
	return w.kind(n) == kIdentifier
}

// narrowTo adds b as a fact about the name or attribute at n.
func (w *walker) narrowTo(n uint32, b facts.Bind) {
	if n == 0 {
		return
	}
	switch w.kind(n) {
	case kIdentifier:
		b.Name = w.b.Intern(w.text(n))
	case kAttribute:
		o, a := w.child(n, w.fields.object), w.child(n, w.fields.attribute)
		if o == 0 || a == 0 || !w.narrowable(o) {
			return
		}
		b.On, b.Name = w.echo(o), w.b.Intern(w.text(a))
	default:
		return
	}
	b.Kind, b.Scope, b.Pos = facts.BindNarrow, w.scope, w.node(n).Start
	w.b.Bind(b)
}

// echo builds the nodes of a name, an attribute or a tuple of them without
// making them references: the condition itself is read elsewhere.
func (w *walker) echo(n uint32) facts.ExprID {
	switch w.kind(n) {
	case kIdentifier:
		return w.add(n, facts.Expr{Kind: facts.Name, Ctx: facts.Echo, Name: w.b.Intern(w.text(n))})
	case kAttribute:
		o, a := w.child(n, w.fields.object), w.child(n, w.fields.attribute)
		if o == 0 || a == 0 {
			return 0
		}
		x := w.echo(o)
		return w.add(a, facts.Expr{Kind: facts.Select, Ctx: facts.Echo, Name: w.b.Intern(w.text(a)), X: x})
	case kNone:
		return w.literal(n)
	case kParenthesized:
		if c := w.lastNamed(n); c != 0 {
			return w.echo(c)
		}
	case kTuple, kBinaryOperator:
		mark := len(w.kids)
		for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
			if w.named(c) {
				w.push(w.echo(c))
			}
		}
		e := facts.Expr{Kind: facts.Tuple}
		if w.kind(n) == kBinaryOperator {
			e = facts.Expr{Kind: facts.Binary, Op: facts.OpBitOr}
		}
		return w.finish(n, e, mark)
	}
	return 0
}
