package php

import (
	"bytes"

	"codeidx/facts"
)

// expr reads an expression in a role.
func (w *walker) expr(n uint32, ctx facts.Ctx) facts.ExprID {
	switch w.kind(n) {
	case kError:
		w.recover(n)
		return 0
	case kVariable:
		return w.add(n, facts.Expr{Kind: facts.Name, Ctx: ctx, Name: w.b.Intern(w.text(n))})
	case kName, kQualifiedName, kRelativeName, kRelativeScope:
		return w.name(n, ctx)
	case kMember, kNullsafeMember:
		return w.propertyFetch(n, ctx)
	case kScopedProperty:
		return w.scopedProperty(n, ctx)
	case kClassConstant:
		return w.classConstant(n, ctx)
	case kFunctionCall, kMemberCall, kNullsafeCall, kScopedCall:
		return w.call(n)
	case kNew:
		return w.construction(n)
	case kSubscript:
		return w.subscript(n, ctx)
	case kArray, kList:
		return w.array(n)
	case kParenthesized, kClone, kSuppress, kByRef:
		return w.inner(n, ctx)
	case kAssignment, kRefAssignment:
		return w.assignment(n)
	case kAugmented:
		return w.augmented(n)
	case kConditional:
		return w.conditional(n)
	case kBinary:
		return w.binary(n)
	case kMatch:
		return w.match(n)
	case kClosure:
		return w.closure(n)
	case kArrow:
		return w.arrow(n)
	case kYield:
		return w.yield(n)
	case kInclude, kIncludeOnce, kRequire, kRequireOnce:
		return w.include(n)
	case kCast:
		return w.cast(n)
	case kUnary, kUpdate:
		return w.operands(n, facts.Expr{Kind: facts.Unary})
	case kSequence:
		return w.sequence(n)
	}
	return w.literal(n)
}

// inner reads an expression that stands for its operand.
func (w *walker) inner(n uint32, ctx facts.Ctx) facts.ExprID {
	if c := w.firstNamed(n); c != 0 {
		return w.expr(c, ctx)
	}
	return 0
}

// operands reads the named children of n as the node's children.
func (w *walker) operands(n uint32, e facts.Expr) facts.ExprID {
	mark := len(w.kids)
	w.each(n, func(c uint32) { w.push(w.expr(c, facts.Read)) })
	if e.Kind == facts.Unary {
		if len(w.kids) > mark {
			e.X = w.kids[mark]
		}
		w.kids = w.kids[:mark]
	}
	return w.finish(n, e, mark)
}

func (w *walker) sequence(n uint32) facts.ExprID {
	last := facts.ExprID(0)
	w.each(n, func(c uint32) { last = w.expr(c, facts.Read) })
	return last
}

// name reads a plain or qualified name; its position is that of its last part.
func (w *walker) name(n uint32, ctx facts.Ctx) facts.ExprID {
	if w.broken(n) {
		return 0
	}
	at, text := w.node(n).Start, w.text(n)
	var x facts.ExprID
	if i := bytes.LastIndexByte(text, '\\'); i >= 0 {
		x = w.add(n, facts.Expr{Kind: facts.Name, Ctx: facts.Echo, Name: w.b.Intern(text[:i+1])})
		at, text = at+uint32(i)+1, text[i+1:]
	}
	if len(text) == 0 {
		return 0
	}
	id := w.add(n, facts.Expr{Kind: facts.Name, Ctx: ctx, Name: w.b.Intern(text), X: x})
	w.f.Exprs[id].Pos = at
	return id
}

// className reads what stands before "::" or behind instanceof and new.
func (w *walker) className(n uint32, ctx facts.Ctx) facts.ExprID {
	switch w.kind(n) {
	case kName, kQualifiedName, kRelativeName, kRelativeScope:
		return w.name(n, ctx)
	}
	return w.expr(n, facts.Read)
}

// memberName returns the name of a member where it is written out.
func (w *walker) memberName(n uint32) (name uint32, plain bool) {
	name = w.child(n, w.fields.name)
	return name, name != 0 && w.kind(name) == kName && !w.broken(name)
}

// propertyFetch reads "$object->name".
func (w *walker) propertyFetch(n uint32, ctx facts.Ctx) facts.ExprID {
	o := w.child(n, w.fields.object)
	if o == 0 {
		return 0
	}
	x := w.expr(o, facts.Read)
	return w.selection(n, x, facts.Select, ctx)
}

// selection makes the node of a member of x: kind with its name, else an Other.
func (w *walker) selection(n uint32, x facts.ExprID, k facts.ExprKind, ctx facts.Ctx) facts.ExprID {
	name, plain := w.memberName(n)
	switch {
	case name == 0:
		return 0
	case plain:
		return w.add(name, facts.Expr{Kind: k, Ctx: ctx, Name: w.b.Intern(w.text(name)), X: x})
	}
	mark := len(w.kids)
	w.push(x)
	w.push(w.expr(name, facts.Read))
	return w.finish(name, facts.Expr{Kind: facts.Other, Ctx: ctx}, mark)
}

