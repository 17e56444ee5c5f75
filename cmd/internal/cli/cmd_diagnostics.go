package cli

import (
	"codeidx/query"
)

type diagnosticsCmd struct {
	queryFlags
	JSONL bool `name:"jsonl" help:"One JSON object a line, a header first."`
}

func (c *diagnosticsCmd) Run(a *app) error {
	if c.JSONL {
		return a.askLines("diagnostics", "codeidx.diagnostics.v1", query.Params{}, &c.queryFlags)
	}
	return a.ask("diagnostics", query.Params{}, &c.queryFlags)
}
