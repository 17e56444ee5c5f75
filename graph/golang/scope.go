package golang

import (
	"sort"

	"codeidx/facts"
	"codeidx/graph"
)

// entity is what a name means at one place.
type entity struct {
	kind entityKind
	id   int32 // as the kind says
}

type entityKind uint8

const (
	eUnset   entityKind = iota
	eNone               // nothing in reach
	eLocal              // id: index of a Bind of an inner scope
	eObject             // id: first object of its chain
	eDot                // likewise, by a dot import
	ePackage            // id: index into imports
	eType               // id: basic
	eBuiltin            // id: builtin
	eValue              // id: basic, of a predeclared value
)

// lookup says what the name of e means where it stands.
func (f *file) lookup(e *facts.Expr) entity {
	if f.localFrom[e.Name] < f.localFrom[e.Name+1] {
		if i := f.local(e.Name, e.Pos); i >= 0 {
			return entity{eLocal, i}
		}
	}
	x := &f.outer[e.Name]
	if x.kind == eUnset {
		*x = f.lookupOuter(e.Name)
	}
	return *x
}

// local returns the Bind of an inner scope that a name at pos refers to, -1
// where there is none. Scopes nest and a binding is visible from its From on,
// so the latest one whose scope holds pos is the innermost.
func (f *file) local(name facts.NameID, pos uint32) int32 {
	list := f.locals[f.localFrom[name]:f.localFrom[name+1]]
	i := sort.Search(len(list), func(i int) bool { return f.Binds[list[i]].From > pos }) - 1
	for ; i >= 0; i-- {
		b := &f.Binds[list[i]]
		if s := f.Scopes[b.Scope].Span; s.Start <= pos && pos < s.End {
			return list[i]
		}
	}
	return -1
}

// lookupOuter looks a name up in the file, package and universe blocks.
func (f *file) lookupOuter(name facts.NameID) entity {
	s := f.sym(name)
	for i, im := range f.named() {
		if im.name == s {
			return entity{ePackage, int32(i)}
		}
	}
	r := f.r
	if first := r.scope[pairKey(f.pkg, s)]; first != 0 {
		if id, _ := r.pick(f, first); id != 0 {
			return entity{eObject, first}
		}
	}
	for _, d := range f.dotted() {
		if d.pkg >= 0 {
			if first := r.scope[pairKey(d.pkg, s)]; first != 0 && exported(f.Names[name]) {
				return entity{eDot, first}
			}
		}
	}
	return r.predeclared(f.Names[name])
}

func (r *resolution) predeclared(name string) entity {
	if b, ok := r.uni.types[name]; ok {
		return entity{eType, int32(b)}
	}
	if b, ok := r.uni.funcs[name]; ok {
		return entity{eBuiltin, int32(b)}
	}
	if b, ok := r.uni.values[name]; ok {
		return entity{eValue, int32(b)}
	}
	return entity{kind: eNone}
}

// missing says why a name has no binding: a dot import from outside may bind
// it, and what may be a package name, an import whose name is not known.
func (f *file) missing(e *facts.Expr) graph.Reason {
	for _, d := range f.dotted() {
		if d.pkg < 0 {
			return graph.StarImport
		}
	}
	if e.Ctx == facts.Read {
		for _, im := range f.named() {
			if im.guessed {
				return graph.ExternalImport
			}
		}
	}
	return graph.UndefinedName
}

func exported(name string) bool {
	return name != "" && (name[0] >= 'A' && name[0] <= 'Z' || name[0] >= 0x80 && upperRune(name))
}
