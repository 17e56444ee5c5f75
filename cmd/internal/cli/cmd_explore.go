package cli

import "codeidx/query"

type exploreCmd struct {
	queryFlags
	kindFlag
	Words []string `arg:"" help:"A question, names or a path."`
}

func (c *exploreCmd) Run(a *app) error {
	return a.ask("explore", query.Params{Query: joinWords(c.Words), SymbolKind: c.Kind}, &c.queryFlags)
}
