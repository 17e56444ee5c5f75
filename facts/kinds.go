package facts

import "strings"

// Names of the kinds, as they stand in answers, filters and dumps. A kind
// without a name here is not valid in encoded facts.
var (
	defKindNames = [...]string{
		DefFile: "file", DefModule: "module", DefClass: "class", DefInterface: "interface", DefTrait: "trait",
		DefEnum: "enum", DefStruct: "struct", DefType: "type", DefFunction: "function", DefMethod: "method",
		DefField: "field", DefProperty: "property", DefConstant: "constant", DefVariable: "variable",
		DefEnumMember: "enum_member", DefNamespace: "namespace",
	}
	scopeKindNames = [...]string{
		ScopeFile: "file", ScopeClass: "class", ScopeFunction: "function", ScopeBlock: "block",
		ScopeComprehension: "comprehension", ScopeTypeParams: "type_params", ScopeNamespace: "namespace",
	}
	bindKindNames = [...]string{
		BindDef: "def", BindImport: "import", BindParam: "param", BindReceiver: "receiver", BindResult: "result",
		BindVar: "var", BindConst: "const", BindTypeParam: "type_param", BindNarrow: "narrow", BindGlobal: "global",
		BindNonlocal: "nonlocal", BindReturn: "return", BindAttr: "attr", BindDelete: "delete",
		BindAssign: "assign", BindExport: "export", BindDoc: "doc", BindTrait: "trait",
	}
	partNames = [...]string{
		PartWhole: "whole", PartIndex: "index", PartElem: "elem", PartKey: "key", PartEnter: "enter",
		PartElemIndex: "elem_index", PartYield: "yield", PartRest: "rest", PartCaught: "caught", PartAugment: "augment", PartStore: "store",
	}
	importKindNames = [...]string{
		ImportModule: "module", ImportName: "name", ImportStar: "star", ImportEffect: "effect", ImportReexport: "reexport",
	}
	docTagNames = [...]string{
		DocVar: "@var", DocParam: "@param", DocReturn: "@return", DocProperty: "@property", DocMethod: "@method", DocMixin: "@mixin",
		DocTemplate: "@template", DocExtends: "@extends",
	}
	textKindNames = [...]string{Comment: "comment", DocComment: "doc", Docstring: "docstring", String: "string", Markup: "markup"}
	exprKindNames = [...]string{
		Bad: "bad", Name: "name", Select: "select", Call: "call", New: "new", Index: "index", Slice: "slice",
		Deref: "deref", AddrOf: "addr_of", Assert: "assert", Literal: "literal", Composite: "composite",
		KeyValue: "key_value", Keyword: "keyword", Spread: "spread", KeySpread: "key_spread", Tuple: "tuple",
		List: "list", Set: "set", Dict: "dict", Comp: "comp", Func: "func", Unary: "unary", Binary: "binary",
		Cond: "cond", Await: "await", Yield: "yield", Receive: "receive", ArrayType: "array_type", MapType: "map_type",
		ChanType: "chan_type", FuncType: "func_type", StructType: "struct_type", InterfaceType: "interface_type",
		Union: "union", VarType: "var_type", Element: "element", Template: "template", ClassExpr: "class_expr", Other: "other",
		Intersect: "intersect", Lookup: "lookup", Scoped: "scoped", ScopedVar: "scoped_var", Include: "include", Match: "match",
	}
	litNames = [...]string{
		NoLit: "none", StringLit: "string", BytesLit: "bytes", IntLit: "int", FloatLit: "float", ComplexLit: "complex",
		RuneLit: "rune", BoolLit: "bool", NilLit: "nil", EllipsisLit: "ellipsis", ListLit: "list", SetLit: "set",
		DictLit: "dict", GenLit: "gen", RegexpLit: "regexp",
	}
	opNames = [...]string{
		OpOther: "op", OpCompare: "compare", OpArith: "arith", OpShift: "shift", OpBool: "bool", OpNot: "not", OpBitOr: "bit_or",
		OpSend: "send", OpReceive: "receive", OpKeyof: "keyof", OpTypeof: "typeof", OpConcat: "concat", OpInstanceof: "instanceof", OpCoalesce: "coalesce",
	}
	ctxNames = [...]string{
		Read: "read", Callee: "callee", Write: "write", Delete: "delete", TypeUse: "type", Decorator: "decorator",
		Base: "base", Implement: "implement", Export: "export", CaseField: "case_field", Echo: "echo", TraitUse: "trait_use",
	}
)

// Names of the flags, by bit.
var (
	defFlagNames = []string{
		"exported", "private", "protected", "static", "classmethod", "abstract", "async", "generator", "accessor", "setter",
		"overload", "alias", "pointer", "conditional", "local", "test", "embedded", "declared", "constructor", "final", "readonly",
	}
	bindFlagNames   = []string{"variadic", "keyword_rest", "keyword_only", "optional", "negated", "conditional"}
	importFlagNames = []string{"type_only", "conditional", "dynamic", "function", "const"}
)

func nameOf(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return "?"
}

func flagNames(names []string, bits uint32) string {
	var set []string
	for i := range 32 {
		if bits&(1<<i) != 0 {
			set = append(set, nameOf(names, i))
		}
	}
	return strings.Join(set, ",")
}

// String returns the kind's name; so do the other kinds' String methods.
func (k DefKind) String() string { return nameOf(defKindNames[:], int(k)) }

func (k ScopeKind) String() string  { return nameOf(scopeKindNames[:], int(k)) }
func (k BindKind) String() string   { return nameOf(bindKindNames[:], int(k)) }
func (p Part) String() string       { return nameOf(partNames[:], int(p)) }
func (k ImportKind) String() string { return nameOf(importKindNames[:], int(k)) }
func (k TextKind) String() string   { return nameOf(textKindNames[:], int(k)) }
func (k ExprKind) String() string   { return nameOf(exprKindNames[:], int(k)) }
func (l Lit) String() string        { return nameOf(litNames[:], int(l)) }
func (o Op) String() string         { return nameOf(opNames[:], int(o)) }
func (c Ctx) String() string        { return nameOf(ctxNames[:], int(c)) }

// String returns the names of the flags that are set, joined by commas.
func (f DefFlags) String() string { return flagNames(defFlagNames, uint32(f)) }

func (f BindFlags) String() string   { return flagNames(bindFlagNames, uint32(f)) }
func (f ImportFlags) String() string { return flagNames(importFlagNames, uint32(f)) }
