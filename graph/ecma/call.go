package ecma

import (
	"strconv"
	"strings"

	"codeidx/facts"
)

// site is a call, whose arguments are typed when they matter.
type site struct {
	m *module
	e facts.ExprID
}

func (s *site) args() []facts.ExprID {
	if s == nil || s.e == 0 {
		return nil
	}
	return s.m.kids(s.e)
}

// argument returns the type of argument i.
func (s *site) argument(i int) *typ {
	if a := s.args(); i < len(a) {
		return s.m.typeOf(a[i])
	}
	return nil
}

func (m *module) callType(e facts.ExprID) *typ {
	x := m.expr(e)
	if m.expr(x.X).Kind == facts.Name && m.name(m.expr(x.X).Name) == "super" {
		return nil
	}
	return m.w.called(m.typeOf(x.X), &site{m: m, e: e}, 0)
}

const maxCalls = 12

// called is the result of calling a value.
func (w *world) called(fn *typ, s *site, depth int) *typ {
	if depth > maxCalls {
		return nil
	}
	return fn.mapEach(func(a *typ) *typ {
		switch a.kind {
		case tFunc:
			return w.result(a, s)
		case tMethod:
			return w.builtinResult(a, s)
		case tExternal:
			return w.externalResult(a, s)
		case tInst, tObject, tInter:
			if sig := w.signature(a, "()", 0); sig != nil {
				return w.result(sig, s)
			}
		case tParam:
			return w.called(a.constraint(), s, depth+1)
		}
		return nil
	})
}

// signature finds the call ("()") or construct ("new") signature of an object
// type; where it has several, the first that is in the file.
func (w *world) signature(t *typ, name string, depth int) *typ {
	if t == nil || depth > 8 {
		return nil
	}
	switch t.kind {
	case tInter:
		for _, a := range t.args {
			if a.kind == tFunc && (t.m == nil || name == "()") {
				return a
			}
			if s := w.signature(a, name, depth+1); s != nil {
				return s
			}
		}
	case tFunc:
		if name == "new" == t.constructs() {
			return t
		}
	case tObject:
		if t.expr == 0 {
			return nil
		}
		if sig := t.m.signatureIn(t.m.expr(t.expr).Scope, name); sig != nil {
			return sig.apply(t.env, 0)
		}
	case tInst:
		for _, d := range t.m.merged(t.def) {
			if sig := t.m.signatureIn(t.m.f.Defs[d].Scope, name); sig != nil {
				return sig.apply(t.argsEnv(), 0)
			}
			for _, b := range t.m.bases(d) {
				if sig := w.signature(b.apply(t.argsEnv(), 0), name, depth+1); sig != nil {
					return sig
				}
			}
		}
	}
	return nil
}

func (t *typ) constructs() bool {
	if t.expr == 0 {
		return false
	}
	x := t.m.expr(t.expr)
	return x.Kind == facts.FuncType && t.m.name(x.Name) == "new"
}

// signatureIn finds a signature that is bound in a member scope.
func (m *module) signatureIn(scope facts.ScopeID, name string) *typ {
	id := m.id(name)
	if id == 0 {
		return nil
	}
	for _, i := range m.names.Of(uint32(id)) {
		if b := &m.f.Binds[i]; b.Scope == scope && b.Type != 0 {
			return m.annotation(b.Type)
		}
	}
	return nil
}

// constructed is the instance that "new" makes.
func (w *world) constructed(t *typ, s *site) *typ {
	return t.mapEach(func(a *typ) *typ {
		switch a.kind {
		case tClass:
			return w.instance(a, s)
		case tFunc:
			if a.constructs() {
				return w.result(a, s)
			}
			if a.def != 0 {
				return &typ{kind: tInst, m: a.m, def: a.def}
			}
		case tExternal:
			return w.externalInstance(a, s)
		case tInst, tObject, tInter:
			if sig := w.signature(a, "new", 0); sig != nil {
				return w.result(sig, s)
			}
		case tParam:
			return w.constructed(a.constraint(), s)
		}
		return nil
	})
}

