package python

import (
	"codeidx/facts"
)

// contextManager says whether a function is decorated to be used with "with".
func (m *module) contextManager(d *facts.Def) bool {
	for _, e := range m.f.KidsOf(d.Decorators) {
		if x := &m.f.Exprs[e]; x.Kind == facts.Name || x.Kind == facts.Select {
			if t := m.typeOf(e, strict); t != nil && t.kind == tExternal && contextDecorator(t.name) {
				return true
			}
		}
	}
	return false
}

// decoratedType is a function as its decorators leave it. A decorator whose
// result is not known keeps the function.
func (m *module) decoratedType(def facts.DefID, mode int) *typ {
	d := &m.f.Defs[def]
	t := &typ{kind: tFunc, m: m, def: def}
	if d.Flags&(facts.Accessor|facts.Overload) != 0 {
		return t
	}
	decorators := m.f.KidsOf(d.Decorators)
	for i := len(decorators) - 1; i >= 0; i-- {
		dec := m.typeOf(decorators[i], mode)
		if r := m.w.decorate(dec, t, mode); r != nil {
			t = r
		}
	}
	return t
}

// decorate is what decorator dec makes of a function, nil where that is not
// known or stands for the function itself.
func (w *world) decorate(dec, fn *typ, mode int) *typ {
	if dec == nil || dec.kind == tUnion {
		return nil
	}
	s := &site{args: []argument{{t: fn}}, have: true}
	var r *typ
	switch dec.kind {
	case tFunc:
		chosen := w.overload(dec, s, mode)
		r = w.result(dec, s, mode)
		inferred := chosen.m.f.Defs[chosen.def].Result == 0
		if inferred && r != nil && (r.kind == tFunc || r.kind == tLambda) {
			return nil // an inner function that stands for the decorated one
		}
	case tCallable:
		r = dec.res
	case tClass:
		r = &typ{kind: tInstance, m: dec.m, def: dec.def, args: dec.args}
	case tInstance:
		r = w.called(dec, s, mode)
	}
	if r == nil || r.part {
		return nil
	}
	switch r.kind {
	case tExternal, tTypeVar, tNever, tNone:
		return nil
	case tObject:
		if r.name == "" {
			return nil
		}
	case tCallable:
		if r.res == nil {
			return nil
		}
	}
	return r
}
