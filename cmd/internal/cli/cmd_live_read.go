package cli

import "codeidx/query"

type liveReadCmd struct {
	queryFlags
	Place string `arg:"" help:"PATH, PATH:LINE or PATH:FIRST-LAST." placeholder:"PATH[:A-B]"`
}

func (c *liveReadCmd) Run(a *app) error {
	path, first, last, err := parsePlace(c.Place)
	if err != nil {
		return err
	}
	return a.ask("live-read", query.Params{Path: path, First: first, Last: last}, &c.queryFlags)
}
