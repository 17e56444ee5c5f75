package php

import (
	"slices"
	"strings"

	"codeidx/facts"
)

// hit is one definition that a member can be.
type hit struct {
	owned
	recv *typ
	doc  bool // the receiver's type rests on a docblock
}

// hits is what looking a member up gives.
type hits struct {
	list    []hit
	other   []*typ // types of members that have no definition of their own
	magic   []hit  // __get, __call and __callStatic
	mixin   []hit  // members of classes that @mixin names
	missing []*typ // objects of known class without such a member
	outside bool   // the receiver, or a base of it, is not in the repository
	unknown bool   // some alternative of the receiver is not known
}

func (r *hits) add(h hit) {
	for i, o := range r.list {
		if o.def == h.def && o.c.f == h.c.f {
			r.list[i].doc = o.doc && h.doc
			return
		}
	}
	r.list = append(r.list, h)
}

// lookup collects what a member is on a receiver.
func (x *file) lookup(t *typ, k memberKind, name string, r *hits) {
	if t == nil {
		r.unknown = true
		return
	}
	r.unknown = r.unknown || t.part
	switch t.kind {
	case tUnion:
		for _, a := range t.args {
			if a.kind != tNull && (a.kind != tScalar || strings.HasPrefix(a.name, "class ")) {
				x.lookup(a, k, name, r)
			}
		}
	case tIntersect:
		x.lookupAll(t, k, name, r)
	case tInstance, tClass:
		x.lookupIn(t, k, name, r)
	case tVar:
		x.lookup(t.recv, k, name, r)
	case tExternal, tFunc:
		r.outside = true
	case tScalar:
		r.outside = r.outside || strings.HasPrefix(t.name, "class ")
		r.unknown = r.unknown || !r.outside
	default:
		r.unknown = true
	}
}

// lookupAll looks at the parts of an intersection until one has the member.
func (x *file) lookupAll(t *typ, k memberKind, name string, r *hits) {
	var rest hits
	for _, a := range t.args {
		var one hits
		x.lookup(a, k, name, &one)
		if len(one.list) > 0 {
			for _, h := range one.list {
				h.doc = (h.doc || t.doc) && !x.borneOut(t, h, k, name)
				r.add(h)
			}
			return
		}
		rest.outside = rest.outside || one.outside
		rest.unknown = rest.unknown || one.unknown
		rest.missing = append(rest.missing, one.missing...)
	}
	r.outside, r.unknown = r.outside || rest.outside, r.unknown || rest.unknown
	r.missing = append(r.missing, rest.missing...)
}

// borneOut says whether a part of an intersection that rests on no docblock
// has the same member.
func (x *file) borneOut(t *typ, h hit, k memberKind, name string) bool {
	if t.doc {
		return false
	}
	for _, a := range t.args {
		var one hits
		if x.lookup(a, k, name, &one); len(one.list) == 1 && !one.list[0].doc && one.list[0].owned == h.owned {
			return true
		}
	}
	return false
}

func (x *file) lookupIn(t *typ, k memberKind, name string, r *hits) {
	c := t.c
	if k == method {
		name = strings.ToLower(name)
	}
	if t.self && c.kind() == facts.DefTrait {
		if o := c.asUsed(k, name); o.def != 0 {
			r.add(hit{o, t, t.doc})
			return
		}
	}
	if o := c.find(k, name); o.def != 0 {
		r.add(hit{o, t, t.doc})
		return
	}
	if d := c.documented(k, name); d != nil {
		r.other = append(r.other, d.tainted())
	}
	x.mixins(t, k, name, r, 0)
	if m := c.find(method, magicFor(k, t.kind)); m.def != 0 && k != constant {
		r.magic = append(r.magic, hit{m, t, t.doc})
	}
	if c.external() || c.unsure {
		r.outside = true
		return
	}
	r.missing = append(r.missing, t)
}

// magicFor names the magic method that takes unknown members.
func magicFor(k memberKind, t typeKind) string {
	switch {
	case k == property:
		return "__get"
	case t == tClass:
		return "__callstatic"
	}
	return "__call"
}

// documented is the type that @property or @method states for a member.
func (c *class) documented(k memberKind, name string) *typ {
	tag := facts.DocProperty
	if k == method {
		tag = facts.DocMethod
	} else if k == constant {
		return nil
	}
	var t *typ
	c.reaches(func(b *class) bool {
		b.f.docBinds(b.def, tag, func(d *facts.Bind) {
			if n := b.f.name(d.Name); n == name || k == method && strings.EqualFold(n, name) {
				if t = b.f.annotation(d.Type); t == nil {
					t = scalarType
				}
			}
		})
		return t != nil
	}, 0)
	return t
}

