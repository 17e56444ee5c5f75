package python

import (
	"codeidx/facts"
)

// unifyArguments binds type variables by the arguments of a call.
func (w *world) unifyArguments(sub *substitution, fn *typ, args []argument, mode int) {
	fn.m.match(fn.m.params(fn), args, func(b *facts.Bind, a argument) {
		if b.Type != 0 && a.t != nil {
			w.unify(sub, fn.m.annotation(b.Type), a.t, mode, 0)
		}
	})
}

// unify binds the type variables of p so that it becomes a.
func (w *world) unify(sub *substitution, p, a *typ, mode, depth int) {
	if p == nil || a == nil || depth > 6 || !p.hasVars() {
		return
	}
	switch p.kind {
	case tTypeVar:
		sub.set(p, a)
	case tUnion:
		rest := a.withoutNone()
		for _, x := range p.args {
			w.unify(sub, x, rest, mode, depth+1)
		}
	case tCallable:
		if a.kind != tObject {
			w.unify(sub, p.res, w.called(a, nil, mode), mode, depth+1)
		}
	case tObject:
		w.unifyObject(sub, p, a, mode, depth)
	case tInstance:
		if a.kind == tInstance {
			args := a.m.class(a.def).view(a.args, p.m.class(p.def), 0)
			for i := range p.args {
				w.unify(sub, p.args[i], (&typ{args: args}).arg(i), mode, depth+1)
			}
		}
	}
}

func (w *world) unifyObject(sub *substitution, p, a *typ, mode, depth int) {
	switch {
	case p.name == "type":
		w.unify(sub, p.arg(0), a.instance(), mode, depth+1)
	case a.kind == tObject && a.name == p.name:
		for i := range p.args {
			w.unify(sub, p.args[i], a.arg(i), mode, depth+1)
		}
	case contextManager(p.name):
		w.unify(sub, p.arg(0), w.entered(a, mode), mode, depth+1)
	case elementArg(p.name) == 0:
		w.unify(sub, p.arg(0), w.element(a, mode), mode, depth+1)
	}
}
