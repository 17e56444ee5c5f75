package php

import (
	"sort"
	"strings"

	"codeidx/facts"
	"codeidx/graph"
)

// emit appends the edges and the unresolved references of the file.
func (x *file) emit() {
	x.emitImports()
	for i := 1; i < len(x.f.Exprs); i++ {
		e := &x.f.Exprs[i]
		if e.Ctx == facts.Echo || e.Ctx == facts.Base || e.Ctx == facts.Implement || e.Ctx == facts.TraitUse {
			continue
		}
		switch e.Kind {
		case facts.Name:
			x.emitName(e)
		case facts.Select, facts.Scoped, facts.ScopedVar:
			if !x.unreadable(e) {
				x.emitMember(e)
			}
		case facts.Call:
			x.emitCall(facts.ExprID(i), e)
		case facts.New:
			if c := &x.f.Exprs[e.X]; c.Kind == facts.Name && !isVariable(x.name(c.Name)) && !x.unreadable(c) {
				x.emitClass(c)
			}
		case facts.List:
			x.emitPair(e)
		case facts.Include:
			if !x.unreadable(e) {
				x.emitInclude(e)
			}
		}
	}
	x.emitGlobals()
	x.emitHierarchy()
}

// unreadable leaves out what stands in a region with syntax errors.
func (x *file) unreadable(e *facts.Expr) bool {
	if !x.broken(e.Pos) {
		return false
	}
	x.unresolved(e, graph.ParseError)
	return true
}

func (x *file) broken(pos uint32) bool {
	if !x.f.Partial {
		return false
	}
	i := sort.Search(len(x.f.Errors), func(i int) bool { return x.f.Errors[i].End > pos })
	return i < len(x.f.Errors) && x.f.Errors[i].Start <= pos
}

// kindOf is the kind of edge that an expression makes by its role.
func kindOf(c facts.Ctx) graph.Kind {
	if c == facts.Callee {
		return graph.Calls
	}
	return graph.References
}

func (x *file) edge(e *facts.Expr, r graph.Resolution, rule graph.Rule, to graph.Target) *graph.Edge {
	x.out.Edges = append(x.out.Edges, graph.Edge{
		Kind: kindOf(e.Ctx), Resolution: r, Rule: rule, From: x.f.Scopes[e.Scope].Def, Pos: e.Pos, Name: e.Name, To: to,
	})
	return &x.out.Edges[len(x.out.Edges)-1]
}

func (x *file) unresolved(e *facts.Expr, why graph.Reason) {
	x.out.Unresolved = append(x.out.Unresolved, graph.Unresolved{
		Kind: kindOf(e.Ctx), Reason: why, From: x.f.Scopes[e.Scope].Def, Pos: e.Pos, Name: e.Name,
	})
}

// oneOf makes a resolved edge to the only definition, candidates to several.
func (x *file) oneOf(e *facts.Expr, rule graph.Rule, refs []defRef) {
	if len(refs) == 1 {
		x.edge(e, graph.Resolved, rule, refs[0].target())
		return
	}
	x.candidates(e, graph.PhpDuplicate, refs)
}

func (x *file) candidates(e *facts.Expr, rule graph.Rule, refs []defRef) {
	for _, r := range refs[:min(len(refs), maxOverriders)] {
		x.edge(e, graph.Candidate, rule, r.target())
	}
}

// emitName binds a name that stands for a class or a constant. Callees are
// bound by their call.
func (x *file) emitName(e *facts.Expr) {
	if isVariable(x.name(e.Name)) || e.Ctx == facts.Callee || x.unreadable(e) {
		return
	}
	switch e.Ctx {
	case facts.TypeUse, facts.Decorator:
		x.emitClass(e)
	default:
		x.emitConstant(e)
	}
}

func (x *file) emitClass(e *facts.Expr) {
	if r := x.relative(e); r != "" {
		x.emitRelative(e, r)
		return
	}
	fqn := x.className(e)
	found := x.choose(fqn)
	if len(found) == 0 {
		x.unresolved(e, x.whyOutside(e, fqn))
		return
	}
	refs := classRefs(found)
	if builtinClass(fqn) && x.onlyPolyfills(refs) {
		x.candidates(e, graph.PhpPolyfill, refs)
		return
	}
	x.oneOf(e, graph.PhpClass, refs)
}

func classRefs(list []*class) []defRef {
	out := make([]defRef, len(list))
	for i, c := range list {
		out[i] = defRef{c.f, c.def}
	}
	return out
}

// onlyPolyfills says whether all declarations of one of PHP's own names are in
// other files: stand-ins for older versions of PHP.
func (x *file) onlyPolyfills(refs []defRef) bool {
	for _, r := range refs {
		if r.f == x {
			return false
		}
	}
	return true
}

// emitRelative binds "new self", "new static" and "new parent" to their class.
func (x *file) emitRelative(e *facts.Expr, r string) {
	c := x.classAt(e.Scope)
	if e.Ctx != facts.Callee || c == nil {
		return
	}
	if r == "parent" {
		if len(c.parents) == 0 {
			x.unresolved(e, graph.ExternalType)
			return
		}
		c = c.parents[0]
	}
	to := x.edge(e, graph.Resolved, graph.PhpSelf, defRef{c.f, c.def}.target())
	to.Open = r == "static" && len(c.subs) > 0
}