// instance is an instance of a class, its type arguments taken from the
// constructor's arguments where they are not written.
func (w *world) instance(c *typ, s *site) *typ {
	t := &typ{kind: tInst, m: c.m, def: c.def, args: c.args}
	params := c.m.typeParams(c.def)
	if len(params) == 0 || len(c.args) > 0 || s == nil {
		return t
	}
	e := &env{}
	for _, d := range c.m.membersIn(c.m.f.Defs[c.def].Scope, "constructor") {
		w.unifyArguments(e, &typ{kind: tFunc, m: c.m, def: d, scope: c.m.f.Defs[d].Scope}, s, true)
	}
	for _, p := range params {
		v := e.get(p)
		if v == nil {
			v = c.m.defaultOf(p)
		}
		t.args = append(t.args, v)
	}
	return t
}

// result is what calling a function gives.
func (w *world) result(fn *typ, s *site) *typ {
	if fn.m == nil {
		return fn.recv // a function made up by a model: recv is its result
	}
	fn = w.overload(fn, s)
	m := fn.m
	declared, async, generator := m.resultOf(fn)
	var t *typ
	if declared != 0 {
		t = m.annotation(declared)
	} else {
		t = m.inferredResult(fn.scope, async, generator)
	}
	if t == nil {
		return nil
	}
	if t.kind == tInst && t.name == "this" && fn.recv != nil {
		return fn.recv
	}
	if params := m.scopeParams(m.f.Scopes[fn.scope].Parent); len(params) > 0 {
		e := &env{}
		for i, p := range params {
			if i < len(fn.args) && fn.args[i] != nil {
				e.set(p, fn.args[i])
			}
		}
		if len(e.vars) == 0 {
			w.unifyArguments(e, fn, s, true)
		}
		for _, p := range params {
			if e.get(p) == nil {
				if d := m.defaultOf(p); d != nil {
					e.set(p, d)
				}
			}
		}
		t = t.apply(e, 0)
	}
	return t.apply(fn.env, 0)
}

// resultOf returns the declared result of a function and its nature.
func (m *module) resultOf(fn *typ) (declared facts.ExprID, async, generator bool) {
	if fn.expr != 0 {
		x := m.expr(fn.expr)
		n := m.name(x.Name)
		if x.Kind == facts.Func || fn.def == 0 {
			return x.X, strings.HasPrefix(n, "async"), strings.HasSuffix(n, "*")
		}
	}
	if fn.def == 0 {
		return 0, false, false
	}
	d := &m.f.Defs[fn.def]
	return d.Result, d.Flags&facts.Async != 0, d.Flags&facts.Generator != 0
}

// inferredResult joins what a function without declared result returns.
func (m *module) inferredResult(scope facts.ScopeID, async, generator bool) *typ {
	if generator {
		return builtin("Generator", m.yielded(scope))
	}
	t := m.returned(scope)
	if async {
		return builtin("Promise", m.w.awaited(t))
	}
	return t
}

// maxReturns bounds the return statements that are looked at.
const maxReturns = 12

func (m *module) returned(scope facts.ScopeID) *typ {
	var ts []*typ
	for _, i := range m.returns.Of(uint32(scope)) {
		b := &m.f.Binds[i]
		if b.Part == facts.PartWhole && len(ts) < maxReturns {
			ts = append(ts, m.typeOf(b.Value))
		}
	}
	if len(ts) == 0 {
		return nil
	}
	return union(ts...)
}

func (m *module) yielded(scope facts.ScopeID) *typ {
	var ts []*typ
	for _, i := range m.returns.Of(uint32(scope)) {
		b := &m.f.Binds[i]
		switch {
		case len(ts) == maxReturns:
		case b.Part == facts.PartYield:
			ts = append(ts, m.typeOf(b.Value))
		case b.Part == facts.PartElem:
			ts = append(ts, m.w.element(m.typeOf(b.Value)))
		}
	}
	return union(ts...)
}

