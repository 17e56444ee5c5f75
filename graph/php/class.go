package php

import (
	"sort"
	"strings"

	"codeidx/facts"
)

// class is a class, interface, trait or enum with what inheritance says of it.
type class struct {
	f    *file
	def  facts.DefID
	name string // full name

	parents    []*class // extended: one for a class, several for an interface
	traits     []*class
	interfaces []*class
	subs       []*class // that extend, implement or use it directly
	outside    []string // full names of bases that are not in the repository
	unsure     bool     // a base has several declarations

	methods map[string]facts.DefID // by lower-case name
	props   map[string]facts.DefID
	consts  map[string]facts.DefID
	rules   []traitRule
}

// traitRule is one rule of a trait use: alias stands for trait's method, or,
// with not, trait's method is taken instead of not's.
type traitRule struct {
	alias, method string // lower case
	trait, not    *class
}

// maxLevels bounds how deep hierarchies are followed.
const maxLevels = 40

// linkClasses resolves the bases of every class, so that subclasses are known.
func (w *world) linkClasses() {
	for _, f := range w.order {
		for i := 1; i < len(f.f.Defs); i++ {
			if c := f.classes[facts.DefID(i)]; c != nil {
				c.link()
			}
		}
	}
}

func (c *class) link() {
	d := &c.f.f.Defs[c.def]
	for _, e := range c.f.f.KidsOf(d.Bases) {
		if c.f.f.Exprs[e].Ctx == facts.TraitUse {
			c.traits = c.base(c.traits, e)
		} else {
			c.parents = c.base(c.parents, e)
		}
	}
	for _, e := range c.f.f.KidsOf(d.Implements) {
		c.interfaces = c.base(c.interfaces, e)
	}
	if d.Kind == facts.DefEnum {
		c.outside = append(c.outside, "UnitEnum", "BackedEnum")
	}
	c.index()
}

// base adds the class that e names, the first of several.
func (c *class) base(list []*class, e facts.ExprID) []*class {
	x := &c.f.f.Exprs[e]
	if e == 0 || x.Kind != facts.Name {
		return list
	}
	fqn := c.f.className(x)
	found := c.f.choose(fqn)
	if len(found) == 0 {
		c.outside = append(c.outside, fqn)
		return list
	}
	c.unsure = c.unsure || len(found) > 1
	for _, b := range found {
		b.subs = append(b.subs, c)
	}
	return append(list, found[0])
}

// index lists the members of the class's own body.
func (c *class) index() {
	f := c.f.f
	c.methods, c.props, c.consts = map[string]facts.DefID{}, map[string]facts.DefID{}, map[string]facts.DefID{}
	for _, m := range c.f.members.Of(uint32(c.def)) {
		d := &f.Defs[m]
		name := f.Names[d.Name]
		switch d.Kind {
		case facts.DefMethod:
			setFirst(c.methods, strings.ToLower(name), m)
		case facts.DefProperty:
			setFirst(c.props, name, m)
		case facts.DefConstant, facts.DefEnumMember:
			setFirst(c.consts, name, m)
		}
	}
	for i := range f.Binds {
		if b := &f.Binds[i]; b.Kind == facts.BindTrait && b.Scope == f.Defs[c.def].Scope {
			c.addRule(b)
		}
	}
}

func setFirst(m map[string]facts.DefID, name string, def uint32) {
	if _, ok := m[name]; !ok {
		m[name] = facts.DefID(def)
	}
}

func (c *class) addRule(b *facts.Bind) {
	v := &c.f.f.Exprs[b.Value]
	r := traitRule{alias: strings.ToLower(c.f.name(b.Name)), method: strings.ToLower(c.f.name(v.Name))}
	if v.Kind == facts.Scoped {
		r.trait = c.used(v.X)
	}
	if b.Type != 0 {
		if r.not = c.used(b.Type); r.not == nil {
			return
		}
	}
	c.rules = append(c.rules, r)
}

// used returns the trait of the class that e names.
func (c *class) used(e facts.ExprID) *class {
	if e == 0 {
		return nil
	}
	found := c.f.choose(c.f.className(&c.f.f.Exprs[e]))
	if len(found) == 0 {
		return nil
	}
	return found[0]
}

// owned is a member and the class that declares it.
type owned struct {
	c   *class
	def facts.DefID
}

// memberKind says which table of a class a member is looked up in.
type memberKind uint8

const (
	method memberKind = iota
	property
	constant
)

func (c *class) own(k memberKind, name string) facts.DefID {
	switch k {
	case method:
		return c.methods[name]
	case property:
		return c.props[name]
	}
	return c.consts[name]
}

// find looks a member up as PHP does: own body, traits, parents, then what
// interfaces declare. Method names come in lower case.
func (c *class) find(k memberKind, name string) owned { return c.findBelow(k, name, 0) }

