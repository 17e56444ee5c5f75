package cli

import "codeidx/query"

type symbolsCmd struct {
	queryFlags
	kindFlag
	Query []string `arg:"" help:"Name, qualified name, path or words."`
}

func (c *symbolsCmd) Run(a *app) error {
	return a.ask("symbols", query.Params{Query: joinWords(c.Query), SymbolKind: c.Kind}, &c.queryFlags)
}
