package mcp

import (
	"context"
	"fmt"
	"sync"
	"time"

	"codeidx/gitstore"
	"codeidx/gitstore/build"
	"codeidx/query"
)

// Building is the code of an answer that cannot be given yet.
const Building query.Code = "index_building"

// jobs runs builds in the background: a call waits for its job for a while,
// then says how far it is, and the job goes on. At most one runs for a work
// tree.
type jobs struct {
	ctx      context.Context // of the server
	patience time.Duration
	open     openFunc

	wait    sync.WaitGroup
	mu      sync.Mutex
	running map[string]*job // by the work tree's binding folder
}

// job is one build.
type job struct {
	done  chan struct{}
	began time.Time

	mu       sync.Mutex
	progress build.Progress

	result *build.Result // set before done is closed
	took   time.Duration
	err    error
}

func (j *job) at() build.Progress {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.progress
}

// sync brings the index of the work tree around dir up to date with a job that
// began after this call. report, which may be nil, is told the progress.
func (s *jobs) sync(ctx context.Context, dir, key string, report func(build.Progress)) (*job, error) {
	asked := time.Now()
	end := time.NewTimer(s.patience)
	defer end.Stop()
	for {
		j := s.start(dir, key)
		if err := j.await(ctx, end.C, report); err != nil {
			return nil, err
		}
		if !j.began.Before(asked) {
			return j, j.err
		}
	}
}

// start returns the job that runs for a work tree, or a new one.
func (s *jobs) start(dir, key string) *job {
	s.mu.Lock()
	defer s.mu.Unlock()
	if j := s.running[key]; j != nil {
		return j
	}
	j := &job{done: make(chan struct{}), began: time.Now()}
	s.running[key] = j
	s.wait.Add(1)
	go func() {
		defer s.wait.Done()
		j.result, j.err = s.run(j, dir)
		j.took = time.Since(j.began)
		s.mu.Lock()
		delete(s.running, key)
		s.mu.Unlock()
		close(j.done)
	}()
	return j
}

// run makes the first index as the person's own, so that what a session of
// edits changes is measured from it; later ones serve as live.
func (s *jobs) run(j *job, dir string) (*build.Result, error) {
	w, err := s.open(s.ctx, dir, true)
	if err != nil {
		return nil, err
	}
	defer w.close()
	b, ref := w.live, gitstore.Live
	if w.isFirst() {
		b, ref = w.baseline, gitstore.Current
	}
	b.Progress = func(p build.Progress) {
		j.mu.Lock()
		j.progress = p
		j.mu.Unlock()
	}
	return b.Sync(s.ctx, ref)
}

// reclaim runs gc in the background if the store has grown enough and nobody
// uses it. A failure takes nothing from any answer; gc by hand tells it.
func (s *jobs) reclaim(store string, c *gitstore.Config) {
	if !c.AutoGC {
		return
	}
	if due, err := gitstore.ReclaimDue(store); err != nil || !due {
		return // nothing is written behind an answer that needs no reclaim
	}
	s.wait.Add(1)
	go func() {
		defer s.wait.Done()
		_, _, _ = gitstore.AutoGC(s.ctx, store, gitstore.GCOptions{Retain: c.Retain})
	}()
}

// current returns the job that runs for a work tree, nil for none.
func (s *jobs) current(key string) *job {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.running[key]
}

// await waits for the end of a job, of patience or of the call.
func (j *job) await(ctx context.Context, patience <-chan time.Time, report func(build.Progress)) error {
	var tick <-chan time.Time
	if report != nil {
		t := time.NewTicker(250 * time.Millisecond)
		defer t.Stop()
		tick = t.C
	}
	for {
		select {
		case <-j.done:
			return nil
		case <-tick:
			report(j.at())
		case <-ctx.Done():
			return ctx.Err()
		case <-patience:
			return &query.Error{
				Code: Building, Message: "the index is being built in the background: " + j.describe(),
				Hint: "ask again in a few seconds; use grep and file reads meanwhile",
			}
		}
	}
}

// describe says how far a job is, in counts.
func (j *job) describe() string {
	p := j.at()
	since := time.Since(j.began).Round(time.Second)
	if p.Stage == "" {
		return fmt.Sprintf("starting, for %s", since)
	}
	if p.Total == 0 {
		return fmt.Sprintf("%s, for %s", p.Stage, since)
	}
	return fmt.Sprintf("%s, %d of %d files, for %s", p.Stage, p.Files, p.Total, since)
}
