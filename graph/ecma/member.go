package ecma

import (
	"codeidx/facts"
	"codeidx/graph"
)

// hit is a member that was found.
type hit struct {
	m    *module
	def  facts.DefID
	recv *typ // the alternative of the receiver that has it
	env  *env
	rule graph.Rule
}

// found is what looking up a member gives.
type found struct {
	hits    []hit
	types   []*typ // of members that are no definitions
	missing bool   // a known alternative has no such member
	outside bool   // an alternative lies outside of the repository
	unknown bool   // an alternative is not known
}

func (f *found) merge(o found) {
	for _, h := range o.hits {
		dup := false
		for _, x := range f.hits {
			dup = dup || x.m == h.m && x.def == h.def
		}
		if !dup {
			f.hits = append(f.hits, h)
		}
	}
	f.types = append(f.types, o.types...)
	f.missing, f.outside, f.unknown = f.missing || o.missing, f.outside || o.outside, f.unknown || o.unknown
}

// typ is the type of the member.
func (f found) typ(w *world) *typ {
	ts := make([]*typ, 0, len(f.hits)+len(f.types)+1)
	for i := range f.hits {
		ts = append(ts, w.hitType(&f.hits[i]))
	}
	ts = append(ts, f.types...)
	if f.unknown || f.outside {
		ts = append(ts, nil)
	}
	return union(ts...)
}

func (w *world) hitType(h *hit) *typ {
	t := h.m.defType(h.def)
	if t == nil {
		return nil
	}
	t = t.apply(h.env, 0)
	if t.kind == tFunc && h.recv != nil && t.recv == nil {
		c := *t
		c.recv = h.recv
		return &c
	}
	if t.kind == tInst && t.name == "this" && h.recv != nil {
		return h.recv
	}
	return t
}

// Bounds of one look-up: bases above each other, and types looked at in all.
const (
	maxBases = 24
	maxSteps = 20000
)

// lookup finds a member of a value.
func (w *world) lookup(t *typ, name string) found {
	if w.lookups == 0 {
		w.steps = maxSteps
	}
	w.lookups++
	f := w.lookupDepth(t, name, 0)
	w.lookups--
	return f
}

func (w *world) lookupDepth(t *typ, name string, depth int) found {
	w.steps--
	if t == nil || depth > maxBases || w.steps < 0 {
		return found{unknown: true}
	}
	f := w.memberByKind(t, name, depth)
	if len(f.hits) == 0 && len(f.types) == 0 && t.def != 0 && t.m.js && (t.kind == tFunc || t.kind == tClass || t.kind == tObject) {
		if es := t.m.beside(t.def, name); len(es) > 0 {
			return w.entitiesFound(es)
		}
	}
	return f
}

func (w *world) memberByKind(t *typ, name string, depth int) found {
	switch t.kind {
	case tUnion:
		f := found{unknown: t.part}
		for _, a := range t.args {
			if a.kind != tNull {
				f.merge(w.lookupDepth(a, name, depth+1))
			}
		}
		return f
	case tInter:
		return w.interMember(t, name, depth)
	case tInst:
		return w.instMember(t, name, depth)
	case tClass:
		return w.staticMember(t, name, depth)
	case tEnum:
		return w.defsFound(t.m, t.m.membersIn(t.m.f.Defs[t.def].Scope, name), t, nil, graph.JsStatic)
	case tObject:
		return w.objectMember(t, name, depth)
	case tFunc:
		return w.funcMember(t, name)
	case tModule:
		return w.entitiesFound(t.m.exported(name))
	case tNamespace:
		return w.entitiesFound(t.m.inNamespace(t.def, name))
	case tParam:
		return w.lookupDepth(t.constraint(), name, depth+1)
	case tCond:
		return w.lookupDepth(branches(t), name, depth+1)
	case tOmit:
		if w.omits(t.arg(1), name) {
			return found{missing: true}
		}
		return w.lookupDepth(t.arg(0), name, depth+1)
	case tPick:
		if k := t.arg(1); k != nil && !w.omits(k, name) {
			return found{missing: true}
		}
		return w.lookupDepth(t.arg(0), name, depth+1)
	case tExternal:
		return found{types: []*typ{{kind: tExternal, name: t.name + "." + name}}}
	case tOutside:
		if p := componentMember(t, name); p != nil {
			return found{types: []*typ{p}}
		}
		return found{outside: true}
	case tPrim:
		switch t.name {
		case "any":
			return found{unknown: true}
		case "unknown", "object", "never", "void": // no member may be taken of these
			return found{missing: depth > 0, unknown: depth == 0}
		}
	}
	if bt := w.builtinMember(t, name); bt != nil {
		return found{types: []*typ{bt}}
	}
	return found{outside: true}
}

