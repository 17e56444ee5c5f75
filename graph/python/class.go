package python

import (
	"codeidx/facts"
)

// class is a class definition with what inheritance says about it.
type class struct {
	m       *module
	def     facts.DefID
	members map[string][]facts.DefID // by name, in source order
	bases   []*typ                   // tClass, tExternal, nil where not known
	mro     []*typ                   // C3 order, the class itself first; external bases among it
	subs    []*class                 // direct subclasses
	params  []*typ                   // type variables
	ready   bool                     // bases are known
	linear  int8                     // 1 while the order is computed, 2 when it is
	enum    bool
}

func (m *module) class(def facts.DefID) *class {
	c := m.classes[def]
	if c == nil {
		c = &class{m: m, def: def}
		m.classes[def] = c
	}
	return c
}

func isClass(k facts.DefKind) bool { return k == facts.DefClass || k == facts.DefEnum }

// linkClasses resolves the bases of every class, so that subclasses are known.
func (w *world) linkClasses() {
	for _, m := range w.order {
		for i := range m.f.Defs {
			if !isClass(m.f.Defs[i].Kind) {
				continue
			}
			c := m.class(facts.DefID(i))
			for _, b := range c.baseTypes() {
				if b != nil && b.kind == tClass {
					p := b.m.class(b.def)
					p.subs = append(p.subs, c)
				}
			}
		}
	}
}

// baseTypes returns the base classes as class objects.
func (c *class) baseTypes() []*typ {
	if c.ready {
		return c.bases
	}
	c.ready = true
	for _, e := range c.m.f.KidsOf(c.m.f.Defs[c.def].Bases) {
		x := &c.m.f.Exprs[e]
		if x.Kind == facts.Keyword || x.Kind == facts.KeySpread {
			continue
		}
		t := c.m.typeOf(e, strict)
		if t != nil && t.kind == tUnion {
			t = t.withoutNone()
		}
		if t != nil && t.kind == tUnion {
			t = t.args[0]
		}
		c.bases = append(c.bases, t)
	}
	return c.bases
}

func (c *class) object() *typ { return &typ{kind: tClass, m: c.m, def: c.def} }

// order returns the method resolution order; where C3 finds none, depth first.
func (c *class) order() []*typ {
	if c.linear == 2 {
		return c.mro
	}
	if c.linear == 1 {
		return []*typ{c.object()}
	}
	c.linear = 1
	var seqs [][]*typ
	var direct []*typ
	for _, b := range c.baseTypes() {
		if b == nil {
			b = external("")
		}
		direct = append(direct, b)
		if b.kind == tClass {
			seqs = append(seqs, append([]*typ{}, b.m.class(b.def).order()...))
		} else {
			seqs = append(seqs, []*typ{b})
		}
	}
	seqs = append(seqs, direct)
	c.mro = append([]*typ{c.object()}, merge(seqs)...)
	c.linear = 2
	for _, t := range c.mro {
		if t.kind == tExternal && enumClass(t.name) {
			c.enum = true
		}
	}
	return c.mro
}

func sameClass(a, b *typ) bool {
	return a.kind == b.kind && a.m == b.m && a.def == b.def && a.name == b.name
}

// merge is the merge of the C3 linearisation. When no head is free, the first
// is taken.
func merge(seqs [][]*typ) []*typ {
	var out []*typ
	for {
		var head *typ
		var first *typ
	search:
		for _, s := range seqs {
			if len(s) == 0 {
				continue
			}
			if first == nil {
				first = s[0]
			}
			for _, o := range seqs {
				for _, t := range o[min(1, len(o)):] {
					if sameClass(t, s[0]) {
						continue search
					}
				}
			}
			head = s[0]
			break
		}
		if head == nil {
			head = first
		}
		if head == nil {
			return out
		}
		out = append(out, head)
		for i, s := range seqs {
			rest := s[:0:0]
			for _, t := range s {
				if !sameClass(t, head) {
					rest = append(rest, t)
				}
			}
			seqs[i] = rest
		}
	}
}

// member returns the definition of name in the class's own body, 0 where there
// is none: the getter of a property, the last of several functions, the first
// assignment of an attribute.
func (c *class) member(name string) facts.DefID {
	if c.members == nil {
		c.members = map[string][]facts.DefID{}
		for _, d := range c.m.members.Of(uint32(c.def)) {
			n := c.m.name(c.m.f.Defs[d].Name)
			c.members[n] = append(c.members[n], facts.DefID(d))
		}
	}
	var best facts.DefID
	for _, d := range c.members[name] {
		x := &c.m.f.Defs[d]
		switch {
		case best == 0:
			best = d
		case x.Flags&facts.Setter != 0, x.Kind == facts.DefField:
		case x.Flags&facts.Overload != 0 && c.m.f.Defs[best].Flags&facts.Overload == 0:
		default:
			best = d
		}
	}
	return best
}

