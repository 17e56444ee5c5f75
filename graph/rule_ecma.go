package graph

// Rules of graph/ecma, from ecmaRules on. Append only.
const (
	JsImport          Rule = ecmaRules + iota // import, export from, require, import() → module
	JsImportName                              // imported name → its original definition
	JsName                                    // name bound in an enclosing scope of the file
	JsImported                                // name bound by an import
	JsGlobal                                  // name of an ambient declaration of the repository
	JsModuleMember                            // member of a module or namespace
	JsThis                                    // member of this
	JsMember                                  // member of a value whose type is declared or follows from declarations
	JsStatic                                  // member of a class, enum or function object
	JsSuper                                   // super() and super.m
	JsObjectMember                            // member of an object literal or of what is assigned to an object
	JsBase                                    // extends
	JsImplements                              // implements
	JsOverride                                // method → the one that it overrides
	JsDispatch                                // candidate: override or implementation behind a static callee
	JsUnion                                   // member of each alternative of a union
	JsPartial                                 // candidate: one alternative of the receiver is not known
	JsAmbiguousModule                         // candidate: several modules fit
	JsExport                                  // name in an export list
	JsElement                                 // JSX component
)

var ecmaRuleInfo = [...]RuleInfo{
	{"js.import", 1},
	{"js.import.name", 1},
	{"js.name", 1},
	{"js.name.imported", 1},
	{"js.name.global", 0.95},
	{"js.module.member", 1},
	{"js.this.member", 1},
	{"js.instance.member", 0.95},
	{"js.static.member", 1},
	{"js.super", 1},
	{"js.object.member", 0.95},
	{"js.base", 1},
	{"js.implements", 1},
	{"js.override", 1},
	{"js.dispatch", 0.6},
	{"js.union.member", 0.6},
	{"js.partial.member", 0.6},
	{"js.import.ambiguous", 0.4},
	{"js.export", 1},
	{"js.element", 1},
}
