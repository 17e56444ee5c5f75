package graph

// Rules of graph/python, from pythonRules on. Append only.
const (
	PyImport Rule = pythonRules + iota
)

var pythonRuleInfo = [...]RuleInfo{
	{"py.import", 1},
}