// whyOutside is the reason why a class is not in the repository.
func (x *file) whyOutside(e *facts.Expr, fqn string) graph.Reason {
	if builtinClass(fqn) {
		return graph.Builtin
	}
	if e.X != 0 {
		return graph.ExternalImport
	}
	if t := x.importsAt(e.Scope); t != nil {
		if _, ok := t.classes[strings.ToLower(x.name(e.Name))]; ok {
			return graph.ExternalImport
		}
	}
	return graph.UndefinedName
}

func (x *file) emitConstant(e *facts.Expr) {
	name := x.name(e.Name)
	for _, key := range x.constantNames(e) {
		if refs := x.w.constants[key]; len(refs) > 0 {
			if builtinConstant(key) && x.onlyPolyfills(refs) {
				x.candidates(e, graph.PhpPolyfill, refs)
			} else {
				x.oneOf(e, graph.PhpConstant, x.nearest(refs))
			}
			return
		}
	}
	if builtinConstant(name) {
		x.unresolved(e, graph.Builtin)
	} else {
		x.unresolved(e, graph.UndefinedName)
	}
}

// emitCall binds a called name, or the __invoke of a called object.
func (x *file) emitCall(id facts.ExprID, e *facts.Expr) {
	fn := &x.f.Exprs[e.X]
	if e.X == 0 || x.broken(fn.Pos) {
		return
	}
	switch {
	case fn.Kind == facts.Name && !isVariable(x.name(fn.Name)):
		x.emitFunction(fn)
		x.emitCallbacks(e, fn)
	case fn.Kind == facts.Select, fn.Kind == facts.Scoped:
	case fn.Kind == facts.Name:
		x.emitInvoke(e, fn)
	case fn.Kind == facts.Other:
		x.unresolved(fn, graph.DynamicReceiver)
	}
}

