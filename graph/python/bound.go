package python

import (
	"codeidx/facts"
	"codeidx/graph"
)

// bindType is the type of what a bind gives its name.
func (m *module) bindType(i uint32, mode int) *typ {
	memo := memoOf(&m.binds, mode, int(i))
	if memo.state == graph.Done || !m.w.Enter(&memo.state) {
		return memo.answer()
	}
	t := m.inferBind(i, mode)
	m.w.Leave(&memo.state)
	if memo.state == graph.Done {
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
	if memo.state == graph.Done || !m.w.Enter(&memo.state) {
		return memo.answer()
	}
	t := m.inferDef(def, mode)
	m.w.Leave(&memo.state)
	if memo.state == graph.Done {
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
	for i, b := range m.byDef.Of(uint32(def)) {
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
