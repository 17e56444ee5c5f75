package cli

import (
	"context"
	"fmt"
	"sync"

	"codeidx/facts"
	"codeidx/facts/worker"
)

// extractor parses single files for questions about the work tree as it is,
// in a worker process that starts with the first of them.
type extractor struct {
	session *session
	once    sync.Once
	pool    *worker.Pool
}

func (x *extractor) extract(ctx context.Context, path string, lang facts.Lang, src []byte) (*facts.File, error) {
	x.once.Do(func() {
		c := x.session.config
		x.pool = worker.NewPool(worker.Options{Workers: 1, MemoryLimit: uint64(c.WorkerMemory), Timeout: c.ParseTimeout, Command: workerCommand})
	})
	res, err := x.pool.Extract(ctx, worker.Request{Path: path, Lang: lang, Src: src})
	if err != nil {
		return nil, fmt.Errorf("parse %s: %w", path, err)
	}
	if len(res.Facts) == 0 {
		return nil, nil
	}
	return facts.Decode(res.Facts)
}

func (x *extractor) close() {
	if x.pool != nil {
		x.pool.Close()
		x.pool = nil
	}
}