func (x *file) emitFunction(fn *facts.Expr) {
	names := x.functionNames(fn)
	for _, n := range names {
		refs := x.w.functions[n]
		if len(refs) == 0 {
			continue
		}
		if builtinFunction(n) && x.onlyPolyfills(refs) {
			x.candidates(fn, graph.PhpPolyfill, refs)
			return
		}
		rule := graph.PhpFunction
		if len(names) == 2 && n == names[1] {
			rule = graph.PhpGlobalFunction
		}
		x.oneOf(fn, rule, x.nearest(refs))
		return
	}
	switch {
	case builtinFunction(names[len(names)-1]):
		x.unresolved(fn, graph.Builtin)
	case fn.X != 0 || len(names) == 1 && strings.Contains(names[0], `\`):
		x.unresolved(fn, graph.ExternalImport)
	default:
		x.unresolved(fn, graph.UndefinedName)
	}
}

// emitInvoke binds "$f(…)".
func (x *file) emitInvoke(e, fn *facts.Expr) {
	t := x.typeOf(e.X)
	if t == nil || t.kind != tInstance {
		if t == nil || t.kind != tFunc || t.scop == 0 {
			x.unresolved(fn, graph.DynamicReceiver)
		}
		return
	}
	var r hits
	x.lookup(t, method, "__invoke", &r)
	x.emitHits(fn, t, &r)
}

// emitMember binds a member by the type of its receiver.
func (x *file) emitMember(e *facts.Expr) {
	k, t := property, x.typeOf(e.X)
	name := x.name(e.Name)
	if e.Kind != facts.Select {
		t = x.scopeType(e.X)
	}
	switch {
	case e.Ctx == facts.Callee:
		k = method
	case e.Kind == facts.Scoped:
		if k = constant; strings.EqualFold(name, "class") {
			return
		}
		if x.traitMethod(e) {
			k = method
		}
	}
	if t != nil && t.kind == tInstance && k == constant {
		c := *t
		c.kind = tClass
		t = &c
	}
	var r hits
	x.lookup(t, k, name, &r)
	x.emitHits(e, t, &r)
	if len(r.list) == 0 {
		x.emitWeak(e, k, t, &r)
	}
}

// traitMethod says whether a Scoped names a method in the rules of a trait use.
func (x *file) traitMethod(e *facts.Expr) bool {
	s := &x.f.Scopes[e.Scope]
	if s.Kind != facts.ScopeClass {
		return false
	}
	c := x.classes[s.Def]
	if c == nil || c.consts[x.name(e.Name)] != 0 {
		return false
	}
	for _, r := range c.rules {
		if r.method == strings.ToLower(x.name(e.Name)) && r.trait != nil {
			return true
		}
	}
	return false
}

// ruleFor is the rule by which a resolved member was found.
func (x *file) ruleFor(e *facts.Expr, h hit) graph.Rule {
	on := &x.f.Exprs[e.X]
	switch {
	case e.Kind == facts.Name:
		return graph.PhpInvoke
	case on.Kind == facts.Name && x.relative(on) == "parent":
		return graph.PhpParent
	case h.recv.self:
		return graph.PhpSelf
	case h.recv.kind == tClass:
		return graph.PhpStatic
	}
	return graph.PhpMember
}

func (x *file) emitHits(e *facts.Expr, t *typ, r *hits) {
	for _, h := range r.list {
		res, rule := graph.Resolved, x.ruleFor(e, h)
		switch {
		case rule == graph.PhpInvoke:
			res = graph.Candidate // what a variable holds is not written at the call
		case len(r.list) > 1:
			res, rule = graph.Candidate, graph.PhpUnion
		case r.unknown, r.outside, len(r.missing) > 0:
			res, rule = graph.Candidate, graph.PhpPartial
		case h.doc && h.recv.glob:
			res, rule = graph.Candidate, graph.PhpGlobal
		case h.doc:
			res, rule = graph.Candidate, graph.PhpDocblock
		}
		x.emitHit(e, h, res, rule)
	}
}

func (x *file) emitHit(e *facts.Expr, h hit, res graph.Resolution, rule graph.Rule) {
	over := x.overriders(e, h)
	g := x.edge(e, res, rule, graph.Target{File: h.c.f.idx, Def: h.def})
	g.Open = len(over) > 0 || h.flags()&facts.Abstract != 0
	for _, o := range over {
		x.edge(e, graph.Candidate, graph.PhpOverrider, o.target())
	}
}

// maxOverriders bounds the candidates of one call.
const maxOverriders = 32

// overriders lists the overrides that a method found on an object may dispatch
// to. Calls through the name of a class or through parent do not dispatch.
func (x *file) overriders(e *facts.Expr, h hit) []defRef {
	d := &h.c.f.f.Defs[h.def]
	if d.Kind != facts.DefMethod || d.Flags&(facts.Private|facts.Final|facts.Constructor) != 0 {
		return nil
	}
	if e.Kind == facts.Scoped {
		if on := &x.f.Exprs[e.X]; on.Kind == facts.Name && !isVariable(x.name(on.Name)) && x.relative(on) != "static" {
			return nil
		}
	}
	name := strings.ToLower(h.c.f.name(d.Name))
	from := h.recv.c
	if from == nil {
		from = h.c
	}
	out := sortRefs(from.overriders(name, map[*class]bool{from: true}, nil))
	kept := out[:0]
	for _, o := range out {
		if o != (defRef{h.c.f, h.def}) {
			kept = append(kept, o)
		}
	}
	return kept[:min(len(kept), maxOverriders)]
}

// emitWeak gives the candidates, or the reason, of a member without definition.
func (x *file) emitWeak(e *facts.Expr, k memberKind, t *typ, r *hits) {
	for _, h := range r.mixin {
		x.edge(e, graph.Candidate, graph.PhpMixin, graph.Target{File: h.c.f.idx, Def: h.def})
	}
	if len(r.mixin) > 0 {
		return
	}
	for _, h := range r.magic {
		x.edge(e, graph.Candidate, graph.PhpMagic, graph.Target{File: h.c.f.idx, Def: h.def})
	}
	if len(r.magic) > 0 {
		return
	}
	switch {
	case len(r.missing) > 0:
		x.emitBelow(e, k, r)
	case r.unknown && !r.outside:
		x.unresolved(e, graph.DynamicReceiver)
	case r.outside:
		x.unresolved(e, graph.ExternalType)
	default:
		x.unresolved(e, graph.NoSuchMember)
	}
}

// emitBelow makes candidates of a member that a class lacks but classes below
// it have: the class is a trait or leaves it to them.
func (x *file) emitBelow(e *facts.Expr, k memberKind, r *hits) {
	name := x.name(e.Name)
	if k == method {
		name = strings.ToLower(name)
	}
	var refs []defRef
	for _, t := range r.missing {
		refs = t.c.below(k, name, map[*class]bool{}, refs)
	}
	refs = sortRefs(refs)
	if len(refs) == 0 || len(refs) > maxOverriders {
		if r.outside {
			x.unresolved(e, graph.ExternalType)
		} else {
			x.unresolved(e, graph.NoSuchMember)
		}
		return
	}
	for _, d := range refs {
		x.edge(e, graph.Candidate, graph.PhpTraitUser, d.target())
	}
}

// emitGlobals makes candidates of the variables that "global" names.
func (x *file) emitGlobals() {
	for i := range x.f.Binds {
		b := &x.f.Binds[i]
		if b.Kind != facts.BindGlobal || x.broken(b.Pos) {
			continue
		}
		refs := x.w.globals[x.name(b.Name)]
		for j, r := range refs {
			if j < maxOverriders {
				x.out.Edges = append(x.out.Edges, graph.Edge{
					Kind: graph.References, Resolution: graph.Candidate, Rule: graph.PhpGlobal, From: x.f.Scopes[b.Scope].Def, Pos: b.Pos,
					Name: b.Name, To: r.target(),
				})
			}
		}
	}
}
