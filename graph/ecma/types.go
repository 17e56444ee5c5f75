package ecma

import (
	"codeidx/facts"
)

// typ is what is known about a value. nil is a value of which nothing is known.
type typ struct {
	kind  typeKind
	m     *module
	def   facts.DefID   // tClass, tInst, tEnum, tNamespace; else the definition whose added members a value has
	scope facts.ScopeID // tObject: of its members; tFunc: of the function
	expr  facts.ExprID  // tObject: the literal or type; tFunc: the literal or type, 0 where def says it
	bind  uint32        // tParam
	args  []*typ        // type arguments, members of unions and intersections, elements
	recv  *typ          // tFunc, tMethod: what "this" is
	env   *env          // tObject, tFunc: values of type parameters in reach
	name  string        // tPrim, tBuiltin, tExternal, tLiteral, tMethod
	part  bool          // one alternative is not known
}

type typeKind uint8

const (
	tPrim      typeKind = iota // string, number, any, …
	tLiteral                   // a string or number literal
	tNull                      // null or undefined
	tExternal                  // a global of the language, or a value of a module outside of the repository: its name starts with ":"
	tOutside                   // instance of an external type
	tBuiltin                   // instance of a class of the language
	tMethod                    // method of such an instance
	tModule                    // module m as a value
	tNamespace                 // namespace or ambient module
	tClass                     // class object
	tInst                      // instance of a class, interface, enum or constructor function
	tEnum                      // enum object
	tObject                    // object type or literal
	tFunc                      // function
	tUnion                     // one of args
	tInter                     // all of args
	tParam                     // type parameter
	tTuple                     // array with known elements
	tKeys                      // keyof args[0]
	tOmit                      // args[0] without the keys args[1]
	tPick                      // args[0] with the keys args[1] only
	tCond                      // conditional type whose test has type parameters, see decide
	tMinus                     // keys args[0] without args[1]
	tGuard                     // result of a type predicate: args[0] is what is tested for
	tIndexed                   // args[0][args[1]] with type parameters
)

var (
	stringType = &typ{kind: tPrim, name: "string"}
	numberType = &typ{kind: tPrim, name: "number"}
	boolType   = &typ{kind: tPrim, name: "boolean"}
	anyType    = &typ{kind: tPrim, name: "any"}
	nullType   = &typ{kind: tNull}
)

func builtin(name string, args ...*typ) *typ { return &typ{kind: tBuiltin, name: name, args: args} }

// env maps type parameters to what they stand for.
type env struct {
	vars []param
	vals []*typ
}

// param names a type parameter.
type param struct {
	m    *module
	bind uint32
}

const maxEnv = 24

func (e *env) get(p param) *typ {
	if e == nil {
		return nil
	}
	for i := range e.vars {
		if e.vars[i] == p {
			return e.vals[i]
		}
	}
	return nil
}

// set binds a parameter; a second value joins the first.
func (e *env) set(p param, t *typ) {
	for i := range e.vars {
		if e.vars[i] == p {
			e.vals[i] = union(e.vals[i], t)
			return
		}
	}
	if len(e.vars) < maxEnv {
		e.vars, e.vals = append(e.vars, p), append(e.vals, t)
	}
}

// under returns t, an object or function type, with the type parameters in its
// reach as outer gives them.
func (t *typ) under(outer *env, depth int) *typ {
	out := &env{}
	changed := false
	if t.env != nil {
		for i, v := range t.env.vals {
			n := v.apply(outer, depth+1)
			changed = changed || n != v
			out.vars, out.vals = append(out.vars, t.env.vars[i]), append(out.vals, n)
		}
	}
	for i, p := range outer.vars {
		if t.reaches(p) && out.get(p) == nil && len(out.vars) < maxEnv {
			out.vars, out.vals = append(out.vars, p), append(out.vals, outer.vals[i])
			changed = true
		}
	}
	if !changed {
		return t
	}
	c := *t
	c.env = out
	return &c
}

// reaches says whether a type parameter is in scope in t.
func (t *typ) reaches(p param) bool {
	if p.m != t.m {
		return false
	}
	top := p.m.f.Binds[p.bind].Scope
	s := t.scope
	for s > top {
		s = p.m.f.Scopes[s].Parent
	}
	return s == top
}

const maxApply = 12

