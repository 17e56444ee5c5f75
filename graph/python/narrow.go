package python

import (
	"codeidx/facts"
)

// narrowName applies the tests that hold where the name x is used. Tests made
// before its last assignment no longer count.
func (m *module) narrowName(t *typ, x *facts.Expr, r found) *typ {
	since := uint32(0)
	for _, b := range r.binds {
		if m.f.Binds[b].From < x.Pos {
			since = max(since, m.f.Binds[b].From)
		}
	}
	all := m.names.Of(uint32(x.Name))
	for s := x.Scope; ; s = m.f.Scopes[s].Parent {
		for _, i := range m.pick(all, s) {
			b := &m.f.Binds[i]
			if b.Kind == facts.BindNarrow && b.From <= x.Pos && (b.To == 0 || x.Pos < b.To) && b.From >= since {
				t = m.applyNarrow(t, b)
			}
		}
		if s == r.scope || s == 0 {
			return t
		}
	}
}

// narrowAttr applies assignments and tests of the attribute itself that hold
// where the Select x is used, as in "self.x = Foo(); self.x.bar()".
func (m *module) narrowAttr(t *typ, x *facts.Expr, mode int) *typ {
	all := m.attrs.Of(uint32(x.Name))
	if len(all) == 0 {
		return t
	}
	var assigned []uint32
	scope := m.flowScope(x.Scope)
	for _, i := range m.pick(all, scope) {
		b := &m.f.Binds[i]
		if b.Kind == facts.BindAttr && b.Pos < x.Pos && m.samePath(b.On, x.X) {
			assigned = append(assigned, i)
		}
	}
	since := uint32(0)
	if reaching := m.reachAttr(assigned, x.Pos); len(reaching) > 0 {
		ts := make([]*typ, 0, len(reaching)+1)
		sure := false
		for _, i := range reaching {
			b := &m.f.Binds[i]
			ts = append(ts, m.bindType(i, mode))
			since = max(since, b.From)
			sure = sure || b.Flags&facts.CondBind == 0 || x.Pos < b.To
		}
		if v := union(ts...); v != nil && !v.part {
			if sure {
				t = v
			} else if t != nil {
				t = union(t, v)
			}
		}
	}
	for s := x.Scope; ; s = m.f.Scopes[s].Parent {
		for _, i := range m.pick(all, s) {
			b := &m.f.Binds[i]
			if b.Kind == facts.BindNarrow && b.From <= x.Pos && (b.To == 0 || x.Pos < b.To) && b.From >= since && m.samePath(b.On, x.X) {
				t = m.applyNarrow(t, b)
			}
		}
		if s == scope {
			return t
		}
	}
}

func (m *module) reachAttr(binds []uint32, pos uint32) []uint32 {
	var out []uint32
	for i := len(binds) - 1; i >= 0; i-- {
		b := &m.f.Binds[binds[i]]
		if b.From > pos {
			continue
		}
		if b.Flags&facts.CondBind == 0 || pos < b.To {
			return append(out, binds[i])
		}
		if pos >= b.Merge {
			out = append(out, binds[i])
		}
	}
	return out
}

// flowScope is the function, class or module whose flow a scope runs in.
func (m *module) flowScope(s facts.ScopeID) facts.ScopeID {
	for m.f.Scopes[s].Kind == facts.ScopeComprehension {
		s = m.f.Scopes[s].Parent
	}
	return s
}

// samePath says whether two expressions are the same chain of names.
func (m *module) samePath(a, b facts.ExprID) bool {
	x, y := &m.f.Exprs[a], &m.f.Exprs[b]
	if x.Kind != y.Kind || x.Name != y.Name {
		return false
	}
	switch x.Kind {
	case facts.Name:
		return true
	case facts.Select:
		return m.samePath(x.X, y.X)
	}
	return false
}

