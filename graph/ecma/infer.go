package ecma

import (
	"slices"

	"codeidx/facts"
	"codeidx/graph"
)

// typeOf returns the type of an expression's value, nil where it is not known.
func (m *module) typeOf(e facts.ExprID) *typ {
	if e == 0 {
		return nil
	}
	memo := &m.exprs[e]
	if memo.state == graph.Done || !m.w.Enter(&memo.state) {
		return memo.t
	}
	t := m.infer(e)
	m.w.Leave(&memo.state)
	if memo.state == graph.Done {
		memo.t = t
	}
	return t
}

func (m *module) infer(e facts.ExprID) *typ {
	x, kids := m.expr(e), m.kids(e)
	switch x.Kind {
	case facts.Name:
		return m.narrowed(e, m.nameType(e))
	case facts.Select:
		if m.moduleExports(x) {
			return m.w.entityType(m.w.whole(&place{m: m}, true)[0])
		}
		return m.narrowed(e, m.w.lookup(m.typeOf(x.X), m.name(x.Name)).typ(m.w))
	case facts.Call:
		if p := m.importedBy(e); p != nil {
			return m.moduleValue(e, p)
		}
		return m.callType(e)
	case facts.New:
		return m.w.constructed(m.typeOf(x.X), &site{m: m, e: e})
	case facts.Index:
		return m.indexType(x, kids)
	case facts.Literal:
		return m.literal(x)
	case facts.Template:
		return stringType
	case facts.List:
		return m.listType(kids)
	case facts.Dict:
		return &typ{kind: tObject, m: m, expr: e, scope: x.Scope}
	case facts.Func:
		return &typ{kind: tFunc, m: m, expr: e, scope: x.Scope, def: m.owner[x.Scope].def}
	case facts.ClassExpr:
		return &typ{kind: tClass, m: m, def: m.owner[x.Scope].def}
	case facts.Assert:
		return m.assertType(x, kids)
	}
	return m.operatorType(x, kids)
}

func (m *module) operatorType(x *facts.Expr, kids []facts.ExprID) *typ {
	switch x.Kind {
	case facts.Cond:
		if len(kids) == 2 {
			return union(m.typeOf(kids[0]), m.typeOf(kids[1]))
		}
	case facts.Binary:
		return m.binaryType(x, kids)
	case facts.Unary:
		switch x.Op {
		case facts.OpNot, facts.OpCompare:
			return boolType
		case facts.OpTypeof:
			return stringType
		case facts.OpArith:
			return numberType
		}
		return nullType
	case facts.Await:
		return m.w.awaited(m.typeOf(x.X))
	case facts.Tuple:
		if len(kids) > 0 {
			return m.typeOf(kids[len(kids)-1])
		}
	case facts.Spread:
		return m.typeOf(x.X)
	}
	return nil
}

// moduleValue is the value of "require('m')" or the promise of "import('m')".
func (m *module) moduleValue(e facts.ExprID, p *place) *typ {
	require := m.name(m.expr(m.expr(e).X).Name) == "require"
	var t *typ
	if p.m != nil && !require {
		t = p.m.self
	} else if es := m.w.whole(p, require); len(es) > 0 {
		t = m.w.entityType(es[0])
	}
	if require {
		return t
	}
	return builtin("Promise", t)
}

func (m *module) assertType(x *facts.Expr, kids []facts.ExprID) *typ {
	if len(kids) == 0 {
		return m.typeOf(x.X)
	}
	t := m.annotation(kids[0])
	if m.name(x.Name) == "satisfies" {
		if v := m.typeOf(x.X); v != nil {
			return v
		}
	}
	return t
}

func (m *module) listType(kids []facts.ExprID) *typ {
	if len(kids) == 0 {
		return builtin("Array", nil)
	}
	ts := make([]*typ, 0, len(kids))
	var shapes []string
	for i, k := range kids {
		if i == 4*maxUnion || len(ts) == maxUnion {
			break
		}
		if s := m.shape(k); s != "" {
			if slices.Contains(shapes, s) {
				continue
			}
			shapes = append(shapes, s)
		}
		if x := m.expr(k); x.Kind == facts.Spread {
			ts = append(ts, m.w.element(m.typeOf(x.X)))
		} else {
			ts = append(ts, m.typeOf(k))
		}
	}
	return builtin("Array", union(ts...))
}

// shape names the properties of an object literal: literals of one shape in
// one list have one type, the first one's. It is empty for other expressions.
func (m *module) shape(e facts.ExprID) string {
	if m.expr(e).Kind != facts.Dict {
		return ""
	}
	s := "{"
	for _, k := range m.kids(e) {
		x := m.expr(k)
		if x.Kind != facts.Keyword {
			return ""
		}
		s += m.name(x.Name) + ","
	}
	return s
}

