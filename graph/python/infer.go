package python

import (
	"codeidx/facts"
	"codeidx/graph"
)

// typeOf returns the type of an expression's value, nil where it is not known.
func (m *module) typeOf(e facts.ExprID, mode int) *typ {
	if e == 0 {
		return nil
	}
	memo := memoOf(&m.exprs, mode, int(e))
	if memo.state == graph.Done || !m.w.Enter(&memo.state) {
		return memo.answer()
	}
	t := m.infer(e, mode)
	m.w.Leave(&memo.state)
	if memo.state == graph.Done {
		memo.t = t
	}
	return t
}

func (m *module) infer(e facts.ExprID, mode int) *typ {
	x := &m.f.Exprs[e]
	kids := m.f.KidsOf(x.Kids)
	switch x.Kind {
	case facts.Name:
		return m.nameType(e, mode)
	case facts.Select:
		return m.selectType(e, mode)
	case facts.Call:
		return m.callType(e, mode)
	case facts.Index, facts.Slice:
		return m.indexType(e, mode)
	case facts.Literal:
		return literalType(x.Lit)
	case facts.Template:
		return literalType(x.Lit)
	case facts.List:
		return object("list", m.unionOf(kids, mode))
	case facts.Set:
		return object("set", m.unionOf(kids, mode))
	case facts.Tuple:
		return m.tupleType(kids, mode)
	case facts.Dict:
		return m.dictType(kids, mode)
	case facts.Comp:
		return m.compType(x, kids, mode)
	case facts.Cond:
		if len(kids) == 2 {
			return union(m.typeOf(kids[0], mode), m.typeOf(kids[1], mode))
		}
	case facts.Binary:
		return m.binaryType(x, kids, mode)
	case facts.Unary:
		if x.Op == facts.OpNot {
			return boolType
		}
		return m.typeOf(x.X, mode)
	case facts.Await:
		return awaited(m.typeOf(x.X, mode))
	case facts.Func:
		return &typ{kind: tLambda, m: m, scop: x.Scope}
	}
	return nil
}

func literalType(l facts.Lit) *typ {
	switch l {
	case facts.StringLit:
		return strType
	case facts.BytesLit:
		return object("bytes")
	case facts.IntLit:
		return intType
	case facts.FloatLit:
		return object("float")
	case facts.BoolLit:
		return boolType
	case facts.NilLit:
		return noneType
	}
	return nil
}

// unionOf joins the types of elements, a bounded number of them.
func (m *module) unionOf(es []facts.ExprID, mode int) *typ {
	if len(es) == 0 {
		return nil
	}
	var ts []*typ
	for i, e := range es {
		if i == maxUnion {
			break
		}
		if x := &m.f.Exprs[e]; x.Kind == facts.Spread {
			ts = append(ts, m.w.element(m.typeOf(x.X, mode), mode))
		} else {
			ts = append(ts, m.typeOf(e, mode))
		}
	}
	return union(ts...)
}

func (m *module) tupleType(es []facts.ExprID, mode int) *typ {
	ts := make([]*typ, 0, len(es))
	for _, e := range es {
		if m.f.Exprs[e].Kind == facts.Spread || len(es) > 32 {
			return object("Sequence", m.unionOf(es, mode))
		}
		ts = append(ts, m.typeOf(e, mode))
	}
	return object("tuple", ts...)
}

func (m *module) dictType(es []facts.ExprID, mode int) *typ {
	var ks, vs []*typ
	for i, e := range es {
		x := &m.f.Exprs[e]
		if kv := m.f.KidsOf(x.Kids); x.Kind == facts.KeyValue && len(kv) == 2 {
			ks, vs = append(ks, m.typeOf(kv[0], mode)), append(vs, m.typeOf(kv[1], mode))
		}
		if i == maxUnion {
			break
		}
	}
	return object("dict", union(ks...), union(vs...))
}

func (m *module) compType(x *facts.Expr, kids []facts.ExprID, mode int) *typ {
	elem := m.typeOf(x.X, mode)
	switch x.Lit {
	case facts.DictLit:
		var v *typ
		if len(kids) > 0 {
			v = m.typeOf(kids[0], mode)
		}
		return object("dict", elem, v)
	case facts.SetLit:
		return object("set", elem)
	case facts.GenLit:
		return object("Generator", elem)
	}
	return object("list", elem)
}

func (m *module) binaryType(x *facts.Expr, kids []facts.ExprID, mode int) *typ {
	if x.Op == facts.OpCompare {
		return boolType
	}
	if len(kids) != 2 {
		return nil
	}
	l, r := m.typeOf(kids[0], mode), m.typeOf(kids[1], mode)
	switch x.Op {
	case facts.OpBool:
		if m.name(x.Name) == "or" {
			return union(l.withoutNone(), r)
		}
		return union(l, r)
	case facts.OpBitOr:
		if l != nil && (l.kind == tClass || l.kind == tExternal) {
			return union(l, r)
		}
	}
	if l != nil && l.kind == tObject {
		return l
	}
	return nil
}

// nameType is the type of a name where it stands.
func (m *module) nameType(e facts.ExprID, mode int) *typ {
	x := &m.f.Exprs[e]
	r := m.find(x.Name, x.Scope, x.Pos)
	if !r.ok {
		name := m.name(x.Name)
		if es := m.fromStars(name); len(es) > 0 {
			return m.w.entityTypes(es, mode)
		}
		if sub := m.submodule(name); sub.kind == entityModule {
			return sub.m.self
		}
		if m.w.builtin(name) {
			return external(name)
		}
		return nil
	}
	ts := make([]*typ, 0, 4)
	for _, b := range r.binds {
		ts = append(ts, m.bindType(b, mode))
	}
	t := union(ts...)
	if len(r.binds) == 1 {
		t = ts[0]
	}
	return m.narrowName(t, x, r)
}

// entityTypes joins the types of entities.
func (w *world) entityTypes(es []entity, mode int) *typ {
	ts := make([]*typ, 0, len(es))
	for _, e := range es {
		ts = append(ts, w.entityType(e, mode))
	}
	return union(ts...)
}

func (w *world) entityType(e entity, mode int) *typ {
	switch e.kind {
	case entityExternal:
		return external(e.name)
	case entityModule:
		return e.m.self
	case entityNamespace:
		return &typ{kind: tNamespace, name: e.name}
	case entityDef:
		return e.m.defType(e.def, mode)
	case entityLocal:
		return e.m.bindType(e.bind, mode)
	}
	return nil
}
