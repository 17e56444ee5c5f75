package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Options say how a server answers.
type Options struct {
	Version string
	// Stale is what a question does where the files differ from the index:
	// sync, mark or refuse.
	Stale string
	// Untracked includes files that git neither tracks nor ignores, unless
	// codeidx.includeUntracked is configured.
	Untracked bool
	// Dir is the folder of calls without the argument repo; "" is the current
	// one.
	Dir string
	// Patience is how long a call waits for a build before it says that it is
	// running. 0 is defaultPatience.
	Patience time.Duration
	// Worker starts a parser process.
	Worker func() *exec.Cmd
	// Explain gives an error its stable code, its message and a hint.
	Explain func(error) (code, message, hint string)

	open openFunc // of tests; nil is the real one
}

// openFunc opens the work tree around a folder.
type openFunc func(ctx context.Context, dir string, create bool) (*session, error)

// defaultPatience is well below the time after which clients give a tool up
// (60 s in the strictest).
const defaultPatience = 20 * time.Second

// maxCalls bounds the calls that are computed at the same time. Each reads the
// whole tree on all cores; more would only share out memory.
const maxCalls = 8

// server answers one client.
type server struct {
	Options
	jobs  *jobs
	slots chan struct{}
	ctx   context.Context // ends with the input
}

// Serve answers the client at in and out until in ends or ctx does. Each
// message is one Write to out. Nothing is opened before the first call.
func Serve(ctx context.Context, o Options, in io.Reader, out io.Writer) error {
	if o.Patience == 0 {
		o.Patience = defaultPatience
	}
	if err := o.settleDir(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if o.open == nil {
		o.open = (&opener{worker: o.Worker, untracked: o.Untracked}).open
	}
	s := &server{Options: o, slots: make(chan struct{}, maxCalls), ctx: ctx}
	s.jobs = &jobs{ctx: ctx, patience: o.Patience, open: o.open, running: map[string]*job{}}
	err := s.protocol().Run(ctx, &stdio{in: in, out: out, stop: cancel})
	cancel()
	s.jobs.wait.Wait()
	if errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// settleDir makes Dir absolute. An alias of git runs at the top level and
// leaves the caller's folder in GIT_PREFIX; it must not reach later calls,
// which may be about other work trees.
func (o *Options) settleDir() error {
	if prefix := os.Getenv("GIT_PREFIX"); prefix != "" {
		if o.Dir == "" {
			o.Dir = prefix
		}
		os.Unsetenv("GIT_PREFIX")
	}
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return fmt.Errorf("find current folder: %w", err)
	}
	o.Dir = dir
	return nil
}

// protocol makes the SDK's server with our tools. Capabilities are explicit:
// the SDK's default advertises logging.
func (s *server) protocol() *sdk.Server {
	p := sdk.NewServer(&sdk.Implementation{Name: "codeidx", Version: s.Version}, &sdk.ServerOptions{
		Instructions: instructions,
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
	})
	for _, t := range tools() {
		p.AddTool(t.describe(), s.handler(&t))
	}
	return p
}
