package python

import (
	"codeidx/facts"
	"codeidx/graph"
)

// attrs is what looking an attribute up gives.
type attrs struct {
	hits    []hit
	outside *typ // an external value, where the attribute lives outside
	other   []*typ
	unknown bool // some alternative of the receiver is not known
	missing bool // a known receiver has no such attribute
	open    bool // the receiver is what is being asked for
}

// hit is one definition that the attribute can be.
type hit struct {
	m     *module
	def   facts.DefID // 0: the module itself
	recv  *typ        // instance, class or module it was found on
	owner *class      // class that has it
	rule  graph.Rule
}

func (r *attrs) add(h hit) {
	for _, o := range r.hits {
		if o.m == h.m && o.def == h.def {
			return
		}
	}
	r.hits = append(r.hits, h)
}

// attr looks name up on a receiver of type t.
func (w *world) attr(t *typ, name string, mode int, r *attrs) {
	if t == nil {
		r.unknown = true
		return
	}
	if t.part {
		r.unknown = true
	}
	switch t.kind {
	case tNever:
		r.open = true
	case tUnion:
		for _, a := range t.args {
			if a.kind != tNone {
				w.attr(a, name, mode, r)
			}
		}
	case tModule:
		w.moduleAttr(t, name, r)
	case tNamespace:
		if p := w.at(join(t.name, name)); p.ok {
			r.entity(p.entity(), t)
		} else {
			r.missing = true
		}
	case tInstance:
		w.classAttr(t, name, nil, graph.PyMember, r)
	case tClass:
		w.classAttr(t, name, nil, graph.PyClassMember, r)
	case tSuper:
		w.classAttr(t.recv, name, t.m.class(t.def), graph.PySuper, r)
	case tTypeVar:
		if b := t.m.bound(t); b == nil || b.kind != tTypeVar {
			w.attr(b, name, mode, r)
		} else {
			r.unknown = true
		}
	case tObject:
		w.objectAttr(t, name, mode, r)
	case tExternal:
		r.outside = external(t.name + "." + name)
	default:
		r.outside = external("." + name)
	}
}

func (w *world) objectAttr(t *typ, name string, mode int, r *attrs) {
	if t.name == "type" {
		c := t.arg(0).closeVars(w).classOf()
		if c != nil && c.kind == tClass {
			w.attr(c, name, mode, r)
			return
		}
	}
	if t.name == "ExceptionInfo" && name == "value" && t.arg(0) != nil {
		r.other = append(r.other, t.arg(0))
		return
	}
	r.outside = &typ{kind: tExternal, name: t.name + "." + name, recv: t}
}

func (w *world) moduleAttr(t *typ, name string, r *attrs) {
	es := t.m.export(name)
	if len(es) == 0 {
		switch {
		case name == "__name__", name == "__file__", name == "__doc__", name == "__dict__", name == "__path__":
			r.outside = external("str")
		case t.m.unreadableStar() || t.m.global("__getattr__") != 0:
			r.unknown = true
		default:
			r.missing = true
		}
		return
	}
	for _, e := range es {
		r.entity(e, t)
	}
}

// entity adds what a module's attribute denotes.
func (r *attrs) entity(e entity, recv *typ) {
	switch e.kind {
	case entityDef:
		r.add(hit{m: e.m, def: e.def, recv: recv, rule: graph.PyModuleAttr})
	case entityModule:
		r.add(hit{m: e.m, recv: recv, rule: graph.PyModuleAttr})
	case entityNamespace:
		r.other = append(r.other, &typ{kind: tNamespace, name: e.name})
	case entityExternal:
		r.outside = external(e.name)
	}
}

// classAttr looks name up in the class of t, after class skip for super.
func (w *world) classAttr(t *typ, name string, after *class, rule graph.Rule, r *attrs) {
	if t == nil {
		r.unknown = true
		return
	}
	c := t.m.class(t.def)
	o := c.find(name, after)
	if o.def == 0 && t.kind == tClass {
		if meta := c.metaclass(); meta != nil {
			o = meta.find(name, nil)
		}
	}
	if o.def != 0 {
		if rule == graph.PyMember && t.self {
			rule = graph.PySelf
		}
		r.add(hit{m: o.c.m, def: o.def, recv: t, owner: o.c, rule: rule})
		return
	}
	switch {
	case o.external || t.kind == tClass || objectMember(name) || c.isEnum():
		r.outside = external(c.m.name(c.m.f.Defs[c.def].Name) + "." + name)
	case c.find("__getattr__", nil).def != 0:
		r.unknown = true
	default:
		r.missing = true
	}
}

// objectMember names what every object has.
func objectMember(name string) bool {
	return len(name) > 4 && name[:2] == "__" && name[len(name)-2:] == "__"
}

