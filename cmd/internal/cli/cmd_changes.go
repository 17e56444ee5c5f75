package cli

import "codeidx/query"

type changesCmd struct {
	queryFlags
	kindFlag
}

func (c *changesCmd) Run(a *app) error {
	return a.ask("changes", query.Params{SymbolKind: c.Kind}, &c.queryFlags)
}
