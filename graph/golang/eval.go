package golang

import (
	"codeidx/facts"
	"codeidx/graph"
)

// mode says what an expression denotes.
type mode uint8

const (
	mUnset    mode = iota
	mBusy          // being computed
	mBad           // not known
	mNone          // no value
	mPackage       // types holds the index of the import
	mType          // a type
	mValue         // a value of a type, 0 where the type is not known
	mBuiltin       // types holds the builtin
	mExternal      // pkg.Name of a package outside: its type is External "path.Name"
)

// maxDepth bounds the recursion of one evaluation through other files and
// through declarations that stand later.
const maxDepth = 400

// evalAll evaluates every expression of the file. Nested literals and literal
// keys wait for the literal around them, which knows their type.
func (f *file) evalAll() {
	for i := 1; i < len(f.Exprs); i++ {
		switch e := &f.Exprs[i]; {
		case e.Kind == facts.KeyValue,
			e.Kind == facts.Composite && e.X == 0,
			e.Kind == facts.Name && e.Ctx == facts.CaseField:
		default:
			f.eval(facts.ExprID(i))
		}
	}
}

// eval evaluates one expression, once.
func (f *file) eval(id facts.ExprID) (mode, typeID) {
	switch m := f.modes[id]; m {
	case mUnset:
	case mBusy:
		f.r.circular = true
		return mBad, 0
	default:
		return m, f.types[id]
	}
	if id == 0 {
		return mBad, 0
	}
	if f.r.depth >= maxDepth {
		if e := &f.Exprs[id]; e.Kind == facts.Name || e.Kind == facts.Select {
			f.unbound(e, graph.DepthLimit)
		}
		f.modes[id] = mBad
		return mBad, 0
	}
	f.r.circular = f.r.circular || f.r.depth >= maxDepth/2
	f.modes[id] = mBusy
	f.r.depth++
	m, t := f.compute(id, &f.Exprs[id])
	f.r.depth--
	f.modes[id], f.types[id] = m, t
	return m, t
}

// value returns the type of a value, 0 where it is not known or no value.
func (f *file) value(id facts.ExprID) typeID {
	if m, t := f.eval(id); m == mValue {
		return t
	} else if m == mExternal {
		return f.r.externalValue()
	}
	return 0
}

// typeOf returns the type that a type expression names, 0 where not known.
func (f *file) typeOf(id facts.ExprID) typeID {
	if id == 0 {
		return 0
	}
	if m, t := f.eval(id); m == mType || m == mExternal {
		return t
	}
	return 0
}

func (f *file) compute(id facts.ExprID, e *facts.Expr) (mode, typeID) {
	tt := f.r.types
	switch e.Kind {
	case facts.Bad:
		if e.Name != 0 {
			f.unbound(e, graph.ParseError)
		}
		return mBad, 0
	case facts.Name:
		return f.evalName(e)
	case facts.Select:
		return f.evalSelect(e)
	case facts.Call:
		return f.evalCall(e)
	case facts.Index:
		return f.evalIndex(e)
	case facts.Slice:
		return mValue, f.sliced(f.value(e.X))
	case facts.Deref:
		m, t := f.eval(e.X)
		if m == mType || m == mExternal && e.Ctx == facts.TypeUse {
			return mType, tt.pointer(t)
		}
		return mValue, f.r.elem(f.value(e.X))
	case facts.AddrOf:
		return mValue, tt.pointer(f.value(e.X))
	case facts.Receive:
		return mValue, f.r.elem(f.value(e.X))
	case facts.Assert:
		if e.Kids.N == 0 {
			return mValue, f.value(e.X)
		}
		return mValue, f.typeOf(f.Kids[e.Kids.First])
	case facts.Literal:
		return mValue, f.literal(e)
	case facts.Composite:
		t := f.typeOf(e.X)
		f.composite(e, t)
		return mValue, t
	case facts.Func:
		return mValue, f.typeOf(e.X)
	case facts.Unary:
		if m, t := f.eval(e.X); m == mType || m == mExternal && e.Ctx == facts.TypeUse {
			return mType, tt.wrap(tTilde, t)
		}
		return mValue, f.value(e.X)
	case facts.Binary:
		return f.evalBinary(e)
	case facts.Spread:
		return mValue, f.value(e.X)
	}
	return f.computeType(id, e)
}