// metaclass returns the class's metaclass, where it is in the repository.
func (c *class) metaclass() *class {
	for _, t := range c.order() {
		if t.kind != tClass {
			continue
		}
		o := t.m.class(t.def)
		for _, e := range o.m.f.KidsOf(o.m.f.Defs[o.def].Bases) {
			x := &o.m.f.Exprs[e]
			if x.Kind == facts.Keyword && o.m.name(x.Name) == "metaclass" {
				if mt := o.m.typeOf(x.X, strict); mt != nil && mt.kind == tClass {
					return mt.m.class(mt.def)
				}
			}
		}
	}
	return nil
}

// types joins the types of what was found.
func (w *world) types(r *attrs, mode int) *typ {
	ts := make([]*typ, 0, len(r.hits)+2)
	for _, h := range r.hits {
		ts = append(ts, w.hitType(h, mode))
	}
	ts = append(ts, r.other...)
	if r.outside != nil {
		ts = append(ts, r.outside)
	}
	if len(ts) == 1 && !r.unknown {
		return ts[0]
	}
	if r.open {
		ts = append(ts, never)
	}
	if r.unknown {
		ts = append(ts, nil)
	}
	return union(ts...)
}

// hitType is the type of an attribute as its receiver gives it: methods bound,
// properties and descriptors evaluated, type variables replaced.
func (w *world) hitType(h hit, mode int) *typ {
	if h.def == 0 {
		return h.m.self
	}
	t := h.m.defType(h.def, mode)
	if h.owner == nil {
		return t
	}
	d := &h.m.f.Defs[h.def]
	switch {
	case d.Kind == facts.DefMethod && d.Flags&facts.Accessor != 0 && h.recv.kind != tClass:
		fn := &typ{kind: tFunc, m: h.m, def: h.def, recv: h.recv}
		return w.result(fn, nil, mode)
	case d.Kind == facts.DefMethod:
		return w.boundMethod(t, h)
	case isClass(d.Kind):
		return t
	}
	t = w.specialise(t, h)
	if d.Scope == h.m.f.Defs[h.owner.def].Scope && t != nil && t.kind == tInstance && d.Type == 0 {
		if get := t.m.class(t.def).find("__get__", nil); get.def != 0 {
			return w.callMember(t, "__get__", nil, mode)
		}
	}
	return t
}

// boundMethod binds a function type to its receiver.
func (w *world) boundMethod(t *typ, h hit) *typ {
	if t == nil || t.kind != tFunc {
		return t
	}
	f := t.m.f.Defs[t.def].Flags
	c := *t
	switch {
	case f&facts.Static != 0:
	case f&facts.ClassMethod != 0 && h.recv.kind == tInstance:
		c.recv = h.recv.classOf()
	case f&facts.ClassMethod == 0 && h.recv.kind == tClass:
	default:
		c.recv = h.recv
	}
	return &c
}

// specialise replaces the type variables of the owner by what the receiver has.
func (w *world) specialise(t *typ, h hit) *typ {
	if !t.hasVars() {
		return t
	}
	sub := substitution{self: h.recv.plainInstance()}
	w.bindParams(&sub, h.recv, h.owner)
	return sub.apply(t)
}

// plainInstance is the instance that self stands for when a member is taken
// from t.
func (t *typ) plainInstance() *typ {
	if t == nil {
		return nil
	}
	if t.kind == tClass {
		return &typ{kind: tInstance, m: t.m, def: t.def, args: t.args, self: t.self}
	}
	if t.kind == tInstance {
		return t
	}
	return nil
}

// bindParams gives the type parameters of owner the arguments that recv has.
func (w *world) bindParams(sub *substitution, recv *typ, owner *class) {
	if recv == nil || recv.kind != tInstance && recv.kind != tClass {
		return
	}
	params := owner.typeParams()
	if len(params) == 0 {
		return
	}
	args := recv.m.class(recv.def).view(recv.args, owner, 0)
	for i, p := range params {
		if i < len(args) && args[i] != nil && !same(args[i], p) {
			sub.set(p, args[i])
		}
	}
}

// selectType is the type of "X.name".
func (m *module) selectType(e facts.ExprID, mode int) *typ {
	x := &m.f.Exprs[e]
	var r attrs
	m.w.attr(m.typeOf(x.X, mode), m.name(x.Name), mode, &r)
	t := m.w.types(&r, mode)
	for _, h := range r.hits {
		if h.def == 0 || h.m.f.Defs[h.def].Kind == facts.DefMethod {
			return t
		}
	}
	return m.narrowAttr(t, x, mode)
}

// callMember is the result of calling method name of an instance; s may be nil
// where the arguments do not matter.
func (w *world) callMember(t *typ, name string, s *site, mode int) *typ {
	if t == nil || t.kind != tInstance {
		return nil
	}
	o := t.m.class(t.def).find(name, nil)
	if o.def == 0 {
		return nil
	}
	fn := w.hitType(hit{m: o.c.m, def: o.def, recv: t, owner: o.c}, mode)
	return w.called(fn, s, mode)
}
