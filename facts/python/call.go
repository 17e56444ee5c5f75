package python

import (
	"codeidx/facts"
)

func (w *walker) call(n uint32) facts.ExprID {
	fn, args := w.child(n, w.fields.function), w.child(n, w.fields.arguments)
	var x facts.ExprID
	if fn != 0 {
		x = w.expr(fn, facts.Callee)
	}
	mark := len(w.kids)
	if args != 0 {
		if w.kind(args) == kGeneratorExpression {
			w.push(w.expr(args, facts.Read))
		} else {
			w.arguments(args, x)
		}
	}
	return w.finish(n, facts.Expr{Kind: facts.Call, X: x}, mark)
}

// arguments reads an argument list onto the stack. Strings that typing
// functions take for types are read as types.
func (w *walker) arguments(args uint32, callee facts.ExprID) {
	typed := w.typeArguments(args, callee)
	i := 0
	for c := args + 1; c < w.t.Nodes[args].Next; c = w.t.Nodes[c].Next {
		if !w.named(c) {
			continue
		}
		switch {
		case w.kind(c) == kKeywordArgument:
			w.push(w.keyword(c, typed))
		case typed.at(i) && w.kind(c) == kString:
			w.push(w.typeExpr(c))
		default:
			w.push(w.expr(c, facts.Read))
		}
		i++
	}
}

func (w *walker) keyword(n uint32, typed typedArgs) facts.ExprID {
	k, v := w.child(n, w.fields.name), w.child(n, w.fields.value)
	if k == 0 || v == 0 {
		return 0
	}
	var x facts.ExprID
	if name := string(w.text(k)); typed.bound && name == "bound" {
		x = w.typeExpr(v)
	} else {
		x = w.expr(v, facts.Read)
	}
	return w.add(k, facts.Expr{Kind: facts.Keyword, Name: w.b.Intern(w.text(k)), X: x})
}

// typedArgs says which arguments of a call are types that may be quoted.
type typedArgs struct {
	from, to int // positions in from..to-1
	bound    bool
}

func (t typedArgs) at(i int) bool { return i >= t.from && i < t.to }

func (w *walker) typeArguments(args uint32, callee facts.ExprID) typedArgs {
	switch w.lastName(callee) {
	case "cast":
		// memoryview.cast("B") takes a format, typing.cast a type and a value.
		if w.count(args) == 2 {
			return typedArgs{from: 0, to: 1}
		}
	case "TypeVar":
		return typedArgs{from: 1, to: 100, bound: true}
	case "NewType":
		return typedArgs{from: 1, to: 2}
	}
	return typedArgs{}
}

// count returns the number of named children.
func (w *walker) count(n uint32) int {
	k := 0
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		if w.named(c) {
			k++
		}
	}
	return k
}
