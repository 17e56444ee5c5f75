package python

import (
	"codeidx/facts"
)

// argument is one argument of a call.
type argument struct {
	name string // keyword, "" for positional ones
	t    *typ
	many bool // *args or **kwargs
}

// arguments returns the types of a call's arguments.
func (m *module) arguments(e facts.ExprID, mode int) []argument {
	kids := m.f.KidsOf(m.f.Exprs[e].Kids)
	out := make([]argument, 0, len(kids))
	for _, k := range kids {
		x := &m.f.Exprs[k]
		switch x.Kind {
		case facts.Keyword:
			out = append(out, argument{name: m.name(x.Name), t: m.typeOf(x.X, mode)})
		case facts.Spread, facts.KeySpread:
			out = append(out, argument{many: true})
		default:
			out = append(out, argument{t: m.typeOf(k, mode)})
		}
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

func (m *module) contextManager(d *facts.Def) bool {
	for _, e := range m.f.KidsOf(d.Decorators) {
		if x := &m.f.Exprs[e]; x.Kind == facts.Name || x.Kind == facts.Select {
			if t := m.typeOf(e, strict); t != nil && t.kind == tExternal && contextDecorator(t.name) {
				return true
			}
		}
	}
	return false
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
	for _, i := range m.returns.of(uint32(scope)) {
		b := &m.f.Binds[i]
		if b.Part == facts.PartWhole && len(ts) < maxReturns {
			ts = append(ts, m.typeOf(b.Value, mode))
		}
	}
	return union(ts...)
}

func (m *module) yielded(scope facts.ScopeID, mode int) *typ {
	var ts []*typ
	for _, i := range m.returns.of(uint32(scope)) {
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

// overload picks the first overload that the arguments of a call fit.
func (w *world) overload(fn *typ, s *site, mode int) *typ {
	m := fn.m
	d := &m.f.Defs[fn.def]
	if s == nil {
		return fn
	}
	for _, i := range m.pick(m.names.of(uint32(d.Name)), m.holder(fn.def)) {
		b := &m.f.Binds[i]
		if b.Kind != facts.BindDef || m.f.Defs[b.Def].Flags&facts.Overload == 0 {
			continue
		}
		c := *fn
		c.def = b.Def
		if w.fits(&c, s.arguments(mode), mode) {
			return &c
		}
	}
	return fn
}

// holder is the scope in which a function is defined.
func (m *module) holder(def facts.DefID) facts.ScopeID {
	s := m.f.Scopes[m.f.Defs[def].Scope].Parent
	for m.f.Scopes[s].Kind == facts.ScopeTypeParams {
		s = m.f.Scopes[s].Parent
	}
	return s
}

// params lists the parameter binds of a function, without the receiver when
// it is bound.
func (m *module) params(fn *typ) []uint32 {
	scope := m.f.Defs[fn.def].Scope
	var out []uint32
	first := true
	for i := m.firstBind(scope); i < len(m.f.Binds); i++ {
		b := &m.f.Binds[i]
		if b.Scope != scope {
			if len(out) > 0 || !first {
				break
			}
			continue
		}
		if b.Kind != facts.BindParam && b.Kind != facts.BindReceiver {
			break
		}
		if first && b.Kind == facts.BindReceiver && fn.recv != nil {
			first = false
			continue
		}
		first = false
		out = append(out, uint32(i))
	}
	return out
}

// match pairs arguments with parameters.
func (m *module) match(params []uint32, args []argument, f func(b *facts.Bind, a argument)) (ok bool) {
	used := make([]bool, len(params))
	pos, spread := 0, false
	ok = true
	for _, a := range args {
		switch {
		case a.many:
			spread = true
		case a.name != "":
			if !m.matchKeyword(params, used, a, f) {
				ok = false
			}
		case pos < len(params):
			b := &m.f.Binds[params[pos]]
			if b.Flags&(facts.KeywordOnly|facts.KeywordRest) != 0 && b.Flags&facts.Variadic == 0 {
				ok = false
				continue
			}
			used[pos] = true
			f(b, a)
			if b.Flags&facts.Variadic == 0 {
				pos++
			}
		case !spread:
			ok = false
		}
	}
	for i, p := range params {
		if b := &m.f.Binds[p]; !used[i] && !spread && b.Flags&(facts.Optional|facts.Variadic|facts.KeywordRest) == 0 {
			ok = false
		}
	}
	return ok
}

func (m *module) matchKeyword(params []uint32, used []bool, a argument, f func(b *facts.Bind, a argument)) bool {
	for i, p := range params {
		b := &m.f.Binds[p]
		if b.Flags&facts.KeywordRest != 0 || m.name(b.Name) == a.name && b.Flags&facts.Variadic == 0 {
			used[i] = true
			f(b, a)
			return true
		}
	}
	return false
}

// fits says whether the arguments of a call can be meant for fn.
func (w *world) fits(fn *typ, args []argument, mode int) bool {
	good := true
	ok := fn.m.match(fn.m.params(fn), args, func(b *facts.Bind, a argument) {
		if b.Type != 0 && !accepts(fn.m.annotation(b.Type), a.t) {
			good = false
		}
	})
	return ok && good
}

// accepts says whether an argument of type a may be given for a parameter of
// type p; what is not known fits.
func accepts(p, a *typ) bool {
	if p == nil || a == nil || p.part || a.part || p.kind == tTypeVar || a.kind == tExternal {
		return true
	}
	fits := false
	p.each(func(x *typ) {
		a.each(func(y *typ) {
			fits = fits || x == nil || y == nil || x.kind == tTypeVar || x.kind == tCallable && y.kind != tNone && y.kind != tObject ||
				y.kind == tExternal || subtype(y, x) || x.kind == tObject && y.kind == tObject && builtinFits(x.name, y.name) ||
				x.kind == tObject && y.kind == tInstance || x.kind == tInstance && y.kind == tObject && y.name == "" ||
				x.kind == tObject && x.name == "type" && y.kind == tClass
		})
	})
	return fits
}

// builtinFits is a coarse subtype relation of builtin classes.
func builtinFits(p, a string) bool {
	if p == a {
		return true
	}
	scalar := func(n string) bool {
		switch n {
		case "str", "bytes", "int", "float", "bool", "type":
			return true
		}
		return false
	}
	if scalar(p) && scalar(a) {
		return p == "float" && a == "int" || p == "int" && a == "bool"
	}
	return !(scalar(p) && elementArg(a) >= 0)
}

// unifyArguments binds type variables by the arguments of a call.
func (w *world) unifyArguments(sub *substitution, fn *typ, args []argument, mode int) {
	fn.m.match(fn.m.params(fn), args, func(b *facts.Bind, a argument) {
		if b.Type != 0 && a.t != nil {
			w.unify(sub, fn.m.annotation(b.Type), a.t, mode, 0)
		}
	})
}

// unify binds the type variables of p so that it becomes a.
func (w *world) unify(sub *substitution, p, a *typ, mode, depth int) {
	if p == nil || a == nil || depth > 6 || !p.hasVars() {
		return
	}
	switch p.kind {
	case tTypeVar:
		sub.set(p, a)
	case tUnion:
		rest := a.withoutNone()
		for _, x := range p.args {
			w.unify(sub, x, rest, mode, depth+1)
		}
	case tCallable:
		if a.kind != tObject {
			w.unify(sub, p.res, w.called(a, nil, mode), mode, depth+1)
		}
	case tObject:
		w.unifyObject(sub, p, a, mode, depth)
	case tInstance:
		if a.kind == tInstance {
			args := a.m.class(a.def).view(a.args, p.m.class(p.def), 0)
			for i := range p.args {
				w.unify(sub, p.args[i], (&typ{args: args}).arg(i), mode, depth+1)
			}
		}
	}
}

func (w *world) unifyObject(sub *substitution, p, a *typ, mode, depth int) {
	switch {
	case p.name == "type":
		w.unify(sub, p.arg(0), a.instance(), mode, depth+1)
	case a.kind == tObject && a.name == p.name:
		for i := range p.args {
			w.unify(sub, p.args[i], a.arg(i), mode, depth+1)
		}
	case contextManager(p.name):
		w.unify(sub, p.arg(0), w.entered(a, mode), mode, depth+1)
	case elementArg(p.name) == 0:
		w.unify(sub, p.arg(0), w.element(a, mode), mode, depth+1)
	}
}

// decoratedType is a function as its decorators leave it. A decorator whose
// result is not known keeps the function.
func (m *module) decoratedType(def facts.DefID, mode int) *typ {
	d := &m.f.Defs[def]
	t := &typ{kind: tFunc, m: m, def: def}
	if d.Flags&(facts.Accessor|facts.Overload) != 0 {
		return t
	}
	decorators := m.f.KidsOf(d.Decorators)
	for i := len(decorators) - 1; i >= 0; i-- {
		dec := m.typeOf(decorators[i], mode)
		if r := m.w.decorate(dec, t, mode); r != nil {
			t = r
		}
	}
	return t
}

func (w *world) decorate(dec, fn *typ, mode int) *typ {
	if dec == nil || dec.kind == tUnion {
		return nil
	}
	switch dec.kind {
	case tFunc:
		d := &dec.m.f.Defs[dec.def]
		s := &site{args: []argument{{t: fn}}, have: true}
		r := w.result(dec, s, mode)
		if r == nil || r.part {
			return nil
		}
		if w.overload(dec, s, mode).def == dec.def && d.Result == 0 && (r.kind == tFunc || r.kind == tLambda) {
			return nil // an inner function that stands for the decorated one
		}
		if r.kind == tExternal || r.kind == tTypeVar || r.kind == tObject && r.name == "" {
			return nil
		}
		if r.kind == tCallable && r.res == nil {
			return nil
		}
		return r
	case tCallable:
		r := dec.res
		if r == nil || r.kind == tTypeVar {
			return nil
		}
		return r
	case tClass:
		return &typ{kind: tInstance, m: dec.m, def: dec.def, args: dec.args}
	case tInstance:
		r := w.called(dec, &site{args: []argument{{t: fn}}, have: true}, mode)
		if r == nil || r.kind == tTypeVar || r.part {
			return nil
		}
		return r
	}
	return nil
}
