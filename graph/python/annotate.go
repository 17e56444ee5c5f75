package python

import (
	"codeidx/facts"
	"codeidx/graph"
)

// annotation is the type of the values that a type expression describes.
func (m *module) annotation(e facts.ExprID) *typ {
	if e == 0 {
		return nil
	}
	memo := &m.anns[e]
	if memo.state == graph.Done || !m.w.Enter(&memo.state) {
		return memo.answer()
	}
	t := m.annotate(e)
	m.w.Leave(&memo.state)
	if memo.state == graph.Done {
		memo.t = t
	}
	return t
}

func (m *module) annotate(e facts.ExprID) *typ {
	x := &m.f.Exprs[e]
	switch x.Kind {
	case facts.Name, facts.Select:
		return m.namedType(e)
	case facts.Literal:
		switch {
		case x.Lit == facts.NilLit:
			return noneType
		case x.Lit == facts.StringLit && x.Name != 0:
			return m.forwardType(x)
		}
	case facts.Index:
		return m.genericType(e)
	case facts.Binary:
		if x.Op == facts.OpBitOr {
			var ts []*typ
			for _, k := range m.f.KidsOf(x.Kids) {
				ts = append(ts, m.annotation(k))
			}
			return union(ts...)
		}
	}
	return nil
}

// namedType is the type that a name or attribute stands for in an annotation.
func (m *module) namedType(e facts.ExprID) *typ {
	x := &m.f.Exprs[e]
	var es []entity
	if x.Kind == facts.Name {
		r := m.find(x.Name, x.Scope, x.Pos)
		if !r.ok && m.f.Scopes[x.Scope].Kind != facts.ScopeFile {
			r = m.find(x.Name, x.Scope, endOfFile)
		}
		if r.ok {
			es = m.entities(r.binds)
		} else if es = m.fromStars(m.name(x.Name)); es == nil && m.w.builtin(m.name(x.Name)) {
			return externalInstance(external(m.name(x.Name)))
		}
	} else {
		var r attrs
		m.w.attr(m.typeOf(x.X, strict), m.name(x.Name), strict, &r)
		for _, h := range r.hits {
			if h.def == 0 {
				continue
			}
			es = append(es, entity{kind: entityDef, m: h.m, def: h.def})
		}
		if r.outside != nil {
			es = append(es, entity{kind: entityExternal, name: r.outside.name})
		}
	}
	var ts []*typ
	for _, en := range es {
		ts = append(ts, m.entityInstance(en, x.Scope))
	}
	return union(ts...)
}

// forwardType is the class that a string names where a value turns out to be a
// type, as in NodeOrLeaf = Union["Node", "Leaf"].
func (m *module) forwardType(x *facts.Expr) *typ {
	r := m.find(x.Name, x.Scope, endOfFile)
	if !r.ok {
		return nil
	}
	var ts []*typ
	for _, en := range m.entities(r.binds) {
		ts = append(ts, m.entityInstance(en, x.Scope))
	}
	return union(ts...)
}

// entityInstance is the type that an entity describes, used in scope.
func (m *module) entityInstance(e entity, scope facts.ScopeID) *typ {
	switch e.kind {
	case entityExternal:
		if canonical(e.name) == "Self" {
			return m.selfType(scope)
		}
		return externalInstance(external(e.name))
	case entityLocal:
		b := &e.m.f.Binds[e.bind]
		switch b.Kind {
		case facts.BindTypeParam:
			return e.m.typeParam(e.bind)
		case facts.BindVar:
			return e.m.annotation(b.Value)
		}
	case entityDef:
		return e.m.aliased(e.def)
	}
	return nil
}

