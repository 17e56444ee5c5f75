package php

import (
	"codeidx/facts"
)

// typ is what is known about a value. nil is a value of which nothing is known.
type typ struct {
	kind typeKind
	c    *class        // tInstance, tClass
	name string        // tExternal: class; tScalar: type; tVar: name
	f    *file         // of e, def and scope
	e    facts.ExprID  // tArray: literal
	def  facts.DefID   // tFunc: function or method
	scop facts.ScopeID // tFunc: function literal
	args []*typ        // members of a union or intersection; type arguments
	elem *typ          // tArray: element; tFunc with neither def nor scope: result
	recv *typ          // tFunc: bound to; tVar: bound
	doc  bool          // rests on a docblock, or see glob
	glob bool          // rests on what files assign to a global variable
	part bool          // one alternative is not known
	self bool          // tInstance, tClass: of the type of $this, subclasses included
}

type typeKind uint8

const (
	tInstance  typeKind = iota // object of class c
	tClass                     // class name of c
	tExternal                  // object of a class outside of the repository
	tScalar                    // neither object nor array
	tNull                      // null
	tArray                     // array
	tFunc                      // closure or callable
	tUnion                     // one of args
	tIntersect                 // all of args
	tVar                       // type parameter of a docblock
)

var (
	nullType   = &typ{kind: tNull}
	scalarType = &typ{kind: tScalar}
	arrayType  = &typ{kind: tArray}
)

// maxUnion bounds the alternatives that are kept.
const maxUnion = 8

func instance(c *class) *typ { return &typ{kind: tInstance, c: c} }

func external(name string, args ...*typ) *typ { return &typ{kind: tExternal, name: name, args: args} }

// same says whether two types are equal as far as resolution cares.
func same(a, b *typ) bool {
	if a == b {
		return true
	}
	if a == nil || b == nil || a.kind != b.kind || a.c != b.c || a.name != b.name || a.f != b.f || a.e != b.e || a.def != b.def ||
		a.scop != b.scop || len(a.args) != len(b.args) {
		return false
	}
	for i := range a.args {
		if !same(a.args[i], b.args[i]) {
			return false
		}
	}
	return same(a.elem, b.elem) && same(a.recv, b.recv)
}

