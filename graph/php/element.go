package php

import (
	"strings"

	"codeidx/facts"
)

// iterator says whether a class of PHP itself is one that is iterated over.
func iterator(name string) bool {
	switch strings.ToLower(name) {
	case "generator", "iterator", "traversable", "iteratoraggregate", "arrayiterator", "arrayobject", "splobjectstorage", "splstack",
		"splqueue", "spldoublylinkedlist", "splpriorityqueue", "splheap", "splfixedarray", "recursiveiterator", "iteratoriterator", "weakmap":
		return true
	}
	return false
}

// element is the type of the values of an array or of what is iterated over.
func (t *typ) element() *typ {
	return t.mapEach(func(a *typ) *typ {
		if a == nil {
			return nil
		}
		switch a.kind {
		case tArray:
			e := a.values()
			if a.doc {
				return e.tainted()
			}
			return e
		case tExternal:
			if n := len(a.args); n > 0 {
				e := a.args[min(1, n-1)]
				if a.doc {
					return e.tainted()
				}
				return e
			}
		case tInstance:
			return a.iterated()
		}
		return nil
	})
}

// values joins the elements of an array type.
func (t *typ) values() *typ {
	if t.e == 0 {
		return t.elem
	}
	x := t.f
	var ts []*typ
	for _, k := range x.f.KidsOf(x.f.Exprs[t.e].Kids) {
		v := &x.f.Exprs[k]
		switch v.Kind {
		case facts.KeyValue:
			ts = append(ts, t.entry(x.f.KidsOf(v.Kids)[1]))
		case facts.Spread:
			ts = append(ts, x.typeOf(v.X).element())
		default:
			ts = append(ts, t.entry(k))
		}
	}
	return union(ts...)
}

// entry is the type of one entry of an array literal, or of an array shape of
// a docblock, whose entries are types.
func (t *typ) entry(e facts.ExprID) *typ {
	if t.shape() {
		return t.f.annotation(e)
	}
	return t.f.typeOf(e)
}

func (t *typ) shape() bool { return len(t.args) > 0 }

// iterated is what foreach gives for an object of a class of the repository.
func (t *typ) iterated() *typ {
	for _, name := range [...]string{"current", "getiterator"} {
		o := t.c.find(method, name)
		if o.def == 0 {
			continue
		}
		r := hit{o, t, t.doc}.received(o.c.result(o.def))
		if name == "getiterator" {
			if r = r.element(); r == nil {
				continue
			}
		}
		return r
	}
	var e *typ
	t.c.reaches(func(b *class) bool {
		b.f.docBinds(b.def, facts.DocExtends, func(d *facts.Bind) {
			if base := b.f.annotation(d.Type); base != nil && base.kind == tExternal && iterator(base.name) {
				e = base.element().tainted()
			}
		})
		return e != nil
	}, 0)
	return e
}

// key is the type of the keys while iterating.
func (t *typ) key() *typ {
	if t != nil && t.kind == tExternal && len(t.args) > 1 {
		return t.args[0]
	}
	if t != nil && t.kind == tArray {
		return scalarType
	}
	return nil
}

// at is element i of an array literal, else any element.
func (t *typ) at(i int) *typ {
	return t.mapEach(func(a *typ) *typ {
		if a == nil || a.kind != tArray || a.e == 0 {
			return a.element()
		}
		n := 0
		for _, k := range a.f.f.KidsOf(a.f.f.Exprs[a.e].Kids) {
			switch a.f.f.Exprs[k].Kind {
			case facts.Spread:
				return a.element()
			case facts.KeyValue:
				continue
			}
			if n == i {
				return a.marked(a.entry(k))
			}
			n++
		}
		return a.element()
	})
}

func (t *typ) marked(e *typ) *typ {
	if t.doc {
		return e.tainted()
	}
	return e
}

// global marks a type as resting on the assignments to a global variable.
func (t *typ) global() *typ {
	return t.mapEach(func(a *typ) *typ {
		if a == nil {
			return nil
		}
		c := *a
		c.doc, c.glob = true, true
		return &c
	})
}

// elementAt is the type of "x[key]".
func (x *file) elementAt(t *typ, kids []facts.ExprID) *typ {
	if len(kids) == 1 {
		if k := &x.f.Exprs[kids[0]]; k.Kind == facts.Literal && k.Name != 0 {
			if e, ok := t.named(x.name(k.Name), k.Lit); ok {
				return e
			}
		}
	}
	return t.mapEach(func(a *typ) *typ {
		if a != nil && a.kind == tInstance {
			if o := a.c.find(method, "offsetget"); o.def != 0 {
				return hit{o, a, a.doc}.received(o.c.result(o.def))
			}
		}
		return a.element()
	})
}

// named is the entry of an array literal or shape under a literal key.
func (t *typ) named(key string, lit facts.Lit) (*typ, bool) {
	if t == nil || t.kind != tArray || t.e == 0 {
		return nil, false
	}
	f, n := t.f.f, 0
	for _, k := range f.KidsOf(f.Exprs[t.e].Kids) {
		if f.Exprs[k].Kind != facts.KeyValue {
			if lit == facts.IntLit && key == itoa(n) {
				return t.marked(t.entry(k)), true
			}
			n++
			continue
		}
		kv := f.KidsOf(f.Exprs[k].Kids)
		if l := &f.Exprs[kv[0]]; l.Kind == facts.Literal && l.Name != 0 && f.Names[l.Name] == key {
			return t.marked(t.entry(kv[1])), true
		}
	}
	return nil, false
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}
