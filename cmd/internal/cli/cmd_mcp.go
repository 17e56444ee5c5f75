package cli

import (
	"bufio"

	"codeidx/cmd/internal/mcp"
)

type mcpCmd struct {
	Stale     string `help:"When the code differs from the index: sync, mark or refuse." placeholder:"POLICY" enum:"sync,mark,refuse" default:"sync"`
	Untracked bool   `negatable:"" default:"true" help:"Include files that git neither tracks nor ignores."`
	Repo      string `help:"Answer for the work tree of DIR where a call names none." placeholder:"DIR" type:"path"`
}

// Run serves one client on standard input and output until input ends.
func (c *mcpCmd) Run(a *app) error {
	return mcp.Serve(a.ctx, mcp.Options{
		Version: versionString(), Stale: c.Stale, Untracked: c.Untracked, Dir: c.Repo, Worker: workerCommand,
		Explain: func(err error) (code, message, hint string) {
			f := explain(buildError(err))
			return f.Code, f.Message, f.Hint
		},
	}, a.in, flushing{a.out})
}

// flushing sends each write on at once.
type flushing struct{ *bufio.Writer }

func (w flushing) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if err != nil {
		return n, err
	}
	return n, w.Flush()
}