// computeType evaluates the nodes that only types have.
func (f *file) computeType(id facts.ExprID, e *facts.Expr) (mode, typeID) {
	tt := f.r.types
	switch e.Kind {
	case facts.ArrayType:
		if e.Kids.N == 0 {
			return mType, tt.slice(f.typeOf(e.X))
		}
		return mType, f.arrayType(e)
	case facts.MapType:
		v, k := f.typeOf(e.X), f.typeOf(f.Kids[e.Kids.First])
		if v == 0 && k == 0 {
			return mType, 0
		}
		return mType, tt.intern(typ{kind: tMap, a: v, b: k})
	case facts.ChanType:
		if t := f.typeOf(e.X); t != 0 {
			return mType, tt.intern(typ{kind: tChan, a: t, flag: uint8(e.Op)})
		}
		return mType, 0
	case facts.FuncType:
		return mType, f.funcType(e)
	case facts.VarType:
		return mType, tt.slice(f.typeOf(e.X))
	case facts.StructType:
		if f.firstMember[e.Scope] == 0 {
			return mType, f.r.emptyStruct()
		}
		return mType, tt.intern(typ{kind: tStruct, file: f.index, ref: uint32(id)})
	case facts.InterfaceType:
		if e.Kids.N == 0 && f.firstMember[e.Scope] == 0 {
			return mType, tt.basic(bAny)
		}
		return mType, tt.intern(typ{kind: tInterface, file: f.index, ref: uint32(id)})
	case facts.Union:
		return mType, tt.intern(typ{kind: tUnion, list: f.typeList(e.Kids)})
	}
	return mNone, 0
}

func (f *file) typeList(kids facts.Range) listID {
	var buf [8]typeID
	items := buf[:0]
	for _, k := range f.KidsOf(kids) {
		items = append(items, f.typeOf(k))
	}
	return f.r.types.list(items)
}

func (f *file) funcType(e *facts.Expr) typeID {
	x := typ{kind: tFunc, list: f.typeList(e.Kids)}
	if n := e.Kids.N; n > 0 && f.Exprs[f.Kids[e.Kids.First+n-1]].Kind == facts.VarType {
		x.flag = 1
	}
	if e.X != 0 {
		if l := &f.Exprs[e.X]; l.Kind == facts.List {
			x.list2 = f.typeList(l.Kids)
		} else {
			x.list2 = f.r.types.list([]typeID{f.typeOf(e.X)})
		}
	}
	return f.r.types.intern(x)
}

// arrayType keeps the length as written; an array literal's "[...]" is no
// type that a signature could name.
func (f *file) arrayType(e *facts.Expr) typeID {
	t := f.typeOf(e.X)
	if t == 0 {
		return 0
	}
	n := &f.Exprs[f.Kids[e.Kids.First]]
	length := int32(0)
	if n.Name != 0 {
		length = int32(f.sym(n.Name))
	}
	return f.r.types.intern(typ{kind: tArray, a: t, n: length})
}

func (f *file) literal(e *facts.Expr) typeID {
	b := bInvalid
	switch e.Lit {
	case facts.StringLit:
		b = bUntypedString
	case facts.IntLit:
		b = bUntypedInt
	case facts.FloatLit:
		b = bUntypedFloat
	case facts.ComplexLit:
		b = bUntypedComplex
	case facts.RuneLit:
		b = bUntypedRune
	case facts.BoolLit:
		b = bUntypedBool
	case facts.NilLit:
		b = bUntypedNil
	}
	return f.r.types.basic(b)
}

func (f *file) evalBinary(e *facts.Expr) (mode, typeID) {
	kids := f.KidsOf(e.Kids)
	if len(kids) < 2 {
		return mBad, 0
	}
	x, y := f.value(kids[0]), f.value(kids[1])
	switch e.Op {
	case facts.OpCompare:
		return mValue, f.r.types.basic(bUntypedBool)
	case facts.OpShift:
		return mValue, x
	}
	if x == 0 || f.r.types.untyped(x) && y != 0 {
		return mValue, y
	}
	return mValue, x
}

