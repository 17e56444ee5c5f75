package python

import (
	"codeidx/facts"
)

// overload picks the first overload that the arguments of a call fit.
func (w *world) overload(fn *typ, s *site, mode int) *typ {
	m := fn.m
	d := &m.f.Defs[fn.def]
	if s == nil {
		return fn
	}
	for _, i := range m.pick(m.names.Of(uint32(d.Name)), m.holder(fn.def)) {
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
		case "str", "bytes", "int", "float", "bool", "type", "slice":
			return true
		}
		return false
	}
	if scalar(p) && scalar(a) {
		return p == "float" && a == "int" || p == "int" && a == "bool"
	}
	return !(scalar(p) && elementArg(a) >= 0)
}
