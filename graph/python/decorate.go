package python

import (
	"codeidx/facts"
)

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

func (w *world) decorate(dec, fn *typ, mode int) *typ {
	if dec == nil || dec.kind == tUnion {
		return nil
	}
	switch dec.kind {
	case tFunc:
		d := &dec.m.f.Defs[dec.def]
		s := &site{args: []argument{{t: fn}}, have: true}
		r := w.result(dec, s, mode)
		if r == nil || r.part {
			return nil
		}
		if w.overload(dec, s, mode).def == dec.def && d.Result == 0 && (r.kind == tFunc || r.kind == tLambda) {
			return nil // an inner function that stands for the decorated one
		}
		if r.kind == tExternal || r.kind == tTypeVar || r.kind == tObject && r.name == "" {
			return nil
		}
		if r.kind == tCallable && r.res == nil {
			return nil
		}
		return r
	case tCallable:
		r := dec.res
		if r == nil || r.kind == tTypeVar {
			return nil
		}
		return r
	case tClass:
		return &typ{kind: tInstance, m: dec.m, def: dec.def, args: dec.args}
	case tInstance:
		r := w.called(dec, &site{args: []argument{{t: fn}}, have: true}, mode)
		if r == nil || r.kind == tTypeVar || r.part {
			return nil
		}
		return r
	}
	return nil
}
