package facts

// ExprKind is the kind of an expression node. X is its main operand and Kids
// its further operands, as each kind says. Type expressions use the same nodes
// as values: "a.B[c]" has one shape wherever it stands.
type ExprKind uint8

// Kinds of expressions. The numbers are stored: append only.
const (
	Bad           ExprKind = iota
	Name                   // Name; X, where there is one, is a Name with what stands before it (PHP: "A\B\" of "A\B\c")
	Select                 // X.Name; Pos is the position of Name
	Call                   // X(Kids…)
	New                    // new X(Kids…)
	Index                  // X[Kids…], also type arguments
	Slice                  // X[Kids…] with colons
	Deref                  // *X, also Go pointer types
	AddrOf                 // &X
	Assert                 // X.(Kids[0]), cast; Kids empty for Go's X.(type)
	Literal                // literal; Lit says which; Name is the text of short strings and of numbers
	Composite              // X{Kids…}: Go composite literal; X may be absent in nested ones
	KeyValue               // Kids[0]: Kids[1]
	Keyword                // Name=X: keyword argument
	Spread                 // *X, …X, X... as argument or element
	KeySpread              // **X
	Tuple                  // Kids
	List                   // Kids; also a list of results
	Set                    // Kids
	Dict                   // Kids: KeyValue or KeySpread
	Comp                   // comprehension: X element; Lit ListLit, SetLit, DictLit or GenLit; Kids[0] the value for DictLit
	Func                   // function literal; Scope is the scope that it opens
	Unary                  // op X
	Binary                 // Kids[0] op Kids[1]; Op says which
	Cond                   // Kids[0] if X else Kids[1]
	Await                  // await X
	Yield                  // yield X; Part of its BindReturn says from or not
	Receive                // <-X
	ArrayType              // [n]X and []X
	MapType                // map[Kids[0]]X
	ChanType               // chan X
	FuncType               // Kids: parameter types; X: result or List of results
	StructType             // Scope/Kids: field types; named fields are Defs of the owner
	InterfaceType          // Kids: embedded types and unions; methods are Defs of the owner
	Union                  // Kids
	VarType                // ...X in a parameter list
	Element                // JSX element: X the component, Kids its attributes
	Template               // interpolated string: Kids
	ClassExpr              // class expression; Scope is the scope that it opens
	Other                  // Kids: operands of an expression that needs no meaning of its own
	Intersect              // Kids: type that has the members of all of them
	Lookup                 // Kids[0][Kids[1]] of types
	Scoped                 // X::Name: constant, enum case or method of class X; Pos is the position of Name
	ScopedVar              // X::$Name: static property of class X
	Include                // include X: runs the file that X names; Name is the keyword
	Match                  // match X: one of Kids
)

// Lit is the kind of a literal.
type Lit uint8

// Kinds of literals. The numbers are stored: append only.
const (
	NoLit Lit = iota
	StringLit
	BytesLit
	IntLit
	FloatLit
	ComplexLit
	RuneLit
	BoolLit
	NilLit
	EllipsisLit
	ListLit
	SetLit
	DictLit
	GenLit
	RegexpLit
)

// Op classes of Binary and Unary.
type Op uint8

// Operators that matter to types. The numbers are stored: append only.
const (
	OpOther   Op = iota
	OpCompare    // gives a boolean
	OpArith      // has its operands' type
	OpShift      // has its left operand's type
	OpBool       // and, &&, or, ||: one of its operands in Python and JS
	OpNot
	OpBitOr   // X | Y: a union where a type is expected
	OpSend    // ChanType: chan<- X
	OpReceive // ChanType: <-chan X
	OpKeyof   // keyof X
	OpTypeof  // typeof X
	OpConcat  // joins strings
	OpInstanceof
	OpCoalesce // Kids[0] unless it is null, else Kids[1]
)

// Ctx says in which role an expression stands.
type Ctx uint8

// Roles. The numbers are stored: append only.
const (
	Read      Ctx = iota
	Callee        // the X of a Call or New
	Write         // assigned to
	Delete        // deleted
	TypeUse       // in type position
	Decorator     // decorator that is not called
	Base          // base class, embedded type, extended interface
	Implement     // in an implements clause
	Export        // named by __all__ or an export list
	CaseField     // key of a composite literal: a field name or a value
	Echo          // copy of an expression that is read elsewhere: no reference of its own
	TraitUse      // trait that a class uses
)

// Expr is one expression node.
type Expr struct {
	Kind  ExprKind
	Ctx   Ctx
	Lit   Lit
	Op    Op
	Name  NameID
	Scope ScopeID // in which its names are looked up
	Pos   uint32  // of Name for Name, Select and Keyword; else of the first byte
	X     ExprID
	Kids  Range
}

// KidsOf returns the children list of a range.
func (f *File) KidsOf(r Range) []ExprID { return f.Kids[r.First : r.First+r.N] }