// interMember takes the first constituent that has the member, the language's
// own classes last.
func (w *world) interMember(t *typ, name string, depth int) found {
	rest := found{unknown: t.part}
	for _, language := range [...]bool{false, true} {
		for _, a := range t.args {
			if (a.kind == tBuiltin) != language {
				continue
			}
			f := w.lookupDepth(a, name, depth+1)
			if len(f.hits) > 0 || len(f.types) > 0 {
				return f
			}
			rest.outside, rest.unknown = rest.outside || f.outside, rest.unknown || f.unknown
		}
	}
	rest.missing = !rest.outside && !rest.unknown
	return rest
}

// omits says whether the keys k hold name.
func (w *world) omits(k *typ, name string) bool {
	yes := false
	k.each(func(a *typ) {
		switch a.kind {
		case tLiteral:
			yes = yes || a.name == name
		case tKeys:
			yes = yes || len(w.lookup(a.arg(0), name).hits) > 0
		case tMinus:
			yes = yes || w.omits(a.arg(0), name) && !w.omits(a.arg(1), name)
		case tParam:
			yes = yes || w.omits(a.constraint(), name)
		}
	})
	return yes
}

// membersIn returns the definitions of a name in a member scope.
func (m *module) membersIn(scope facts.ScopeID, name string) []facts.DefID {
	id := m.id(name)
	if id == 0 {
		return nil
	}
	var out []facts.DefID
	for _, i := range m.names.Of(uint32(id)) {
		if b := &m.f.Binds[i]; b.Scope == scope && b.Def != 0 && b.Kind == facts.BindDef {
			out = append(out, b.Def)
		}
	}
	return out
}

// defsFound picks the definition to name among several of one member: the
// implementation of overloads, else the first; a getter before its setter.
func (w *world) defsFound(m *module, defs []facts.DefID, recv *typ, e *env, rule graph.Rule) found {
	if len(defs) == 0 {
		return found{missing: true}
	}
	best := defs[0]
	for _, d := range defs[1:] {
		a, b := &m.f.Defs[best], &m.f.Defs[d]
		switch {
		case a.Flags&facts.Overload != 0 && b.Flags&facts.Overload == 0,
			a.Flags&facts.Setter != 0 && b.Flags&facts.Setter == 0:
			best = d
		}
	}
	return found{hits: []hit{{m: m, def: best, recv: recv, env: e, rule: rule}}}
}

func (m *module) filterStatic(defs []facts.DefID, static bool) []facts.DefID {
	out := defs[:0:0]
	for _, d := range defs {
		if (m.f.Defs[d].Flags&facts.Static != 0) == static {
			out = append(out, d)
		}
	}
	return out
}

// argsEnv binds the type parameters of a definition to an instance's arguments.
func (t *typ) argsEnv() *env {
	if len(t.args) == 0 {
		return nil
	}
	e := &env{}
	for i, p := range t.m.typeParams(t.def) {
		if i < len(t.args) && t.args[i] != nil {
			e.set(p, t.args[i])
		}
	}
	return e
}

// instMember looks through a class or interface, what merges with it and its
// bases.
func (w *world) instMember(t *typ, name string, depth int) found {
	m := t.m
	d := &m.f.Defs[t.def]
	if d.Kind == facts.DefEnum {
		if bt := w.builtinMember(stringType, name); bt != nil {
			return found{types: []*typ{bt}}
		}
		return found{outside: true}
	}
	e := t.argsEnv()
	if s, ok := m.extra[t.def]; ok {
		if defs := m.filterStatic(m.membersIn(s, name), false); len(defs) > 0 {
			return w.defsFound(m, defs, t, e, graph.JsMember)
		}
	}
	if d.Kind == facts.DefFunction {
		return found{missing: true}
	}
	same := m.merged(t.def)
	for _, def := range same {
		if defs := m.filterStatic(m.membersIn(m.f.Defs[def].Scope, name), false); len(defs) > 0 {
			return w.defsFound(m, defs, t, e, graph.JsMember)
		}
	}
	if f := w.addedMember(t, name, e); len(f.hits) > 0 {
		return f
	}
	rest := found{}
	for _, def := range same {
		for _, b := range m.bases(def) {
			f := w.lookupDepth(b.apply(e, 0), name, depth+1)
			if len(f.hits) > 0 || len(f.types) > 0 {
				for i := range f.hits {
					f.hits[i].recv = t
				}
				return f
			}
			rest.outside, rest.unknown = rest.outside || f.outside, rest.unknown || f.unknown
		}
		if ix := m.f.Defs[def].Type; ix != 0 && m.f.Defs[def].Kind == facts.DefInterface {
			if v := w.valueType(m.annotation(ix)); v != nil {
				return found{types: []*typ{v.apply(e, 0)}}
			}
		}
	}
	rest.outside = rest.outside || m.foreign(t.def)
	rest.missing = !rest.outside && !rest.unknown
	return rest
}

