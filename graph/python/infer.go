package python

import (
	"strconv"

	"codeidx/facts"
)

// typeOf returns the type of an expression's value, nil where it is not known.
func (m *module) typeOf(e facts.ExprID, mode int) *typ {
	if e == 0 {
		return nil
	}
	memo := memoOf(&m.exprs, mode, int(e))
	if memo.state == done || !m.w.enter(&memo.state) {
		return memo.t
	}
	t := m.infer(e, mode)
	m.w.leave(&memo.state)
	if memo.state == done {
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

func awaited(t *typ) *typ {
	return t.mapEach(func(a *typ) *typ {
		if a != nil && a.kind == tObject && a.name == "Awaitable" {
			return a.arg(0)
		}
		return nil
	})
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

// bindType is the type of what a bind gives its name.
func (m *module) bindType(i uint32, mode int) *typ {
	memo := memoOf(&m.binds, mode, int(i))
	if memo.state == done || !m.w.enter(&memo.state) {
		return memo.t
	}
	t := m.inferBind(i, mode)
	m.w.leave(&memo.state)
	if memo.state == done {
		memo.t = t
	}
	return t
}

func (m *module) inferBind(i uint32, mode int) *typ {
	b := &m.f.Binds[i]
	switch b.Kind {
	case facts.BindDef:
		return m.defType(b.Def, mode)
	case facts.BindImport:
		return m.w.entityTypes(m.imported(b.Import), mode)
	case facts.BindReceiver:
		return m.receiverType(b)
	case facts.BindParam:
		return m.paramType(i, mode)
	case facts.BindTypeParam:
		return m.typeParam(i)
	case facts.BindVar, facts.BindAttr:
		return m.assignedType(b, mode)
	}
	return nil
}

// assignedType is the declared type of an assignment, else that of its value.
func (m *module) assignedType(b *facts.Bind, mode int) *typ {
	if b.Type != 0 {
		if t := m.annotation(b.Type); t != nil {
			return t
		}
		if b.Value == 0 || b.Part != facts.PartWhole {
			return nil
		}
	}
	if t := m.typeVar(b); t != nil {
		return t
	}
	t := m.partType(b, mode)
	if t == nil && b.Type == 0 && b.Def != 0 {
		if d := &m.f.Defs[b.Def]; d.Type != 0 {
			return m.annotation(d.Type)
		}
	}
	return t
}

// partType takes the part of the value that a bind takes.
func (m *module) partType(b *facts.Bind, mode int) *typ {
	v := m.typeOf(b.Value, mode)
	switch b.Part {
	case facts.PartWhole:
		return v
	case facts.PartIndex:
		return m.w.item(v, int(b.Index), mode)
	case facts.PartElem:
		return m.w.element(v, mode)
	case facts.PartElemIndex:
		return m.w.item(m.w.element(v, mode), int(b.Index), mode)
	case facts.PartEnter:
		return m.w.entered(v, mode)
	case facts.PartRest:
		return object("list", m.w.element(v, mode))
	case facts.PartCaught:
		return caught(v)
	case facts.PartAugment:
		if v != nil && v.kind == tObject {
			return v
		}
	}
	return nil
}

// caught is the type of an exception that a clause names, alone or in a tuple.
func caught(v *typ) *typ {
	return v.mapEach(func(a *typ) *typ {
		if a != nil && a.kind == tObject && a.name == "tuple" {
			return union(a.args...).instance()
		}
		return a.instance()
	})
}

// receiverType is the type of self or cls.
func (m *module) receiverType(b *facts.Bind) *typ {
	if b.Type != 0 {
		if t := m.annotation(b.Type); t != nil {
			return t
		}
	}
	fn := m.f.Scopes[b.Scope].Def
	d := &m.f.Defs[fn]
	if !isClass(m.f.Defs[d.Parent].Kind) {
		return nil
	}
	c := m.class(d.Parent)
	t := &typ{kind: tInstance, m: m, def: d.Parent, args: c.typeParams(), self: true}
	if d.Flags&facts.ClassMethod != 0 {
		t.kind = tClass
	}
	return t
}

// typeVar returns the type variable that an assignment makes, nil for others.
func (m *module) typeVar(b *facts.Bind) *typ {
	if b.Value == 0 || b.Def == 0 || m.f.Exprs[b.Value].Kind != facts.Call {
		return nil
	}
	c := m.typeOf(m.f.Exprs[b.Value].X, strict)
	if c == nil || c.kind != tExternal {
		return nil
	}
	switch canonical(c.name) {
	case "TypeVar", "ParamSpec", "TypeVarTuple":
		return &typ{kind: tTypeVar, m: m, def: b.Def}
	}
	return nil
}

// typeParam is the type variable of a PEP 695 parameter.
func (m *module) typeParam(bind uint32) *typ {
	return &typ{kind: tTypeVar, m: m, scop: facts.ScopeID(bind), name: "param"}
}

// bound is what a type variable is at least.
func (m *module) bound(t *typ) *typ {
	if t.name == "param" {
		return m.annotation(m.f.Binds[t.scop].Type)
	}
	v := m.f.Defs[t.def].Value
	if v == 0 {
		return nil
	}
	for _, k := range m.f.KidsOf(m.f.Exprs[v].Kids) {
		if x := &m.f.Exprs[k]; x.Kind == facts.Keyword && m.name(x.Name) == "bound" {
			return m.annotation(x.X)
		}
	}
	return nil
}

// defType is the type of a definition as a value.
func (m *module) defType(def facts.DefID, mode int) *typ {
	memo := memoOf(&m.defs, mode, int(def))
	if memo.state == done || !m.w.enter(&memo.state) {
		return memo.t
	}
	t := m.inferDef(def, mode)
	m.w.leave(&memo.state)
	if memo.state == done {
		memo.t = t
	}
	return t
}

func (m *module) inferDef(def facts.DefID, mode int) *typ {
	d := &m.f.Defs[def]
	switch d.Kind {
	case facts.DefFile:
		return m.self
	case facts.DefClass, facts.DefEnum:
		return &typ{kind: tClass, m: m, def: def}
	case facts.DefFunction, facts.DefMethod:
		return m.decoratedType(def, mode)
	case facts.DefEnumMember:
		return &typ{kind: tInstance, m: m, def: d.Parent}
	}
	if d.Type != 0 {
		if t := m.annotation(d.Type); t != nil {
			return t
		}
	}
	if d.Kind == facts.DefField && m.class(d.Parent).isEnum() && d.Scope == m.f.Defs[d.Parent].Scope && d.Value != 0 && d.Type == 0 {
		return &typ{kind: tInstance, m: m, def: d.Parent}
	}
	var ts []*typ
	for i, b := range m.byDef.of(uint32(def)) {
		if i == 2*maxUnion {
			break
		}
		ts = append(ts, m.bindType(b, mode))
	}
	return union(ts...)
}

func (c *class) isEnum() bool {
	c.order()
	return c.enum
}

// literalIndex is the value of an integer literal, -1 for other expressions.
func (m *module) literalIndex(e facts.ExprID) int {
	x := &m.f.Exprs[e]
	if x.Kind == facts.Literal && x.Lit == facts.IntLit && x.Name != 0 {
		if n, err := strconv.Atoi(m.name(x.Name)); err == nil {
			return n
		}
	}
	return -1
}

func (m *module) indexType(e facts.ExprID, mode int) *typ {
	x := &m.f.Exprs[e]
	kids := m.f.KidsOf(x.Kids)
	return m.typeOf(x.X, mode).mapEach(func(t *typ) *typ {
		if t == nil {
			return nil
		}
		switch t.kind {
		case tClass, tExternal:
			c := *t
			c.args = make([]*typ, 0, len(kids))
			for _, k := range kids {
				c.args = append(c.args, m.annotation(k))
			}
			return &c
		case tInstance:
			return m.w.callMember(t, "__getitem__", mode)
		case tObject:
			if len(kids) == 1 && m.f.Exprs[kids[0]].Kind == facts.Slice {
				return t
			}
			if mapping(t.name) {
				return t.arg(1)
			}
			if t.name == "tuple" && len(kids) == 1 {
				if i := m.literalIndex(kids[0]); i >= 0 {
					return t.arg(i)
				}
				return union(t.args...)
			}
			return m.w.element(t, mode)
		}
		return nil
	})
}

// item is element i of a value that is unpacked.
func (w *world) item(t *typ, i, mode int) *typ {
	return t.mapEach(func(a *typ) *typ {
		if a == nil || a.kind != tObject || a.name != "tuple" {
			return w.element(a, mode)
		}
		return a.arg(i)
	})
}

// element is what a value gives while iterating.
func (w *world) element(t *typ, mode int) *typ {
	return t.mapEach(func(a *typ) *typ {
		if a == nil {
			return nil
		}
		switch a.kind {
		case tObject:
			if a.name == "tuple" {
				return union(a.args...)
			}
			if a.name == "str" {
				return strType
			}
			return a.arg(elementArg(a.name))
		case tClass:
			if a.m.class(a.def).isEnum() {
				return a.instance()
			}
		case tInstance:
			return w.instanceElement(a, mode)
		}
		return nil
	})
}

func (w *world) instanceElement(a *typ, mode int) *typ {
	for _, name := range [...]string{"__iter__", "__aiter__"} {
		it := w.callMember(a, name, mode)
		if it == nil {
			continue
		}
		if it.kind == tInstance {
			if n := w.callMember(it, "__next__", mode); n != nil {
				return n
			}
			return awaited(w.callMember(it, "__anext__", mode))
		}
		return w.element(it, mode)
	}
	c := a.m.class(a.def)
	for _, b := range c.order() {
		if b.kind == tExternal {
			if t := b.arg(elementArg(canonical(b.name))); t != nil {
				return t
			}
		}
	}
	return nil
}

// entered is what "with value as name" binds.
func (w *world) entered(t *typ, mode int) *typ {
	return t.mapEach(func(a *typ) *typ {
		if a == nil {
			return nil
		}
		switch a.kind {
		case tInstance:
			if r := w.callMember(a, "__enter__", mode); r != nil {
				return r
			}
			return awaited(w.callMember(a, "__aenter__", mode))
		case tObject:
			if contextManager(a.name) {
				return a.arg(0)
			}
			return a
		}
		return nil
	})
}

func contextManager(name string) bool {
	switch name {
	case "AbstractContextManager", "AbstractAsyncContextManager", "ContextManager", "AsyncContextManager":
		return true
	}
	return false
}