func (m *module) binaryType(x *facts.Expr, kids []facts.ExprID) *typ {
	if x.Op == facts.OpCompare {
		return boolType
	}
	if len(kids) != 2 {
		return nil
	}
	l, r := m.typeOf(kids[0]), m.typeOf(kids[1])
	switch m.name(x.Name) {
	case "||", "??":
		if e := m.expr(kids[1]); e.Kind == facts.Dict && e.Kids.N == 0 && l != nil {
			return l.nonNull()
		}
		if e := m.expr(kids[1]); e.Kind == facts.List && e.Kids.N == 0 && l != nil {
			return l.nonNull()
		}
		return union(l.nonNull(), r)
	case "&&":
		if r == nil {
			return nil
		}
		return union(nullType, r)
	}
	if l != nil && l.kind != tLiteral && l.kind == tPrim {
		return l
	}
	if l != nil && l.kind == tLiteral && !l.part {
		return stringType
	}
	return r
}

func (m *module) indexType(x *facts.Expr, kids []facts.ExprID) *typ {
	t := m.typeOf(x.X)
	if x.Ctx == facts.TypeUse { // f<T>
		if t != nil && (t.kind == tClass || t.kind == tFunc || t.kind == tExternal) {
			c := *t
			c.args = m.annotations(kids)
			return &c
		}
		return t
	}
	if len(kids) != 1 || t == nil {
		return nil
	}
	if k := m.expr(kids[0]); k.Kind == facts.Literal && k.Name != 0 {
		if k.Lit == facts.StringLit {
			return m.w.lookup(t, m.name(k.Name)).typ(m.w)
		}
		return m.w.item(t, atoi(m.name(k.Name)))
	}
	return t.mapEach(func(a *typ) *typ {
		if e := m.w.element(a); e != nil {
			return e
		}
		if k := m.typeOf(kids[0]); k != nil && k.kind != tPrim {
			if v := m.w.indexed(a, k); v != nil {
				return v
			}
		}
		return m.w.valueType(a)
	})
}

func atoi(s string) int {
	n := 0
	for _, c := range s {
		if c < '0' || c > '9' || n > 1000 {
			return -1
		}
		n = n*10 + int(c-'0')
	}
	return n
}

// nameType is the type of a name, apart from narrowing.
func (m *module) nameType(e facts.ExprID) *typ {
	x := m.expr(e)
	name := m.name(x.Name)
	switch name {
	case "this":
		return m.thisType(x.Scope)
	case "super":
		return m.superType(x.Scope)
	case "undefined":
		return nullType
	case "import.meta":
		return m.w.globalInterface("ImportMeta", m)
	}
	es := m.resolve(x.Name, x.Scope, values)
	if len(es) == 0 {
		if (name == "exports" || name == "module") && m.js {
			return m.exportsObject(name)
		}
		if len(m.find(x.Name, x.Scope, values)) > 0 {
			return nil
		}
		return &typ{kind: tExternal, name: name}
	}
	return m.w.entityType(es[0])
}

// exportsObject is the value of "exports", and of "module" to look it up in.
func (m *module) exportsObject(name string) *typ {
	if name == "module" {
		return &typ{kind: tExternal, name: "module"}
	}
	return m.self
}

// moduleExports says whether x is "module.exports" of a CommonJS file.
func (m *module) moduleExports(x *facts.Expr) bool {
	on := m.expr(x.X)
	return m.js && on.Kind == facts.Name && m.name(on.Name) == "module" && m.name(x.Name) == "exports" && len(m.find(on.Name, on.Scope, values)) == 0
}

// globalInterface is the instance of an interface that the repository declares
// globally, in the bodies that are nearest.
func (w *world) globalInterface(name string, m *module) *typ {
	var near []defRef
	for _, d := range w.globals[name] {
		if d.m.f.Defs[d.def].Kind == facts.DefInterface {
			near = append(near, d)
		}
	}
	if len(near) == 0 {
		return nil
	}
	var ts []*typ
	for _, d := range near {
		ts = append(ts, &typ{kind: tInst, m: d.m, def: d.def})
	}
	return inter(append(ts, nil)...)
}

// bindType is the type of what a bind gives its name.
func (m *module) bindType(i uint32) *typ {
	memo := &m.binds[i]
	if memo.state == graph.Done || !m.w.Enter(&memo.state) {
		return memo.t
	}
	t := m.inferBind(i)
	m.w.Leave(&memo.state)
	if memo.state == graph.Done {
		memo.t = t
	}
	return t
}

func (m *module) inferBind(i uint32) *typ {
	b := &m.f.Binds[i]
	switch b.Kind {
	case facts.BindDef:
		return m.defType(b.Def)
	case facts.BindParam:
		return m.paramType(i)
	}
	if b.Type != 0 {
		return m.partOf(m.annotation(b.Type), b, true)
	}
	if b.Part == facts.PartCaught {
		return anyType
	}
	t := m.partOf(m.typeOf(b.Value), b, false)
	if b.Kind == facts.BindVar {
		return m.assigned(i, t)
	}
	return t
}

// partOf takes the part of a value that a bind takes. A declared type is
// already that of the part.
func (m *module) partOf(v *typ, b *facts.Bind, declared bool) *typ {
	if declared && b.Part != facts.PartIndex {
		return v
	}
	switch b.Part {
	case facts.PartWhole:
		return v
	case facts.PartIndex:
		return m.w.item(v, int(b.Index))
	case facts.PartElem:
		return m.w.element(v)
	case facts.PartKey:
		return stringType
	case facts.PartRest:
		if v != nil && v.kind == tTuple {
			return builtin("Array", union(v.args...))
		}
		return v
	}
	return nil
}