// overload picks the signature of an overloaded function that a call fits by
// the number and kinds of its arguments.
func (w *world) overload(fn *typ, s *site) *typ {
	if fn.def == 0 || s == nil || s.e == 0 {
		return fn
	}
	m := fn.m
	d := &m.f.Defs[fn.def]
	var first *typ
	for _, i := range m.names.Of(uint32(d.Name)) {
		b := &m.f.Binds[i]
		if b.Kind != facts.BindDef || b.Def == fn.def && d.Flags&facts.Declared == 0 {
			continue
		}
		o := &m.f.Defs[b.Def]
		if o.Flags&facts.Declared == 0 || o.Kind != d.Kind || o.Parent != d.Parent || m.f.Scopes[o.Scope].Kind != facts.ScopeFunction {
			continue
		}
		c := *fn
		c.def, c.scope, c.expr = b.Def, o.Scope, 0
		if first == nil {
			first = &c
		}
		if w.accepts(&c, s) {
			return &c
		}
	}
	if first != nil && d.Flags&facts.Declared == 0 && len(m.params.Of(uint32(fn.scope))) > 0 && d.Flags&facts.Overload == 0 {
		return first
	}
	return fn
}

// accepts says whether the arguments of a call may be meant for fn.
func (w *world) accepts(fn *typ, s *site) bool {
	params := fn.m.params.Of(uint32(fn.scope))
	args := s.args()
	for i, p := range params {
		b := &fn.m.f.Binds[p]
		if b.Flags&facts.Variadic != 0 {
			return true
		}
		if i >= len(args) {
			if b.Flags&facts.Optional == 0 && b.Value == 0 {
				return false
			}
			continue
		}
		if s.m.expr(args[i]).Kind == facts.Spread {
			return true
		}
		if b.Type != 0 && !w.assignable(fn.m.annotation(b.Type), s.m, args[i]) {
			return false
		}
	}
	return len(args) <= len(params)
}

// assignable says whether an argument may have a parameter's type. It only
// refuses what is plain: a literal or function against something else.
func (w *world) assignable(p *typ, m *module, arg facts.ExprID) bool {
	if p == nil || p.kind == tParam || p.kind == tOutside {
		return true
	}
	x := m.expr(arg)
	if x.Kind != facts.Func && x.Kind != facts.Literal && x.Kind != facts.Template && x.Kind != facts.Dict && x.Kind != facts.List {
		a := m.typeOf(arg)
		if a == nil || a.kind != tPrim && a.kind != tLiteral && a.kind != tInst {
			return true
		}
		return w.compatible(p, a)
	}
	return w.compatible(p, m.typeOf(arg))
}

func (w *world) compatible(p, a *typ) bool {
	if a == nil {
		return true
	}
	ok := p.kind == tUnion && p.part
	p.each(func(x *typ) {
		switch {
		case x.kind == tParam, x.kind == tOutside, x.kind == tInter, x.kind == tIndexed, x.kind == tPrim && (x.name == "any" || x.name == "unknown"):
			ok = true
		case a.kind == tFunc:
			ok = ok || x.kind == tFunc || x.kind == tObject && w.signature(x, "()", 0) != nil || x.kind == tInst && w.signature(x, "()", 0) != nil
		case a.kind == tLiteral && a.part, a.kind == tPrim && a.name == "number":
			ok = ok || x.kind == tPrim && x.name == "number" || x.kind == tLiteral && x.part && x.name == a.name
		case a.kind == tLiteral:
			ok = ok || x.kind == tPrim && x.name == "string" || x.kind == tLiteral && x.name == a.name || x.kind == tKeys
		case a.kind == tPrim:
			ok = ok || x.kind == tPrim && x.name == a.name || x.kind == tLiteral && a.name == "string" || x.kind == tKeys || x.kind == tPrim && (a.name == "true" || a.name == "false") && x.name == "boolean"
		case a.kind == tObject:
			ok = ok || x.kind == tObject || x.kind == tInst || x.kind == tOmit || x.kind == tBuiltin && (x.name == "Record" || x.name == "Object") || x.kind == tPrim && x.name == "object"
		case a.kind == tInst:
			ok = ok || x.kind != tPrim && x.kind != tLiteral && x.kind != tFunc && !(x.kind == tInst && x.m.f.Defs[x.def].Kind == facts.DefClass && !w.inherits(a, x, 0))
		default:
			ok = true
		}
	})
	return ok
}