// owned is a member and the class that has it.
type owned struct {
	c        *class
	def      facts.DefID
	external bool // an external base comes before it, or might have it
}

// declared says whether a member states what it is: everything but a field
// that is only assigned to.
func (c *class) declared(def facts.DefID) bool {
	if c.m.f.Defs[def].Kind != facts.DefField {
		return true
	}
	for _, b := range c.m.byDef.Of(uint32(def)) {
		if c.m.f.Binds[b].Type != 0 {
			return true
		}
	}
	return false
}

// find looks a member up along the resolution order, after class skip where
// that is given (super). As type checkers do, it prefers a declared member to
// assignments in classes before it: those assign to what the base declares.
func (c *class) find(name string, after *class) owned {
	passed := after == nil
	outside := false
	var assigned owned
	for _, t := range c.order() {
		if !passed {
			passed = t.kind == tClass && t.m == after.m && t.def == after.def
			continue
		}
		if t.kind != tClass {
			outside = outside || !plainBase(t.name)
			continue
		}
		o := t.m.class(t.def)
		d := o.member(name)
		switch {
		case d == 0:
		case o.declared(d):
			return owned{c: o, def: d, external: outside}
		case assigned.def == 0:
			assigned = owned{c: o, def: d, external: outside}
		}
	}
	if assigned.def != 0 {
		assigned.external = outside
		return assigned
	}
	return owned{external: outside}
}

// overriders lists the definitions of name in subclasses of c.
func (c *class) overriders(name string, seen map[*class]bool, out []defRef) []defRef {
	for _, s := range c.subs {
		if seen[s] {
			continue
		}
		seen[s] = true
		if d := s.member(name); d != 0 && s.m.f.Defs[d].Kind == facts.DefMethod {
			out = append(out, defRef{s.m, d})
		}
		out = s.overriders(name, seen, out)
	}
	return out
}

// inherits says whether c is other or below it.
func (c *class) inherits(other *typ) bool {
	for _, t := range c.order() {
		if sameClass(t, other) {
			return true
		}
	}
	return false
}

// typeParams returns the type variables of a class, in the order of its
// Generic or Protocol base, else of their first appearance.
func (c *class) typeParams() []*typ {
	if c.params != nil {
		return c.params
	}
	c.params = []*typ{}
	f := c.m.f
	for i := range f.Binds {
		b := &f.Binds[i]
		sc := &f.Scopes[b.Scope]
		if b.Kind == facts.BindTypeParam && f.Scopes[f.Defs[c.def].Scope].Parent == b.Scope && sc.Kind == facts.ScopeTypeParams {
			c.params = append(c.params, c.m.typeParam(uint32(i)))
		}
	}
	if len(c.params) > 0 {
		return c.params
	}
	var generic, seen []*typ
	add := func(to *[]*typ, t *typ) {
		for _, o := range *to {
			if same(o, t) {
				return
			}
		}
		*to = append(*to, t)
	}
	for _, e := range f.KidsOf(f.Defs[c.def].Bases) {
		x := &f.Exprs[e]
		if x.Kind != facts.Index {
			continue
		}
		b := c.m.typeOf(x.X, strict)
		for _, k := range f.KidsOf(x.Kids) {
			for _, v := range vars(c.m.annotation(k), nil) {
				if b != nil && b.kind == tExternal && genericBase(b.name) {
					add(&generic, v)
				}
				add(&seen, v)
			}
		}
	}
	if generic != nil {
		seen = generic
	}
	c.params = append(c.params, seen...)
	return c.params
}

// vars lists the type variables in t.
func vars(t *typ, out []*typ) []*typ {
	if t == nil {
		return out
	}
	if t.kind == tTypeVar {
		return append(out, t)
	}
	for _, a := range t.args {
		out = vars(a, out)
	}
	return vars(t.res, out)
}

// view returns the type arguments that an instance of c with args has as an
// instance of its base class owner.
func (c *class) view(args []*typ, owner *class, depth int) []*typ {
	if c == owner || depth > 10 {
		return args
	}
	sub := substitution{}
	for i, p := range c.typeParams() {
		if i < len(args) {
			sub.set(p, args[i])
		}
	}
	for _, b := range c.baseTypes() {
		if b == nil || b.kind != tClass {
			continue
		}
		o := b.m.class(b.def)
		if !o.inherits(owner.object()) {
			continue
		}
		bargs := make([]*typ, len(b.args))
		for i, a := range b.args {
			bargs[i] = sub.apply(a)
		}
		return o.view(bargs, owner, depth+1)
	}
	return nil
}
