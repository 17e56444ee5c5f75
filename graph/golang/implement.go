package golang

import (
	"sort"

	"codeidx/facts"
	"codeidx/graph"
)

// methodSets is what implicit interface satisfaction is computed from.
type methodSets struct {
	withMethod map[sym][]typeID    // concrete types by the methods that they may have
	faces      []typeID            // named interfaces with methods
	impls      map[typeID][]typeID // memo of implementations
}

// faceMethod is one method of an interface's full method set.
type faceMethod struct {
	name sym
	typ  typeID
	pkg  int32 // of an unexported method, else -1
}

// implement links every named type to the named interfaces whose method sets
// it has, with identical signatures. Generic types are left out.
func (r *resolution) implement() {
	r.collectTypes()
	for _, face := range r.sets.faces {
		x := r.types.types[face]
		for _, t := range r.implementations(face) {
			c := r.types.types[t]
			f := r.files[c.file]
			if !r.build.together(f.build, r.files[x.file].build) {
				continue
			}
			d := &f.Defs[c.def()]
			f.out.Edges = append(f.out.Edges, graph.Edge{
				Kind: graph.Implements, Rule: graph.GoImplements, From: c.def(), Pos: d.NamePos, Name: d.Name,
				To: graph.Target{File: x.file, Def: x.def()},
			})
		}
	}
}

// collectTypes lists the package-level types of the program.
func (r *resolution) collectTypes() {
	r.sets = methodSets{withMethod: map[sym][]typeID{}, impls: map[typeID][]typeID{}}
	for _, f := range r.files {
		if f == nil {
			continue
		}
		for i := range f.Defs {
			id := facts.DefID(i)
			d := &f.Defs[i]
			if !f.isType(id) || d.Flags&(facts.Alias|facts.Local) != 0 || len(f.typeParams[d.Scope]) > 0 {
				continue
			}
			t := f.defType(id)
			if r.types.kind(r.under(t)) == tInterface {
				r.sets.faces = append(r.sets.faces, t)
				continue
			}
			names := map[sym]bool{}
			r.methodNames(t, names, map[typeID]bool{}, 0)
			for name := range names {
				r.sets.withMethod[name] = append(r.sets.withMethod[name], t)
			}
		}
	}
}

// methodNames adds the names that t may have as methods, promoted ones included.
func (r *resolution) methodNames(t typeID, names map[sym]bool, seen map[typeID]bool, depth int) {
	if depth > maxEmbedding || seen[t] {
		return
	}
	seen[t] = true
	if x := r.types.types[t]; x.kind == tNamed {
		for _, name := range r.methodsOf[r.owner(defRef{x.file, x.def()})] {
			names[name] = true
		}
	}
	u := r.under(t)
	switch x := r.types.types[u]; x.kind {
	case tStruct:
		g := r.files[x.file]
		for d := g.members(x); d != 0; d = g.nextMember[d] {
			if g.Defs[d].Flags&facts.Embedded != 0 {
				r.methodNames(r.types.deref(g.fieldType(d, x)), names, seen, depth+1)
			}
		}
	case tInterface:
		methods, _ := r.faceMethods(u, nil, 0)
		for _, m := range methods {
			names[m.name] = true
		}
	case tExternal:
		for _, m := range r.externalMethods(sym(x.n)) {
			names[m.name] = true
		}
	case tBasic:
		if basic(x.n) == bError {
			names[r.sym("Error")] = true
		}
	}
}

