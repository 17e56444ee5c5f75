package golang

import "codeidx/facts"

// typeID names a type; 0 is "not known". Identical types have one id, except
// anonymous structs and interfaces, which are told apart by where they stand.
type typeID int32

// listID names an interned list of types; 0 is the empty list.
type listID int32

type typeKind uint8

const (
	tNone      typeKind = iota
	tBasic              // n is a basic kind
	tNamed              // file, ref: DefID; list: type arguments
	tPointer            // a
	tSlice              // a
	tArray              // a; n: symbol of the length as written
	tMap                // a value, b key
	tChan               // a; flag: facts.Op of the direction
	tFunc               // list: parameters, list2: results, list3: type parameters; flag: variadic
	tStruct             // file, ref: ExprID; list, list2: type parameters and what replaces them
	tInterface          // as tStruct
	tTuple              // list
	tParam              // type parameter: file, ref: index of its Bind
	tUnion              // list
	tTilde              // ~a
	tExternal           // n: symbol of "path.Name", 0 where even that is unknown; list: type arguments
)

// typ is the content of a type and its own interning key.
type typ struct {
	kind        typeKind
	flag        uint8
	a, b        typeID
	n           int32
	file        int32
	ref         uint32
	list, list2 listID
	list3       listID
}

type cons struct {
	head typeID
	tail listID
}

// typeTable interns types and lists of types.
type typeTable struct {
	types  []typ
	ids    map[typ]typeID
	lists  []cons
	listID map[cons]listID
	under  []typeID // memo of underlying, parallel to types; open while it is computed
}

func newTypeTable() *typeTable {
	t := &typeTable{ids: make(map[typ]typeID, 4096), listID: make(map[cons]listID, 1024)}
	t.types = append(make([]typ, 0, 4096), typ{})
	t.under = append(make([]typeID, 0, 4096), 0)
	t.lists = append(t.lists, cons{})
	return t
}

func (t *typeTable) intern(x typ) typeID {
	if id, ok := t.ids[x]; ok {
		return id
	}
	id := typeID(len(t.types))
	t.types = append(t.types, x)
	t.under = append(t.under, 0)
	t.ids[x] = id
	return id
}

func (t *typeTable) kind(id typeID) typeKind { return t.types[id].kind }

// list interns a list.
func (t *typeTable) list(items []typeID) listID {
	id := listID(0)
	for i := len(items) - 1; i >= 0; i-- {
		c := cons{items[i], id}
		next, ok := t.listID[c]
		if !ok {
			next = listID(len(t.lists))
			t.lists = append(t.lists, c)
			t.listID[c] = next
		}
		id = next
	}
	return id
}

// items appends the elements of a list to buf.
func (t *typeTable) items(l listID, buf []typeID) []typeID {
	for ; l != 0; l = t.lists[l].tail {
		buf = append(buf, t.lists[l].head)
	}
	return buf
}

// at returns element i of a list, 0 where it is shorter.
func (t *typeTable) at(l listID, i int) typeID {
	for ; l != 0 && i > 0; i-- {
		l = t.lists[l].tail
	}
	return t.lists[l].head
}

func (t *typeTable) length(l listID) int {
	n := 0
	for ; l != 0; l = t.lists[l].tail {
		n++
	}
	return n
}

func (t *typeTable) pointer(a typeID) typeID { return t.wrap(tPointer, a) }
func (t *typeTable) slice(a typeID) typeID   { return t.wrap(tSlice, a) }

// wrap makes a type of one element; of an unknown one nothing is known.
func (t *typeTable) wrap(k typeKind, a typeID) typeID {
	if a == 0 {
		return 0
	}
	return t.intern(typ{kind: k, a: a})
}

// tuple makes the type of a call: the only result, or a tuple of several.
func (t *typeTable) tuple(results listID) typeID {
	if results != 0 && t.lists[results].tail == 0 {
		return t.lists[results].head
	}
	return t.intern(typ{kind: tTuple, list: results})
}

// deref removes one pointer.
func (t *typeTable) deref(id typeID) typeID {
	if t.kind(id) == tPointer {
		return t.types[id].a
	}
	return id
}

// def is the definition of a named type.
func (x *typ) def() facts.DefID { return facts.DefID(x.ref) }
