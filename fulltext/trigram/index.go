package trigram

import (
	"bytes"
	"fmt"
	"sync"
)

// Blocks is the sorted section that holds the blocks of all runs. What it
// returns must not change. Its methods are called from several goroutines.
type Blocks interface {
	// Floor returns the block with the greatest key that is at most key, the
	// zero Block where there is none.
	Floor(key []byte) (Block, error)
	// Ceil returns the block with the least key that is at least key, the zero
	// Block where there is none.
	Ceil(key []byte) (Block, error)
}

// Run is one run of an open section. It is safe for concurrent use.
type Run struct {
	Files []File // by path, without digests

	blocks Blocks
	key    []byte
	mu     sync.Mutex
	known  map[uint32]fileSet
	last   Block // read most recently: neighbouring trigrams share it
}

// Open reads the heads of all runs, in order of paths.
func Open(blocks Blocks) ([]*Run, error) {
	var runs []*Run
	var from []byte
	for {
		b, err := blocks.Ceil(from)
		if err != nil {
			return nil, fmt.Errorf("open trigram index: %w", err)
		}
		if b.Key == nil {
			return runs, nil
		}
		r, err := openRun(blocks, b)
		if err != nil {
			return nil, fmt.Errorf("open trigram index at %q: %w", b.Key, err)
		}
		if n := len(runs); n > 0 && runs[n-1].Files[len(runs[n-1].Files)-1].Path >= r.Files[0].Path {
			return nil, fmt.Errorf("open trigram index at %q: %w", b.Key, corrupt("runs overlap"))
		}
		runs = append(runs, r)
		from = append(bytes.Clone(r.key), 0xff)
	}
}

func openRun(blocks Blocks, head Block) (*Run, error) {
	nul := bytes.IndexByte(head.Key, 0)
	if nul < 0 || len(head.Key) != nul+2 || head.Key[nul+1] != partHead {
		return nil, corrupt("no head")
	}
	files, err := decodeHead(head.Data)
	if err != nil {
		return nil, err
	}
	if files[0].Path != string(head.Key[:nul]) {
		return nil, corrupt("head of another run")
	}
	return &Run{Files: files, blocks: blocks, key: head.Key[:nul+1], known: map[uint32]fileSet{}}, nil
}

// Candidates returns the numbers of the files that may match, ascending.
func (r *Run) Candidates(p *Pattern) ([]int, error) {
	set, err := p.cond.eval(r)
	if err != nil {
		return nil, fmt.Errorf("read trigram index: %w", err)
	}
	out := make([]int, 0, set.count())
	set.each(func(i int) { out = append(out, i) })
	return out, nil
}

// holding returns the files that hold a trigram. The result is shared.
func (r *Run) holding(gram uint32) (fileSet, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if set, ok := r.known[gram]; ok {
		return set, nil
	}
	set := newFileSet(len(r.Files))
	b, err := r.block(postingsKey(r.key, gram))
	if err != nil {
		return nil, err
	}
	if SameRun(b.Key, headKey(r.key)) && b.Key[len(r.key)] == partPostings {
		if err := r.find(b, gram, set); err != nil {
			return nil, err
		}
	}
	r.known[gram] = set
	return set, nil
}

// block returns the last block whose key is at most key.
func (r *Run) block(key []byte) (Block, error) {
	b, err := r.blocks.Floor(key)
	if err == nil && bytes.Equal(b.Key, r.last.Key) {
		return r.last, nil
	}
	r.last = b
	return b, err
}

// find adds the files of one trigram that a block holds.
func (r *Run) find(b Block, gram uint32, set fileSet) error {
	at := b.Key[len(r.key)+1:]
	if len(at) != 3 {
		return corrupt("bad key")
	}
	p := postings{reader: reader{b: b.Data}, files: len(r.Files), gram: uint32(at[0])<<16 | uint32(at[1])<<8 | uint32(at[2])}
	for p.gram <= gram {
		list, ok := p.next()
		if !ok {
			break
		}
		if p.gram == gram {
			if !list.addTo(set, len(r.Files)) {
				return corrupt("files out of range")
			}
			return nil
		}
	}
	if p.bad {
		return corrupt("malformed postings")
	}
	return nil
}