// maxAssigned bounds the assignments to a variable that are looked at.
const maxAssigned = 8

// assigned joins what is assigned to a variable without a declared type whose
// initialiser says nothing.
func (m *module) assigned(i uint32, t *typ) *typ {
	if t != nil && t.kind != tNull {
		return t
	}
	b := &m.f.Binds[i]
	if b.Value != 0 && (t == nil || t.kind != tNull) {
		return t
	}
	var ts []*typ
	for _, a := range m.assigns.Of(uint32(b.Name)) {
		x := &m.f.Binds[a]
		if len(ts) == maxAssigned {
			return nil
		}
		if found := m.find(b.Name, x.Scope, values); len(found) > 0 && found[0] == i {
			ts = append(ts, m.partOf(m.typeOf(x.Value), x, false))
		}
	}
	if len(ts) == 0 {
		return t
	}
	return union(append(ts, nullType)...)
}

// defType is the type of a definition as a value.
func (m *module) defType(def facts.DefID) *typ {
	memo := &m.defs[def]
	if memo.state == graph.Done || !m.w.Enter(&memo.state) {
		return memo.t
	}
	t := m.inferDef(def)
	m.w.Leave(&memo.state)
	if memo.state == graph.Done {
		memo.t = t
	}
	return t
}

func (m *module) inferDef(def facts.DefID) *typ {
	d := &m.f.Defs[def]
	switch d.Kind {
	case facts.DefFile:
		return m.self
	case facts.DefClass:
		return &typ{kind: tClass, m: m, def: def}
	case facts.DefEnum:
		return &typ{kind: tEnum, m: m, def: def}
	case facts.DefNamespace, facts.DefModule:
		return &typ{kind: tNamespace, m: m, def: def}
	case facts.DefInterface, facts.DefType:
		return nil
	case facts.DefEnumMember:
		return &typ{kind: tInst, m: m, def: d.Parent}
	case facts.DefFunction, facts.DefMethod:
		return m.funcDefType(def, d)
	}
	t := m.variableType(def, d)
	if s, ok := m.extra[def]; ok && s != 0 && d.Type == 0 {
		if t != nil && t.kind == tObject && t.m == m && t.def == 0 {
			c := *t
			c.def = def
			return &c
		}
		return inter(&typ{kind: tObject, m: m, def: def}, t)
	}
	return t
}

func (m *module) funcDefType(def facts.DefID, d *facts.Def) *typ {
	if d.Type != 0 {
		return m.annotation(d.Type)
	}
	if d.Flags&facts.Accessor != 0 {
		return m.accessorType(def, d)
	}
	if d.Value != 0 {
		if x := m.expr(d.Value); x.Kind != facts.Func {
			return m.typeOf(d.Value)
		}
	}
	t := &typ{kind: tFunc, m: m, def: def, scope: d.Scope}
	if d.Value != 0 {
		t.expr = d.Value
	}
	return t
}

// accessorType is the type of a property with a getter or setter.
func (m *module) accessorType(def facts.DefID, d *facts.Def) *typ {
	if d.Flags&facts.Setter != 0 {
		for _, p := range m.params.Of(uint32(d.Scope)) {
			return m.annotation(m.f.Binds[p].Type)
		}
		return nil
	}
	if d.Result != 0 {
		return m.annotation(d.Result)
	}
	return m.returned(d.Scope)
}

// variableType is the declared type of a variable, field or property, else the
// type of its value or of what is assigned to it.
func (m *module) variableType(def facts.DefID, d *facts.Def) *typ {
	if d.Type != 0 {
		if d.Kind == facts.DefConstant || d.Kind == facts.DefVariable {
			if b := m.bindOf(def); b >= 0 && m.f.Binds[b].Part != facts.PartWhole {
				return m.bindType(uint32(b))
			}
		}
		return m.annotation(d.Type)
	}
	switch d.Kind {
	case facts.DefConstant, facts.DefVariable:
		if b := m.bindOf(def); b >= 0 {
			return m.bindType(uint32(b))
		}
	}
	var t *typ
	if d.Value != 0 {
		t = m.typeOf(d.Value)
		if t != nil && t.kind != tNull {
			return t
		}
	}
	var ts []*typ
	for i, a := range m.byDef.Of(uint32(def)) {
		if i == maxAssigned {
			break
		}
		b := &m.f.Binds[a]
		if b.Value != d.Value {
			ts = append(ts, m.partOf(m.typeOf(b.Value), b, false))
		}
	}
	if d.Value != 0 {
		ts = append(ts, t)
	}
	return union(ts...)
}

// bindOf returns the bind that declares a variable's definition, -1 for none.
func (m *module) bindOf(def facts.DefID) int {
	for _, i := range m.names.Of(uint32(m.f.Defs[def].Name)) {
		if b := &m.f.Binds[i]; b.Def == def && (b.Kind == facts.BindVar || b.Kind == facts.BindConst) {
			return int(i)
		}
	}
	return -1
}
