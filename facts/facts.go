package facts

// Indexes into the tables of one File. Zero means "none" for NameID, ExprID
// and ImportID; DefID 0 is the file and ScopeID 0 the file scope.
type (
	NameID   uint32
	ExprID   uint32
	DefID    uint32
	ScopeID  uint32
	ImportID uint32
)

// File holds the facts of one file. Positions are byte offsets into the
// captured bytes; Lines turns them into lines and columns.
type File struct {
	Path string // slash-separated, relative to the work tree's top
	Lang Lang

	Partial bool   // the file has syntax errors, see Errors
	Size    uint32 // bytes
	Lines   []uint32

	Names   []string // Names[0] is empty
	Scopes  []Scope
	Defs    []Def
	Binds   []Bind
	Imports []Import // Imports[0] is unused
	Exprs   []Expr   // Exprs[0] is unused; children precede their parents
	Kids    []ExprID // child lists, see Range
	Texts   []Text
	Errors  []Span

	Package NameID // package clause (Go), namespace (PHP)
	Exports Range  // Kids: elements of a readable __all__, string literals
	Marks   []Mark // build constraints and other file-level facts, by name
}

// Span is a half-open byte range.
type Span struct{ Start, End uint32 }

// Range is a run of Kids: Kids[First:First+N].
type Range struct{ First, N uint32 }

// Mark is a file-level fact such as {"build", "linux && !cgo"} or
// {"dynamic_all", ""}.
type Mark struct{ Key, Value NameID }

// DefKind says what a definition defines.
type DefKind uint8

// Kinds of definitions. The numbers are stored: append only.
const (
	DefFile DefKind = iota
	DefModule
	DefClass
	DefInterface
	DefTrait
	DefEnum
	DefStruct
	DefType // other named types and aliases
	DefFunction
	DefMethod
	DefField
	DefProperty
	DefConstant
	DefVariable
	DefEnumMember
	DefNamespace
	DefKinds // number of kinds
)

// DefFlags are properties that the syntax states.
type DefFlags uint32

// Flags of a Def. The bits are stored: append only.
const (
	Exported DefFlags = 1 << iota
	Private           // by keyword or by naming convention of the language
	Protected
	Static      // staticmethod, static
	ClassMethod // classmethod
	Abstract
	Async
	Generator
	Accessor    // property getter; Setter in addition for setters
	Setter      // property setter or deleter
	Overload    // typing.overload, TypeScript overload signature
	Alias       // type alias (Go "type A = B", Python "A = B")
	Pointer     // Go method with a pointer receiver
	Conditional // below a condition: several variants may exist
	Local       // nested in a function
	Test        // by the language's test convention
	Embedded    // Go embedded field
	Declared    // declaration without body (stub, interface method, extern)
	Constructor
	Final
	Readonly
)

// Def is one definition.
type Def struct {
	Kind  DefKind
	Flags DefFlags
	Name  NameID
	// Container is set where the lexical parent is not the owner: the receiver
	// type's name of a Go method.
	Container NameID
	Parent    DefID   // lexical parent; the file for top-level definitions
	Scope     ScopeID // the scope that it opens, or the scope that holds it when it opens none
	Span      Span    // whole declaration, decorators and doc comment apart
	NamePos   uint32
	SigEnd    uint32 // the signature is the text Span.Start:SigEnd
	Doc       Span   // docstring or doc comment, empty where none

	Decorators Range  // Kids
	Bases      Range  // Kids: base classes, embedded types, extended interfaces
	Implements Range  // Kids: interfaces named by an implements clause
	Recv       ExprID // Go: receiver type
	Type       ExprID // declared type: of a field, variable, constant; aliased or underlying type of a type
	Result     ExprID // declared result type; a List for several
	Value      ExprID // initialiser
}

// ScopeKind says what opens a scope.
type ScopeKind uint8

// Kinds of scopes. The numbers are stored: append only.
const (
	ScopeFile ScopeKind = iota
	ScopeClass
	ScopeFunction
	ScopeBlock
	ScopeComprehension
	ScopeTypeParams
	ScopeNamespace // names below one namespace declaration (PHP)
)

// Scope is a region with its own names.
type Scope struct {
	Kind   ScopeKind
	Parent ScopeID
	Def    DefID // innermost definition around the code of this scope
	Span   Span
}

// BindKind says how a name came to be bound.
type BindKind uint8

