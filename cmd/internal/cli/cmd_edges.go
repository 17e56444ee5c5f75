package cli

import (
	"codeidx/query"
)

type edgesCmd struct {
	queryFlags
	JSONL bool   `name:"jsonl" help:"One JSON object a line, a header first."`
	Kind  string `help:"Only edges of this kind: calls, references, imports, inherits, implements, overrides, contains." placeholder:"K"`
}

func (c *edgesCmd) Run(a *app) error {
	p := query.Params{EdgeKind: c.Kind}
	if c.JSONL {
		return a.askLines("edges", "codeidx.edges.v1", p, &c.queryFlags)
	}
	return a.ask("edges", p, &c.queryFlags)
}
