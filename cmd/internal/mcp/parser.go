package mcp

import (
	"context"
	"fmt"
	"sync"

	"codeidx/facts"
	"codeidx/facts/worker"
	"codeidx/gitstore"
)

// parser parses single files as they are now, for questions about a work tree
// that differs from the index. It starts a process at the first one.
type parser struct {
	opener *opener
	config *gitstore.Config
	once   sync.Once
	pool   *worker.Pool
}

func (p *parser) extract(ctx context.Context, path string, lang facts.Lang, src []byte) (*facts.File, error) {
	p.once.Do(func() {
		p.pool = worker.NewPool(worker.Options{
			Workers: 1, MemoryLimit: uint64(p.config.WorkerMemory), Timeout: p.config.ParseTimeout, Command: p.opener.worker,
		})
	})
	res, err := p.pool.Extract(ctx, worker.Request{Path: path, Lang: lang, Src: src})
	if err != nil {
		return nil, fmt.Errorf("parse %s: %w", path, err)
	}
	if len(res.Facts) == 0 {
		return nil, nil
	}
	return facts.Decode(res.Facts)
}

func (p *parser) close() {
	if p.pool != nil {
		p.pool.Close()
	}
}