// mixins looks a member up in the classes that @mixin names.
func (x *file) mixins(t *typ, k memberKind, name string, r *hits, level int) {
	if level > 4 {
		return
	}
	t.c.reaches(func(b *class) bool {
		b.f.docBinds(b.def, facts.DocMixin, func(d *facts.Bind) {
			b.f.annotation(d.Type).each(func(m *typ) {
				if m != nil && m.kind == tInstance {
					if o := m.c.find(k, name); o.def != 0 {
						r.mixin = append(r.mixin, hit{o, m, true})
					}
				}
			})
		})
		return false
	}, 0)
}

// memberType is the type of a property or constant of a receiver.
func (x *file) memberType(t *typ, k memberKind, name string) *typ {
	var r hits
	x.lookup(t, k, name, &r)
	ts := make([]*typ, 0, len(r.list)+1)
	for _, h := range r.list {
		var m *typ
		if k == property {
			m = h.c.propertyType(h.def)
		} else {
			m = h.c.f.constantType(h.def)
		}
		ts = append(ts, h.received(m))
	}
	ts = append(ts, r.other...)
	if r.unknown || r.outside {
		ts = append(ts, nil)
	}
	return union(ts...)
}

// received is a member's type as its receiver gives it: of the receiver's
// class where the member is of the type of $this, tainted where the receiver is.
func (h hit) received(t *typ) *typ {
	if t == nil {
		return nil
	}
	if h.recv.kind == tInstance || h.recv.kind == tClass {
		t = t.mapEach(func(a *typ) *typ {
			if a != nil && a.self && a.kind == tInstance && (h.recv.c.is(a.c) || a.c.kind() == facts.DefTrait) {
				c := *a
				c.c, c.self = h.recv.c, h.recv.self
				if len(h.recv.args) > 0 {
					c.args = h.recv.args
				}
				return &c
			}
			return a
		})
	}
	if t.hasVars() {
		view := h.recv.view(h.c, 0)
		t = t.replace(func(v *typ) *typ {
			if v.def == h.c.def && v.f == h.c.f {
				return view[v.name]
			}
			return v
		})
	}
	if h.doc && h.recv.glob {
		return t.global()
	}
	return h.recv.marked(t)
}

// view gives the type parameters of owner as an object of type t has them.
func (t *typ) view(owner *class, level int) map[string]*typ {
	if t == nil || t.c == nil || level > 10 {
		return nil
	}
	own := map[string]*typ{}
	for i, p := range t.c.typeParams() {
		if i < len(t.args) {
			own[p] = t.args[i]
		}
	}
	if t.c == owner {
		return own
	}
	var out map[string]*typ
	t.c.f.docBinds(t.c.def, facts.DocExtends, func(b *facts.Bind) {
		base := t.c.f.annotation(b.Type)
		if out != nil || base == nil || base.kind != tInstance || !base.c.is(owner) {
			return
		}
		out = base.replace(func(v *typ) *typ { return own[v.name] }).view(owner, level+1)
	})
	if out != nil {
		return out
	}
	for _, b := range t.c.bases() {
		if b.is(owner) && b != owner {
			return instance(b).view(owner, level+1)
		}
	}
	return nil
}

// propertyType is the declared type of a property, else what its docblock and
// the values that its class assigns say together.
func (c *class) propertyType(def facts.DefID) *typ {
	x := c.f
	return x.w.ask(&x.defs[def], func() *typ {
		d := &x.f.Defs[def]
		native := x.annotation(d.Type)
		stated := x.docType(def, facts.DocVar, 0)
		if stated == nil {
			stated = c.promotedDoc(def)
		}
		if !native.vague() {
			return native.refined(stated)
		}
		assigned := c.assigned(def)
		if t := statedOr(stated, assigned); t != nil {
			return t
		}
		return native
	})
}

// promotedDoc is the @param of the constructor for a promoted property.
func (c *class) promotedDoc(def facts.DefID) *typ {
	ctor := c.methods["__construct"]
	for _, p := range c.f.params.Of(uint32(c.f.f.Defs[ctor].Scope)) {
		if b := &c.f.f.Binds[p]; b.Def == def && ctor != 0 {
			return c.f.docType(ctor, facts.DocParam, b.Name)
		}
	}
	return nil
}

