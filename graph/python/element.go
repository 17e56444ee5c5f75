package python

import (
	"strconv"

	"codeidx/facts"
)

// awaited is what "await" gives.
func awaited(t *typ) *typ {
	return t.mapEach(func(a *typ) *typ {
		if a != nil && a.kind == tObject && a.name == "Awaitable" {
			return a.arg(0)
		}
		return nil
	})
}

// caught is the type of an exception that a clause names, alone or in a tuple.
func caught(v *typ) *typ {
	return v.mapEach(func(a *typ) *typ {
		if a != nil && a.kind == tObject && a.name == "tuple" {
			return union(a.args...).instance()
		}
		return a.instance()
	})
}

// literalIndex is the value of an integer literal, -1 for other expressions.
func (m *module) literalIndex(e facts.ExprID) int {
	x := &m.f.Exprs[e]
	if x.Kind == facts.Literal && x.Lit == facts.IntLit && x.Name != 0 {
		if n, err := strconv.Atoi(m.name(x.Name)); err == nil {
			return n
		}
	}
	return -1
}

// indexType is the type of "X[…]": a class with type arguments or an element.
func (m *module) indexType(e facts.ExprID, mode int) *typ {
	x := &m.f.Exprs[e]
	kids := m.f.KidsOf(x.Kids)
	return m.typeOf(x.X, mode).mapEach(func(t *typ) *typ {
		if t == nil {
			return nil
		}
		switch t.kind {
		case tClass, tExternal:
			c := *t
			c.args = make([]*typ, 0, len(kids))
			for _, k := range kids {
				c.args = append(c.args, m.annotation(k))
			}
			return &c
		case tInstance:
			return m.w.callMember(t, "__getitem__", m.subscripts(kids, mode), mode)
		case tObject:
			if len(kids) == 1 && m.f.Exprs[kids[0]].Kind == facts.Slice {
				return t
			}
			if mapping(t.name) {
				return t.arg(1)
			}
			if t.name == "tuple" && len(kids) == 1 {
				if i := m.literalIndex(kids[0]); i >= 0 {
					return t.arg(i)
				}
				return union(t.args...)
			}
			return m.w.element(t, mode)
		}
		return nil
	})
}

// item is element i of a value that is unpacked.
func (w *world) item(t *typ, i, mode int) *typ {
	return t.mapEach(func(a *typ) *typ {
		switch {
		case a != nil && a.kind == tObject && a.name == "tuple":
			return a.arg(i)
		case a != nil && a.kind == tInstance && a.m.class(a.def).namedTuple():
			return a.m.class(a.def).fieldAt(i)
		}
		return w.element(a, mode)
	})
}

// namedTuple says whether the class derives from typing.NamedTuple.
func (c *class) namedTuple() bool {
	for _, b := range c.baseTypes() {
		if b != nil && b.kind == tExternal && canonical(b.name) == "NamedTuple" {
			return true
		}
	}
	return false
}

// fieldAt is the type of the i-th declared field.
func (c *class) fieldAt(i int) *typ {
	for _, d := range c.m.members.Of(uint32(c.def)) {
		x := &c.m.f.Defs[d]
		if x.Kind != facts.DefField || x.Type == 0 {
			continue
		}
		if i == 0 {
			return c.m.annotation(x.Type)
		}
		i--
	}
	return nil
}

// element is what a value gives while iterating.
func (w *world) element(t *typ, mode int) *typ {
	return t.mapEach(func(a *typ) *typ {
		if a == nil {
			return nil
		}
		switch a.kind {
		case tObject:
			if a.name == "tuple" {
				return union(a.args...)
			}
			if a.name == "str" {
				return strType
			}
			return a.arg(elementArg(a.name))
		case tClass:
			if a.m.class(a.def).isEnum() {
				return a.instance()
			}
		case tInstance:
			return w.instanceElement(a, mode)
		}
		return nil
	})
}

func (w *world) instanceElement(a *typ, mode int) *typ {
	for _, name := range [...]string{"__iter__", "__aiter__"} {
		it := w.callMember(a, name, nil, mode)
		if it == nil {
			continue
		}
		if it.kind == tInstance {
			if n := w.callMember(it, "__next__", nil, mode); n != nil {
				return n
			}
			return awaited(w.callMember(it, "__anext__", nil, mode))
		}
		return w.element(it, mode)
	}
	c := a.m.class(a.def)
	for _, b := range c.order() {
		if b.kind == tExternal {
			if t := b.arg(elementArg(canonical(b.name))); t != nil {
				return t
			}
		}
	}
	return nil
}

// entered is what "with value as name" binds.
func (w *world) entered(t *typ, mode int) *typ {
	return t.mapEach(func(a *typ) *typ {
		if a == nil {
			return nil
		}
		switch a.kind {
		case tInstance:
			if r := w.callMember(a, "__enter__", nil, mode); r != nil {
				return r
			}
			return awaited(w.callMember(a, "__aenter__", nil, mode))
		case tObject:
			if contextManager(a.name) {
				return a.arg(0)
			}
			return a
		}
		return nil
	})
}

func contextManager(name string) bool {
	switch name {
	case "AbstractContextManager", "AbstractAsyncContextManager", "ContextManager", "AsyncContextManager":
		return true
	}
	return false
}

// subscripts are the arguments that a subscription gives to __getitem__.
func (m *module) subscripts(kids []facts.ExprID, mode int) *site {
	s := &site{have: true}
	for _, k := range kids {
		a := argument{e: k}
		if m.f.Exprs[k].Kind == facts.Slice {
			a.t = object("slice")
		} else {
			a.t = m.typeOf(k, mode)
		}
		s.args = append(s.args, a)
	}
	return s
}