// union joins alternatives; an unknown one leaves the rest partial.
func union(ts ...*typ) *typ {
	var out []*typ
	part := false
	for _, t := range ts {
		out, part = join(out, t, part)
	}
	switch {
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

// join adds the alternatives of t to out.
func join(out []*typ, t *typ, part bool) ([]*typ, bool) {
	if t == nil {
		return out, true
	}
	part = part || t.part
	if t.kind == tUnion {
		for _, a := range t.args {
			out, part = join(out, a, part)
		}
		return out, part
	}
	for i, o := range out {
		if same(o, t) {
			if o.doc && !t.doc {
				out[i] = t
			}
			return out, part
		}
		if o.kind == tArray && t.kind == tArray {
			out[i] = mergeArrays(o, t)
			return out, part
		}
	}
	if len(out) < maxUnion {
		return append(out, t), part
	}
	return out, true
}

// mergeArrays is an array that either may be; an empty one adds nothing.
func mergeArrays(a, b *typ) *typ {
	x, y := a.element(), b.element()
	switch {
	case x == nil && a.empty():
		return b
	case y == nil && b.empty():
		return a
	}
	return &typ{kind: tArray, elem: union(x, y), doc: a.doc || b.doc}
}

// empty says whether an array is the literal [].
func (t *typ) empty() bool { return t.e != 0 && t.f.f.Exprs[t.e].Kids.N == 0 }

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
	if t == nil || t.kind != tUnion {
		r := f(t)
		if t != nil && t.part && r != nil && !r.part {
			return union(r, nil)
		}
		return r
	}
	out := make([]*typ, 0, len(t.args)+1)
	for _, a := range t.args {
		if a.kind != tNull || len(t.args) == 1 {
			out = append(out, f(a))
		}
	}
	if t.part {
		out = append(out, nil)
	}
	return union(out...)
}

// tainted marks a type as resting on a docblock, elements included.
func (t *typ) tainted() *typ {
	if t == nil || t.doc && t.kind != tUnion {
		return t
	}
	c := *t
	c.doc = true
	if t.kind == tUnion || t.kind == tIntersect {
		c.args = make([]*typ, len(t.args))
		for i, a := range t.args {
			c.args[i] = a.tainted()
		}
	}
	if t.kind == tArray && t.e == 0 {
		c.elem = t.elem.tainted()
	}
	return &c
}

// object says whether t can have members.
func (t *typ) object() bool {
	found := false
	t.each(func(a *typ) {
		found = found || a != nil && (a.kind == tInstance || a.kind == tExternal || a.kind == tIntersect || a.kind == tFunc)
	})
	return found
}

// vague says whether a native type leaves open what a docblock could tell.
func (t *typ) vague() bool {
	if t == nil {
		return true
	}
	open := false
	t.each(func(a *typ) {
		switch {
		case a == nil, a.kind == tArray && a.elem == nil && a.e == 0, a.kind == tFunc && a.def == 0 && a.scop == 0:
			open = true
		case a.kind == tExternal:
			open = open || iterator(a.name) && len(a.args) == 0
		case a.kind == tScalar:
			open = open || a.name == "object" || a.name == "mixed"
		}
	})
	return open
}

// refined is a native type together with the one below it that a docblock
// states. A member that both have in one place is the code's own word.
func (t *typ) refined(stated *typ) *typ {
	if stated == nil {
		return t
	}
	return t.mapEach(func(a *typ) *typ {
		if a == nil || a.kind != tInstance || len(a.args) > 0 {
			return a
		}
		var below *typ
		stated.each(func(s *typ) {
			if s != nil && (s.kind == tInstance && (s.c != a.c || len(s.args) > 0) && s.c.is(a.c) || s.kind == tVar) {
				below = union(below.orSame(s), s)
			}
		})
		if below == nil {
			return a
		}
		return &typ{kind: tIntersect, args: []*typ{below.tainted(), a}}
	})
}

// orSame is t, or s where there is no type.
func (t *typ) orSame(s *typ) *typ {
	if t == nil {
		return s
	}
	return t
}

// agrees says whether every value of t is one that stated describes, by the
// word of the code alone.
func (t *typ) agrees(stated *typ) bool {
	if t == nil || stated == nil || t.part {
		return false
	}
	ok := true
	t.each(func(a *typ) {
		if a.kind == tNull {
			return
		}
		fits := false
		stated.each(func(s *typ) { fits = fits || s != nil && a.fits(s) })
		ok = ok && fits
	})
	return ok
}

func (t *typ) fits(s *typ) bool {
	if t.doc {
		return false
	}
	switch s.kind {
	case tInstance:
		return t.kind == tInstance && t.c.is(s.c)
	case tExternal:
		return t.kind == tExternal && sameName(t.name, s.name) || t.kind == tInstance && t.c.inheritsExternal(s.name)
	case tScalar:
		return t.kind == tScalar || t.kind == tClass
	case tArray:
		if t.kind != tArray {
			return false
		}
		return t.empty() || s.elem == nil || t.element() != nil && t.element().agrees(s.elem)
	case tFunc:
		return t.kind == tFunc
	case tIntersect:
		for _, a := range s.args {
			if !t.fits(a) {
				return false
			}
		}
		return true
	}
	return false
}

// untainted takes the docblock's mark off a type that the code bears out.
func (t *typ) untainted() *typ {
	if t == nil {
		return nil
	}
	c := *t
	c.doc = false
	if len(t.args) > 0 {
		c.args = make([]*typ, len(t.args))
		for i, a := range t.args {
			c.args[i] = a.untainted()
		}
	}
	c.elem = t.elem.untainted()
	return &c
}
