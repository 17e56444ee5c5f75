package php

import (
	"strings"

	"codeidx/facts"
)

// callType is the type of a call's value.
func (x *file) callType(e facts.ExprID) *typ {
	t := &x.f.Exprs[e]
	fn := &x.f.Exprs[t.X]
	kids := x.f.KidsOf(t.Kids)
	if len(kids) == 1 && x.f.Exprs[kids[0]].Kind == facts.Spread && x.f.Exprs[kids[0]].X == 0 {
		return x.callable(t.X)
	}
	switch fn.Kind {
	case facts.Name:
		if !isVariable(x.name(fn.Name)) {
			return x.functionResult(fn, kids)
		}
	case facts.Select:
		if fn.Ctx == facts.Callee {
			return x.methodResult(x.typeOf(fn.X), fn, kids)
		}
	case facts.Scoped:
		if fn.Ctx == facts.Callee {
			return x.methodResult(x.scopeType(fn.X), fn, kids)
		}
	}
	return x.typeOf(t.X).called()
}

// callable is the function that a first-class callable names.
func (x *file) callable(e facts.ExprID) *typ {
	fn := &x.f.Exprs[e]
	switch fn.Kind {
	case facts.Name:
		if refs := x.functionsOf(fn); len(refs) == 1 {
			return &typ{kind: tFunc, f: refs[0].f, def: refs[0].def}
		}
		return x.typeOf(e)
	case facts.Select, facts.Scoped:
		t := x.typeOf(fn.X)
		if fn.Kind == facts.Scoped {
			t = x.scopeType(fn.X)
		}
		var r hits
		x.lookup(t, method, x.name(fn.Name), &r)
		if len(r.list) == 1 && !r.unknown {
			h := r.list[0]
			return &typ{kind: tFunc, f: h.c.f, def: h.def, recv: h.recv, doc: h.doc}
		}
	}
	return nil
}

// called is the result of calling a value.
func (t *typ) called() *typ {
	return t.mapEach(func(a *typ) *typ {
		switch {
		case a == nil:
			return nil
		case a.kind == tInstance:
			if o := a.c.find(method, "__invoke"); o.def != 0 {
				return hit{o, a, a.doc}.received(o.c.result(o.def))
			}
		case a.kind == tFunc && a.scop != 0:
			return a.f.literalResult(a.scop)
		case a.kind == tFunc && a.def != 0:
			r := a.f.resultOf(a.def)
			if c := a.f.classes[a.f.f.Defs[a.def].Parent]; c != nil && a.recv != nil {
				return hit{owned{c, a.def}, a.recv, a.doc}.received(r)
			}
			return a.marked(r)
		case a.kind == tFunc:
			return a.elem.tainted()
		}
		return nil
	})
}

// literalResult is the result of a function literal.
func (x *file) literalResult(scope facts.ScopeID) *typ {
	for _, i := range x.results.Of(uint32(scope)) {
		if t := x.annotation(x.f.Binds[i].Type); !t.vague() {
			return t
		}
	}
	return x.returned(scope)
}

// functionsOf returns the definitions that a called name may mean.
func (x *file) functionsOf(fn *facts.Expr) []defRef {
	for _, n := range x.functionNames(fn) {
		if refs := x.w.functions[n]; len(refs) > 0 {
			return x.nearest(refs)
		}
	}
	return nil
}

// nearest prefers the one unconditional declaration in this file, then the one
// declaration in the files that it includes.
func (x *file) nearest(refs []defRef) []defRef {
	if len(refs) < 2 {
		return refs
	}
	var here, included []defRef
	reach, mine := x.included(), false
	for _, r := range refs {
		mine = mine || r.f == x
		if r.f == x && r.f.f.Defs[r.def].Flags&facts.Conditional == 0 {
			here = append(here, r)
		}
		if reach[r.f] {
			included = append(included, r)
		}
	}
	switch {
	case len(here) == 1:
		return here
	case !mine && len(included) == 1:
		return included
	}
	return refs
}

func (x *file) functionResult(fn *facts.Expr, args []facts.ExprID) *typ {
	refs := x.functionsOf(fn)
	if len(refs) == 0 {
		return x.builtinResult(strings.ToLower(x.name(fn.Name)), args)
	}
	ts := make([]*typ, 0, len(refs))
	for _, r := range refs {
		ts = append(ts, x.applied(r, r.f.resultOf(r.def), args))
	}
	return union(ts...)
}

func (x *file) methodResult(t *typ, fn *facts.Expr, args []facts.ExprID) *typ {
	var r hits
	name := x.name(fn.Name)
	x.lookup(t, method, name, &r)
	ts := make([]*typ, 0, len(r.list)+1)
	for _, h := range r.list {
		ts = append(ts, x.applied(defRef{h.c.f, h.def}, h.received(h.c.result(h.def)), args))
	}
	ts = append(ts, r.other...)
	if len(r.list) == 0 {
		if e := ownResult(t, name); e != nil {
			return e
		}
		for _, h := range r.mixin {
			ts = append(ts, h.received(h.c.result(h.def)))
		}
	}
	if r.unknown || r.outside {
		ts = append(ts, nil)
	}
	return union(ts...)
}

