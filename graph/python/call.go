package python

import (
	"codeidx/facts"
)

// argument is one argument of a call.
type argument struct {
	name string // keyword, "" for positional ones
	e    facts.ExprID
	t    *typ
	many bool // *args or **kwargs
}

// argumentList returns the arguments of a call without their types.
func (m *module) argumentList(e facts.ExprID) []argument {
	kids := m.f.KidsOf(m.f.Exprs[e].Kids)
	out := make([]argument, 0, len(kids))
	for _, k := range kids {
		x := &m.f.Exprs[k]
		switch x.Kind {
		case facts.Keyword:
			out = append(out, argument{name: m.name(x.Name), e: x.X})
		case facts.Spread, facts.KeySpread:
			out = append(out, argument{many: true})
		default:
			out = append(out, argument{e: k})
		}
	}
	return out
}

// arguments returns the arguments of a call with their types.
func (m *module) arguments(e facts.ExprID, mode int) []argument {
	out := m.argumentList(e)
	for i := range out {
		out[i].t = m.typeOf(out[i].e, mode)
	}
	return out
}

// site is a call whose arguments are typed when they matter.
type site struct {
	m    *module
	e    facts.ExprID
	args []argument
	have bool
}

func (s *site) arguments(mode int) []argument {
	if s == nil {
		return nil
	}
	if !s.have {
		s.args, s.have = s.m.arguments(s.e, mode), true
	}
	return s.args
}

func (m *module) callType(e facts.ExprID, mode int) *typ {
	x := &m.f.Exprs[e]
	fn := m.typeOf(x.X, mode)
	if fn != nil && fn.kind == tExternal {
		if t, ok := m.special(e, fn, mode); ok {
			return t
		}
	}
	return m.w.called(fn, &site{m: m, e: e}, mode)
}

// called is the result of calling a value.
func (w *world) called(fn *typ, s *site, mode int) *typ {
	return fn.mapEach(func(a *typ) *typ {
		if a == nil {
			return nil
		}
		switch a.kind {
		case tClass:
			return w.constructed(a, s, mode)
		case tFunc:
			return w.result(a, s, mode)
		case tLambda:
			return a.m.returned(a.scop, mode)
		case tCallable:
			return a.res
		case tInstance:
			if o := a.m.class(a.def).find("__call__", nil); o.def != 0 {
				return w.called(w.hitType(hit{m: o.c.m, def: o.def, recv: a, owner: o.c}, mode), s, mode)
			}
		case tExternal:
			return externalResult(a)
		case tObject:
			if a.name == "type" {
				return a.arg(0)
			}
		}
		return nil
	})
}

// constructed is the instance that calling a class gives.
func (w *world) constructed(c *typ, s *site, mode int) *typ {
	t := &typ{kind: tInstance, m: c.m, def: c.def, args: c.args, self: c.self}
	cl := c.m.class(c.def)
	params := cl.typeParams()
	if len(params) == 0 || len(c.args) > 0 || s == nil {
		return t
	}
	o := cl.find("__init__", nil)
	if o.def == 0 {
		return t
	}
	sub := substitution{}
	fn := &typ{kind: tFunc, m: o.c.m, def: o.def, recv: t}
	w.unifyArguments(&sub, fn, s.arguments(mode), mode)
	if len(sub.vars) == 0 {
		return t
	}
	t.args = make([]*typ, len(params))
	for i, p := range params {
		t.args[i] = sub.apply(p)
		if t.args[i] == p {
			t.args[i] = nil
		}
	}
	return t
}

// result is what calling a function gives.
func (w *world) result(fn *typ, s *site, mode int) *typ {
	fn = w.overload(fn, s, mode)
	m, d := fn.m, &fn.m.f.Defs[fn.def]
	var t *typ
	if d.Result != 0 {
		t = m.annotation(d.Result)
	} else {
		t = m.inferredResult(fn.def, mode)
	}
	if t.hasVars() {
		sub := substitution{self: fn.recv.plainInstance()}
		if isClass(m.f.Defs[d.Parent].Kind) {
			w.bindParams(&sub, fn.recv, m.class(d.Parent))
		}
		if s != nil {
			w.unifyArguments(&sub, fn, s.arguments(mode), mode)
		}
		t = sub.apply(t)
	}
	if d.Flags&facts.Async != 0 && d.Flags&facts.Generator == 0 {
		t = object("Awaitable", t)
	}
	if m.contextManager(d) {
		t = object("AbstractContextManager", w.element(t, mode))
	}
	return t
}

// inferredResult joins what an unannotated function returns.
func (m *module) inferredResult(def facts.DefID, mode int) *typ {
	d := &m.f.Defs[def]
	if d.Flags&(facts.Abstract|facts.Declared) != 0 {
		return nil
	}
	if d.Flags&facts.Generator != 0 {
		return object("Generator", m.yielded(d.Scope, mode))
	}
	return m.returned(d.Scope, mode)
}

// maxReturns bounds the return statements that are looked at.
const maxReturns = 12

func (m *module) returned(scope facts.ScopeID, mode int) *typ {
	var ts []*typ
	for _, i := range m.returns.Of(uint32(scope)) {
		b := &m.f.Binds[i]
		if b.Part == facts.PartWhole && len(ts) < maxReturns {
			ts = append(ts, m.typeOf(b.Value, mode))
		}
	}
	return union(ts...)
}

func (m *module) yielded(scope facts.ScopeID, mode int) *typ {
	var ts []*typ
	for _, i := range m.returns.Of(uint32(scope)) {
		b := &m.f.Binds[i]
		if len(ts) >= maxReturns {
			break
		}
		switch b.Part {
		case facts.PartYield:
			ts = append(ts, m.typeOf(b.Value, mode))
		case facts.PartElem:
			ts = append(ts, m.w.element(m.typeOf(b.Value, mode), mode))
		}
	}
	return union(ts...)
}
