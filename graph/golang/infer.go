package golang

import (
	"slices"

	"codeidx/facts"
)

// infer finds the type arguments of a call to a generic function: by unifying
// parameters with arguments, then by the core types of constraints.
func (f *file) infer(sig *typ, call *facts.Expr) *substitution {
	tt := f.r.types
	s := &substitution{r: f.r}
	u := unifier{s: s, params: tt.items(sig.list3, nil)}
	args := f.argTypes(call)
	n := tt.length(sig.list)
	for pass := range 2 { // typed arguments decide before untyped constants
		for i, a := range args {
			p := tt.at(sig.list, min(i, n-1))
			if sig.flag != 0 && i >= n-1 && !f.spread(call, i) {
				p = tt.types[p].a
			}
			if tt.untyped(a) == (pass == 1) {
				u.unify(p, tt.defaultType(a), 0)
			}
		}
	}
	for _, p := range u.params {
		c := f.r.constraintCore(f.r.constraint(p), 0)
		if c == 0 {
			continue
		}
		if bound := s.get(p); bound != 0 {
			u.unify(c, f.r.under(bound), 0)
		} else {
			s.add(p, s.apply(c))
		}
	}
	return s
}

// argTypes lists the types of a call's arguments; a call with several results
// may stand for all of them.
func (f *file) argTypes(call *facts.Expr) []typeID {
	kids := f.KidsOf(call.Kids)
	types := make([]typeID, 0, len(kids))
	for _, k := range kids {
		types = append(types, f.value(k))
	}
	if len(types) == 1 && f.r.types.kind(types[0]) == tTuple {
		return f.r.types.items(f.r.types.types[types[0]].list, types[:0])
	}
	return types
}

func (f *file) spread(call *facts.Expr, i int) bool {
	kids := f.KidsOf(call.Kids)
	return i < len(kids) && f.Exprs[kids[i]].Kind == facts.Spread
}

// unifier binds type parameters by comparing types.
type unifier struct {
	s      *substitution
	params []typeID
}

// unify matches the parameter type p with the argument type a.
func (u *unifier) unify(p, a typeID, depth int) {
	if p == a || p == 0 || a == 0 || depth > maxSubst {
		return
	}
	tt := u.s.r.types
	x, y := tt.types[p], tt.types[a]
	if x.kind == tParam {
		if slices.Contains(u.params, p) && u.s.get(p) == 0 {
			u.s.add(p, a)
		}
		return
	}
	if y.kind == tNamed && x.kind != tNamed {
		y = tt.types[u.s.r.under(a)]
	}
	if x.kind != y.kind || x.kind == tNamed && (x.file != y.file || x.ref != y.ref) || x.kind == tExternal && x.n != y.n {
		return
	}
	u.unify(x.a, y.a, depth+1)
	u.unify(x.b, y.b, depth+1)
	u.unifyList(x.list, y.list, depth+1)
	u.unifyList(x.list2, y.list2, depth+1)
}

func (u *unifier) unifyList(x, y listID, depth int) {
	tt := u.s.r.types
	for ; x != 0 && y != 0; x, y = tt.lists[x].tail, tt.lists[y].tail {
		u.unify(tt.lists[x].head, tt.lists[y].head, depth)
	}
}
