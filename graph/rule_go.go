package graph

// Rules of graph/golang, from goRules on. Append only.
const (
	GoImport Rule = goRules + iota
)

var goRuleInfo = [...]RuleInfo{
	{"go.import", 1},
}
