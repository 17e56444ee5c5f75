package golang

import (
	"cmp"

	"codeidx/facts"
)

// unknown marks types that are known to be unknown, open those that are being
// computed: a declaration that needs its own type has none.
const (
	unknown typeID = -1
	open    typeID = -2
)

// settled is the type that a memo holds: 0 for one that is unknown or open.
func (r *resolution) settled(t typeID) typeID {
	if t == open {
		r.circular = true
	}
	return max(t, 0)
}

// defType is the type of a definition: of a type the type itself, of a
// function its signature, 0 where it is not known.
func (f *file) defType(d facts.DefID) typeID {
	if t := f.defTypes[d]; t != 0 {
		return f.r.settled(t)
	}
	f.defTypes[d] = open
	t := f.computeDef(d, &f.Defs[d])
	f.defTypes[d] = cmp.Or(t, unknown)
	return t
}

func (f *file) computeDef(id facts.DefID, d *facts.Def) typeID {
	switch d.Kind {
	case facts.DefStruct, facts.DefInterface, facts.DefType:
		if d.Flags&facts.Alias != 0 && len(f.typeParams[d.Scope]) == 0 {
			return f.typeOf(d.Type)
		}
		return f.r.types.intern(typ{kind: tNamed, file: f.index, ref: uint32(id)})
	case facts.DefFunction:
		t := f.typeOf(d.Type)
		if params := f.typeParams[d.Scope]; len(params) > 0 && t != 0 {
			x := f.r.types.types[t]
			x.list3 = f.paramList(params)
			t = f.r.types.intern(x)
		}
		return t
	case facts.DefMethod, facts.DefField:
		return f.typeOf(d.Type)
	case facts.DefVariable, facts.DefConstant:
		if i := f.bindOf[id]; i != 0 {
			return f.bindType(i - 1)
		}
	}
	return 0
}

// paramList makes a list of type parameter types.
func (f *file) paramList(binds []uint32) listID {
	items := make([]typeID, len(binds))
	for i, b := range binds {
		items[i] = f.paramType(b)
	}
	return f.r.types.list(items)
}

// bindType is the type of a variable, constant or parameter.
func (f *file) bindType(i int32) typeID {
	if t := f.bindTypes[i]; t != 0 {
		return f.r.settled(t)
	}
	f.bindTypes[i] = open
	t := f.computeBind(&f.Binds[i])
	f.bindTypes[i] = cmp.Or(t, unknown)
	return t
}

func (f *file) computeBind(b *facts.Bind) typeID {
	tt := f.r.types
	if b.Type != 0 {
		t := f.typeOf(b.Type)
		if b.Flags&facts.Variadic != 0 {
			t = tt.slice(t)
		}
		return t
	}
	if b.Value == 0 {
		return 0
	}
	t := f.value(b.Value)
	switch b.Part {
	case facts.PartIndex:
		t = f.partOf(b.Value, t, int(b.Index))
	case facts.PartKey, facts.PartElem:
		t = f.r.ranged(t, b.Part)
	}
	if b.Kind == facts.BindConst {
		return t
	}
	return tt.defaultType(t)
}

// partOf is element i of a value in "a, b := value": a result of a call, or
// the value and whether it is there.
func (f *file) partOf(value facts.ExprID, t typeID, i int) typeID {
	tt := f.r.types
	switch x := &tt.types[t]; {
	case x.kind == tTuple:
		return tt.at(x.list, i)
	case x.kind == tExternal && f.Exprs[value].Kind == facts.Call:
		return f.r.externalType("")
	case i == 0:
		return t
	case f.Exprs[value].Kind != facts.Call:
		return tt.basic(bBool)
	}
	return 0
}

// ranged is the type of a range variable over a value of type t.
func (r *resolution) ranged(t typeID, part facts.Part) typeID {
	tt := r.types
	u := r.core(t)
	if tt.kind(u) == tPointer {
		u = r.core(tt.types[u].a)
	}
	x := &tt.types[u]
	key := part == facts.PartKey
	switch x.kind {
	case tSlice, tArray:
		if key {
			return tt.basic(bInt)
		}
		return x.a
	case tMap:
		if key {
			return x.b
		}
		return x.a
	case tChan:
		return x.a
	case tBasic:
		switch b := basic(x.n); {
		case (b == bString || b == bUntypedString) && !key:
			return tt.basic(bInt32)
		case b == bString || b == bUntypedString:
			return tt.basic(bInt)
		}
		return tt.defaultType(t)
	case tFunc:
		yield := &tt.types[r.core(tt.at(x.list, 0))]
		if yield.kind != tFunc {
			return 0
		}
		if key {
			return tt.at(yield.list, 0)
		}
		return tt.at(yield.list, 1)
	case tExternal:
		return r.externalRange(u, key)
	}
	return 0
}
