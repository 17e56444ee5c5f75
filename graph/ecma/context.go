package ecma

import (
	"strings"

	"codeidx/facts"
)

// paramType is the type of a parameter: declared, else from the context of
// the function literal, else from its default value.
func (m *module) paramType(i uint32) *typ {
	b := &m.f.Binds[i]
	if b.Type != 0 {
		t := m.annotation(b.Type)
		return t
	}
	if e := m.owner[b.Scope].expr; e != 0 {
		if t := m.contextParam(e, i); t != nil {
			return t
		}
	}
	if b.Value != 0 {
		if t := m.typeOf(b.Value); t != nil && t.kind != tNull {
			return t
		}
	}
	return nil
}

// position is the place of parameter i among those of its function.
func (m *module) position(i uint32) int {
	n := 0
	for _, p := range m.params.Of(uint32(m.f.Binds[i].Scope)) {
		if p == i {
			return n
		}
		n++
	}
	return -1
}

// contextParam is the type that the context of function literal e gives its
// parameter i.
func (m *module) contextParam(e facts.ExprID, i uint32) *typ {
	ctx := m.context(e, 0)
	n := m.position(i)
	variadic := m.f.Binds[i].Flags&facts.Variadic != 0
	var out []*typ
	ctx.each(func(a *typ) {
		sig := m.w.callable(a)
		if sig == nil {
			return
		}
		if t := m.w.paramAt(sig, n); t != nil && !variadic {
			out = append(out, t.apply(sig.env, 0))
		}
	})
	if len(out) == 0 {
		return nil
	}
	return union(out...)
}

// callable is the function type of something that may be called.
func (w *world) callable(t *typ) *typ {
	switch {
	case t == nil:
		return nil
	case t.kind == tFunc:
		return t
	case t.kind == tParam:
		return w.callable(t.constraint())
	case t.kind == tOutside:
		return componentSignature(t)
	}
	return w.signature(t, "()", 0)
}

const maxContext = 10

// context is the type that is expected where expression e stands.
func (m *module) context(e facts.ExprID, depth int) *typ {
	if depth > maxContext {
		return nil
	}
	p := m.parent[e]
	if p != 0 {
		if t, ok := m.parentContext(e, p, depth); ok {
			return t
		}
	}
	u := m.useOf(e)
	if !u.ok {
		return nil
	}
	return m.usedAs(u, depth)
}

// parentContext is the context that the expression around gives; not ok where
// there is none to give.
func (m *module) parentContext(e, p facts.ExprID, depth int) (*typ, bool) {
	x := m.expr(p)
	switch x.Kind {
	case facts.Call, facts.New:
		for i, a := range m.kids(p) {
			if a == e {
				return m.argumentContext(p, i), true
			}
		}
		return nil, false
	case facts.Keyword:
		outer := m.parent[p]
		if outer == 0 {
			return nil, true
		}
		if m.expr(outer).Kind == facts.Element {
			return m.attributeContext(outer, m.name(x.Name)), true
		}
		if ctx := m.context(outer, depth+1); ctx != nil {
			return m.w.lookup(ctx, m.name(x.Name)).typ(m.w), true
		}
		return nil, m.useOf(e).def == 0
	case facts.List:
		return m.w.element(m.context(p, depth+1)), true
	case facts.Assert:
		if k := m.kids(p); len(k) > 0 && x.X == e {
			return m.annotation(k[0]), true
		}
	case facts.Cond, facts.Binary:
		if x.X != e {
			return m.context(p, depth+1), true
		}
	case facts.Await:
		t := m.context(p, depth+1)
		return union(t, builtin("Promise", t)), true
	}
	return nil, false
}

// argumentContext is the type of parameter i of the callee of call p, under
// what the other arguments say.
func (m *module) argumentContext(p facts.ExprID, i int) *typ {
	x := m.expr(p)
	fn := m.typeOf(x.X)
	s := &site{m: m, e: p}
	var out []*typ
	fn.each(func(a *typ) {
		if t := m.w.expectedOf(a, s, i, x.Kind == facts.New); t != nil {
			out = append(out, t)
		}
	})
	if len(out) == 0 {
		return nil
	}
	return union(out...)
}

// expectedOf is the type that fn expects for argument i of a call.
func (w *world) expectedOf(fn *typ, s *site, i int, construct bool) *typ {
	switch fn.kind {
	case tMethod:
		return w.builtinParam(fn, s, i)
	case tExternal:
		return w.externalParam(fn, s, i)
	case tOutside:
		if fn.name == "TestAPI" { // Vitest: a test with fixtures
			return callback(fn.arg(0))
		}
	case tClass:
		for _, d := range fn.m.membersIn(fn.m.f.Defs[fn.def].Scope, "constructor") {
			fn = &typ{kind: tFunc, m: fn.m, def: d, scope: fn.m.f.Defs[d].Scope}
			break
		}
	case tInst, tObject, tInter:
		name := "()"
		if construct {
			name = "new"
		}
		if sig := w.signature(fn, name, 0); sig != nil {
			fn = sig
		}
	}
	if fn.kind != tFunc || fn.m == nil {
		return nil
	}
	fn = w.overloadFor(fn, s, i)
	t := w.paramAt(fn, i)
	if t == nil {
		return nil
	}
	if params := fn.m.scopeParams(fn.m.f.Scopes[fn.scope].Parent); len(params) > 0 {
		e := &env{}
		for k, p := range params {
			if k < len(fn.args) && fn.args[k] != nil {
				e.set(p, fn.args[k])
			}
		}
		if len(e.vars) == 0 {
			w.unifyArguments(e, fn, s, false)
		}
		for _, p := range params {
			if e.get(p) == nil {
				if v := p.m.f.Binds[p.bind]; v.Value != 0 {
					e.set(p, p.m.annotation(v.Value))
				}
			}
		}
		t = t.apply(e, 0)
	}
	return t.apply(fn.env, 0)
}

