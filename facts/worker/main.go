package worker

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"codeidx/facts"
	"codeidx/facts/syntax"
	"codeidx/facts/treesitter"
)

// Verb is the hidden first argument with which a binary runs Main.
const Verb = "extract-worker"

const (
	gcPercent   = 400 // a worker's garbage lives for one file
	watchPeriod = 20 * time.Millisecond
	maxStack    = 64 << 20 // bytes; ten times what the deepest tree needs (treesitter.MaxDepth)
)

// Main is what a worker process runs: it answers batches from stdin on stdout
// until stdin ends, and returns the exit status of the process. Main changes
// limits of the whole process and leaves a goroutine behind when memory runs
// out, so the process must end with it.
func Main(stdin io.Reader, stdout io.Writer) int { return run(stdin, stdout, newExtractor) }

func run(stdin io.Reader, stdout io.Writer, extractor func(facts.Lang, *syntax.Grammar) Extractor) int {
	in := bufio.NewReaderSize(stdin, 1<<16)
	first, err := readFrame(in, maxBatch)
	if err != nil {
		return 1
	}
	s, err := decodeSettings(first)
	if err != nil {
		return 1
	}
	runtime.GOMAXPROCS(1)
	debug.SetGCPercent(gcPercent)
	debug.SetMaxStack(maxStack)
	treesitter.Limit(s.memory)
	if s.memory != 0 {
		debug.SetMemoryLimit(int64(s.memory / 4 * 3))
	}
	status := make(chan int, 2)
	go watch(s.memory, status)
	go func() { status <- serve(in, stdout, s, extractor) }()
	return <-status
}

// watch reports treesitter.ExitMemory when Go's memory and the parser's
// together pass the limit. The parser watches its own share, allocation by
// allocation.
func watch(limit uint64, status chan<- int) {
	if limit == 0 {
		return
	}
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	for range time.Tick(watchPeriod) {
		metrics.Read(samples)
		held := samples[0].Value.Uint64() - samples[1].Value.Uint64()
		if held+treesitter.Allocated() > limit {
			status <- treesitter.ExitMemory
			return
		}
	}
}

func serve(in io.Reader, out io.Writer, s settings, extractor func(facts.Lang, *syntax.Grammar) Extractor) int {
	e := engine{extractor: extractor}
	defer e.close()
	for {
		batch, err := readFrame(in, maxBatch)
		if err == io.EOF {
			return 0
		}
		if err != nil {
			return 1
		}
		for len(batch) > 0 {
			var r Request
			if r, batch, err = nextRequest(batch); err != nil {
				return 1
			}
			result := e.answer(r, s.timeout)
			if err := writeFrame(out, result.head(), result.Facts); err != nil {
				return 1
			}
		}
	}
}

// answer extracts one file. A panic of an extractor costs its file only.
func (e *engine) answer(r Request, timeout time.Duration) (result Result) {
	defer func() {
		if p := recover(); p != nil {
			result = Result{Status: ParseCrashed, Err: fmt.Sprintf("extractor panicked: %v", p)}
		}
	}()
	f, err := e.extract(r.Path, r.Lang, r.Src, timeout)
	switch {
	case errors.Is(err, treesitter.ErrTimeout):
		return Result{Status: ParseTimeout, Err: err.Error()}
	case err != nil:
		return Result{Status: ParseCrashed, Err: err.Error()}
	}
	if err := facts.Validate(f); err != nil {
		return Result{Status: ParseCrashed, Err: err.Error()}
	}
	if f.Partial {
		result.Status = Partial
	}
	result.Facts = facts.Encode(f)
	return result
}
