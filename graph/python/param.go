package python

import (
	"sort"

	"codeidx/facts"
)

// firstBind returns the index of the first bind of a function's scope, where
// its parameters stand. Parameters are bound together, in order of scopes.
func (m *module) firstBind(scope facts.ScopeID) int {
	if m.paramStart == nil {
		m.paramStart = make([]uint32, len(m.f.Scopes))
		for i := len(m.f.Binds) - 1; i >= 0; i-- {
			if k := m.f.Binds[i].Kind; k == facts.BindParam || k == facts.BindReceiver {
				m.paramStart[m.f.Binds[i].Scope] = uint32(i) + 1
			}
		}
	}
	if s := m.paramStart[scope]; s > 0 {
		return int(s) - 1
	}
	return len(m.f.Binds)
}

// paramType is the type of a parameter: as annotated, as the same parameter of
// the method that it overrides is, and in weak mode as its default and the
// calls of the function in this repository suggest.
func (m *module) paramType(i uint32, mode int) *typ {
	b := &m.f.Binds[i]
	t := m.declaredParam(b)
	if t == nil && b.Type == 0 {
		t = m.inheritedParam(i)
	}
	if t == nil && b.Type == 0 {
		t = m.expectedParam(i, mode)
	}
	if t == nil && b.Type == 0 && mode == weak {
		t = m.guessedParam(i)
	}
	switch {
	case b.Flags&facts.Variadic != 0:
		return object("Sequence", t)
	case b.Flags&facts.KeywordRest != 0:
		return object("dict", strType, t)
	}
	return t
}

func (m *module) declaredParam(b *facts.Bind) *typ {
	if b.Type == 0 {
		return nil
	}
	t := m.annotation(b.Type)
	if t != nil && t.kind == tTypeVar {
		if bound := m.boundOf(t); bound != nil {
			return bound
		}
	}
	return t
}

// boundOf is the bound of a type variable where it has one.
func (m *module) boundOf(t *typ) *typ { return t.m.bound(t) }

// inheritedParam is the annotation of the same parameter in the method that
// this one overrides.
func (m *module) inheritedParam(i uint32) *typ {
	b := &m.f.Binds[i]
	def := m.f.Scopes[b.Scope].Def
	d := &m.f.Defs[def]
	if d.Kind != facts.DefMethod || d.Scope != b.Scope {
		return nil
	}
	c := m.class(d.Parent)
	o := c.find(m.name(d.Name), c)
	if o.def == 0 || o.c.m.f.Defs[o.def].Kind != facts.DefMethod {
		return nil
	}
	base := o.c.m
	for _, p := range base.params(&typ{m: base, def: o.def}) {
		x := &base.f.Binds[p]
		if base.name(x.Name) == m.name(b.Name) && x.Flags&(facts.Variadic|facts.KeywordRest) == b.Flags&(facts.Variadic|facts.KeywordRest) {
			if x.Type == 0 {
				return nil
			}
			return base.annotation(x.Type)
		}
	}
	return nil
}

// expectedParam is the type of a parameter of a function literal that is given
// where a Callable is expected.
func (m *module) expectedParam(i uint32, mode int) *typ {
	b := &m.f.Binds[i]
	if m.f.Defs[m.f.Scopes[b.Scope].Def].Scope == b.Scope {
		return nil // a def
	}
	if m.lambdas == nil {
		m.findLambdas()
	}
	call := m.lambdas[b.Scope]
	if call == 0 {
		return nil
	}
	fn := m.typeOf(m.f.Exprs[call].X, mode)
	if fn == nil || fn.kind != tFunc {
		return nil
	}
	index := int(i) - m.firstBind(b.Scope)
	var t *typ
	args := m.literalArguments(call)
	fn.m.match(fn.m.params(fn), args, func(p *facts.Bind, a argument) {
		if a.t == nil || a.t.scop != b.Scope || p.Type == 0 {
			return
		}
		fn.m.annotation(p.Type).each(func(c *typ) {
			if c != nil && c.kind == tCallable {
				t = c.arg(index)
			}
		})
	})
	if t.hasVars() {
		return nil
	}
	return t
}

// literalArguments are the arguments of a call of which only function literals
// have a type.
func (m *module) literalArguments(call facts.ExprID) []argument {
	out := m.argumentList(call)
	for i := range out {
		if x := &m.f.Exprs[out[i].e]; x.Kind == facts.Func {
			out[i].t = &typ{kind: tLambda, m: m, scop: x.Scope}
		}
	}
	return out
}

// findLambdas maps the scopes of function literals to the calls that they are
// arguments of.
func (m *module) findLambdas() {
	m.lambdas = map[facts.ScopeID]facts.ExprID{}
	for i := range m.f.Exprs {
		c := &m.f.Exprs[i]
		if c.Kind != facts.Call {
			continue
		}
		for _, k := range m.f.KidsOf(c.Kids) {
			x := &m.f.Exprs[k]
			if x.Kind == facts.Keyword {
				x = &m.f.Exprs[x.X]
			}
			if x.Kind == facts.Func {
				m.lambdas[x.Scope] = facts.ExprID(i)
			}
		}
	}
}

// maxCalls bounds the call sites that are looked at for one parameter.
const maxCalls = 8

// guessedParam joins the default of a parameter and what the first calls of
// its function give for it.
func (m *module) guessedParam(i uint32) *typ {
	b := &m.f.Binds[i]
	var ts []*typ
	if b.Value != 0 {
		if t := m.typeOf(b.Value, weak); t != nil && t.kind != tNone {
			ts = append(ts, t)
		}
	}
	def := m.f.Scopes[b.Scope].Def
	if m.f.Defs[def].Scope != b.Scope {
		return union(ts...)
	}
	if t := m.fixtureType(def, m.name(b.Name)); t != nil {
		return t
	}
	fn := &typ{kind: tFunc, m: m, def: def}
	if m.f.Defs[def].Kind == facts.DefMethod && m.f.Defs[def].Flags&facts.Static == 0 {
		fn.recv = fn // calls bind the receiver
	}
	target := defRef{m, def}
	if m.f.Defs[def].Flags&facts.Constructor != 0 {
		target.def = m.f.Defs[def].Parent
	}
	params := m.params(fn)
	for n, c := range m.w.calls[target] {
		if n == maxCalls {
			break
		}
		m.match(params, c.m.argumentList(c.e), func(x *facts.Bind, a argument) {
			if x != b {
				return
			}
			if t := c.m.typeOf(a.e, strict); t != nil && t.kind != tNone {
				ts = append(ts, t)
			}
		})
	}
	return union(ts...)
}

// builtin says whether a name is one of Python's own.
func (w *world) builtin(name string) bool {
	if w.builtins == nil {
		w.builtins = make(map[string]bool, len(builtinNames()))
		for _, n := range builtinNames() {
			w.builtins[n] = true
		}
	}
	return w.builtins[name]
}

func sortRefs(refs []defRef) {
	sort.Slice(refs, func(i, j int) bool {
		a, b := refs[i], refs[j]
		if a.m != b.m {
			return a.m.f.Path < b.m.f.Path
		}
		return a.def < b.def
	})
}
