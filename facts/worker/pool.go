package worker

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"sync"
	"time"

	"codeidx/facts"
)

// DefaultTimeout is how long the parser may take for one file.
const DefaultTimeout = 5 * time.Second

// Status says what became of a file.
type Status uint8

// Statuses of a Result.
const (
	OK           Status = iota
	Partial             // the file has syntax errors, or parts nested too deeply; see facts.File.Errors
	ParseCrashed        // the parser or the extractor died or gave nothing of use
	ParseTimeout
	ParseMemory
)

// String returns the status as it stands in coverage.
func (s Status) String() string {
	switch s {
	case OK:
		return "ok"
	case Partial:
		return "partial"
	case ParseCrashed:
		return "parse_crashed"
	case ParseTimeout:
		return "parse_timeout"
	case ParseMemory:
		return "parse_memory"
	}
	return "?"
}

// Request is one file to extract.
type Request struct {
	Path string
	Lang facts.Lang
	Src  []byte
}

// Result is what became of one file: Facts (encoded, see facts.Decode) with OK
// and Partial; Err says in one line what went wrong with the other statuses.
type Result struct {
	Facts  []byte
	Status Status
	Err    string
}

// Options of a Pool.
type Options struct {
	Workers     int              // processes; at least 1
	MemoryLimit uint64           // bytes a worker may hold, Go's heap and the parser's together; 0 for no limit
	Timeout     time.Duration    // for parsing one file; 0 for DefaultTimeout
	Command     func() *exec.Cmd // the command of a worker, usually the own binary with Verb
}

// ErrClosed is reported by a pool after Close.
var ErrClosed = errors.New("worker pool is closed")

// Pool extracts files in worker processes. It is safe for concurrent use:
// with a few callers per worker, small files travel in batches.
type Pool struct {
	options Options

	mu     sync.Mutex
	closed bool
	queue  []*job
	bytes  int     // source bytes in queue
	idle   []*slot // those with a live process last
	slots  []*slot
	busy   sync.WaitGroup // slots at work
}

type job struct {
	Request
	ctx    context.Context
	done   chan struct{}
	result Result
	err    error
}

func (j *job) finish(r Result, err error) {
	j.result, j.err = r, err
	close(j.done)
}

// NewPool makes a pool; processes start when there is work for them.
func NewPool(o Options) *Pool {
	o.Workers = max(o.Workers, 1)
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	p := &Pool{options: o}
	for range o.Workers {
		s := &slot{pool: p}
		p.slots = append(p.slots, s)
		p.idle = append(p.idle, s)
	}
	return p
}

// Start starts one worker ahead of its first file. Errors show with that file.
func (p *Pool) Start() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.idle); n == len(p.slots) && !p.closed && !p.idle[n-1].warm() {
		p.wake()
	}
}

// Extract extracts one file and returns when its result is there or ctx is
// done. r.Src must stay as it is for as long as the pool is open. An error
// says that there was no worker to ask; what goes wrong with the file is a
// Status.
func (p *Pool) Extract(ctx context.Context, r Request) (Result, error) {
	if len(r.Src) > MaxSource || len(r.Path) > maxPath {
		return Result{Status: ParseMemory, Err: fmt.Sprintf("file is larger than %d MiB", MaxSource>>20)}, nil
	}
	j := &job{Request: r, ctx: ctx, done: make(chan struct{})}
	if err := p.enqueue(j); err != nil {
		return Result{}, err
	}
	select {
	case <-j.done:
		return j.result, j.err
	case <-ctx.Done():
		return Result{}, ctx.Err()
	}
}

const (
	// batchBytes is about how much source one batch holds: some 15 ms of work.
	batchBytes = 64 << 10
	// anotherWorker is how much source must wait before one more process pays.
	anotherWorker = 64 << 10
)

func (p *Pool) enqueue(j *job) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return fmt.Errorf("extract %s: %w", j.Path, ErrClosed)
	}
	p.queue = append(p.queue, j)
	p.bytes += len(j.Src)
	if n := len(p.idle); n > 0 && (p.idle[n-1].warm() || n == len(p.slots) || p.bytes >= anotherWorker) {
		p.wake()
	}
	return nil
}

// wake sets the last idle slot to work. The caller holds mu.
func (p *Pool) wake() {
	n := len(p.idle) - 1
	s := p.idle[n]
	p.idle = p.idle[:n]
	p.busy.Add(1)
	go s.work()
}

// take returns the next batch for s, or makes s idle and returns nil. A slot
// takes no more than its share of the queue.
func (p *Pool) take(s *slot) []*job {
	p.mu.Lock()
	defer p.mu.Unlock()
	var batch []*job
	bytes, share := 0, (len(p.queue)+len(p.slots)-1)/len(p.slots)
	for len(p.queue) > 0 && !p.closed && len(batch) < share && bytes < batchBytes {
		j := p.queue[0]
		p.queue[0] = nil
		p.queue = p.queue[1:]
		p.bytes -= len(j.Src)
		if j.ctx.Err() != nil {
			j.finish(Result{}, j.ctx.Err())
			continue
		}
		bytes += len(j.Src) + len(j.Path) + requestOverhead
		batch = append(batch, j)
	}
	if batch == nil {
		s.rest()
	}
	return batch
}

// Close kills the workers and waits until they are gone. Files that are not
// answered yet get ErrClosed.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	for _, j := range p.queue {
		j.finish(Result{}, fmt.Errorf("extract %s: %w", j.Path, ErrClosed))
	}
	p.queue, p.bytes = nil, 0
	for _, s := range p.slots {
		if s.process != nil {
			s.process.kill()
		}
	}
	p.mu.Unlock()
	p.busy.Wait()
	for _, s := range p.slots {
		s.stop()
	}
}