// statedOr weighs a docblock against what the code shows: borne out, it counts
// as the code's word.
func statedOr(stated, shown *typ) *typ {
	switch {
	case stated == nil:
		return shown
	case shown.agrees(stated):
		return stated.untainted().unlessEmpty(shown)
	}
	return stated.tainted()
}

// unlessEmpty is t with its elements resting on the docblock where the code
// shows none: an empty array bears nothing out.
func (t *typ) unlessEmpty(shown *typ) *typ {
	elements := false
	shown.each(func(a *typ) { elements = elements || a.kind == tArray && a.element() != nil })
	if elements {
		return t
	}
	return t.mapEach(func(a *typ) *typ {
		if a != nil && a.kind == tArray {
			return a.tainted()
		}
		return a
	})
}

// assigned joins the values that the class assigns to one of its properties.
func (c *class) assigned(def facts.DefID) *typ {
	x := c.f
	d := &x.f.Defs[def]
	var ts, elems []*typ
	if d.Value != 0 {
		if t := x.typeOf(d.Value); t == nil || t.kind != tNull {
			ts = append(ts, t)
		}
	}
	for _, i := range x.attrs.Of(uint32(d.Name)) {
		b := &x.f.Binds[i]
		if b.Kind != facts.BindAttr || x.classAt(b.Scope) != c || !x.ownObject(b.On) {
			continue
		}
		if b.Part == facts.PartStore {
			v := x.typeOf(b.Value)
			for range b.Index - 1 {
				v = &typ{kind: tArray, elem: v}
			}
			elems = append(elems, v)
			continue
		}
		t, circular := x.w.part(&x.defs[def], func() *typ { return x.bindType(i) })
		if !circular && (t == nil || t.kind != tNull) {
			ts = append(ts, t)
		}
	}
	t := union(ts...)
	if len(elems) > 0 && (t == nil && len(ts) == 0 || t != nil && t.kind == tArray) {
		return union(t.orNone(), &typ{kind: tArray, elem: union(elems...)})
	}
	return t
}

// orNone is t, or the empty array where there is no type.
func (t *typ) orNone() *typ {
	if t == nil {
		return arrayType
	}
	return t
}

// ownObject says whether an expression is $this, self or static.
func (x *file) ownObject(e facts.ExprID) bool {
	t := &x.f.Exprs[e]
	return t.Kind == facts.Name && (x.name(t.Name) == "$this" || x.relative(t) == "self" || x.relative(t) == "static")
}

// propertyFetch is the type of "$object->name", with the tests around it.
func (x *file) propertyFetch(e facts.ExprID, t *facts.Expr) *typ {
	m := x.memberType(x.typeOf(t.X), property, x.name(t.Name))
	binds := x.pick(x.attrs.Of(uint32(t.Name)), x.varScope(t.Scope))
	if v, end, ok := x.assignedHere(binds, t); ok {
		if m == nil || m.doc || m.part || !x.callsBetween(end, t.Pos) {
			m = v
		}
	}
	m, _ = x.narrowed(binds, m, t.X, t.Pos)
	return m
}

// assignedHere is the value that the same function assigned to a property
// before, where nothing is between but straight code.
func (x *file) assignedHere(binds []uint32, t *facts.Expr) (v *typ, end uint32, ok bool) {
	binds = x.back(binds, t.Pos)
	for i := len(binds) - 1; i >= 0; i-- {
		b := &x.f.Binds[binds[i]]
		if !x.isValue(b) || b.From > t.Pos || !x.sameObject(b.On, t.X) {
			continue
		}
		if b.Flags&facts.CondBind != 0 && b.To != 0 && t.Pos >= b.To {
			return nil, 0, false
		}
		v := x.bindType(binds[i])
		return v, b.From, v != nil && !v.part && v.object() && !v.doc
	}
	return nil, 0, false
}

// callsBetween says whether anything is called between two positions: a call
// may put something else into a property.
func (x *file) callsBetween(from, to uint32) bool {
	if x.calls == nil {
		x.calls = []uint32{}
		for i := range x.f.Exprs {
			if e := &x.f.Exprs[i]; e.Kind == facts.Call {
				x.calls = append(x.calls, x.f.Exprs[e.X].Pos)
			}
		}
		slices.Sort(x.calls)
	}
	i, _ := slices.BinarySearch(x.calls, from)
	return i < len(x.calls) && x.calls[i] < to
}