// faceMethods appends the full method set of an interface; ok is false where
// it is not known or has constraint elements.
func (r *resolution) faceMethods(u typeID, list []faceMethod, depth int) (_ []faceMethod, ok bool) {
	x := r.types.types[u]
	switch x.kind {
	case tBasic:
		if basic(x.n) == bError {
			return append(list, faceMethod{r.sym("Error"), r.errorMethod(), -1}), true
		}
		return list, basic(x.n) == bAny
	case tExternal:
		methods := r.externalMethods(sym(x.n))
		for _, m := range methods {
			list = append(list, faceMethod{m.name, m.typ, -1})
		}
		return list, len(methods) > 0
	case tInterface:
	default:
		return list, false
	}
	if depth > maxEmbedding {
		return list, false
	}
	g := r.files[x.file]
	e := &g.Exprs[x.ref]
	env := r.environment(x)
	for d := g.firstMember[e.Scope]; d != 0; d = g.nextMember[d] {
		m := faceMethod{g.sym(g.Defs[d].Name), env.apply(g.typeOf(g.Defs[d].Type)), -1}
		if !exported(r.names[m.name]) {
			m.pkg = g.pkg
		}
		list = append(list, m)
	}
	ok = true
	for _, k := range g.KidsOf(e.Kids) {
		more := false
		list, more = r.faceMethods(r.under(env.apply(g.typeOf(k))), list, depth+1)
		ok = ok && more
	}
	return list, ok
}

// implementations lists the named types that implement an interface type, in
// order of file and definition.
func (r *resolution) implementations(face typeID) []typeID {
	if list, ok := r.sets.impls[face]; ok {
		return list
	}
	var list []typeID
	methods, ok := r.faceMethods(r.under(face), nil, 0)
	if ok && len(methods) > 0 {
		rarest := methods[0].name
		for _, m := range methods {
			if len(r.sets.withMethod[m.name]) < len(r.sets.withMethod[rarest]) {
				rarest = m.name
			}
		}
		for _, t := range r.sets.withMethod[rarest] {
			if r.hasMethods(t, methods) {
				list = append(list, t)
			}
		}
		sort.Slice(list, func(i, j int) bool {
			a, b := &r.types.types[list[i]], &r.types.types[list[j]]
			if a.file != b.file {
				return a.file < b.file
			}
			return a.ref < b.ref
		})
	}
	r.sets.impls[face] = list
	return list
}

// hasMethods says whether t or *t has all methods with the same signatures.
func (r *resolution) hasMethods(t typeID, methods []faceMethod) bool {
	for _, m := range methods {
		s := r.find(t, m.name)
		switch s.kind {
		case sMethod, sInterface:
			if m.pkg >= 0 && r.files[s.file].pkg != m.pkg {
				return false
			}
		case sBuiltin, sExternal:
		default:
			return false
		}
		if s.shadowed || s.typ == 0 || s.typ != m.typ {
			return false
		}
	}
	return true
}

// openCall is a use of an interface method, for which implementations are
// candidates.
type openCall struct {
	file int32
	pos  uint32
	name facts.NameID
	kind graph.Kind
	face typeID
	sym  sym
}

// maxDispatch bounds the candidates of one call.
const maxDispatch = 50

// dispatch adds the implementations behind calls through interfaces.
func (r *resolution) dispatch() {
	memo := map[selKey][]defRef{}
	for _, c := range r.calls {
		key := selKey{c.face, c.sym}
		targets, ok := memo[key]
		if !ok {
			targets = r.targets(key)
			memo[key] = targets
		}
		f := r.files[c.file]
		for _, d := range targets {
			if !r.build.together(f.build, r.files[d.file].build) {
				continue
			}
			f.out.Edges = append(f.out.Edges, graph.Edge{
				Kind: c.kind, Resolution: graph.Candidate, Rule: graph.GoDispatch, From: f.from(c.pos), Pos: c.pos, Name: c.name,
				To: graph.Target{File: d.file, Def: d.def},
			})
		}
	}
}

// targets lists the methods that a call of key.name on interface key.typ may
// run, without repetition.
func (r *resolution) targets(key selKey) []defRef {
	var list []defRef
	seen := map[defRef]bool{}
	for _, t := range r.implementations(key.typ) {
		s := r.find(t, key.name)
		if s.kind != sMethod {
			continue
		}
		for o := s.chain; o != 0; o = r.objects[o].next {
			d := r.objects[o].defRef
			if !seen[d] && len(list) < maxDispatch {
				seen[d] = true
				list = append(list, d)
			}
		}
	}
	return list
}
