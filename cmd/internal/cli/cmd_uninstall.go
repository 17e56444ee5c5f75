package cli

import (
	"codeidx/gitstore"
	"codeidx/hooks/install"
)

type uninstallCmd struct{ outputFlags }

func (c *uninstallCmd) Run(a *app) error {
	c.apply(a)
	repo, err := gitstore.Discover(a.ctx, "")
	if err != nil {
		return err
	}
	a.decideColor(repo)
	list, err := install.Uninstall(a.ctx, repo)
	if err != nil {
		return err
	}
	return a.printHooks(repo, list)
}