// ownResult is the result of the methods that every enum has, and of those by
// which the containers of PHP give their elements.
func ownResult(t *typ, name string) *typ {
	if t == nil {
		return nil
	}
	switch name = strings.ToLower(name); name {
	case "current", "pop", "shift", "top", "bottom", "dequeue", "offsetget", "extract", "getiterator", "getarraycopy", "toarray":
		if t.kind == tExternal && iterator(t.name) || t.kind == tInstance && t.c.external() {
			e := t.element()
			if e != nil && strings.HasPrefix(name, "get") || name == "toarray" {
				return &typ{kind: tArray, elem: e}
			}
			return e
		}
		return nil
	}
	if t.kind != tClass || t.c.kind() != facts.DefEnum {
		return nil
	}
	switch name {
	case "from", "tryfrom":
		return instance(t.c)
	case "cases":
		return &typ{kind: tArray, elem: instance(t.c)}
	}
	return nil
}

// applied replaces the type parameters of a function by what its arguments give.
func (x *file) applied(fn defRef, t *typ, args []facts.ExprID) *typ {
	if !t.hasVars() {
		return t
	}
	values := map[string]*typ{}
	params := fn.f.params.Of(uint32(fn.f.f.Defs[fn.def].Scope))
	for i, a := range args {
		if i < len(params) {
			b := &fn.f.f.Binds[params[i]]
			unify(values, fn.f.docType(fn.def, facts.DocParam, b.Name), x.typeOf(a), 0)
		}
	}
	return t.replace(func(v *typ) *typ { return values[v.name] })
}

// unify binds the type parameters of p so that it becomes a.
func unify(values map[string]*typ, p, a *typ, level int) {
	if p == nil || a == nil || level > 6 || !p.hasVars() {
		return
	}
	switch p.kind {
	case tVar:
		values[p.name] = a
	case tUnion:
		for _, q := range p.args {
			unify(values, q, a, level+1)
		}
	case tArray:
		unify(values, p.elem, a.element(), level+1)
	case tFunc:
		if a.kind == tFunc {
			unify(values, p.elem, a.called(), level+1)
		}
	case tScalar: // class-string<T>
		if o := a.objectOf(); o != nil {
			unify(values, p.args[0], o, level+1)
		}
	}
}

// result is the result of a method of the class.
func (c *class) result(def facts.DefID) *typ { return c.f.resultOf(def) }

// resultOf is the declared result of a function, else what its docblock and
// its return statements say together.
func (x *file) resultOf(def facts.DefID) *typ {
	return x.w.ask(&x.defs[def], func() *typ {
		d := &x.f.Defs[def]
		native := x.annotation(d.Result)
		stated := x.docReturn(def)
		if d.Result != 0 && !native.vague() {
			return native.refined(stated)
		}
		if d.Flags&(facts.Abstract|facts.Declared) != 0 {
			if stated != nil {
				return stated.tainted()
			}
			return native
		}
		if t := statedOr(stated, x.returned(d.Scope)); t != nil && (native == nil || !t.nullOnly()) {
			return t
		}
		return native
	})
}

func (t *typ) nullOnly() bool { return t.kind == tNull }

// docReturn is the @return of a function, its own or that of the method which
// it overrides; the latter may declare the result natively.
func (x *file) docReturn(def facts.DefID) *typ {
	if t := x.docType(def, facts.DocReturn, 0); t != nil {
		return t
	}
	d := &x.f.Defs[def]
	c := x.classes[d.Parent]
	if d.Kind != facts.DefMethod || c == nil || d.Flags&facts.Private != 0 {
		return nil
	}
	for _, p := range c.bases() {
		if o := p.find(method, strings.ToLower(x.name(d.Name))); o.def != 0 {
			if t := o.c.f.docReturn(o.def); t != nil {
				return t
			}
			od := &o.c.f.f.Defs[o.def]
			return o.c.f.annotation(od.Result)
		}
	}
	return nil
}

// returned joins what the return and yield statements of a function give.
func (x *file) returned(scope facts.ScopeID) *typ {
	var ts, yields []*typ
	for _, i := range x.returns.Of(uint32(scope)) {
		b := &x.f.Binds[i]
		switch b.Part {
		case facts.PartYield:
			yields = append(yields, x.typeOf(b.Value))
		case facts.PartElem:
			yields = append(yields, x.typeOf(b.Value).element())
		default:
			t, circular := x.w.part(&x.defs[x.f.Scopes[scope].Def], func() *typ { return x.typeOf(b.Value) })
			if !circular {
				ts = append(ts, t)
			}
		}
	}
	if len(yields) > 0 {
		return external("Generator", nil, union(yields...))
	}
	return union(ts...)
}