// apply replaces type parameters by what env gives them.
func (t *typ) apply(e *env, depth int) *typ {
	if t == nil || e == nil || len(e.vars) == 0 || depth > maxApply {
		return t
	}
	switch t.kind {
	case tParam:
		if v := e.get(param{t.m, t.bind}); v != nil {
			return v
		}
		return t
	case tObject, tFunc:
		return t.under(e, depth)
	}
	if len(t.args) == 0 {
		return t
	}
	changed := false
	args := make([]*typ, len(t.args))
	for i, a := range t.args {
		args[i] = a.apply(e, depth+1)
		changed = changed || args[i] != a
	}
	if !changed {
		return t
	}
	if t.kind == tUnion {
		if t.part {
			args = append(args, nil)
		}
		return union(args...)
	}
	c := *t
	c.args = args
	switch t.kind {
	case tIndexed:
		return t.m.w.indexed(args[0], args[1])
	case tCond:
		return t.m.w.decide(&c)
	}
	return &c
}

// same says whether two types are equal as far as resolution cares.
func same(a, b *typ) bool { return sameDepth(a, b, 0) }

func sameDepth(a, b *typ, depth int) bool {
	if a == b || depth > 6 {
		return true
	}
	if a == nil || b == nil || a.kind != b.kind || a.m != b.m || a.def != b.def || a.scope != b.scope || a.expr != b.expr ||
		a.bind != b.bind || a.name != b.name || len(a.args) != len(b.args) {
		return false
	}
	for i := range a.args {
		if !sameDepth(a.args[i], b.args[i], depth+1) {
			return false
		}
	}
	return true
}

// maxUnion bounds the alternatives that are kept.
const maxUnion = 16

// union joins alternatives; an unknown one leaves the rest partial.
func union(ts ...*typ) *typ {
	u := joiner{}
	for _, t := range ts {
		u.add(t)
	}
	switch {
	case len(u.out) == 0:
		return nil
	case len(u.out) == 1 && !u.part:
		return u.out[0]
	}
	return &typ{kind: tUnion, args: u.out, part: u.part}
}

type joiner struct {
	out  []*typ
	part bool
}

func (u *joiner) add(t *typ) {
	if t == nil {
		u.part = true
		return
	}
	if t.kind == tUnion {
		u.part = u.part || t.part
		for _, a := range t.args {
			u.add(a)
		}
		return
	}
	for _, o := range u.out {
		if same(o, t) || alike(o, t) {
			return
		}
	}
	if len(u.out) < maxUnion {
		u.out = append(u.out, t)
	} else {
		u.part = true
	}
}

// alike says whether two object literals have the same properties: they have
// one type, and the first one's members stand for both.
func alike(a, b *typ) bool {
	if a.kind != tObject || b.kind != tObject || a.m != b.m || a.expr == 0 || b.expr == 0 {
		return false
	}
	s := a.m.shape(a.expr)
	return s != "" && s == b.m.shape(b.expr)
}

// each calls f for every alternative of t that is not null.
func (t *typ) each(f func(*typ)) {
	if t == nil {
		return
	}
	if t.kind == tUnion {
		for _, a := range t.args {
			a.each(f)
		}
		return
	}
	if t.kind != tNull {
		f(t)
	}
}

// mapEach replaces every alternative.
func (t *typ) mapEach(f func(*typ) *typ) *typ {
	if t == nil {
		return nil
	}
	if t.kind != tUnion {
		return f(t)
	}
	out := make([]*typ, 0, len(t.args)+1)
	for _, a := range t.args {
		if a.kind != tNull {
			out = append(out, f(a))
		}
	}
	if t.part {
		out = append(out, nil)
	}
	return union(out...)
}

// filter keeps the alternatives that keep accepts; t itself where none is left.
func (t *typ) filter(keep func(*typ) bool) *typ {
	if t == nil || t.kind != tUnion {
		return t
	}
	var out []*typ
	for _, a := range t.args {
		if keep(a) {
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

func (t *typ) nonNull() *typ {
	return t.filter(func(a *typ) bool { return a.kind != tNull })
}

// arg returns type argument i, nil where it is not known.
func (t *typ) arg(i int) *typ {
	if t != nil && i >= 0 && i < len(t.args) {
		return t.args[i]
	}
	return nil
}

// open says whether a type parameter is left in t.
func (t *typ) open(depth int) bool {
	if t == nil || depth > 6 {
		return false
	}
	if t.kind == tParam {
		return true
	}
	for _, a := range t.args {
		if a.open(depth + 1) {
			return true
		}
	}
	return false
}

// inter is the intersection of types; what is not known leaves it partial.
func inter(ts ...*typ) *typ {
	var out []*typ
	part := false
	for _, t := range ts {
		switch {
		case t == nil:
			part = true
		case t.kind == tInter:
			out, part = append(out, t.args...), part || t.part
		default:
			out = append(out, t)
		}
	}
	switch {
	case len(out) == 0:
		return nil
	case len(out) == 1 && !part:
		return out[0]
	}
	return &typ{kind: tInter, args: out, part: part}
}
