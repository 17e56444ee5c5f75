package cli

import (
	"context"
	"errors"

	"codeidx/gitstore"
	"codeidx/hooks"
)

// hookCmd is what the git hooks call. It always succeeds and prints nothing,
// but for pre-push: git's command goes on whatever becomes of our note. What went
// wrong is in the log that status and drift show.
type hookCmd struct {
	Event string   `arg:"" optional:"" help:"Name of the git hook."`
	Args  []string `arg:"" optional:"" passthrough:"" help:"What git gave it."`
}

func (c *hookCmd) Run(a *app) error {
	if c.Event == hooks.PrePush {
		return a.prePush(c.Args)
	}
	_ = hooks.Record(a.ctx, "", hooks.Call{Name: c.Event, Args: c.Args, Stdin: a.in})
	return nil
}

// prePush checks what is pushed. It refuses a push, with status 1, only where
// codeidx.prePush is block and a breakage is proven; any failure of ours lets it pass.
func (a *app) prePush(args []string) error {
	refs, err := hooks.ParsePush(a.in)
	if err != nil || len(refs) == 0 || len(args) < 1 {
		return nil
	}
	s, err := a.open(false)
	if err != nil {
		return nil
	}
	defer s.close()
	if s.config.PrePush == "off" {
		return nil
	}
	ctx, cancel := context.WithTimeout(a.ctx, s.config.HooksBudget)
	defer cancel()
	list, err := s.analyst().CheckPush(ctx, args[0], refs)
	switch {
	case errors.Is(err, gitstore.ErrNoGeneration):
		s.pushNotice("the push is not checked: there is no index (git codeidx index)")
		return nil
	case errors.Is(err, context.DeadlineExceeded):
		s.pushNotice("the push is not checked: there was not enough time (codeidx.hooksBudget is " + s.config.HooksBudget.String() + ")")
		return nil
	case err != nil:
		s.pushNotice("the push is not checked: " + err.Error())
		return nil
	}
	proven := 0
	for _, p := range list {
		s.renderPush(p)
		proven += p.Proven()
	}
	if proven > 0 && s.config.PrePush == "block" {
		s.pushNotice("the push is refused: " + plural(proven, "use") + " of what is gone or changed; go on with: git push --no-verify")
		return exitStatus(exitNo)
	}
	return nil
}
