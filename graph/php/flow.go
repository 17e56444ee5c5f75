package php

import (
	"sort"

	"codeidx/facts"
)

// endOfFile as a position asks for what holds when a scope has run.
const endOfFile = ^uint32(0)

// pick returns those of a name's binds, which are ordered by scope, that are
// in one scope.
func (x *file) pick(binds []uint32, scope facts.ScopeID) []uint32 {
	lo := sort.Search(len(binds), func(i int) bool { return x.f.Binds[binds[i]].Scope >= scope })
	n := sort.Search(len(binds)-lo, func(i int) bool { return x.f.Binds[binds[lo+i]].Scope > scope })
	return binds[lo : lo+n]
}

// varScope returns the scope whose variables a scope sees: that of the
// function around it, else the file's.
func (x *file) varScope(s facts.ScopeID) facts.ScopeID {
	for s != 0 && x.f.Scopes[s].Kind != facts.ScopeFunction {
		s = x.f.Scopes[s].Parent
	}
	return s
}

// variable is the type of variable name in a scope at pos. Function literals
// see the variables around them: arrow functions do, and a closure that uses
// one has a bind of its own.
func (x *file) variable(name facts.NameID, scope facts.ScopeID, pos uint32) *typ {
	all := x.vars.Of(uint32(name))
	for s := x.varScope(scope); ; {
		if binds := x.pick(all, s); len(binds) > 0 {
			if t, ok := x.variableIn(binds, pos); ok {
				return t
			}
		}
		if s == 0 {
			return nil
		}
		outer := x.varScope(x.f.Scopes[s].Parent)
		if outer == 0 || x.f.Scopes[outer].Def != x.f.Scopes[s].Def {
			return nil
		}
		s = outer
	}
}

// variableIn is the type that the binds of one scope give a variable at pos.
func (x *file) variableIn(binds []uint32, pos uint32) (*typ, bool) {
	reaching := x.reach(binds, pos)
	var t *typ
	last := uint32(0)
	ok := len(reaching) > 0
	if ok {
		ts := make([]*typ, 0, len(reaching)+1)
		for _, i := range reaching {
			ts = append(ts, x.bindType(i))
		}
		if len(reaching) == maxReach {
			ts = append(ts, nil)
		}
		t = union(ts...)
		last = x.f.Binds[reaching[0]].Pos
	}
	t = x.stored(binds, pos, t)
	if d := x.docBetween(binds, last, pos); d != nil {
		ok = true
		if t.vague() {
			t = d.tainted()
		}
	}
	n, narrowed := x.narrowed(binds, t, 0, pos)
	return n, ok || narrowed
}

// isValue says whether a bind gives its variable a value.
func (x *file) isValue(b *facts.Bind) bool {
	switch b.Kind {
	case facts.BindParam, facts.BindGlobal:
		return true
	case facts.BindVar, facts.BindAttr:
		return b.Part != facts.PartStore
	}
	return false
}

// Bounds for scopes with thousands of binds of one variable: how many may reach
// a use, and how many before it are looked at for tests and stores.
const (
	maxReach = 32
	maxBack  = 128
)

// before returns how many of a name's binds in one scope stand before pos.
func (x *file) before(binds []uint32, pos uint32) int {
	if pos == endOfFile {
		return len(binds)
	}
	return sort.Search(len(binds), func(i int) bool { return x.f.Binds[binds[i]].Pos >= pos })
}

// back returns the last binds before pos.
func (x *file) back(binds []uint32, pos uint32) []uint32 {
	n := x.before(binds, pos)
	return binds[max(0, n-maxBack):n]
}

// reach returns the binds whose value a use at pos may see, latest first:
// backwards from the use, up to and including the first that holds for sure.
// There may be more where it returns maxReach of them.
func (x *file) reach(binds []uint32, pos uint32) []uint32 {
	var out []uint32
	for i := x.before(binds, pos) - 1; i >= 0 && len(out) < maxReach; i-- {
		b := &x.f.Binds[binds[i]]
		if !x.isValue(b) || b.From > pos {
			continue
		}
		switch {
		case b.Flags&facts.CondBind == 0 || b.To == 0, pos < b.To:
			return append(out, binds[i])
		case b.Merge < x.f.Size && (pos >= b.Merge || pos == endOfFile):
			out = append(out, binds[i])
		}
	}
	return out
}

// stored adds what was put into the array that a variable holds.
func (x *file) stored(binds []uint32, pos uint32, t *typ) *typ {
	if t != nil && (t.kind != tArray || t.e != 0 && !t.empty() || t.elem != nil) && t.kind != tNull {
		return t
	}
	var elem []*typ
	from := max(0, x.before(binds, pos)-maxBack)
	for _, i := range binds[from:min(len(binds), from+2*maxBack)] {
		b := &x.f.Binds[i]
		if b.Part != facts.PartStore || b.Kind == facts.BindNarrow || b.From > pos && !x.sameLoop(b, pos) {
			continue
		}
		v := x.typeOf(b.Value)
		for range b.Index - 1 {
			v = &typ{kind: tArray, elem: v}
		}
		elem = append(elem, v)
	}
	if len(elem) == 0 {
		return t
	}
	return &typ{kind: tArray, elem: union(elem...)}
}

