package golang

import "codeidx/facts"

// receiveOnly is the flag of "<-chan T".
const receiveOnly = uint8(facts.OpReceive)

// emptyStruct is struct{}, which has one identity wherever it stands.
func (r *resolution) emptyStruct() typeID { return r.types.intern(typ{kind: tStruct}) }

// externalValue is the type of the value path.Name, which is not known.
func (r *resolution) externalValue(typeID) typeID { return r.externalType("") }

// externalMember is the type of x.name for x of an external type.
func (r *resolution) externalMember(t typeID, name string) typeID { return r.externalType("") }

// externalCall is the type of calling, or converting to, path.Name.
func (r *resolution) externalCall(f *file, t typeID, e *facts.Expr) typeID { return r.externalType("") }

// externalRange is the type of a range variable over an external type.
func (r *resolution) externalRange(t typeID, key bool) typeID { return r.externalType("") }