// inherits says whether instance a is one of class b.
func (w *world) inherits(a, b *typ, depth int) bool {
	if a == nil || depth > maxBases || a.kind != tInst {
		return false
	}
	if a.m == b.m && a.def == b.def {
		return true
	}
	for _, x := range a.m.bases(a.def) {
		if w.inherits(x, b, depth+1) {
			return true
		}
	}
	return false
}

// unifyArguments binds type parameters by the arguments of a call. Function
// literals come last: their parameters may depend on the other arguments.
func (w *world) unifyArguments(e *env, fn *typ, s *site, funcs bool) {
	if s == nil || s.e == 0 {
		return
	}
	args := s.args()
	for _, pass := range [...]bool{false, true} {
		if pass && !funcs {
			return
		}
		for i, a := range args {
			x := s.m.expr(a)
			if (x.Kind == facts.Func) != pass {
				continue
			}
			if x.Kind == facts.Spread {
				continue
			}
			if p := w.paramAt(fn, i); p != nil {
				w.unify(e, p, s.m.typeOf(a), 0)
			}
		}
	}
}

// paramAt is the declared type of parameter i.
func (w *world) paramAt(fn *typ, i int) *typ {
	if fn.m == nil {
		return fn.arg(i)
	}
	params := fn.m.params.Of(uint32(fn.scope))
	n := 0
	for _, p := range params {
		b := &fn.m.f.Binds[p]
		if fn.m.name(b.Name) == "this" {
			continue
		}
		variadic := b.Flags&facts.Variadic != 0
		if n == i || variadic {
			if b.Type == 0 {
				return nil
			}
			t := fn.m.annotation(b.Type)
			if variadic {
				return w.restAt(t, i-n)
			}
			return t
		}
		n++
	}
	return nil
}

// restAt is the type of argument i among those of a rest parameter.
func (w *world) restAt(t *typ, i int) *typ {
	if t != nil && t.kind == tIndexed {
		return &typ{kind: tIndexed, m: t.m, args: []*typ{t, {kind: tLiteral, name: strconv.Itoa(i), part: true}}}
	}
	return w.item(t, i)
}

// unify binds the type parameters of p so that it becomes a.
func (w *world) unify(e *env, p, a *typ, depth int) {
	if p == nil || a == nil || depth > 6 {
		return
	}
	switch p.kind {
	case tParam:
		e.set(param{p.m, p.bind}, a)
	case tUnion:
		rest := a.nonNull()
		for _, x := range p.args {
			w.unify(e, x, rest, depth+1)
		}
	case tFunc:
		if a.kind == tFunc && p.m != nil {
			if d, _, _ := p.m.resultOf(p); d != 0 {
				w.unify(e, p.m.annotation(d).apply(p.env, 0), w.result(a, &site{m: a.m}), depth+1)
			}
		}
	case tBuiltin:
		w.unifyBuiltin(e, p, a, depth)
	case tInst:
		if a.kind == tInst && a.m == p.m && a.def == p.def {
			for i := range p.args {
				w.unify(e, p.args[i], a.arg(i), depth+1)
			}
		}
	case tTuple:
		for i := range p.args {
			w.unify(e, p.args[i], w.item(a, i), depth+1)
		}
	case tInter:
		for _, x := range p.args {
			w.unify(e, x, a, depth+1)
		}
	}
}

func (w *world) unifyBuiltin(e *env, p, a *typ, depth int) {
	switch {
	case a.kind == tBuiltin && a.name == p.name:
		for i := range p.args {
			w.unify(e, p.args[i], a.arg(i), depth+1)
		}
	case p.name == "Promise":
		w.unify(e, p.arg(0), w.awaited(a), depth+1)
	case iterable(p.name):
		w.unify(e, p.arg(0), w.element(a), depth+1)
	}
}
