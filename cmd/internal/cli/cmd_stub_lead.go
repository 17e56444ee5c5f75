package cli

type installCmd struct{}

func (c *installCmd) Run(a *app) error { return nil }

type uninstallCmd struct{}

func (c *uninstallCmd) Run(a *app) error { return nil }

type hookCmd struct{}

func (c *hookCmd) Run(a *app) error { return nil }

type driftCmd struct{}

func (c *driftCmd) Run(a *app) error { return nil }
