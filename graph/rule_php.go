package graph

// Rules of graph/php, from phpRules on. Append only.
const (
	PhpImport           Rule = phpRules + iota // use statement → class, function or constant
	PhpInclude                                 // include or require of a readable path → file
	PhpIncludeSuffix                           // candidate: include whose path is known in its last part
	PhpClass                                   // class named by namespace and use
	PhpFunction                                // function of the namespace, imported or fully qualified
	PhpGlobalFunction                          // unqualified name → global function
	PhpConstant                                // constant of a namespace or global
	PhpSelf                                    // member through $this, self or static
	PhpParent                                  // member through parent
	PhpStatic                                  // member of a named class
	PhpMember                                  // member of an object of known class
	PhpInvoke                                  // candidate: call of a variable that holds an object: __invoke
	PhpBase                                    // extends, implements, use of a trait
	PhpOverride                                // method → the one that it overrides
	PhpOverrider                               // candidate: override below the static receiver
	PhpUnion                                   // candidate: one of several types of the receiver
	PhpPartial                                 // candidate: one alternative of the receiver is not known
	PhpDocblock                                // candidate: receiver's type stated by a docblock only
	PhpDuplicate                               // candidate: one of several declarations of the name
	PhpMagic                                   // candidate: magic method that takes unknown members
	PhpTraitUser                               // candidate: member of $this that only users of the trait or subclasses have
	PhpCallback                                // candidate: callable written as string or array
	PhpGlobal                                  // candidate: variable of a file that "global" names, or member of its value
	PhpMixin                                   // candidate: member of a class that @mixin names
	PhpPolyfill                                // candidate: stand-in for a name of PHP itself
	PhpIncludeAmbiguous                        // candidate: one of several files that an include may mean
	PhpIncludeGlob                             // candidate: an include of an unknown path, by codeidx.phpIncludes
)

var phpRuleInfo = [...]RuleInfo{
	{"php.use", 1},
	{"php.include", 1},
	{"php.include.suffix", 0.6},
	{"php.class", 1},
	{"php.function", 1},
	{"php.function.global", 1},
	{"php.constant", 1},
	{"php.self.member", 1},
	{"php.parent.member", 1},
	{"php.static.member", 1},
	{"php.object.member", 0.95},
	{"php.object.invoke", 0.6},
	{"php.base", 1},
	{"php.override", 1},
	{"php.dispatch.overrider", 0.6},
	{"php.union.member", 0.6},
	{"php.partial.member", 0.6},
	{"php.docblock.member", 0.6},
	{"php.duplicate", 0.4},
	{"php.magic", 0.3},
	{"php.trait.user", 0.5},
	{"php.callback", 0.6},
	{"php.global", 0.4},
	{"php.mixin", 0.5},
	{"php.polyfill", 0.3},
	{"php.include.ambiguous", 0.4},
	{"php.include.glob", 0.4},
}
