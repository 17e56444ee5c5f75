package golang

import (
	"slices"

	"codeidx/facts"
	"codeidx/graph"
)

// selKey is a member looked up on a type.
type selKey struct {
	typ  typeID
	name sym
}

type selKind uint8

const (
	sNone      selKind = iota
	sField             // defRef is the field
	sMethod            // chain holds the method's definitions
	sInterface         // defRef is the method of an interface, face the interface
	sExternal          // may be a member of a type outside the repository
	sBuiltin           // a predeclared method: error.Error
	sAmbiguous         // several at the same depth
	sDeep              // too deep
)

// selection is the result of looking a member up.
type selection struct {
	kind     selKind
	promoted bool
	busy     bool   // the lookup is not done yet
	shadowed bool   // an embedded type from outside, less deep, may have it too
	variant  typeID // the type on the way that other builds may define differently, 0 for none
	defRef
	chain int32
	typ   typeID // of the member, type arguments put in; a FuncType without receiver for methods
	face  typeID
}

func (s *selection) reason() graph.Reason {
	switch s.kind {
	case sExternal:
		return graph.ExternalType
	case sBuiltin:
		return graph.Builtin
	case sAmbiguous:
		return graph.AmbiguousTarget
	case sDeep:
		return graph.DepthLimit
	}
	return graph.NoSuchMember
}

func (s *selection) rule() graph.Rule {
	switch {
	case s.kind == sInterface:
		return graph.GoInterfaceMethod
	case s.kind == sMethod && s.promoted:
		return graph.GoMethodPromoted
	case s.kind == sMethod:
		return graph.GoMethod
	case s.promoted:
		return graph.GoFieldPromoted
	}
	return graph.GoField
}

// Bounds of a member lookup: embedding depth and types at one depth.
const (
	maxEmbedding = 12
	maxWidth     = 200
)

// find looks up the member name of type t: the field or method at the least
// embedding depth, as the language defines it.
func (r *resolution) find(t typeID, name sym) selection {
	key := selKey{t, name}
	if s, ok := r.selCache[key]; ok {
		r.circular = r.circular || s.busy
		return s
	}
	r.selCache[key] = selection{kind: sDeep, busy: true} // while it is computed
	s := r.search(t, name)
	r.selCache[key] = s
	return s
}

// embeddedType is a type to look into, and the outermost type above it that has
// several build variants.
type embeddedType struct {
	typ, variant typeID
}

func (r *resolution) search(t typeID, name sym) selection {
	if r.types.kind(t) == tPointer {
		t = r.types.types[t].a
		if k := r.types.kind(r.under(t)); k == tPointer || k == tInterface {
			return selection{}
		}
	}
	level := []embeddedType{{typ: t}}
	var seen []typeID
	outside := false // a type outside the repository was seen above this level
	for depth := 0; len(level) > 0; depth++ {
		if depth > maxEmbedding || len(level) > maxWidth {
			return selection{kind: sDeep}
		}
		var next []embeddedType
		var found selection
		n, outsideHere := 0, false
		for _, x := range level {
			if r.types.kind(x.typ) == tNamed {
				if slices.Contains(seen, x.typ) {
					continue
				}
				seen = append(seen, x.typ)
			}
			var s selection
			s, next = r.direct(x, name, next)
			switch {
			case s.kind == sNone:
			case s.kind == sExternal && s.typ == 0:
				outsideHere = true
			default:
				found = s
				n++
			}
		}
		if n > 1 {
			return selection{kind: sAmbiguous}
		}
		if n == 1 {
			found.promoted, found.shadowed = depth > 0, outside
			return found
		}
		outside = outside || outsideHere
		level = next
	}
	if outside {
		return selection{kind: sExternal}
	}
	return selection{}
}

// direct looks a member up on a type itself and appends what it embeds.
func (r *resolution) direct(from embeddedType, name sym, embedded []embeddedType) (selection, []embeddedType) {
	t := from.typ
	x := r.types.types[t]
	var s selection
	if x.kind == tNamed {
		if s = r.methodOf(t, name); s.kind != sNone {
			s.variant = from.variant
			return s, embedded
		}
		if from.variant == 0 && r.hasVariants(x) {
			from.variant = t
		}
	}
	u := r.under(t)
	switch ux := r.types.types[u]; ux.kind {
	case tStruct:
		s, embedded = r.fieldOf(ux, name, from.variant, embedded)
	case tInterface:
		s = r.interfaceMember(u, name, 0)
		s.face = t
	case tParam:
		return r.paramMember(u, name), embedded
	case tBasic:
		if basic(ux.n) == bError && r.names[name] == "Error" {
			s = selection{kind: sBuiltin, typ: r.errorMethod()}
		}
	case tExternal:
		s = r.externalSelection(u, name)
	case tNone:
		if t == 0 || x.kind == tNamed {
			s = selection{kind: sExternal}
		}
	}
	s.variant = from.variant
	return s, embedded
}

