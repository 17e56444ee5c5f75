package cli

import "codeidx/query"

// relationFlags are what callers, callees and references take.
type relationFlags struct {
	queryFlags
	kindFlag
	Symbol string `arg:"" help:"Name, qualified name, PATH:LINE or symbol id."`
	Depth  int    `default:"1" help:"Follow N steps (1 to 3)." placeholder:"N"`
	Hard   bool   `help:"Only edges bound by a static rule."`
}

func (f *relationFlags) ask(a *app, op string) error {
	p := query.Params{Symbol: f.Symbol, SymbolKind: f.Kind, Depth: f.Depth, Hard: f.Hard}
	return a.ask(op, p, &f.queryFlags)
}

type callersCmd struct{ relationFlags }

func (c *callersCmd) Run(a *app) error { return c.ask(a, "callers") }

type calleesCmd struct{ relationFlags }

func (c *calleesCmd) Run(a *app) error { return c.ask(a, "callees") }

type referencesCmd struct{ relationFlags }

func (c *referencesCmd) Run(a *app) error { return c.ask(a, "references") }
