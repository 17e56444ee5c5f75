package golang

import (
	"cmp"

	"codeidx/facts"
)

// substitution puts types in place of type parameters.
type substitution struct {
	r        *resolution
	from, to []typeID
	depth    int
}

// maxSubst bounds the depth of types that a substitution builds.
const maxSubst = 24

func (s *substitution) add(from, to typeID) {
	if from != 0 && to != 0 && from != to {
		s.from, s.to = append(s.from, from), append(s.to, to)
	}
}

// get returns what stands for a type parameter, 0 for none.
func (s *substitution) get(from typeID) typeID {
	for i, f := range s.from {
		if f == from {
			return s.to[i]
		}
	}
	return 0
}

// apply replaces the type parameters in t.
func (s *substitution) apply(t typeID) typeID {
	if len(s.from) == 0 || t <= 0 {
		return t
	}
	if s.depth > maxSubst {
		return 0
	}
	tt := s.r.types
	x := tt.types[t]
	switch x.kind {
	case tParam:
		if to := s.get(t); to != 0 {
			return to
		}
		return t
	case tBasic, tNone:
		return t
	case tStruct:
		if x.ref == 0 {
			return t
		}
		return s.environment(t, x)
	case tInterface:
		return s.environment(t, x)
	}
	s.depth++
	if x.a != 0 {
		x.a = s.apply(x.a)
	}
	if x.b != 0 {
		x.b = s.apply(x.b)
	}
	x.list, x.list2 = s.applyList(x.list), s.applyList(x.list2)
	s.depth--
	return tt.intern(x)
}

func (s *substitution) applyList(l listID) listID {
	if l == 0 {
		return 0
	}
	var buf [8]typeID
	items := s.r.types.items(l, buf[:0])
	for i, t := range items {
		items[i] = s.apply(t)
	}
	return s.r.types.list(items)
}

// environment notes the substitution on a struct or interface type, whose
// members are computed later.
func (s *substitution) environment(t typeID, x typ) typeID {
	tt := s.r.types
	from, to := tt.items(x.list, nil), tt.items(x.list2, nil)
	s.depth++
	for i := range to {
		to[i] = s.apply(to[i])
	}
	s.depth--
	if x.list == 0 {
		from, to = s.from, s.to
	}
	x.list, x.list2 = tt.list(from), tt.list(to)
	return tt.intern(x)
}

// environment is the substitution that a struct or interface type carries.
func (r *resolution) environment(x typ) *substitution {
	s := &substitution{r: r}
	if x.list != 0 {
		s.from, s.to = r.types.items(x.list, nil), r.types.items(x.list2, nil)
	}
	return s
}

// under follows named types to the type that they are declared as.
func (r *resolution) under(t typeID) typeID {
	tt := r.types
	if t <= 0 {
		return 0
	}
	x := tt.types[t]
	if x.kind != tNamed {
		return t
	}
	if u := tt.under[t]; u != 0 {
		return r.settled(u)
	}
	tt.under[t] = open // a cycle ends here
	g := r.files[x.file]
	d := &g.Defs[x.def()]
	u := r.under(g.instance(d, x.list))
	tt.under[t] = cmp.Or(u, unknown)
	return u
}

// instance is the declared type of the type definition d, with type arguments
// in place of its parameters.
func (f *file) instance(d *facts.Def, args listID) typeID {
	t := f.typeOf(d.Type)
	if args == 0 || t == 0 {
		return t
	}
	s := substitution{r: f.r}
	for _, i := range f.typeParams[d.Scope] {
		s.add(f.paramType(i), f.r.types.at(args, int(f.Binds[i].Index)))
	}
	return s.apply(t)
}

// expandAlias replaces an instance of a generic alias by what it stands for.
func (r *resolution) expandAlias(t typeID) typeID {
	x := r.types.types[t]
	if x.kind != tNamed {
		return t
	}
	g := r.files[x.file]
	if d := &g.Defs[x.def()]; d.Flags&facts.Alias != 0 {
		return g.instance(d, x.list)
	}
	return t
}

// constraint returns the constraint of a type parameter, 0 where unknown. That
// of a method's receiver is the type declaration's.
func (r *resolution) constraint(t typeID) typeID {
	x := r.types.types[t]
	g := r.files[x.file]
	b := &g.Binds[x.ref]
	if b.Type != 0 {
		return g.typeOf(b.Type)
	}
	m := &g.Defs[g.Scopes[b.Scope].Def]
	if m.Kind != facts.DefMethod {
		return 0
	}
	first := r.scope[pairKey(g.pkg, g.sym(m.Container))]
	if first == 0 {
		return 0
	}
	o := r.objects[first]
	h := r.files[o.file]
	params := h.typeParams[h.Defs[o.def].Scope]
	if int(b.Index) >= len(params) || h.Binds[params[b.Index]].Type == 0 {
		return 0
	}
	c := h.typeOf(h.Binds[params[b.Index]].Type)
	s := substitution{r: r}
	for _, i := range g.typeParams[b.Scope] {
		if k := int(g.Binds[i].Index); k < len(params) {
			s.add(h.paramType(params[k]), g.paramType(i))
		}
	}
	return s.apply(c)
}

// core returns the underlying type that a value of type t has in every
// instance: of a type parameter the only one that its constraint allows.
func (r *resolution) core(t typeID) typeID {
	u := r.under(t)
	if r.types.kind(u) != tParam {
		return u
	}
	if c := r.constraintCore(r.constraint(u), 0); c != 0 {
		return c
	}
	return u
}

// constraintCore returns the single underlying type of a constraint, else 0.
func (r *resolution) constraintCore(c typeID, depth int) typeID {
	if c == 0 || depth > maxEmbedding {
		return 0
	}
	tt := r.types
	x := tt.types[c]
	switch x.kind {
	case tTilde:
		return r.under(x.a)
	case tUnion:
		same := typeID(0)
		for l := x.list; l != 0; l = tt.lists[l].tail {
			u := r.constraintCore(tt.lists[l].head, depth+1)
			if u == 0 || same != 0 && same != u {
				return 0
			}
			same = u
		}
		return same
	case tNamed:
		if u := r.under(c); tt.kind(u) == tInterface {
			return r.constraintCore(u, depth+1)
		} else {
			return u
		}
	case tInterface:
		g := r.files[x.file]
		e := &g.Exprs[x.ref]
		env := r.environment(x)
		for _, k := range g.KidsOf(e.Kids) {
			if u := r.constraintCore(env.apply(g.typeOf(k)), depth+1); u != 0 {
				return u
			}
		}
		return 0
	case tBasic:
		if b := basic(x.n); b == bAny || b == bComparable || b == bError {
			return 0
		}
	case tExternal:
		return 0
	}
	return c
}

// elem is the type of an element: behind a pointer, in a slice, array, map or
// channel, of a string.
func (r *resolution) elem(t typeID) typeID {
	x := &r.types.types[r.core(t)]
	switch x.kind {
	case tPointer, tSlice, tArray, tMap, tChan:
		return x.a
	case tBasic:
		return r.types.basic(bUint8)
	case tExternal:
		return r.externalType("")
	}
	return 0
}