// addedMember looks through what other files add to an interface or class.
func (w *world) addedMember(t *typ, name string, e *env) found {
	for _, a := range t.m.added {
		for _, d := range a.m.membersIn(a.m.f.Defs[a.def].Scope, t.m.name(t.m.f.Defs[t.def].Name)) {
			if a.m.f.Defs[d].Kind != facts.DefInterface {
				continue
			}
			if defs := a.m.membersIn(a.m.f.Defs[d].Scope, name); len(defs) > 0 {
				return w.defsFound(a.m, defs, t, e, graph.JsMember)
			}
		}
	}
	return found{}
}

// merged lists the definitions that declare the same class or interface.
func (m *module) merged(def facts.DefID) []facts.DefID {
	out := []facts.DefID{def}
	d := &m.f.Defs[def]
	for _, i := range m.names.Of(uint32(d.Name)) {
		b := &m.f.Binds[i]
		if b.Kind != facts.BindDef || b.Def == def {
			continue
		}
		o := &m.f.Defs[b.Def]
		if (o.Kind == facts.DefInterface || o.Kind == facts.DefClass) && o.Parent == d.Parent {
			out = append(out, b.Def)
		}
	}
	if others := m.w.globals[m.name(d.Name)]; len(others) > 1 {
		return out
	}
	return out
}

// bases returns what a class or interface extends, as instances.
func (m *module) bases(def facts.DefID) []*typ {
	var out []*typ
	d := &m.f.Defs[def]
	for _, e := range m.f.KidsOf(d.Bases) {
		if d.Kind == facts.DefInterface {
			out = append(out, m.annotation(e))
		} else {
			out = append(out, m.baseClass(e))
		}
	}
	return out
}

// baseClass is the instance type of what a class extends.
func (m *module) baseClass(e facts.ExprID) *typ {
	x := m.expr(e)
	if x.Kind == facts.Index {
		t := m.baseClass(x.X)
		if t != nil && (t.kind == tInst || t.kind == tOutside) {
			c := *t
			c.args = m.annotations(m.kids(e))
			return &c
		}
		return t
	}
	return m.w.constructed(m.typeOf(e), nil)
}

// staticMember looks through a class object and its bases.
func (w *world) staticMember(t *typ, name string, depth int) found {
	m := t.m
	if name == "prototype" {
		return found{types: []*typ{{kind: tInst, m: m, def: t.def}}}
	}
	if defs := m.filterStatic(m.membersIn(m.f.Defs[t.def].Scope, name), true); len(defs) > 0 {
		return w.defsFound(m, defs, t, nil, graph.JsStatic)
	}
	if s, ok := m.extra[t.def]; ok {
		if defs := m.filterStatic(m.membersIn(s, name), true); len(defs) > 0 {
			return w.defsFound(m, defs, t, nil, graph.JsStatic)
		}
	}
	if es := m.mergedNamespace(t.def, name); len(es) > 0 {
		return w.entitiesFound(es)
	}
	rest := found{}
	for _, e := range m.f.KidsOf(m.f.Defs[t.def].Bases) {
		if x := m.expr(e); x.Kind == facts.Index {
			e = x.X
		}
		f := w.lookupDepth(m.typeOf(e), name, depth+1)
		if len(f.hits) > 0 || len(f.types) > 0 {
			return f
		}
		rest.outside, rest.unknown = rest.outside || f.outside, rest.unknown || f.unknown
	}
	rest.missing = !rest.outside && !rest.unknown
	return rest
}

