package worker

import (
	"fmt"
	"time"
)

// slot is the place of one worker in a pool: the process that is there now, or
// none. One goroutine at a time works in it.
type slot struct {
	pool    *Pool
	process *process // the pool's mu guards the pointer against Close
}

func (s *slot) warm() bool { return s.process != nil }

// rest puts the slot among the idle ones. The caller holds the pool's mu.
func (s *slot) rest() {
	idle := &s.pool.idle
	if s.warm() {
		*idle = append(*idle, s)
		return
	}
	*idle = append([]*slot{s}, *idle...)
}

// work answers batches until the queue is empty.
func (s *slot) work() {
	defer s.pool.busy.Done()
	// A worker that is started ahead finds no batch yet; a failure to start
	// shows again with the first file.
	_ = s.start()
	for batch := s.pool.take(s); batch != nil; batch = s.pool.take(s) {
		s.answer(batch)
	}
}

// start sees to it that there is a process.
func (s *slot) start() error {
	if s.process != nil {
		return nil
	}
	p, err := startProcess(s.pool.options)
	if err != nil {
		return err
	}
	s.pool.mu.Lock()
	s.process = p
	closed := s.pool.closed
	s.pool.mu.Unlock()
	if closed {
		p.kill()
	}
	return nil
}

// stop ends the process, if there is one.
func (s *slot) stop() {
	s.pool.mu.Lock()
	p := s.process
	s.process = nil
	s.pool.mu.Unlock()
	if p != nil {
		p.end()
	}
}

// answer finishes every job of a batch, whatever happens to the workers.
func (s *slot) answer(batch []*job) {
	for len(batch) > 0 {
		alone := len(batch) == 1 && (s.process == nil || s.process.served == 0)
		n, fault := s.send(batch)
		batch = batch[n:]
		if fault == nil {
			return
		}
		culprit := batch[0]
		batch = batch[1:]
		if fault.retry && !alone {
			if _, fault = s.send([]*job{culprit}); fault == nil {
				continue
			}
		}
		culprit.finish(fault.result, fault.err)
	}
}

// fault says why a file has no reply: the result that it gets, or the error
// when no worker could be asked.
type fault struct {
	result Result
	err    error
	retry  bool // another worker may do better
}

// send has a process answer the jobs in order and finishes those that it
// answered. After a fault the process is gone, and the job after the answered
// ones is the one that it was at.
func (s *slot) send(batch []*job) (answered int, f *fault) {
	if s.closed() {
		return 0, &fault{err: fmt.Errorf("extract %s: %w", batch[0].Path, ErrClosed)}
	}
	if err := s.start(); err != nil {
		return 0, &fault{err: fmt.Errorf("extract %s: %w", batch[0].Path, err)}
	}
	p := s.process
	// The deadline is the parent's last resort: the parser keeps its own.
	limit := s.pool.options.Timeout + killGrace
	first := limit
	if p.served == 0 {
		first += startGrace
	}
	timer := time.AfterFunc(first, p.hung)
	defer timer.Stop()
	err := writeFrame(p.in, encodeBatch(batch))
	for ; err == nil && answered < len(batch); answered++ {
		var r Result
		if r, err = p.reply(len(batch[answered].Src)); err != nil {
			break
		}
		timer.Reset(limit)
		p.served++
		batch[answered].finish(r, nil)
	}
	if err == nil {
		return answered, nil
	}
	s.stop()
	if s.closed() {
		return answered, &fault{err: fmt.Errorf("extract %s: %w", batch[answered].Path, ErrClosed)}
	}
	return answered, p.fault()
}

func (s *slot) closed() bool {
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	return s.pool.closed
}
