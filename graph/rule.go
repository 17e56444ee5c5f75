package graph

// Rule names the static rule that bound an edge. The name is shown to users
// and in docs/ACCURACY.md; the number is stored: append only.
type Rule uint16

// RuleInfo describes one rule.
type RuleInfo struct {
	ID         string  // "go.method.field_type"
	Confidence float64 // start value of spec/evidence.md, 0..1
}

// rules is indexed by Rule. Confidence: 1.00 what an exact line proves, 0.60 an
// unambiguous heuristic, 0.40 an ambiguous one, 0.30 magic.
var rules = [...]RuleInfo{
	RuleNone:     {"none", 0},
	RuleContains: {"contains", 1},
}

// Rules shared by all languages. The languages' own follow in rule_<language>.go
// at fixed offsets, so that each language appends to its own range.
const (
	RuleNone Rule = iota
	RuleContains
)

// Each language owns 100 numbers.
const (
	goRules     Rule = 100
	pythonRules Rule = 200
	ecmaRules   Rule = 300
	phpRules    Rule = 400
)

// Info returns the description of a rule.
func (r Rule) Info() RuleInfo {
	switch {
	case int(r) < len(rules):
		return rules[r]
	case r >= goRules && int(r-goRules) < len(goRuleInfo):
		return goRuleInfo[r-goRules]
	case r >= pythonRules && int(r-pythonRules) < len(pythonRuleInfo):
		return pythonRuleInfo[r-pythonRules]
	case r >= ecmaRules && int(r-ecmaRules) < len(ecmaRuleInfo):
		return ecmaRuleInfo[r-ecmaRules]
	case r >= phpRules && int(r-phpRules) < len(phpRuleInfo):
		return phpRuleInfo[r-phpRules]
	}
	return RuleInfo{ID: "unknown"}
}

// String returns the rule's name.
func (r Rule) String() string { return r.Info().ID }
