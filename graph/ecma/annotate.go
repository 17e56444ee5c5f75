package ecma

import (
	"codeidx/facts"
	"codeidx/graph"
)

// annotation returns the type that a type expression writes.
func (m *module) annotation(e facts.ExprID) *typ {
	if e == 0 {
		return nil
	}
	memo := &m.anns[e]
	if memo.state == graph.Done || !m.w.Enter(&memo.state) {
		return memo.t
	}
	t := m.readType(e)
	m.w.Leave(&memo.state)
	if memo.state == graph.Done {
		memo.t = t
	}
	return t
}

func (m *module) annotations(es []facts.ExprID) []*typ {
	out := make([]*typ, 0, len(es))
	for _, e := range es {
		out = append(out, m.annotation(e))
	}
	return out
}

func (m *module) readType(e facts.ExprID) *typ {
	x, kids := m.expr(e), m.kids(e)
	switch x.Kind {
	case facts.Name, facts.Select:
		return m.namedType(e, nil)
	case facts.Index:
		return m.namedType(x.X, m.annotations(kids))
	case facts.Union:
		return union(m.annotations(kids)...)
	case facts.Intersect:
		return inter(m.annotations(kids)...)
	case facts.ArrayType:
		return builtin("Array", m.annotation(x.X))
	case facts.Tuple:
		return m.tupleType(kids)
	case facts.StructType:
		return &typ{kind: tObject, m: m, scope: x.Scope, expr: e}
	case facts.FuncType:
		return &typ{kind: tFunc, m: m, scope: x.Scope, expr: e}
	case facts.Literal:
		return m.literal(x)
	case facts.Template:
		return stringType
	case facts.MapType:
		return m.mappedType(x, kids)
	case facts.Unary:
		switch x.Op {
		case facts.OpKeyof:
			return &typ{kind: tKeys, args: []*typ{m.annotation(x.X)}}
		case facts.OpTypeof:
			return m.typeOf(x.X)
		}
	case facts.Lookup:
		if len(kids) == 2 {
			return m.w.indexed(m.annotation(kids[0]), m.annotation(kids[1]))
		}
	case facts.Cond:
		if len(kids) == 3 {
			c := &typ{kind: tCond, m: m, args: append([]*typ{m.annotation(x.X)}, m.annotations(kids)...)}
			return m.w.decide(c)
		}
	case facts.Assert:
		return m.predicate(x, kids)
	case facts.Call:
		if es := m.named(e, namespaces); len(es) > 0 {
			return m.w.entityType(es[0])
		}
	}
	return nil
}

func (m *module) predicate(x *facts.Expr, kids []facts.ExprID) *typ {
	if len(kids) == 0 {
		return boolType
	}
	return &typ{kind: tGuard, args: []*typ{m.annotation(kids[0])}, name: m.name(x.Name)}
}

func (m *module) tupleType(kids []facts.ExprID) *typ {
	t := &typ{kind: tTuple}
	for _, k := range kids {
		if x := m.expr(k); x.Kind == facts.Spread {
			return builtin("Array", union(append(t.args, m.w.element(m.annotation(x.X)))...))
		}
		t.args = append(t.args, m.annotation(k))
	}
	return t
}

// mappedType reads "[K in Keys]: V". Where V is T[K] it has the members of T,
// those among the keys; else it is a Record.
func (m *module) mappedType(x *facts.Expr, kids []facts.ExprID) *typ {
	if len(kids) == 0 {
		return builtin("Record", stringType, m.annotation(x.X))
	}
	keys := m.annotation(kids[0])
	if v := m.expr(x.X); v.Kind == facts.Lookup && v.Kids.N == 2 {
		of := m.kids(x.X)
		if k := m.expr(of[1]); k.Kind == facts.Name && m.mapped(k) {
			t := m.annotation(of[0])
			if keys != nil && keys.kind == tKeys && same(keys.arg(0), t) {
				return t
			}
			return &typ{kind: tPick, args: []*typ{t, keys}}
		}
	}
	return builtin("Record", keys, m.annotation(x.X))
}

// mapped says whether a name is the key of a mapped type.
func (m *module) mapped(x *facts.Expr) bool {
	found := m.find(x.Name, x.Scope, types)
	return len(found) == 1 && m.f.Binds[found[0]].Scope == x.Scope && m.f.Scopes[x.Scope].Kind == facts.ScopeTypeParams
}

func (m *module) literal(x *facts.Expr) *typ {
	switch x.Lit {
	case facts.StringLit:
		if x.Name != 0 {
			return &typ{kind: tLiteral, name: m.name(x.Name)}
		}
		return stringType
	case facts.IntLit:
		if x.Name != 0 {
			return &typ{kind: tLiteral, name: m.name(x.Name), part: true}
		}
		return numberType
	case facts.BoolLit:
		return &typ{kind: tPrim, name: m.name(x.Name)}
	case facts.NilLit:
		return nullType
	case facts.RegexpLit:
		return builtin("RegExp")
	}
	return nil
}