// sameLoop says whether a later bind may have run before pos: both lie in one
// branch, which may be a loop's body.
func (x *file) sameLoop(b *facts.Bind, pos uint32) bool {
	return b.To != 0 && pos < b.To && pos > b.Pos
}

// docBetween is what the last @var of a variable between from and pos states.
func (x *file) docBetween(binds []uint32, from, pos uint32) *typ {
	for i := x.before(binds, pos) - 1; i >= 0; i-- {
		b := &x.f.Binds[binds[i]]
		if b.Pos < from {
			return nil
		}
		if b.Kind == facts.BindDoc {
			return x.annotation(b.Type)
		}
	}
	return nil
}

// docBefore is what a @var right before bind i, an assignment, states.
func (x *file) docBefore(i uint32) *typ {
	b := &x.f.Binds[i]
	binds := x.pick(x.vars.Of(uint32(b.Name)), b.Scope)
	at := sort.Search(len(binds), func(j int) bool { return x.f.Binds[binds[j]].Pos >= b.Pos })
	if at == 0 || at > len(binds) {
		return nil
	}
	if p := &x.f.Binds[binds[at-1]]; p.Kind == facts.BindDoc {
		return x.annotation(p.Type)
	}
	return nil
}

// narrowed is t as the tests around pos prove it to be. on is the object of a
// property, 0 for variables.
func (x *file) narrowed(binds []uint32, t *typ, on facts.ExprID, pos uint32) (*typ, bool) {
	changed := false
	for _, i := range x.back(binds, pos) {
		b := &x.f.Binds[i]
		if b.Kind != facts.BindNarrow || pos < b.From || b.To != 0 && pos >= b.To || on != 0 && !x.sameObject(b.On, on) {
			continue
		}
		if x.reassigned(binds, b, on, pos) {
			continue
		}
		n := x.annotation(b.Type)
		if n == nil {
			continue
		}
		if b.Flags&facts.Negated != 0 {
			t = t.without(n)
			continue
		}
		t, changed = t.narrowTo(n), true
	}
	return t, changed
}

// reassigned says whether a value is bound between a test and pos.
func (x *file) reassigned(binds []uint32, test *facts.Bind, on facts.ExprID, pos uint32) bool {
	for _, i := range x.back(binds, pos) {
		b := &x.f.Binds[i]
		if x.isValue(b) && b.Pos > test.Pos && b.From <= pos && (on == 0 || x.sameObject(b.On, on)) {
			if b.Flags&facts.CondBind == 0 || b.To == 0 || pos < b.To || pos >= b.Merge && b.Merge < x.f.Size {
				return true
			}
		}
	}
	return false
}

// sameObject says whether two expressions name the same variable or property
// of one.
func (x *file) sameObject(a, b facts.ExprID) bool {
	p, q := &x.f.Exprs[a], &x.f.Exprs[b]
	if p.Kind != q.Kind || p.Name != q.Name || a == 0 || b == 0 {
		return false
	}
	switch p.Kind {
	case facts.Name:
		return true
	case facts.Select:
		return x.sameObject(p.X, q.X)
	}
	return false
}

// narrowTo is t where a test proves n: those of its alternatives that are n
// already, else n itself.
func (t *typ) narrowTo(n *typ) *typ {
	if t == nil || n.kind != tInstance {
		if t != nil && n.kind == tExternal && t.kind == tInstance {
			return &typ{kind: tIntersect, args: []*typ{n, t}, doc: t.doc}
		}
		return n
	}
	if fits := t.below(n, nil); len(fits) > 0 {
		return union(fits...)
	}
	if t.kind == tInstance && !n.c.is(t.c) && (t.c.kind() == facts.DefInterface || n.c.kind() == facts.DefInterface) {
		return &typ{kind: tIntersect, args: []*typ{n, t}}
	}
	return n
}

// below lists the alternatives of t that are n. What only a docblock says of
// them is kept beside what the test proves.
func (t *typ) below(n *typ, out []*typ) []*typ {
	t.each(func(a *typ) {
		switch {
		case a == nil:
		case a.kind == tIntersect:
			for _, part := range a.args {
				if had := len(out); had == 0 || part.kind != tInstance {
					out = part.below(n, out)
				}
			}
		case a.kind != tInstance || !a.c.is(n.c):
		case a.c == n.c:
			out = append(out, n)
		case a.doc:
			out = append(out, &typ{kind: tIntersect, args: []*typ{a, n}})
		default:
			c := *a
			c.part = false
			out = append(out, &c)
		}
	})
	return out
}

// without is t without the alternatives that are n.
func (t *typ) without(n *typ) *typ {
	if t == nil || t.kind != tUnion || n.kind != tInstance {
		return t
	}
	out := make([]*typ, 0, len(t.args))
	for _, a := range t.args {
		if a.kind != tInstance || !a.c.is(n.c) {
			out = append(out, a)
		}
	}
	if len(out) == 0 || len(out) == len(t.args) {
		return t
	}
	if t.part {
		out = append(out, nil)
	}
	return union(out...)
}
