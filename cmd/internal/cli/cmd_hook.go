package cli

import "codeidx/hooks"

// hookCmd is what the git hooks call. It prints nothing and always succeeds:
// git's command goes on whatever becomes of our note. What went wrong is in the log
// that status and drift show.
type hookCmd struct {
	Event string   `arg:"" optional:"" help:"Name of the git hook."`
	Args  []string `arg:"" optional:"" passthrough:"" help:"What git gave it."`
}

func (c *hookCmd) Run(a *app) error {
	_ = hooks.Record(a.ctx, "", c.Event, c.Args)
	return nil
}