func (f *file) evalName(e *facts.Expr) (mode, typeID) {
	x := f.lookup(e)
	r := f.r
	switch x.kind {
	case eLocal:
		return f.evalLocal(x.id)
	case eObject, eDot:
		id, _ := r.pick(f, x.id)
		if id == 0 {
			f.unbound(e, graph.UndefinedName)
			return mBad, 0
		}
		o := r.objects[id]
		g := r.files[o.file]
		t := g.defType(o.def)
		d := &g.Defs[o.def]
		rule := graph.GoPackageScope
		switch {
		case e.Ctx == facts.Base:
			rule = graph.GoEmbedding
		case x.kind == eDot:
			rule = graph.GoDotImport
		}
		f.linkObject(e, x.id, f.objectKind(e, d, t), rule)
		return modeOf(d), t
	case ePackage:
		return mPackage, typeID(x.id)
	case eType:
		f.unbound(e, graph.Builtin)
		return mType, r.types.basic(basic(x.id))
	case eBuiltin:
		f.unbound(e, graph.Builtin)
		return mBuiltin, typeID(x.id)
	case eValue:
		f.unbound(e, graph.Builtin)
		return mValue, r.types.basic(basic(x.id))
	}
	f.unbound(e, f.missing(e))
	return mBad, 0
}

func modeOf(d *facts.Def) mode {
	switch d.Kind {
	case facts.DefStruct, facts.DefInterface, facts.DefType:
		return mType
	}
	return mValue
}

func (f *file) evalLocal(i int32) (mode, typeID) {
	b := &f.Binds[i]
	switch {
	case b.Kind == facts.BindTypeParam:
		return mType, f.paramType(uint32(i))
	case b.Def != 0:
		return modeOf(&f.Defs[b.Def]), f.defType(b.Def)
	}
	return mValue, f.bindType(i)
}

// paramType is the type of the type parameter that Bind i declares.
func (f *file) paramType(i uint32) typeID {
	return f.r.types.intern(typ{kind: tParam, file: f.index, ref: i})
}

// evalSelect evaluates x.Name.
func (f *file) evalSelect(e *facts.Expr) (mode, typeID) {
	m, t := f.eval(e.X)
	switch m {
	case mPackage:
		return f.packageMember(e, &f.named()[t])
	case mType:
		return f.methodExpr(e, t)
	case mValue:
		return f.member(e, t)
	case mExternal:
		return f.member(e, f.r.externalValue())
	}
	f.unbound(e, f.receiverReason(e.X))
	return mBad, 0
}

// receiverReason says why the receiver x has no type.
func (f *file) receiverReason(x facts.ExprID) graph.Reason {
	e := &f.Exprs[x]
	if e.Kind == facts.Name && f.lookup(e).kind == eNone {
		return f.missing(e)
	}
	return graph.DynamicReceiver
}

func (f *file) packageMember(e *facts.Expr, im *importRef) (mode, typeID) {
	r := f.r
	if im.pkg < 0 {
		f.unbound(e, im.reason)
		return mExternal, r.outsideMember(im, f.sym(e.Name))
	}
	first := int32(0)
	if exported(f.Names[e.Name]) {
		first = r.scope[pairKey(im.pkg, f.sym(e.Name))]
	}
	id, _ := r.pick(f, first)
	if id == 0 {
		f.unbound(e, graph.NoSuchMember)
		return mBad, 0
	}
	o := r.objects[id]
	g := r.files[o.file]
	t := g.defType(o.def)
	d := &g.Defs[o.def]
	rule := graph.GoPackageMember
	if e.Ctx == facts.Base {
		rule = graph.GoEmbedding
	}
	f.linkObject(e, first, f.objectKind(e, d, t), rule)
	return modeOf(d), t
}

// methodExpr evaluates T.M: a function whose first parameter is the receiver.
func (f *file) methodExpr(e *facts.Expr, t typeID) (mode, typeID) {
	r := f.r
	s := r.find(t, f.sym(e.Name))
	if s.kind != sMethod && s.kind != sInterface {
		f.unbound(e, s.reason())
		return mBad, 0
	}
	f.linkSelection(e, &s, t)
	x := r.types.types[s.typ]
	if x.kind != tFunc {
		return mValue, 0
	}
	x.list = r.types.list(append([]typeID{t}, r.types.items(x.list, nil)...))
	return mValue, r.types.intern(x)
}

// member evaluates x.Name for a value x of type t.
func (f *file) member(e *facts.Expr, t typeID) (mode, typeID) {
	if t == 0 {
		f.unbound(e, f.receiverReason(e.X))
		return mValue, 0
	}
	s := f.r.find(t, f.sym(e.Name))
	switch s.kind {
	case sField, sMethod, sInterface:
		f.linkSelection(e, &s, t)
		return mValue, s.typ
	case sExternal:
		f.unbound(e, graph.ExternalType)
		return mValue, f.r.externalMember(t, f.Names[e.Name])
	case sBuiltin:
		f.unbound(e, graph.Builtin)
		return mValue, s.typ
	}
	f.unbound(e, s.reason())
	return mValue, 0
}
