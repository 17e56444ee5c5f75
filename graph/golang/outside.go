package golang

import "codeidx/facts"

// receiveOnly is the flag of "<-chan T".
const receiveOnly = uint8(facts.OpReceive)

// emptyStruct is struct{}, which has one identity wherever it stands.
func (r *resolution) emptyStruct() typeID { return r.types.intern(typ{kind: tStruct}) }

// outsideMember is the external type "path.name" of an import.
func (r *resolution) outsideMember(im *importRef, name sym) typeID {
	key := pairKey(int32(im.path), name)
	t, ok := r.outside[key]
	if !ok {
		t = r.externalType(r.names[im.path] + "." + r.names[name])
		r.outside[key] = t
	}
	return t
}

// externalValue is the type of the value path.Name, which is not known.
func (r *resolution) externalValue() typeID { return r.externalType("") }

// genericOp says how the result of a generic function of the standard library
// follows from its first argument. Only these functions hand types of the
// repository back; the results of all others stay outside.
type genericOp uint8

const (
	opNone     genericOp = iota
	opSame               // the argument's type
	opElem               // its element
	opKeys               // an iterator over its keys
	opValues             // an iterator over its elements
	opPairs              // an iterator over both
	opCollect            // a slice of what it iterates over
	opMap                // a map of what it iterates over
	opKeyList            // a slice of its keys
	opElemList           // a slice of its elements
)

func genericResult(name string) genericOp {
	switch name {
	case "slices.Clone", "slices.Clip", "slices.Grow", "slices.Insert", "slices.Delete", "slices.DeleteFunc", "slices.Compact",
		"slices.CompactFunc", "slices.Replace", "slices.Concat", "slices.Repeat", "slices.AppendSeq", "maps.Clone", "cmp.Or",
		"sync.OnceFunc", "sync.OnceValue", "sync.OnceValues", "golang.org/x/exp/slices.Clone",
		"golang.org/x/exp/slices.Insert", "golang.org/x/exp/slices.Delete", "golang.org/x/exp/slices.Compact",
		"golang.org/x/exp/maps.Clone":
		return opSame
	case "slices.Max", "slices.Min", "slices.MaxFunc", "slices.MinFunc":
		return opElem
	case "maps.Keys":
		return opKeys
	case "slices.Values", "maps.Values":
		return opValues
	case "slices.All", "slices.Backward", "maps.All":
		return opPairs
	case "slices.Collect", "slices.Sorted", "slices.SortedFunc", "slices.SortedStableFunc":
		return opCollect
	case "maps.Collect":
		return opMap
	case "golang.org/x/exp/maps.Keys":
		return opKeyList
	case "golang.org/x/exp/maps.Values":
		return opElemList
	}
	return opNone
}

// externalCall is the type of calling, or converting to, path.Name.
func (f *file) externalCall(t typeID, e *facts.Expr) typeID {
	r := f.r
	x := r.types.types[t]
	op := genericResult(r.names[x.n])
	if op == opNone || e.Kids.N == 0 {
		return r.externalType("")
	}
	arg := f.value(f.Kids[e.Kids.First])
	key, elem := r.ranged(arg, facts.PartKey), r.ranged(arg, facts.PartElem)
	known := typeID(0)
	switch op {
	case opSame:
		known = arg
	case opElem:
		known = elem
	case opKeys:
		known = r.iterator("iter.Seq", key)
	case opValues:
		known = r.iterator("iter.Seq", elem)
	case opPairs:
		known = r.iterator("iter.Seq2", key, elem)
	case opCollect, opKeyList:
		known = r.types.slice(key)
	case opElemList:
		known = r.types.slice(elem)
	case opMap:
		known = r.types.intern(typ{kind: tMap, a: elem, b: key})
	}
	if known == 0 {
		return r.externalType("")
	}
	return known
}

func (r *resolution) iterator(name string, args ...typeID) typeID {
	x := r.types.types[r.externalType(name)]
	x.list = r.types.list(args)
	return r.types.intern(x)
}

// externalRange is the type of a range variable over an external type: its
// type arguments are known for the iterators of the standard library.
func (r *resolution) externalRange(t typeID, key bool) typeID {
	x := &r.types.types[t]
	i := 1
	if key {
		i = 0
	}
	switch r.names[x.n] {
	case "iter.Seq", "iter.Seq2":
		return r.types.at(x.list, i)
	}
	return r.externalType("")
}

// externalMember is the type of x.name for x of an external type.
func (r *resolution) externalMember(t typeID, name string) typeID {
	x := r.types.types[r.types.deref(t)]
	if x.kind == tExternal && x.list != 0 {
		arg := r.types.at(x.list, 0)
		result := typeID(0)
		switch r.names[x.n] + "." + name {
		case "sync/atomic.Pointer.Load", "sync/atomic.Pointer.Swap", "weak.Pointer.Value":
			result = r.types.pointer(arg)
		case "unique.Handle.Value":
			result = arg
		}
		if result != 0 {
			return r.types.intern(typ{kind: tFunc, list2: r.types.list([]typeID{result})})
		}
	}
	return r.externalType("")
}