// hasVariants says whether several builds define the named type x differently.
func (r *resolution) hasVariants(x typ) bool {
	owner := r.owner(defRef{x.file, x.def()})
	return owner != 0 && r.objects[owner].next != 0
}

// methodOf finds a method that is declared for the named type t.
func (r *resolution) methodOf(t typeID, name sym) selection {
	x := r.types.types[t]
	owner := r.owner(defRef{x.file, x.def()})
	if owner == 0 {
		return selection{}
	}
	chain := r.methods[pairKey(owner, name)]
	if chain == 0 {
		return selection{}
	}
	o := r.objects[chain]
	return selection{kind: sMethod, chain: chain, defRef: o.defRef, typ: r.methodType(o.defRef, x.list)}
}

// owner returns the object on which the methods of a type hang: the first of
// its build variants.
func (r *resolution) owner(d defRef) int32 {
	if r.objectOf[d] == 0 {
		return 0
	}
	g := r.files[d.file]
	return r.scope[pairKey(g.pkg, g.sym(g.Defs[d.def].Name))]
}

// methodType is the signature of a method with the type arguments of its
// receiver put in.
func (r *resolution) methodType(d defRef, args listID) typeID {
	g := r.files[d.file]
	t := g.defType(d.def)
	if args == 0 || t == 0 {
		return t
	}
	params := g.typeParams[g.Defs[d.def].Scope]
	s := substitution{r: r}
	for _, i := range params {
		s.add(g.paramType(i), r.types.at(args, int(g.Binds[i].Index)))
	}
	return s.apply(t)
}

// fieldOf finds a field of a struct type and appends its embedded types.
func (r *resolution) fieldOf(x typ, name sym, variant typeID, embedded []embeddedType) (selection, []embeddedType) {
	g := r.files[x.file]
	if x.ref == 0 {
		return selection{}, embedded
	}
	for d := g.members(x); d != 0; d = g.nextMember[d] {
		def := &g.Defs[d]
		if g.sym(def.Name) == name {
			return selection{kind: sField, defRef: defRef{x.file, d}, typ: g.fieldType(d, x)}, embedded
		}
		if def.Flags&facts.Embedded != 0 {
			embedded = append(embedded, embeddedType{r.types.deref(g.fieldType(d, x)), variant})
		}
	}
	return selection{}, embedded
}

// fieldType is the type of a field of the struct type x.
func (f *file) fieldType(d facts.DefID, x typ) typeID {
	return f.r.environment(x).apply(f.typeOf(f.Defs[d].Type))
}

// interfaceMember finds a method of an interface type, embedded ones included.
func (r *resolution) interfaceMember(t typeID, name sym, depth int) selection {
	x := r.types.types[t]
	if depth > maxEmbedding {
		return selection{kind: sDeep}
	}
	g := r.files[x.file]
	e := &g.Exprs[x.ref]
	env := r.environment(x)
	for d := g.firstMember[e.Scope]; d != 0; d = g.nextMember[d] {
		if g.sym(g.Defs[d].Name) == name {
			return selection{kind: sInterface, defRef: defRef{x.file, d}, typ: env.apply(g.typeOf(g.Defs[d].Type))}
		}
	}
	var outside selection
	for _, k := range g.KidsOf(e.Kids) {
		t := env.apply(g.typeOf(k))
		switch u := r.under(t); r.types.kind(u) {
		case tInterface:
			s := r.interfaceMember(u, name, depth+1)
			if s.kind == sInterface || s.kind == sBuiltin || s.kind == sDeep {
				return s
			}
			if s.kind == sExternal {
				outside = s
			}
		case tExternal:
			s := r.externalSelection(u, name)
			if s.kind == sBuiltin {
				return s
			}
			if s.kind == sExternal {
				outside = s
			}
		case tBasic:
			if r.types.isBasic(u, bError) && r.names[name] == "Error" {
				return selection{kind: sBuiltin, typ: r.errorMethod()}
			}
		case tNone:
			outside = selection{kind: sExternal}
		}
	}
	return outside
}

// paramMember finds a member of a type parameter: a method of its constraint,
// or a field that its core type has.
func (r *resolution) paramMember(t typeID, name sym) selection {
	c := r.constraint(t)
	if c == 0 {
		return selection{}
	}
	if s := r.find(c, name); s.kind != sNone {
		if s.kind == sInterface && s.face == 0 {
			s.face = c
		}
		return s
	}
	if core := r.core(t); core != 0 && core != t {
		return r.find(core, name)
	}
	return selection{}
}

func (r *resolution) errorMethod() typeID {
	return r.types.intern(typ{kind: tFunc, list2: r.types.list([]typeID{r.types.basic(bString)})})
}
