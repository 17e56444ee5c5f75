package golang

// basic numbers the predeclared types; the untyped ones are those of constants.
type basic int32

const (
	bInvalid basic = iota
	bBool
	bString
	bInt
	bInt8
	bInt16
	bInt32
	bInt64
	bUint
	bUint8
	bUint16
	bUint32
	bUint64
	bUintptr
	bFloat32
	bFloat64
	bComplex64
	bComplex128
	bError
	bAny
	bComparable
	bUntypedBool
	bUntypedInt
	bUntypedRune
	bUntypedFloat
	bUntypedComplex
	bUntypedString
	bUntypedNil
)

// builtin numbers the predeclared functions.
type builtin int32

const (
	fnNone builtin = iota
	fnAppend
	fnCap
	fnClear
	fnClose
	fnComplex
	fnCopy
	fnDelete
	fnImag
	fnLen
	fnMake
	fnMax
	fnMin
	fnNew
	fnPanic
	fnPrint
	fnReal
	fnRecover
)

// universe maps predeclared names to types and functions.
type universe struct {
	types  map[string]basic
	funcs  map[string]builtin
	values map[string]basic
}

func newUniverse() *universe {
	return &universe{
		types: map[string]basic{
			"bool": bBool, "string": bString, "int": bInt, "int8": bInt8, "int16": bInt16, "int32": bInt32, "int64": bInt64,
			"uint": bUint, "uint8": bUint8, "uint16": bUint16, "uint32": bUint32, "uint64": bUint64, "uintptr": bUintptr,
			"float32": bFloat32, "float64": bFloat64, "complex64": bComplex64, "complex128": bComplex128, "error": bError,
			"any": bAny, "comparable": bComparable, "byte": bUint8, "rune": bInt32,
		},
		funcs: map[string]builtin{
			"append": fnAppend, "cap": fnCap, "clear": fnClear, "close": fnClose, "complex": fnComplex, "copy": fnCopy,
			"delete": fnDelete, "imag": fnImag, "len": fnLen, "make": fnMake, "max": fnMax, "min": fnMin, "new": fnNew,
			"panic": fnPanic, "print": fnPrint, "println": fnPrint, "real": fnReal, "recover": fnRecover,
		},
		values: map[string]basic{"true": bUntypedBool, "false": bUntypedBool, "nil": bUntypedNil, "iota": bUntypedInt},
	}
}

// basic returns the type of a basic kind.
func (t *typeTable) basic(b basic) typeID { return t.intern(typ{kind: tBasic, n: int32(b)}) }

// isBasic says whether id is the basic type b.
func (t *typeTable) isBasic(id typeID, b basic) bool {
	return t.types[id].kind == tBasic && t.types[id].n == int32(b)
}

func (t *typeTable) untyped(id typeID) bool {
	return t.types[id].kind == tBasic && t.types[id].n >= int32(bUntypedBool)
}

// defaultType gives the type that a variable takes from a constant.
func (t *typeTable) defaultType(id typeID) typeID {
	if !t.untyped(id) {
		return id
	}
	switch basic(t.types[id].n) {
	case bUntypedBool:
		return t.basic(bBool)
	case bUntypedInt:
		return t.basic(bInt)
	case bUntypedRune:
		return t.basic(bInt32)
	case bUntypedFloat:
		return t.basic(bFloat64)
	case bUntypedComplex:
		return t.basic(bComplex128)
	case bUntypedString:
		return t.basic(bString)
	}
	return 0
}
