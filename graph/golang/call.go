package golang

import "codeidx/facts"

// evalCall evaluates a call or conversion.
func (f *file) evalCall(e *facts.Expr) (mode, typeID) {
	m, t := f.eval(e.X)
	switch m {
	case mType:
		return mValue, t
	case mBuiltin:
		return f.callBuiltin(builtin(t), e)
	case mExternal:
		return mValue, f.externalCall(t, e)
	case mValue:
	default:
		return mValue, 0
	}
	r := f.r
	x := r.types.types[r.core(t)]
	switch x.kind {
	case tFunc:
	case tExternal:
		return mValue, r.externalType("")
	default:
		return mValue, 0
	}
	if x.list3 != 0 {
		x.list2 = f.infer(&x, e).applyList(x.list2)
	}
	if x.list2 == 0 {
		return mNone, 0
	}
	return mValue, r.types.tuple(x.list2)
}

func (f *file) callBuiltin(fn builtin, e *facts.Expr) (mode, typeID) {
	tt := f.r.types
	args := f.KidsOf(e.Kids)
	arg := facts.ExprID(0)
	if len(args) > 0 {
		arg = args[0]
	}
	switch fn {
	case fnNew:
		if m, t := f.eval(arg); m == mType || m == mExternal {
			return mValue, tt.pointer(t)
		}
		return mValue, tt.pointer(tt.defaultType(f.value(arg)))
	case fnMake:
		return mValue, f.typeOf(arg)
	case fnAppend:
		return mValue, f.value(arg)
	case fnMax, fnMin:
		t := f.value(arg)
		for _, a := range args {
			if tt.untyped(t) {
				t = f.value(a)
			}
		}
		return mValue, t
	case fnLen, fnCap, fnCopy:
		return mValue, tt.basic(bInt)
	case fnRecover:
		return mValue, tt.basic(bAny)
	case fnComplex:
		return mValue, tt.basic(bComplex128)
	case fnReal, fnImag:
		return mValue, tt.basic(bFloat64)
	}
	return mNone, 0
}

// evalIndex evaluates x[i], and f[T] and G[T] of generic functions and types.
func (f *file) evalIndex(e *facts.Expr) (mode, typeID) {
	r := f.r
	m, t := f.eval(e.X)
	switch m {
	case mType:
		x := r.types.types[t]
		if x.kind != tNamed && x.kind != tExternal {
			return mType, t
		}
		x.list = f.typeList(e.Kids)
		return mType, r.expandAlias(r.types.intern(x))
	case mExternal:
		x := r.types.types[t]
		x.list = f.typeList(e.Kids)
		return mExternal, r.types.intern(x)
	case mValue:
	default:
		return mValue, 0
	}
	u := r.core(t)
	x := r.types.types[u]
	switch x.kind {
	case tFunc:
		return mValue, f.partial(x, e)
	case tPointer:
		return mValue, r.elem(x.a)
	}
	return mValue, r.elem(u)
}

// partial puts written type arguments into the signature of a generic
// function; the rest stays to be inferred.
func (f *file) partial(x typ, e *facts.Expr) typeID {
	tt := f.r.types
	params := tt.items(x.list3, nil)
	s := substitution{r: f.r}
	kids := f.KidsOf(e.Kids)
	for i, k := range kids {
		if i < len(params) {
			s.add(params[i], f.typeOf(k))
		}
	}
	x.list, x.list2 = s.applyList(x.list), s.applyList(x.list2)
	x.list3 = tt.list(params[min(len(kids), len(params)):])
	return tt.intern(x)
}

// sliced is the type of x[a:b].
func (f *file) sliced(t typeID) typeID {
	tt := f.r.types
	switch x := &tt.types[f.r.core(t)]; x.kind {
	case tArray:
		return tt.slice(x.a)
	case tPointer:
		return tt.slice(f.r.elem(x.a))
	case tBasic:
		return tt.defaultType(t)
	}
	return t
}

// composite gives the elements of a literal of type t their types: nested
// literals without a type of their own, and keys that are field names.
func (f *file) composite(e *facts.Expr, t typeID) {
	r := f.r
	u := r.core(t)
	x := r.types.types[u]
	for _, k := range f.KidsOf(e.Kids) {
		kid := &f.Exprs[k]
		value := k
		if kid.Kind == facts.KeyValue {
			kids := f.KidsOf(kid.Kids)
			if len(kids) < 2 {
				continue
			}
			f.literalKey(kids[0], t, &x)
			value = kids[1]
		}
		elem := typeID(0)
		switch x.kind {
		case tSlice, tArray, tMap:
			elem = x.a
		case tExternal:
			elem = r.externalType("")
		}
		f.elided(value, elem)
	}
}

// elided evaluates a nested literal whose type is left out.
func (f *file) elided(id facts.ExprID, t typeID) {
	e := &f.Exprs[id]
	if e.Kind != facts.Composite || e.X != 0 || f.modes[id] != mUnset {
		return
	}
	f.modes[id], f.types[id] = mValue, t
	if f.r.depth >= maxDepth {
		return
	}
	f.r.depth++
	f.composite(e, f.r.types.deref(t))
	f.r.depth--
}
