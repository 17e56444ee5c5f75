package cli

import "codeidx/query"

type impactChangesCmd struct {
	queryFlags
	Paths  []string `arg:"" optional:"" help:"Only changes in these files."`
	Before string   `help:"The baseline must have this fingerprint." placeholder:"F"`
	Depth  int      `default:"2" help:"Follow N steps (1 to 5)." placeholder:"N"`
	Mode   string   `default:"hard" help:"hard: proven steps only; full: heuristic ones too." placeholder:"MODE"`
}

func (c *impactChangesCmd) Run(a *app) error {
	p := query.Params{Paths: c.Paths, Before: c.Before, Depth: c.Depth, Mode: c.Mode}
	return a.ask("impact-changes", p, &c.queryFlags)
}
