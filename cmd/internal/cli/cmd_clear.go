package cli

import "codeidx/gitstore"

type clearCmd struct {
	outputFlags
	Ledger bool `help:"Remove the drift ledger, too. It cannot be made again."`
}

func (c *clearCmd) Run(a *app) error {
	c.apply(a)
	return a.reclaim(func(s *session, st *gitstore.Store) (gitstore.GCStats, error) {
		if s.binding == "" {
			return gitstore.GCStats{}, nil
		}
		return st.Clear(a.ctx, s.binding, c.Ledger, gitstore.GCOptions{Retain: s.config.Retain})
	})
}