func (c *class) findBelow(k memberKind, name string, level int) owned {
	if level > maxLevels {
		return owned{}
	}
	if d := c.own(k, name); d != 0 {
		return owned{c, d}
	}
	abstract := owned{}
	if o := c.inTraits(k, name, level); o.def != 0 {
		if k != method || o.c.f.f.Defs[o.def].Flags&facts.Abstract == 0 {
			return o
		}
		abstract = o
	}
	for _, p := range c.parents {
		if o := p.findBelow(k, name, level+1); o.def != 0 {
			return o
		}
	}
	if abstract.def != 0 {
		return abstract
	}
	for _, i := range c.interfaces {
		if o := i.findBelow(k, name, level+1); o.def != 0 {
			return o
		}
	}
	return owned{}
}

func (c *class) inTraits(k memberKind, name string, level int) owned {
	var skip []*class
	if k == method {
		for _, r := range c.rules {
			if r.alias != name {
				continue
			}
			if r.not != nil {
				skip = append(skip, r.not)
				continue
			}
			for _, t := range c.traits {
				if r.trait != nil && r.trait != t {
					continue
				}
				if o := t.findBelow(method, r.method, level+1); o.def != 0 {
					return o
				}
			}
		}
	}
	var abstract owned
next:
	for _, t := range c.traits {
		for _, s := range skip {
			if s == t {
				continue next
			}
		}
		o := t.findBelow(k, name, level+1)
		switch {
		case o.def == 0:
		case k == method && o.c.f.f.Defs[o.def].Flags&facts.Abstract != 0:
			abstract = o
		default:
			return o
		}
	}
	return abstract
}

// bases lists the direct bases in order of lookup.
func (c *class) bases() []*class {
	out := make([]*class, 0, len(c.traits)+len(c.parents)+len(c.interfaces))
	out = append(out, c.traits...)
	out = append(out, c.parents...)
	return append(out, c.interfaces...)
}

// is says whether c is other or below it.
func (c *class) is(other *class) bool { return c.reaches(func(b *class) bool { return b == other }, 0) }

// inheritsExternal says whether a class of this name, from outside of the
// repository, is among the bases.
func (c *class) inheritsExternal(name string) bool {
	return c.reaches(func(b *class) bool {
		for _, o := range b.outside {
			if sameName(o, name) {
				return true
			}
		}
		return false
	}, 0)
}

// external says whether any base is not in the repository.
func (c *class) external() bool {
	return c.reaches(func(b *class) bool { return len(b.outside) > 0 }, 0)
}

func (c *class) reaches(f func(*class) bool, level int) bool {
	if f(c) {
		return true
	}
	if level > maxLevels {
		return false
	}
	for _, list := range [...][]*class{c.parents, c.traits, c.interfaces} {
		for _, b := range list {
			if b.reaches(f, level+1) {
				return true
			}
		}
	}
	return false
}

func sameName(a, b string) bool {
	return strings.EqualFold(strings.TrimPrefix(a, `\`), strings.TrimPrefix(b, `\`))
}

// overriders lists what a method is for the classes below c, where it is not
// the one that c has.
func (c *class) overriders(name string, seen map[*class]bool, out []defRef) []defRef {
	for _, s := range c.subs {
		if seen[s] {
			continue
		}
		seen[s] = true
		if o := s.find(method, name); o.def != 0 && !c.is(o.c) {
			out = append(out, defRef{o.c.f, o.def})
		}
		out = s.overriders(name, seen, out)
	}
	return out
}

// below lists what a member is for the nearest classes below c that have it.
func (c *class) below(k memberKind, name string, seen map[*class]bool, out []defRef) []defRef {
	for _, s := range c.subs {
		if seen[s] {
			continue
		}
		seen[s] = true
		if o := s.find(k, name); o.def != 0 {
			out = append(out, defRef{o.c.f, o.def})
		} else {
			out = s.below(k, name, seen, out)
		}
	}
	return out
}

// asUsed is what a member of $this is for all classes that use a trait,
// nothing where they differ.
func (c *class) asUsed(k memberKind, name string) owned {
	var out owned
	for _, s := range c.users(nil, 0) {
		switch o := s.find(k, name); {
		case o.def == 0, out.def != 0 && o != out:
			return owned{}
		default:
			out = o
		}
	}
	return out
}

// users lists the classes that use a trait, also through other traits.
func (c *class) users(out []*class, level int) []*class {
	for _, s := range c.subs {
		switch {
		case level > maxLevels:
		case s.kind() == facts.DefTrait:
			out = s.users(out, level+1)
		default:
			out = append(out, s)
		}
	}
	return out
}

// sortRefs orders definitions by path and drops equal ones.
func sortRefs(refs []defRef) []defRef {
	sort.Slice(refs, func(i, j int) bool {
		if refs[i].f != refs[j].f {
			return refs[i].f.f.Path < refs[j].f.f.Path
		}
		return refs[i].def < refs[j].def
	})
	out := refs[:0]
	for i, r := range refs {
		if i == 0 || r != refs[i-1] {
			out = append(out, r)
		}
	}
	return out
}

// kind is the kind of the class's definition.
func (c *class) kind() facts.DefKind { return c.f.f.Defs[c.def].Kind }

// flags are the flags of one of the class's members.
func (o owned) flags() facts.DefFlags { return o.c.f.f.Defs[o.def].Flags }
