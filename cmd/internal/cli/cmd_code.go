package cli

import "codeidx/query"

type codeCmd struct {
	queryFlags
	kindFlag
	Symbol string `arg:"" help:"Name, qualified name, PATH:LINE or symbol id."`
}

func (c *codeCmd) Run(a *app) error {
	return a.ask("code", query.Params{Symbol: c.Symbol, SymbolKind: c.Kind}, &c.queryFlags)
}