// aliased is the type that a class or an alias describes.
func (m *module) aliased(def facts.DefID) *typ {
	d := &m.f.Defs[def]
	switch {
	case isClass(d.Kind):
		return &typ{kind: tInstance, m: m, def: def}
	case d.Kind == facts.DefType && d.Value == 0:
		return m.annotation(d.Type)
	case d.Value == 0:
		return nil
	}
	v := &m.f.Exprs[d.Value]
	if v.Kind != facts.Call {
		return m.annotation(d.Value)
	}
	c := m.typeOf(v.X, strict)
	if c == nil || c.kind != tExternal {
		return nil
	}
	switch canonical(c.name) {
	case "TypeVar", "ParamSpec", "TypeVarTuple":
		return &typ{kind: tTypeVar, m: m, def: def}
	case "NewType":
		if kids := m.f.KidsOf(v.Kids); len(kids) == 2 {
			return m.annotation(kids[1])
		}
	}
	return nil
}

// selfType is typing.Self in a scope.
func (m *module) selfType(scope facts.ScopeID) *typ {
	for s := scope; ; s = m.f.Scopes[s].Parent {
		if m.f.Scopes[s].Kind == facts.ScopeClass {
			def := m.f.Scopes[s].Def
			return &typ{kind: tInstance, m: m, def: def, args: m.class(def).typeParams(), self: true}
		}
		if s == 0 {
			return nil
		}
	}
}

// genericType is the type of "X[args]".
func (m *module) genericType(e facts.ExprID) *typ {
	x := &m.f.Exprs[e]
	kids := m.f.KidsOf(x.Kids)
	base := m.typeOf(x.X, strict)
	if base == nil || base.args != nil || base.kind != tClass && base.kind != tExternal {
		return m.appliedAlias(m.annotation(x.X), kids)
	}
	arg := func(i int) *typ {
		if i < len(kids) {
			return m.annotation(kids[i])
		}
		return nil
	}
	if base.kind == tExternal {
		if t, ok := m.specialForm(canonical(base.name), kids, arg); ok {
			return t
		}
	}
	args := make([]*typ, 0, len(kids))
	for i := range kids {
		args = append(args, arg(i))
	}
	if base.kind == tClass {
		return &typ{kind: tInstance, m: base.m, def: base.def, args: args}
	}
	name := canonical(base.name)
	if name == "Union" {
		return union(args...)
	}
	return object(name, args...)
}

// specialForm is the type of a special form of typing with arguments.
func (m *module) specialForm(name string, kids []facts.ExprID, arg func(int) *typ) (*typ, bool) {
	switch name {
	case "Literal":
		return m.unionOf(kids, strict), true
	case "Callable":
		if len(kids) == 0 {
			return nil, true
		}
		return m.callable(kids, arg(len(kids)-1)), true
	case "Optional":
		return union(arg(0), noneType), true
	case "Annotated", "ClassVar", "Final", "Required", "NotRequired", "ReadOnly", "Unpack", "InitVar":
		return arg(0), true
	case "type":
		return arg(0).classOf(), true
	case "TypeGuard", "TypeIs":
		return boolType, true
	case "Coroutine":
		return object("Awaitable", arg(2)), true
	case "tuple":
		if len(kids) == 2 && m.f.Exprs[kids[1]].Lit == facts.EllipsisLit {
			return object("Sequence", arg(0)), true
		}
	}
	return nil, false
}

// appliedAlias is a generic alias with arguments for its type variables, in
// order of their first appearance.
func (m *module) appliedAlias(t *typ, kids []facts.ExprID) *typ {
	if !t.hasVars() {
		return t
	}
	sub := substitution{}
	for _, v := range vars(t, nil) {
		if _, known := sub.get(v); !known && len(sub.vars) < len(kids) {
			sub.set(v, m.annotation(kids[len(sub.vars)]))
		}
	}
	return sub.apply(t)
}

// callable is the type of "Callable[[A, B], R]".
func (m *module) callable(kids []facts.ExprID, res *typ) *typ {
	t := &typ{kind: tCallable, res: res}
	if x := &m.f.Exprs[kids[0]]; x.Kind == facts.List {
		for _, k := range m.f.KidsOf(x.Kids) {
			t.args = append(t.args, m.annotation(k))
		}
	}
	return t
}