// Kinds of bindings. The numbers are stored: append only.
const (
	BindDef      BindKind = iota // Def is what it names
	BindImport                   // Import is what it names
	BindParam                    // in order of declaration within the scope
	BindReceiver                 // Go receiver, Python self or cls by position
	BindResult                   // Go named result
	BindVar                      // assignment or declaration
	BindConst
	BindTypeParam // Type is the constraint
	BindNarrow    // Name is known to have Type within From:To
	BindGlobal    // Python "global NAME"
	BindNonlocal
	BindReturn // no name: Value is returned (or yielded, see Part) by the scope's function
	BindAttr   // Value or Type is stored into attribute Name of object On
	BindDelete
	BindAssign // Value is assigned to Name, which another bind declares (JavaScript)
	BindExport // Name is exported: Def, else what Value names
	BindDoc    // a docblock says that Name has Type; Index is the DocTag
	BindTrait  // of a trait use: Name stands for method Value; with Type, Value is taken instead of that trait's
)

// DocTag says which tag of a docblock a BindDoc comes from.
type DocTag = uint16

// Tags. The numbers are stored: append only.
const (
	DocVar      DocTag = iota // @var, on the definition Def or the variable Name
	DocParam                  // @param: parameter Name of Scope's function
	DocReturn                 // @return of Scope's function
	DocProperty               // @property: magic property Name of class Def
	DocMethod                 // @method: magic method Name of class Def, Type its result
	DocMixin                  // @mixin: class Def takes the members of Type
	DocTemplate               // @template: type parameter Name of Def, Type its bound
	DocExtends                // @extends, @implements, @use: Type is a base with its arguments
)

// Part says which part of Value a binding takes.
type Part uint8

// Parts. The numbers are stored: append only.
const (
	PartWhole     Part = iota
	PartIndex          // element Index of a tuple or of several results
	PartElem           // an element while iterating
	PartKey            // a key while iterating
	PartEnter          // what a context manager's enter gives
	PartElemIndex      // element Index of each element while iterating
	PartYield          // yielded value of a generator
	PartRest           // the rest of an unpacking
	PartCaught         // an instance of the caught exception types
	PartAugment        // x op= Value
	PartStore          // Name or attribute holds an array that Value is put into
)

// Bind is one binding of a name in a scope.
type Bind struct {
	Kind   BindKind
	Part   Part
	Index  uint16
	Scope  ScopeID
	Name   NameID
	Pos    uint32 // of the name token
	From   uint32 // visible from here on, where the language cares; else 0
	To     uint32 // visible up to here; 0: to the end of the scope
	Type   ExprID // declared type
	Value  ExprID // what it is bound to
	On     ExprID // BindAttr: the object
	Def    DefID
	Import ImportID
	Flags  BindFlags
	Merge  uint32 // CondBind: may be visible again from here on, after the branch; 0 where the language has block scopes
}

// BindFlags are properties of a binding.
type BindFlags uint8

// Flags of a Bind. The bits are stored: append only.
const (
	Variadic    BindFlags = 1 << iota // *args, Go ...T: Type is the element's
	KeywordRest                       // **kwargs
	KeywordOnly
	Optional // has a default value
	Negated  // BindNarrow: known not to have Type
	CondBind // below a condition
)

// ImportKind says what an import binds.
type ImportKind uint8

// Kinds of imports. The numbers are stored: append only.
const (
	ImportModule   ImportKind = iota // the module itself ("import a.b", Go imports)
	ImportName                       // one name of the module
	ImportStar                       // every public name ("from m import *", Go dot import)
	ImportEffect                     // nothing (Go blank import, "import './x'")
	ImportReexport                   // export … from
)

// ImportFlags are properties of an import.
type ImportFlags uint8

// Flags of an Import. The bits are stored: append only.
const (
	TypeOnly     ImportFlags = 1 << iota // TYPE_CHECKING block, import type
	CondImport                           // below a condition or try
	Dynamic                              // a call with a literal argument
	ImportsFunc                          // PHP: use function
	ImportsConst                         // PHP: use const
)

// Import is one imported module or name; a statement with several names gives
// several imports.
type Import struct {
	Kind      ImportKind
	Flags     ImportFlags
	Level     uint8  // Python: leading dots
	Module    NameID // as written, without the dots
	ModulePos uint32
	Name      NameID // imported name, 0 for ImportModule
	NamePos   uint32
	Alias     NameID // local name where one is written
	Scope     ScopeID
	Stmt      Span
}

// TextKind says what a Text is.
type TextKind uint8

// Kinds of texts. The numbers are stored: append only.
const (
	Comment TextKind = iota
	DocComment
	Docstring
	String // string literal: the whole token, quotes and prefix included
	Markup // text around the code: HTML outside of PHP tags
)

// Text is a comment or string by position; its bytes are in the source.
type Text struct {
	Kind TextKind
	Span Span
}