// objectMember looks through an object type or literal.
func (w *world) objectMember(t *typ, name string, depth int) found {
	m := t.m
	if t.def != 0 {
		if s, ok := m.extra[t.def]; ok {
			if defs := m.membersIn(s, name); len(defs) > 0 {
				return w.defsFound(m, defs, t, t.env, graph.JsObjectMember)
			}
		}
	}
	if t.expr == 0 {
		return found{missing: true}
	}
	for _, s := range m.extraOf(t.expr) {
		if defs := m.membersIn(s, name); len(defs) > 0 {
			return w.defsFound(m, defs, t, t.env, graph.JsObjectMember)
		}
	}
	x := m.expr(t.expr)
	if m.owner[x.Scope].expr == t.expr {
		if defs := m.membersIn(x.Scope, name); len(defs) > 0 {
			rule := graph.JsMember
			if x.Kind == facts.Dict {
				rule = graph.JsObjectMember
			}
			return w.defsFound(m, defs, t, t.env, rule)
		}
	}
	if x.Kind == facts.StructType {
		for _, k := range m.kids(t.expr) {
			f := w.lookupDepth(m.annotation(k).apply(t.env, 0), name, depth+1)
			if len(f.hits) > 0 || len(f.types) > 0 {
				return f
			}
		}
		return found{missing: true}
	}
	return w.literalMember(t, x, name, depth)
}

// literalMember looks through the properties of an object literal, later ones
// over earlier, spreads among them.
func (w *world) literalMember(t *typ, x *facts.Expr, name string, depth int) found {
	m := t.m
	rest := found{missing: true}
	kids := m.f.KidsOf(x.Kids)
	for i := len(kids) - 1; i >= 0; i-- {
		k := m.expr(kids[i])
		switch k.Kind {
		case facts.Keyword:
			if m.name(k.Name) == name {
				t := m.typeOf(k.X)
				if k.Ctx == facts.Echo { // a getter
					t = w.called(t, nil, 0)
				}
				return found{types: []*typ{t}}
			}
		case facts.Spread:
			f := w.lookupDepth(m.typeOf(k.X), name, depth+1)
			if len(f.hits) > 0 || len(f.types) > 0 {
				return f
			}
			rest.outside, rest.unknown = rest.outside || f.outside, rest.unknown || f.unknown
		case facts.KeyValue:
			rest.unknown = true
		}
	}
	if rest.outside || rest.unknown {
		rest.missing = false
	}
	return rest
}

// funcMember looks through what was assigned to a function, and Function's own
// members.
func (w *world) funcMember(t *typ, name string) found {
	if t.def != 0 {
		if s, ok := t.m.extra[t.def]; ok {
			if defs := t.m.filterStatic(t.m.membersIn(s, name), true); len(defs) > 0 {
				return w.defsFound(t.m, defs, t, nil, graph.JsStatic)
			}
		}
		d := &t.m.f.Defs[t.def]
		if d.Kind == facts.DefFunction && name == "prototype" {
			return found{types: []*typ{{kind: tInst, m: t.m, def: t.def}}}
		}
		if es := t.m.mergedNamespace(t.def, name); len(es) > 0 {
			return w.entitiesFound(es)
		}
	}
	switch name {
	case "bind", "call", "apply":
		return found{types: []*typ{{kind: tMethod, name: name, recv: t}}}
	}
	return found{outside: true}
}

// entitiesFound makes members of what a module exports.
func (w *world) entitiesFound(es []entity) found {
	f := found{}
	for _, e := range es {
		switch e.kind {
		case entDef:
			if fitsKind(e.m.f.Defs[e.def].Kind, values) || len(es) == 1 {
				f.hits = append(f.hits, hit{m: e.m, def: e.def, rule: graph.JsModuleMember})
			}
		case entModule:
			f.hits = append(f.hits, hit{m: e.m, rule: graph.JsModuleMember})
		case entExternal:
			f.outside = true
		default:
			f.types = append(f.types, w.entityType(e))
		}
	}
	if len(f.hits) > 1 {
		f.hits = f.hits[:1]
	}
	f.missing = len(es) == 0
	return f
}

// entityType is the type of an entity as a value.
func (w *world) entityType(e entity) *typ {
	switch e.kind {
	case entDef:
		return e.m.defType(e.def)
	case entLocal:
		return e.m.bindType(e.bind)
	case entModule:
		return e.m.self
	case entValue:
		return e.m.typeOf(e.expr)
	case entExternal:
		return &typ{kind: tExternal, name: ":" + e.name}
	}
	return nil
}
