package graph

// Rules of graph/golang, from goRules on. Append only.
const (
	GoImport          Rule = goRules + iota
	GoPackageScope         // a name of the file's own package
	GoDotImport            // a name that a dot import brings in
	GoPackageMember        // pkg.Name
	GoField                // x.f of the receiver's type
	GoFieldPromoted        // x.f through embedded fields
	GoMethod               // x.M of the receiver's named type
	GoMethodPromoted       // x.M through embedded fields
	GoInterfaceMethod      // x.M of an interface
	GoMethodExpr           // T.M
	GoLiteralKey           // f in T{f: …}
	GoEmbedding            // embedded type of a struct or interface
	GoImplements           // method set holds the interface's, signatures identical
	GoDispatch             // implementation behind an interface call
	GoVariant              // one of several build variants
	GoShadowedMember       // an embedded type outside the repository may shadow it
)

var goRuleInfo = [...]RuleInfo{
	{"go.import", 1},
	{"go.scope.package", 1},
	{"go.scope.dot_import", 1},
	{"go.package.member", 1},
	{"go.field", 1},
	{"go.field.promoted", 1},
	{"go.method", 1},
	{"go.method.promoted", 1},
	{"go.interface.method", 1},
	{"go.method.expression", 1},
	{"go.literal.key", 1},
	{"go.embedding", 1},
	{"go.implements", 1},
	{"go.dispatch", 0.6},
	{"go.build_variant", 0.6},
	{"go.member.maybe_shadowed", 0.6},
}