// scopedProperty reads "Class::$name".
func (w *walker) scopedProperty(n uint32, ctx facts.Ctx) facts.ExprID {
	s, name := w.child(n, w.fields.scope), w.child(n, w.fields.name)
	if s == 0 || name == 0 {
		return 0
	}
	x := w.className(s, facts.TypeUse)
	if w.kind(name) != kVariable {
		w.expr(name, facts.Read)
		return w.add(name, facts.Expr{Kind: facts.Other, Ctx: ctx})
	}
	return w.add(name, facts.Expr{Kind: facts.ScopedVar, Ctx: ctx, Name: w.b.Intern(w.text(name)[1:]), X: x})
}

// classConstant reads "Class::NAME" and "Class::class".
func (w *walker) classConstant(n uint32, ctx facts.Ctx) facts.ExprID {
	c := w.firstNamed(n)
	if c == 0 {
		return 0
	}
	x := w.className(c, facts.TypeUse)
	name := w.nextNamed(n, w.t.Nodes[c].Next)
	if name == 0 || w.broken(name) {
		return x
	}
	if w.kind(name) != kName {
		w.expr(name, facts.Read)
		return w.add(name, facts.Expr{Kind: facts.Other, Ctx: ctx})
	}
	return w.add(name, facts.Expr{Kind: facts.Scoped, Ctx: ctx, Name: w.b.Intern(w.text(name)), X: x})
}

func (w *walker) subscript(n uint32, ctx facts.Ctx) facts.ExprID {
	a := w.firstNamed(n)
	if a == 0 {
		return 0
	}
	x := w.expr(a, facts.Read)
	mark := len(w.kids)
	if i := w.nextNamed(n, w.t.Nodes[a].Next); i != 0 {
		if w.kind(i) == kName { // "$a[key]" inside of a string
			w.push(w.add(i, facts.Expr{Kind: facts.Literal, Lit: facts.StringLit, Name: w.b.Intern(w.text(i))}))
		} else {
			w.push(w.expr(i, facts.Read))
		}
	}
	return w.finish(n, facts.Expr{Kind: facts.Index, Ctx: ctx, X: x}, mark)
}

// array reads an array literal: a Dict where any element has a key.
func (w *walker) array(n uint32) facts.ExprID {
	mark, kind := len(w.kids), facts.List
	w.each(n, func(c uint32) {
		if w.kind(c) != kElement {
			w.push(w.expr(c, facts.Read))
			return
		}
		first := w.firstNamed(c)
		if first == 0 {
			return
		}
		second := w.nextNamed(c, w.t.Nodes[first].Next)
		if second == 0 {
			w.push(w.argumentValue(first))
			return
		}
		kind = facts.Dict
		k := w.expr(first, facts.Read)
		v := w.expr(second, facts.Read)
		inner := len(w.kids)
		w.kids = append(w.kids, k, v)
		kv := w.finish(c, facts.Expr{Kind: facts.KeyValue}, inner)
		w.push(kv)
	})
	return w.finish(n, facts.Expr{Kind: kind}, mark)
}

func (w *walker) conditional(n uint32) facts.ExprID {
	cond, body, alt := w.child(n, w.fields.condition), w.child(n, w.fields.body), w.child(n, w.fields.alternative)
	if cond == 0 || alt == 0 {
		return 0
	}
	c := w.expr(cond, facts.Read)
	yes := c
	if body != 0 {
		w.narrow(cond, true, w.node(body).Start, w.node(body).End)
		yes = w.expr(body, facts.Read)
	}
	w.narrow(cond, false, w.node(alt).Start, w.node(alt).End)
	no := w.expr(alt, facts.Read)
	mark := len(w.kids)
	w.kids = append(w.kids, yes, no)
	return w.finish(n, facts.Expr{Kind: facts.Cond, X: c}, mark)
}

func (w *walker) binary(n uint32) facts.ExprID {
	left, right, op := w.child(n, w.fields.left), w.child(n, w.fields.right), w.child(n, w.fields.operator)
	if left == 0 || right == 0 || op == 0 {
		return w.operands(n, facts.Expr{Kind: facts.Other})
	}
	o := operator(w.text(op))
	l := w.expr(left, facts.Read)
	var r facts.ExprID
	switch {
	case o == facts.OpInstanceof:
		r = w.className(right, facts.TypeUse)
	default:
		switch string(w.text(op)) {
		case "&&", "and", "AND":
			w.narrow(left, true, w.node(right).Start, w.node(right).End)
		case "||", "or", "OR":
			w.narrow(left, false, w.node(right).Start, w.node(right).End)
		}
		r = w.expr(right, facts.Read)
	}
	mark := len(w.kids)
	if string(w.text(op)) == "|>" {
		w.push(l)
		return w.finish(n, facts.Expr{Kind: facts.Call, X: r}, mark)
	}
	w.kids = append(w.kids, l, r)
	return w.finish(n, facts.Expr{Kind: facts.Binary, Op: o}, mark)
}

