package worker

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"

	"codeidx/facts/treesitter"
)

const (
	killGrace  = time.Second     // beyond the parser's own timeout
	startGrace = 5 * time.Second // for the first file of a process
)

// process is one running worker.
type process struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	errors  head
	timeout atomic.Bool // killed because a file took too long
	served  int         // files answered

	mu    sync.Mutex
	ended bool // about to be collected: its number may soon be another's
}

func startProcess(o Options) (*process, error) {
	p := &process{cmd: o.Command()}
	p.cmd.Stderr = &p.errors
	p.cmd.WaitDelay = time.Second
	detach(p.cmd)
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start worker: %w", err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start worker: %w", err)
	}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start worker: %w", err)
	}
	p.in, p.out = in, bufio.NewReaderSize(out, 1<<16)
	// A worker that is dead already is noticed at its first file.
	_ = writeFrame(p.in, settings{o.MemoryLimit, o.Timeout}.encode())
	return p, nil
}

// reply reads what became of a source of n bytes.
func (p *process) reply(n int) (Result, error) {
	b, err := readFrame(p.out, replyBase+replyFactor*n)
	if err != nil {
		return Result{}, err
	}
	return decodeReply(b)
}

// kill ends the process at once; end collects it.
func (p *process) kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.ended {
		killGroup(p.cmd.Process)
	}
}

func (p *process) hung() {
	p.timeout.Store(true)
	p.kill()
}

// end kills the process and waits until it is gone.
func (p *process) end() {
	p.in.Close()
	p.kill()
	p.mu.Lock()
	p.ended = true
	p.mu.Unlock()
	// Its exit status, not Wait's error, says how it ended.
	_ = p.cmd.Wait()
}

// fault says what the end of the process means for the file that it was at.
func (p *process) fault() *fault {
	state := p.cmd.ProcessState
	switch {
	case p.timeout.Load():
		return &fault{result: Result{Status: ParseTimeout, Err: "extraction took too long"}}
	case state.ExitCode() == treesitter.ExitMemory:
		return &fault{result: Result{Status: ParseMemory, Err: "extraction took too much memory"}, retry: true}
	}
	text := "worker died: " + state.String()
	if line := p.errors.line(); line != "" {
		text += ": " + line
	}
	return &fault{result: Result{Status: ParseCrashed, Err: text}, retry: true}
}

// head keeps the start of what is written to it: the line that says why a
// process died comes before its stacks.
type head struct{ b []byte }

const headBytes = 4 << 10

func (h *head) Write(b []byte) (int, error) {
	h.b = append(h.b, b[:min(len(b), headBytes-len(h.b))]...)
	return len(b), nil
}

func (h *head) line() string {
	line, _, _ := bytes.Cut(bytes.TrimSpace(h.b), []byte("\n"))
	return string(bytes.TrimSpace(line))
}
