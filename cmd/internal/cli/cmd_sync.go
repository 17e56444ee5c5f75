package cli

import (
	"codeidx/gitstore"
	"codeidx/gitstore/build"
)

type syncCmd struct{ buildFlags }

func (c *syncCmd) Run(a *app) error {
	return c.build(a, func(b *build.Builder) (*build.Result, error) { return b.Sync(a.ctx, gitstore.Current) })
}
