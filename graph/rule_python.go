package graph

// Rules of graph/python, from pythonRules on. Append only.
const (
	PyImport        Rule = pythonRules + iota // import statement → module
	PyImportName                              // imported name → its original definition
	PyName                                    // name bound in an enclosing scope of the file
	PyImported                                // name bound by an import
	PyStar                                    // name that a star import brings in
	PyModuleName                              // __name__ and its like → the module
	PyModuleAttr                              // attribute of a module
	PySelf                                    // attribute of self or cls, through the class's order
	PyMember                                  // attribute of an instance of known class
	PyClassMember                             // attribute of a class object
	PySuper                                   // attribute of super()
	PyBase                                    // base class
	PyOverride                                // method → the one that it overrides
	PyOverrider                               // candidate: override in a subclass of the static receiver
	PyUnion                                   // candidate: one of several types of the receiver
	PyVariants                                // candidate: one of several conditional bindings
	PyPartial                                 // candidate: one alternative of the receiver is not known
	PyArgument                                // candidate: receiver's type from a default or the calls of the function
	PyAmbiguousPath                           // candidate: several modules of the repository have the imported name
	PyQuoted                                  // name in a quoted annotation
	PySubclass                                // candidate: attribute of self that only subclasses have
	PyReceiverName                            // candidate: receiver is called like a class that the module imports
)

var pythonRuleInfo = [...]RuleInfo{
	{"py.import", 1},
	{"py.import.name", 1},
	{"py.name", 1},
	{"py.name.imported", 1},
	{"py.name.star", 1},
	{"py.name.module", 1},
	{"py.module.attribute", 1},
	{"py.self.member", 1},
	{"py.instance.member", 0.95},
	{"py.class.member", 1},
	{"py.super.member", 1},
	{"py.base", 1},
	{"py.override", 1},
	{"py.dispatch.overrider", 0.6},
	{"py.union.member", 0.6},
	{"py.name.variants", 0.6},
	{"py.partial.member", 0.6},
	{"py.argument.member", 0.5},
	{"py.import.ambiguous", 0.4},
	{"py.quoted", 1},
	{"py.self.subclass", 0.5},
	{"py.receiver.name", 0.4},
}
