// Package cli is the command line of git codeidx: one file per verb, one
// switch from error to exit status (exit.go). Data goes to stdout, everything
// else to stderr.
package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"golang.org/x/term"

	"codeidx/facts/worker"
	"codeidx/gitstore"
)

// Streams are the standard streams of a command.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// app is what every command runs with.
type app struct {
	ctx   context.Context
	in    io.Reader
	out   *bufio.Writer
	err   io.Writer
	json  bool
	nul   bool // paths end in NUL and text is as it is
	quiet bool
	tty   bool // stdout is a terminal, or git's pager shows it on one
	color bool
	width int // columns of the terminal

	progress bool
}

// Main runs one command line and returns its exit status.
func Main(args []string, s Streams) int {
	if len(args) == 1 && args[0] == worker.Verb {
		return worker.Main(s.In, s.Out)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	a := newApp(ctx, s)
	a.detectTerminal(s)
	return a.main(args)
}

func newApp(ctx context.Context, s Streams) *app {
	return &app{ctx: ctx, in: s.In, out: bufio.NewWriterSize(s.Out, 64<<10), err: s.Err, width: 120}
}

func (a *app) main(args []string) int {
	status := a.run(args)
	if err := a.out.Flush(); err != nil && status == exitOK {
		return exitFatal
	}
	return status
}

func (a *app) detectTerminal(s Streams) {
	if f, ok := s.Out.(*os.File); ok {
		a.tty = term.IsTerminal(int(f.Fd())) || os.Getenv("GIT_PAGER_IN_USE") == "true"
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 20 {
			a.width = w
		} else if w, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && w > 20 {
			a.width = w
		}
	}
	if f, ok := s.Err.(*os.File); ok {
		a.progress = term.IsTerminal(int(f.Fd()))
	}
}

// decideColor asks git only where colour is possible at all.
func (a *app) decideColor(repo *gitstore.Repo) {
	if !a.tty || a.json || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return
	}
	a.color = repo.ColorBool(a.ctx, "color.codeidx")
}

func encodeJSON(v any) ([]byte, error) {
	b, err := json.Marshal(v)
	return append(b, '\n'), err
}