// applyNarrow restricts t by one test.
func (m *module) applyNarrow(t *typ, b *facts.Bind) *typ {
	negated := b.Flags&facts.Negated != 0
	if b.Type != 0 {
		return narrowTo(t, m.tested(b.Type), negated)
	}
	v := &m.f.Exprs[b.Value]
	if v.Kind == facts.Call {
		if to, both := m.guard(v.X); to != nil && (both || !negated) {
			return narrowTo(t, to, negated)
		}
		return t
	}
	if negated {
		return t
	}
	if to := m.tested(b.Value).classOf(); to != nil {
		return to
	}
	return t
}

// tested is the instance type of the second argument of isinstance.
func (m *module) tested(e facts.ExprID) *typ {
	x := &m.f.Exprs[e]
	switch {
	case x.Lit == facts.NilLit:
		return noneType
	case x.Kind == facts.Tuple, x.Kind == facts.Binary:
		var ts []*typ
		for _, k := range m.f.KidsOf(x.Kids) {
			ts = append(ts, m.tested(k))
		}
		return union(ts...)
	}
	t := m.typeOf(e, strict)
	if t != nil && t.kind == tObject && t.name == "tuple" {
		t = union(t.args...)
	}
	return t.instance()
}

// guard returns what a function with a TypeGuard or TypeIs result proves of
// its argument; both says that a false answer proves the opposite.
func (m *module) guard(callee facts.ExprID) (to *typ, both bool) {
	fn := m.typeOf(callee, strict)
	if fn == nil || fn.kind != tFunc {
		return nil, false
	}
	f := fn.m.f
	r := f.Defs[fn.def].Result
	if r == 0 || f.Exprs[r].Kind != facts.Index {
		return nil, false
	}
	g := fn.m.typeOf(f.Exprs[r].X, strict)
	kids := f.KidsOf(f.Exprs[r].Kids)
	if g == nil || g.kind != tExternal || len(kids) != 1 {
		return nil, false
	}
	switch canonical(g.name) {
	case "TypeGuard":
		return fn.m.annotation(kids[0]), false
	case "TypeIs":
		return fn.m.annotation(kids[0]), true
	}
	return nil, false
}

// narrowTo keeps the alternatives of t that are instances of to, or drops them
// when the test failed.
func narrowTo(t, to *typ, negated bool) *typ {
	if to == nil {
		return t
	}
	if negated {
		return without(t, to)
	}
	var out []*typ
	t.each(func(a *typ) {
		if a == nil || a.kind == tNever || opaque(a) {
			return
		}
		to.each(func(c *typ) {
			switch {
			case subtype(a, c):
				out = append(out, a)
			case subtype(c, a):
				out = append(out, c)
			}
		})
	})
	if len(out) == 0 {
		return to
	}
	return union(out...)
}

func without(t, drop *typ) *typ {
	if t == nil || t.kind != tUnion {
		return t
	}
	var out []*typ
	for _, a := range t.args {
		gone := false
		drop.each(func(c *typ) { gone = gone || subtype(a, c) })
		if !gone {
			out = append(out, a)
		}
	}
	if t.part {
		out = append(out, nil)
	}
	return union(out...)
}

// opaque says whether t is a value from outside of which only that is known.
func opaque(t *typ) bool { return t.kind == tExternal || t.kind == tObject && t.name == "" }

// subtype says whether instances of a are instances of b.
func subtype(a, b *typ) bool {
	if a == nil || b == nil {
		return false
	}
	switch {
	case a.kind == tInstance && b.kind == tInstance:
		return a.m.class(a.def).inherits(&typ{kind: tClass, m: b.m, def: b.def})
	case a.kind == tInstance && b.kind == tObject:
		for _, t := range a.m.class(a.def).order() {
			if t.kind == tExternal && canonical(t.name) == b.name {
				return true
			}
		}
		return false
	}
	return a.kind == b.kind && a.m == b.m && a.def == b.def && a.name == b.name
}