// namedType is the type that a name with type arguments means.
func (m *module) namedType(e facts.ExprID, args []*typ) *typ {
	x := m.expr(e)
	if x.Kind == facts.Name {
		if t, ok := m.keywordType(x); ok {
			return t
		}
	}
	es := m.named(e, types)
	if len(es) == 0 {
		if x.Kind == facts.Name && len(m.find(x.Name, x.Scope, types)) == 0 {
			return m.w.globalType(m.name(x.Name), args)
		}
		return nil
	}
	for _, en := range es {
		switch en.kind {
		case entDef:
			return en.m.declaredType(en.def, args)
		case entLocal:
			return en.m.localType(en.bind)
		case entExternal:
			return m.externalType(x, args)
		case entModule:
			return en.m.self
		}
	}
	return nil
}

// externalType is a type of a package outside of the repository.
func (m *module) externalType(x *facts.Expr, args []*typ) *typ {
	return &typ{kind: tOutside, name: m.name(x.Name), args: args}
}

func (m *module) keywordType(x *facts.Expr) (*typ, bool) {
	if x.Ctx != facts.Echo {
		return nil, false
	}
	switch n := m.name(x.Name); n {
	case "string", "number", "boolean", "bigint", "symbol", "any", "unknown", "never", "object", "void":
		return &typ{kind: tPrim, name: n}, true
	case "undefined", "null":
		return nullType, true
	case "this":
		return m.thisType(x.Scope), true
	}
	return nil, false
}

// localType is a type parameter.
func (m *module) localType(i uint32) *typ {
	if b := &m.f.Binds[i]; b.Kind == facts.BindTypeParam {
		return &typ{kind: tParam, m: m, bind: i}
	}
	return nil
}

// typeParams returns the type parameters of a definition, in order.
func (m *module) typeParams(def facts.DefID) []param {
	s := m.f.Defs[def].Scope
	if m.f.Scopes[s].Kind != facts.ScopeTypeParams {
		s = m.f.Scopes[s].Parent
	}
	return m.scopeParams(s)
}

func (m *module) scopeParams(s facts.ScopeID) []param {
	if m.f.Scopes[s].Kind != facts.ScopeTypeParams {
		return nil
	}
	list := m.typed.Of(uint32(s))
	out := make([]param, len(list))
	for i, b := range list {
		out[i] = param{m, b}
	}
	return out
}

// declaredType is the type that a definition names, applied to arguments.
func (m *module) declaredType(def facts.DefID, args []*typ) *typ {
	d := &m.f.Defs[def]
	switch d.Kind {
	case facts.DefClass, facts.DefInterface:
		t := &typ{kind: tInst, m: m, def: def, args: args}
		if len(args) == 0 {
			for _, p := range m.typeParams(def) {
				t.args = append(t.args, m.defaultOf(p))
			}
		}
		return t
	case facts.DefEnum, facts.DefEnumMember:
		if d.Kind == facts.DefEnumMember {
			def = d.Parent
		}
		return &typ{kind: tInst, m: m, def: def}
	case facts.DefNamespace, facts.DefModule:
		return &typ{kind: tNamespace, m: m, def: def}
	case facts.DefType:
		t := m.annotation(d.Type)
		e := &env{}
		for i, p := range m.typeParams(def) {
			if i < len(args) {
				e.set(p, args[i])
			} else if v := m.defaultOf(p); v != nil {
				e.set(p, v)
			}
		}
		return t.apply(e, 0)
	case facts.DefFunction:
		return &typ{kind: tInst, m: m, def: def}
	}
	if t := m.defType(def); t != nil && t.kind == tClass {
		return &typ{kind: tInst, m: t.m, def: t.def, args: args}
	}
	return nil
}

// defaultOf is the default of a type parameter, else its constraint.
func (m *module) defaultOf(p param) *typ {
	b := &p.m.f.Binds[p.bind]
	if b.Value != 0 {
		return p.m.annotation(b.Value)
	}
	return nil
}

// constraint is what a type parameter is at least.
func (t *typ) constraint() *typ {
	b := &t.m.f.Binds[t.bind]
	if b.Type == 0 {
		return nil
	}
	return t.m.annotation(b.Type)
}

// indexed is the type T[K].
func (w *world) indexed(t, k *typ) *typ {
	if t == nil || k == nil {
		return nil
	}
	if t.kind == tIndexed {
		return &typ{kind: tIndexed, m: t.m, args: []*typ{t, k}}
	}
	if t.kind == tParam || k.kind == tParam || k.kind == tKeys && k.arg(0).open(0) {
		for _, x := range []*typ{t, k} {
			if x.kind == tParam {
				return &typ{kind: tIndexed, m: x.m, args: []*typ{t, k}}
			}
		}
		return nil
	}
	return k.mapEach(func(k *typ) *typ {
		switch {
		case k.kind == tLiteral && !k.part:
			return w.lookup(t, k.name).typ(w)
		case k.kind == tLiteral:
			return w.item(t, atoi(k.name))
		case k.kind == tPrim && k.name == "number":
			return w.element(t)
		case k.kind == tPrim && k.name == "string":
			return w.valueType(t)
		}
		return nil
	})
}
