package python

import (
	"codeidx/facts"
)

// typ is what is known about a value. nil is a value of which nothing is known.
type typ struct {
	kind typeKind
	m    *module
	def  facts.DefID   // tClass, tInstance, tFunc, tTypeVar
	scop facts.ScopeID // tLambda
	args []*typ        // type arguments, elements of containers, members of a union
	recv *typ          // tFunc: bound to; tSuper: the object
	res  *typ          // tCallable: result
	name string        // tExternal, tObject: dotted name; tNamespace: folder
	self bool          // tInstance, tClass: of the type of self, subclasses included
	part bool          // tUnion and others: one alternative is not known
}

type typeKind uint8

const (
	tExternal  typeKind = iota // a value of a module outside of the repository
	tObject                    // instance of an external or builtin class
	tNone                      // None
	tModule                    // module m
	tNamespace                 // namespace package
	tClass                     // class object
	tInstance                  // instance of class def
	tFunc                      // function def, bound to recv
	tLambda                    // function literal
	tCallable                  // something callable with result res
	tUnion                     // one of args
	tTypeVar                   // type variable
	tSuper                     // super() of class def
	tNever                     // the answer to a question that is still open: adds nothing to a union
)

var (
	noneType = &typ{kind: tNone}
	never    = &typ{kind: tNever}
	strType  = &typ{kind: tObject, name: "str"}
	boolType = &typ{kind: tObject, name: "bool"}
	intType  = &typ{kind: tObject, name: "int"}
)

// maxUnion bounds the alternatives that are kept.
const maxUnion = 8

func object(name string, args ...*typ) *typ { return &typ{kind: tObject, name: name, args: args} }

func external(name string) *typ { return &typ{kind: tExternal, name: name} }

// same says whether two types are equal as far as resolution cares.
func same(a, b *typ) bool {
	if a == b {
		return true
	}
	if a == nil || b == nil || a.kind != b.kind || a.m != b.m || a.def != b.def || a.name != b.name || a.scop != b.scop ||
		a.self != b.self || len(a.args) != len(b.args) {
		return false
	}
	for i := range a.args {
		if !same(a.args[i], b.args[i]) {
			return false
		}
	}
	return same(a.recv, b.recv) && same(a.res, b.res)
}

// union joins alternatives; an unknown one leaves the rest partial.
func union(ts ...*typ) *typ {
	var out []*typ
	part, open := false, false
	var add func(t *typ)
	add = func(t *typ) {
		if t == nil {
			part = true
			return
		}
		if t.kind == tNever {
			open = true
			return
		}
		if t.part {
			part = true
		}
		if t.kind == tUnion {
			for _, a := range t.args {
				add(a)
			}
			return
		}
		for _, o := range out {
			if same(o, t) {
				return
			}
		}
		if len(out) < maxUnion {
			out = append(out, t)
		} else {
			part = true
		}
	}
	for _, t := range ts {
		add(t)
	}
	switch {
	case len(out) == 0 && open && !part:
		return never
	case len(out) == 0:
		return nil
	case len(out) == 1 && (!part || out[0].part):
		return out[0]
	case len(out) == 1:
		c := *out[0]
		c.part = true
		return &c
	}
	return &typ{kind: tUnion, args: out, part: part}
}

// each calls f for every alternative of t.
func (t *typ) each(f func(*typ)) {
	if t != nil && t.kind == tUnion {
		for _, a := range t.args {
			f(a)
		}
		return
	}
	f(t)
}

// mapEach replaces every alternative.
func (t *typ) mapEach(f func(*typ) *typ) *typ {
	if t != nil && t.kind == tNever {
		return t
	}
	if t == nil || t.kind != tUnion {
		r := f(t)
		if t != nil && t.part && r != nil && !r.part {
			return union(r, nil)
		}
		return r
	}
	out := make([]*typ, 0, len(t.args)+1)
	for _, a := range t.args {
		out = append(out, f(a))
	}
	if t.part {
		out = append(out, nil)
	}
	return union(out...)
}

// withoutNone drops None from the alternatives.
func (t *typ) withoutNone() *typ {
	if t == nil || t.kind != tUnion {
		return t
	}
	has := false
	for _, a := range t.args {
		has = has || a.kind == tNone
	}
	if !has {
		return t
	}
	out := make([]*typ, 0, len(t.args))
	for _, a := range t.args {
		if a.kind != tNone {
			out = append(out, a)
		}
	}
	if t.part {
		out = append(out, nil)
	}
	return union(out...)
}

// instance returns the type of the instances of a class object.
func (t *typ) instance() *typ {
	return t.mapEach(func(a *typ) *typ {
		if a == nil {
			return nil
		}
		switch a.kind {
		case tClass:
			return &typ{kind: tInstance, m: a.m, def: a.def, args: a.args, self: a.self}
		case tExternal:
			return externalInstance(a)
		case tNone, tTypeVar:
			return a
		case tObject:
			if a.name == "type" && len(a.args) == 1 {
				return a.args[0]
			}
		}
		return nil
	})
}

// classOf returns the class object of an instance.
func (t *typ) classOf() *typ {
	return t.mapEach(func(a *typ) *typ {
		if a == nil {
			return nil
		}
		switch a.kind {
		case tInstance:
			return &typ{kind: tClass, m: a.m, def: a.def, args: a.args, self: a.self}
		case tObject:
			return object("type", a)
		case tTypeVar:
			return object("type", a)
		}
		return nil
	})
}

// arg returns type argument i, nil where it is not known.
func (t *typ) arg(i int) *typ {
	if t != nil && i >= 0 && i < len(t.args) {
		return t.args[i]
	}
	return nil
}

// hasVars says whether type variables occur in t.
func (t *typ) hasVars() bool {
	if t == nil {
		return false
	}
	if t.kind == tTypeVar || t.self && t.kind != tTypeVar {
		return true
	}
	for _, a := range t.args {
		if a.hasVars() {
			return true
		}
	}
	return t.res.hasVars()
}

// binding of type variables and of self while a generic is applied.
type substitution struct {
	vars []*typ
	vals []*typ
	self *typ // what self becomes
}

func (s *substitution) get(v *typ) (*typ, bool) {
	for i := range s.vars {
		if same(s.vars[i], v) {
			return s.vals[i], true
		}
	}
	return nil, false
}

func (s *substitution) set(v, val *typ) {
	for i := range s.vars {
		if same(s.vars[i], v) {
			s.vals[i] = union(s.vals[i], val)
			return
		}
	}
	s.vars = append(s.vars, v)
	s.vals = append(s.vals, val)
}

// apply replaces type variables; those without value become their bound.
func (s *substitution) apply(t *typ) *typ {
	if !t.hasVars() {
		return t
	}
	if t.self && s.self != nil {
		switch {
		case t.kind == tInstance:
			return s.self
		case t.kind == tClass:
			return s.self.classOf()
		}
	}
	if t.kind == tTypeVar {
		if v, ok := s.get(t); ok {
			return v
		}
		return t
	}
	c := *t
	c.args = make([]*typ, len(t.args))
	for i, a := range t.args {
		c.args[i] = s.apply(a)
	}
	c.res = s.apply(t.res)
	if c.kind == tUnion {
		if t.part {
			return union(append(c.args, nil)...)
		}
		return union(c.args...)
	}
	return &c
}

// closeVars replaces type variables that nothing was found for by their bound.
func (t *typ) closeVars(w *world) *typ {
	return t.mapEach(func(a *typ) *typ {
		if a != nil && a.kind == tTypeVar {
			return a.m.bound(a)
		}
		return a
	})
}
