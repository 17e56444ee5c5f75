package ecma

import (
	"codeidx/facts"
)

// narrowed is the type of reference e after the tests that hold where it
// stands.
func (m *module) narrowed(e facts.ExprID, t *typ) *typ {
	x := m.expr(e)
	list := m.narrows.Of(uint32(x.Name))
	if len(list) == 0 {
		return t
	}
	for _, i := range list {
		b := &m.f.Binds[i]
		if x.Pos < b.From || x.Pos >= b.To || !m.sameReference(e, b) || m.reassigned(x, b) {
			continue
		}
		t = m.tested(t, b.Value, e, b.Flags&facts.Negated == 0)
	}
	return t
}

// sameReference says whether e is written like the reference that b narrows,
// and names the same variable.
func (m *module) sameReference(e facts.ExprID, b *facts.Bind) bool {
	x := m.expr(e)
	if x.Kind == facts.Name {
		return b.On == 0 && m.sameBinding(x.Name, x.Scope, b.Scope)
	}
	return b.On != 0 && m.samePath(x.X, b.On, 0)
}

func (m *module) sameBinding(name facts.NameID, a, b facts.ScopeID) bool {
	if a == b {
		return true
	}
	x, y := m.find(name, a, values), m.find(name, b, values)
	return len(x) == len(y) && (len(x) == 0 || x[0] == y[0])
}

func (m *module) samePath(a, b facts.ExprID, depth int) bool {
	x, y := m.expr(a), m.expr(b)
	if x.Kind != y.Kind || x.Name != y.Name || depth > 8 {
		return false
	}
	switch x.Kind {
	case facts.Name:
		return m.sameBinding(x.Name, x.Scope, y.Scope)
	case facts.Select:
		return m.samePath(x.X, y.X, depth+1)
	}
	return false
}

// reassigned says whether the variable takes another value between the test
// and the use.
func (m *module) reassigned(x *facts.Expr, b *facts.Bind) bool {
	if x.Kind != facts.Name {
		return false
	}
	for _, i := range m.assigns.Of(uint32(x.Name)) {
		if a := &m.f.Binds[i]; a.Pos >= b.From && a.Pos < x.Pos {
			return true
		}
	}
	return false
}

// tested is t after a test on reference e that held or failed.
func (m *module) tested(t *typ, test, e facts.ExprID, holds bool) *typ {
	x := m.expr(test)
	kids := m.kids(test)
	switch x.Kind {
	case facts.Name, facts.Select:
		if holds {
			return t.nonNull()
		}
	case facts.Call:
		return m.guarded(t, test, holds)
	case facts.Binary:
		if len(kids) == 2 {
			return m.compared(t, m.name(x.Name), kids[0], kids[1], e, holds)
		}
	}
	return t
}

// guarded applies a type predicate.
func (m *module) guarded(t *typ, call facts.ExprID, holds bool) *typ {
	fn := m.typeOf(m.expr(call).X)
	if fn == nil || fn.kind != tFunc || fn.m == nil {
		if fn != nil && fn.kind == tExternal && fn.name == "Array.isArray" {
			return t.filter(func(a *typ) bool { return (a.kind == tBuiltin && a.name == "Array" || a.kind == tTuple) == holds })
		}
		return t
	}
	g := m.w.result(fn, &site{m: m, e: call})
	if g == nil || g.kind != tGuard {
		return t
	}
	return m.w.is(t, g.arg(0), holds)
}

// is keeps what of t is, or is not, of type u.
func (w *world) is(t, u *typ, holds bool) *typ {
	if u == nil {
		return t
	}
	in := func(a *typ) bool {
		yes := false
		u.each(func(b *typ) { yes = yes || same(a, b) || w.inherits(a, b, 0) || a.kind == tFunc && b.kind == tFunc })
		return yes
	}
	if !holds {
		return t.filter(func(a *typ) bool { return !in(a) })
	}
	if t != nil && t.kind == tUnion {
		if n := t.filter(in); n != t {
			return n
		}
	}
	if t == nil || !in(t) {
		return u
	}
	return t
}

// compared applies a comparison.
func (m *module) compared(t *typ, op string, l, r, e facts.ExprID, holds bool) *typ {
	switch op {
	case "instanceof":
		if u := m.w.constructed(m.typeOf(r), nil); u != nil {
			if u.kind == tOutside && holds {
				return t.filter(func(a *typ) bool { return a.kind != tObject || t.part })
			}
			return m.w.is(t, u, holds)
		}
		return t
	case "in":
		return m.hasKey(t, l, holds)
	case "!==", "!=":
		holds = !holds
	case "===", "==":
	default:
		return t
	}
	lx, rx := m.expr(l), m.expr(r)
	switch {
	case lx.Kind == facts.Unary && lx.Op == facts.OpTypeof:
		return typeofIs(t, m.name(rx.Name), holds)
	case rx.Lit == facts.NilLit && rx.Kind == facts.Literal, rx.Kind == facts.Name && m.name(rx.Name) == "undefined":
		if !holds {
			return t.nonNull()
		}
		return t
	case lx.Kind == facts.Select && m.expr(e).Pos != lx.Pos && m.discriminates(e, lx):
		return m.discriminated(t, m.name(lx.Name), r, holds)
	}
	return t
}

// discriminates says whether the left side is a property of reference e.
func (m *module) discriminates(e facts.ExprID, l *facts.Expr) bool { return m.samePath(e, l.X, 0) }

// discriminated keeps the alternatives whose property is, or is not, a literal.
func (m *module) discriminated(t *typ, prop string, r facts.ExprID, holds bool) *typ {
	v := m.typeOf(r)
	if v == nil || v.kind != tLiteral && v.kind != tPrim && v.kind != tInst {
		return t
	}
	return t.filter(func(a *typ) bool {
		p := m.w.lookup(a, prop).typ(m.w)
		if p == nil || p.kind == tUnion && p.part {
			return true
		}
		may, must := false, true
		p.each(func(x *typ) {
			eq := x.kind == v.kind && x.name == v.name && x.def == v.def
			may = may || eq || x.kind == tPrim && (x.name == "string" || x.name == "number" || x.name == "boolean" || x.name == "any")
			must = must && eq && x.kind == tLiteral
		})
		if holds {
			return may
		}
		return !must
	})
}

// hasKey keeps the alternatives that have, or lack, a property.
func (m *module) hasKey(t *typ, key facts.ExprID, holds bool) *typ {
	name := m.name(m.expr(key).Name)
	if name == "" || m.expr(key).Kind != facts.Literal && name[0] != '#' {
		return t
	}
	return t.filter(func(a *typ) bool {
		f := m.w.lookup(a, name)
		return (len(f.hits) > 0 || len(f.types) > 0 || !f.missing) == holds
	})
}

// typeofIs keeps what typeof gives, or does not give, that answer.
func typeofIs(t *typ, answer string, holds bool) *typ {
	return t.filter(func(a *typ) bool {
		is := ""
		switch a.kind {
		case tPrim:
			is = a.name
			if is == "true" || is == "false" {
				is = "boolean"
			}
			if is == "any" || is == "unknown" {
				return true
			}
		case tLiteral:
			is = "string"
			if a.part {
				is = "number"
			}
		case tFunc, tClass, tMethod:
			is = "function"
		case tNull:
			is = "undefined"
		case tParam, tExternal, tIndexed:
			return true
		case tOutside:
			is = "object"
			if answer == "function" {
				return true
			}
		default:
			is = "object"
			if answer == "function" {
				return a.kind == tInst || a.kind == tInter || a.kind == tObject
			}
		}
		return (is == answer) == holds
	})
}
