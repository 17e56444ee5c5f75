package cli

import "codeidx/query"

type mapCmd struct {
	queryFlags
	Root   string `arg:"" optional:"" help:"Folder to start at." placeholder:"PATH"`
	Depth  int    `default:"2" help:"Levels to show (1 to 5)." placeholder:"N"`
	Budget int    `help:"Show the most used files of any depth, within about N tokens (100 to 100000)." placeholder:"N"`
}

func (c *mapCmd) Run(a *app) error {
	return a.ask("map", query.Params{Path: c.Root, Depth: c.Depth, Budget: c.Budget}, &c.queryFlags)
}
