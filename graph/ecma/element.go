package ecma

import (
	"codeidx/facts"
)

// iterable says whether the first type argument is what iterating gives.
func iterable(name string) bool {
	switch name {
	case "Array", "Set", "Iterable", "Generator":
		return true
	}
	return false
}

// element is what a value gives while iterating, or by a number as index.
func (w *world) element(t *typ) *typ {
	return t.mapEach(func(a *typ) *typ {
		switch a.kind {
		case tTuple:
			return union(a.args...)
		case tBuiltin:
			if iterable(a.name) {
				return a.arg(0)
			}
			if a.name == "Map" {
				return &typ{kind: tTuple, args: []*typ{a.arg(0), a.arg(1)}}
			}
			if a.name == "Record" {
				return a.arg(1)
			}
		case tPrim, tLiteral:
			if a.name == "string" || a.kind == tLiteral && !a.part {
				return stringType
			}
		case tParam:
			return w.element(a.constraint())
		case tInter:
			for _, x := range a.args {
				if e := w.element(x); e != nil {
					return e
				}
			}
		case tInst:
			for _, n := range [...]string{"@@iterator", "@@asyncIterator"} {
				if f := w.lookup(a, n); len(f.hits) > 0 {
					return w.element(w.called(f.typ(w), nil, 0))
				}
			}
			for _, b := range a.m.bases(a.def) {
				if e := w.element(b.apply(a.argsEnv(), 0)); e != nil {
					return e
				}
			}
		}
		return nil
	})
}

// item is element i of a value that is taken apart.
func (w *world) item(t *typ, i int) *typ {
	return t.mapEach(func(a *typ) *typ {
		if a.kind == tTuple {
			return a.arg(i)
		}
		return w.element(a)
	})
}

// valueType is what an unknown key gives.
func (w *world) valueType(t *typ) *typ {
	return t.mapEach(func(a *typ) *typ {
		if a.kind == tBuiltin && a.name == "Record" {
			return a.arg(1)
		}
		if a.kind == tInst && a.m.f.Defs[a.def].Kind == facts.DefInterface {
			if ix := a.m.f.Defs[a.def].Type; ix != 0 {
				return w.valueType(a.m.annotation(ix))
			}
		}
		if a.kind == tObject && a.expr != 0 && a.m.expr(a.expr).Kind == facts.StructType {
			for _, k := range a.m.kids(a.expr) {
				return w.valueType(a.m.annotation(k).apply(a.env, 0))
			}
		}
		return nil
	})
}

// awaited is what awaiting a value gives.
func (w *world) awaited(t *typ) *typ {
	return t.mapEach(func(a *typ) *typ {
		switch a.kind {
		case tBuiltin:
			if a.name == "Promise" {
				return w.awaited(a.arg(0))
			}
		case tOutside, tExternal:
			return a
		case tInst, tInter:
			for _, b := range w.promises(a, 0) {
				return w.awaited(b.arg(0))
			}
		}
		return a
	})
}

// promises lists the promises that an instance or intersection is.
func (w *world) promises(t *typ, depth int) []*typ {
	if t == nil || depth > 6 {
		return nil
	}
	switch t.kind {
	case tBuiltin:
		if t.name == "Promise" {
			return []*typ{t}
		}
	case tInter:
		for _, a := range t.args {
			if p := w.promises(a, depth+1); len(p) > 0 {
				return p
			}
		}
	case tInst:
		for _, b := range t.m.bases(t.def) {
			if p := w.promises(b.apply(t.argsEnv(), 0), depth+1); len(p) > 0 {
				return p
			}
		}
	}
	return nil
}