// overloadFor picks an overload for the context of argument i: by the number
// of arguments alone, because the argument asked about is not typed yet.
func (w *world) overloadFor(fn *typ, s *site, i int) *typ {
	if fn.def == 0 {
		return fn
	}
	m := fn.m
	d := &m.f.Defs[fn.def]
	for _, k := range m.names.Of(uint32(d.Name)) {
		b := &m.f.Binds[k]
		if b.Kind != facts.BindDef {
			continue
		}
		o := &m.f.Defs[b.Def]
		if o.Flags&facts.Declared == 0 || o.Kind != d.Kind || o.Parent != d.Parent || m.f.Scopes[o.Scope].Kind != facts.ScopeFunction {
			continue
		}
		c := *fn
		c.def, c.scope, c.expr = b.Def, o.Scope, 0
		p := w.paramAt(&c, i)
		if len(m.params.Of(uint32(c.scope))) < len(s.args()) || p == nil {
			continue
		}
		if x := s.m.expr(s.args()[i]); x.Kind == facts.Func && w.callable(p.nonNull()) == nil && p.kind != tUnion {
			continue
		}
		return &c
	}
	return fn
}

// attributeContext is the type of an attribute of a component.
func (m *module) attributeContext(element facts.ExprID, name string) *typ {
	x := m.expr(element)
	if x.X == 0 {
		return nil
	}
	sig := m.w.callable(m.typeOf(x.X))
	if sig == nil {
		return nil
	}
	return m.w.lookup(m.w.paramAt(sig, 0), name).typ(m.w)
}

// usedAs is the type that a bind or definition expects of its value.
func (m *module) usedAs(u use, depth int) *typ {
	if u.def != 0 {
		d := &m.f.Defs[u.def]
		if d.Type != 0 {
			return m.annotation(d.Type)
		}
		return nil
	}
	b := &m.f.Binds[u.bind]
	switch b.Kind {
	case facts.BindReturn:
		return m.returnContext(b, depth)
	case facts.BindAttr:
		if b.Def != 0 {
			return nil
		}
		return m.w.lookup(m.typeOf(b.On), m.name(b.Name)).typ(m.w)
	case facts.BindAssign:
		if found := m.find(b.Name, b.Scope, values); len(found) > 0 && m.f.Binds[found[0]].Type != 0 {
			return m.bindType(found[0])
		}
		return nil
	}
	if b.Type != 0 {
		return m.annotation(b.Type)
	}
	return nil
}

// returnContext is what a function is expected to return.
func (m *module) returnContext(b *facts.Bind, depth int) *typ {
	o := m.owner[b.Scope]
	var t *typ
	async := false
	switch {
	case o.expr != 0:
		x := m.expr(o.expr)
		async = strings.HasPrefix(m.name(x.Name), "async")
		if x.X != 0 {
			t = m.annotation(x.X)
		} else if ctx := m.context(o.expr, depth+1); ctx != nil {
			var out []*typ
			ctx.each(func(a *typ) {
				if sig := m.w.callable(a); sig != nil && sig.m != nil {
					if d, _, _ := sig.m.resultOf(sig); d != 0 {
						out = append(out, sig.m.annotation(d).apply(sig.env, 0))
					}
				}
			})
			if len(out) > 0 {
				t = union(out...)
			}
		}
	case o.def != 0:
		d := &m.f.Defs[o.def]
		async = d.Flags&facts.Async != 0
		if d.Result != 0 {
			t = m.annotation(d.Result)
		}
	}
	if async {
		return m.w.awaited(t)
	}
	return t
}

// thisType is what "this" is at a scope.
func (m *module) thisType(scope facts.ScopeID) *typ {
	for s := scope; ; s = m.f.Scopes[s].Parent {
		sc := &m.f.Scopes[s]
		switch {
		case sc.Kind == facts.ScopeClass:
			if d := m.owner[s].def; d != 0 {
				return m.classThis(d, false)
			}
		case sc.Kind == facts.ScopeFunction:
			if t, ok := m.thisOf(s); ok {
				return t
			}
		}
		if s == 0 {
			return nil
		}
	}
}