func operator(op []byte) facts.Op {
	switch string(op) {
	case ".":
		return facts.OpConcat
	case "??":
		return facts.OpCoalesce
	case "+", "-", "*", "/", "%", "**", "&", "|", "^":
		return facts.OpArith
	case "<<", ">>":
		return facts.OpShift
	case "&&", "||":
		return facts.OpBool
	case "==", "!=", "===", "!==", "<>", "<", ">", "<=", ">=", "<=>":
		return facts.OpCompare
	}
	switch {
	case equalFold(op, "instanceof"):
		return facts.OpInstanceof
	case equalFold(op, "and"), equalFold(op, "or"), equalFold(op, "xor"):
		return facts.OpBool
	}
	return facts.OpOther
}

// match reads its conditions as expressions of their own. The arms of
// match(true) are narrowed by their condition.
func (w *walker) match(n uint32) facts.ExprID {
	cond, body := w.child(n, w.fields.condition), w.child(n, w.fields.body)
	if cond == 0 || body == 0 {
		return 0
	}
	x := w.expr(cond, facts.Read)
	mark := len(w.kids)
	w.each(body, func(arm uint32) {
		if list := w.child(arm, w.fields.conditions); list != 0 {
			w.each(list, func(c uint32) { w.expr(c, facts.Read) })
			if only := w.firstNamed(list); only != 0 && w.nextNamed(list, w.t.Nodes[only].Next) == 0 {
				w.narrow(only, true, w.node(arm).Start, w.node(arm).End)
			}
		}
		if v := w.child(arm, w.fields.returnExpr); v != 0 {
			w.push(w.expr(v, facts.Read))
		}
	})
	return w.finish(n, facts.Expr{Kind: facts.Match, X: x}, mark)
}

func (w *walker) yield(n uint32) facts.ExprID {
	part := facts.PartYield
	if f := w.t.First(n); f != 0 && w.kind(f) == kYieldFrom {
		part = facts.PartElem
	}
	var v facts.ExprID
	if c := w.firstNamed(n); c != 0 {
		v = w.yielded(c)
	}
	w.b.Bind(facts.Bind{Kind: facts.BindReturn, Part: part, Scope: w.vars, Pos: w.node(n).Start, Value: v})
	return w.add(n, facts.Expr{Kind: facts.Yield, X: v})
}

// yielded reads "value" or "key => value".
func (w *walker) yielded(n uint32) facts.ExprID {
	if w.kind(n) != kElement {
		return w.expr(n, facts.Read)
	}
	v := facts.ExprID(0)
	w.each(n, func(c uint32) { v = w.expr(c, facts.Read) })
	return v
}

// include reads include and require with their path.
func (w *walker) include(n uint32) facts.ExprID {
	c := w.firstNamed(n)
	if c == 0 {
		return 0
	}
	x := w.expr(c, facts.Read)
	keyword := w.text(n)[:keywordLength(w.text(n))]
	imp := facts.Import{Kind: facts.ImportEffect, ModulePos: w.node(n).Start, Scope: w.scope, Stmt: w.span(n)}
	if e := &w.f.Exprs[x]; e.Kind == facts.Literal {
		imp.Module = e.Name
	}
	if w.flow.flags&facts.Conditional != 0 {
		imp.Flags = facts.CondImport
	}
	if w.vars != 0 {
		imp.Flags |= facts.Dynamic
	}
	w.b.Import(imp)
	return w.add(n, facts.Expr{Kind: facts.Include, Name: w.b.Intern(keyword), X: x})
}

func keywordLength(s []byte) int {
	i := 0
	for i < len(s) && (s[i] == '_' || s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z') {
		i++
	}
	return i
}

func (w *walker) cast(n uint32) facts.ExprID {
	t, v := w.child(n, w.fields.typ), w.child(n, w.fields.value)
	if t == 0 || v == 0 {
		return 0
	}
	x := w.expr(v, facts.Read)
	mark := len(w.kids)
	w.push(w.add(t, facts.Expr{Kind: facts.Name, Ctx: facts.Echo, Name: w.b.Intern(bytes.ToLower(w.text(t)))}))
	return w.finish(n, facts.Expr{Kind: facts.Assert, X: x}, mark)
}

func equalFold(s []byte, lower string) bool {
	return len(s) == len(lower) && bytes.EqualFold(s, []byte(lower))
}