// classThis is "this" in a class: its object where it is static.
func (m *module) classThis(d facts.DefID, static bool) *typ {
	k := m.f.Defs[d].Kind
	if k != facts.DefClass && k != facts.DefInterface {
		return nil
	}
	if static {
		return &typ{kind: tClass, m: m, def: d}
	}
	t := &typ{kind: tInst, m: m, def: d, name: "this"}
	for _, p := range m.typeParams(d) {
		t.args = append(t.args, &typ{kind: tParam, m: p.m, bind: p.bind})
	}
	return t
}

// thisOf is "this" in the function of scope s; not ok in arrow functions.
func (m *module) thisOf(s facts.ScopeID) (*typ, bool) {
	o := m.owner[s]
	if o.expr != 0 && strings.HasSuffix(m.name(m.expr(o.expr).Name), "=>") {
		return nil, false
	}
	for _, p := range m.params.Of(uint32(s)) {
		if b := &m.f.Binds[p]; m.name(b.Name) == "this" && b.Type != 0 {
			return m.annotation(b.Type), true
		}
	}
	if o.expr != 0 {
		if t := m.contextThis(o.expr); t != nil {
			return t, true
		}
	}
	if o.def == 0 && o.expr == 0 { // static block
		if d := m.owner[m.f.Scopes[s].Parent].def; d != 0 {
			return m.classThis(d, true), true
		}
	}
	if o.def != 0 {
		if t := m.methodThis(o.def); t != nil {
			return t, true
		}
	}
	return nil, true
}

// contextThis is the "this" parameter of the function type that is expected
// where a function literal stands.
func (m *module) contextThis(e facts.ExprID) (this *typ) {
	m.context(e, 0).each(func(a *typ) {
		sig := m.w.callable(a)
		if sig == nil || sig.m == nil {
			return
		}
		for _, p := range sig.m.params.Of(uint32(sig.scope)) {
			if b := &sig.m.f.Binds[p]; sig.m.name(b.Name) == "this" && b.Type != 0 {
				this = sig.m.annotation(b.Type).apply(sig.env, 0)
			}
		}
	})
	return this
}

// methodThis is "this" in a method: an instance of its class, the object that
// it is a member of, or an instance of the constructor function.
func (m *module) methodThis(def facts.DefID) *typ {
	d := &m.f.Defs[def]
	static := d.Flags&facts.Static != 0
	for _, i := range m.names.Of(uint32(d.Name)) {
		b := &m.f.Binds[i]
		if b.Def != def || b.Kind != facts.BindDef {
			continue
		}
		sc := &m.f.Scopes[b.Scope]
		if sc.Kind != facts.ScopeClass {
			break
		}
		o := m.owner[b.Scope]
		switch {
		case o.def != 0:
			return m.classThis(o.def, static)
		case o.expr != 0:
			return m.literalThis(o.expr)
		case static:
			return m.defType(sc.Def)
		}
		return &typ{kind: tInst, m: m, def: sc.Def}
	}
	if s, ok := m.extra[def]; ok && d.Kind == facts.DefFunction && s != 0 {
		return &typ{kind: tInst, m: m, def: def}
	}
	return nil
}

// literalThis is "this" in a method of an object literal: what the context
// expects there, else the literal. A context that is not known may set it.
func (m *module) literalThis(e facts.ExprID) *typ {
	if ctx := m.context(e, 0); ctx != nil && ctx.kind != tPrim {
		return ctx
	}
	if m.expected(e, 0) {
		return nil
	}
	return m.typeOf(e)
}

// expected says whether something is expected of the value of e.
func (m *module) expected(e facts.ExprID, depth int) bool {
	if p := m.parent[e]; p != 0 && depth < maxContext {
		switch x := m.expr(p); x.Kind {
		case facts.Call, facts.New, facts.Element:
			return x.X != e
		case facts.Assert:
			return x.X == e
		case facts.Await, facts.Select, facts.Index:
			return false
		}
		return m.expected(p, depth+1)
	}
	u := m.useOf(e)
	switch {
	case !u.ok:
		return false
	case u.def != 0:
		return m.f.Defs[u.def].Type != 0
	}
	b := &m.f.Binds[u.bind]
	if b.Kind != facts.BindReturn || depth >= maxContext {
		return b.Type != 0
	}
	if o := m.owner[b.Scope]; o.expr != 0 {
		return m.expr(o.expr).X != 0 || m.expected(o.expr, depth+1)
	} else if o.def != 0 {
		return m.f.Defs[o.def].Result != 0
	}
	return false
}

// superType is what "super" is: the base as instance, or as class in static
// members.
func (m *module) superType(scope facts.ScopeID) *typ {
	t := m.thisType(scope)
	if t == nil || t.m == nil || t.kind != tInst && t.kind != tClass {
		return nil
	}
	bases := t.m.f.KidsOf(t.m.f.Defs[t.def].Bases)
	if len(bases) == 0 {
		return nil
	}
	e := bases[0]
	if t.kind == tInst {
		return t.m.baseClass(e)
	}
	if x := t.m.expr(e); x.Kind == facts.Index {
		e = x.X
	}
	return t.m.typeOf(e)
}
