package query

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"codeidx/fulltext/trigram"
	"codeidx/gitstore"
	"codeidx/graph"
)

// scan looks for a pattern in the captured source of a generation: the index
// names the files that may match, their bytes decide.
type scan struct {
	x       *Index
	pattern *trigram.Pattern
	limit   int // hits that are asked for

	files []string // candidates, by path

	mu      sync.Mutex
	found   [][]*SearchHit // of each file that is done
	done    []bool
	ahead   int // files before which all are done
	sum     int // hits of those
	stopped atomic.Bool
}

// trigramBlocks gives the trigram index its blocks from the store.
type trigramBlocks struct{ textBlocks }

func (t *trigramBlocks) Floor(key []byte) (trigram.Block, error) {
	b, err := t.textBlocks.Floor(key)
	return trigram.Block(b), err
}

func (t *trigramBlocks) Ceil(key []byte) (trigram.Block, error) {
	b, err := t.textBlocks.Ceil(key)
	return trigram.Block(b), err
}

// list finds the candidates, run by run on all cores.
func (s *scan) list(p Params) error {
	runs, err := trigram.Open(&trigramBlocks{textBlocks{s.x.gen, s.x.gen.Section(gitstore.TrigramSection)}})
	if err != nil {
		return s.x.corrupt(gitstore.TrigramSection, "its heads", err)
	}
	lang := byte(0)
	if p.Lang != "" {
		lang = byte(languageByName(p.Lang).ID)
	}
	files := make([][]string, len(runs))
	err = parallel(s.context(), len(runs), func(_, i int) error {
		list, err := runs[i].Candidates(s.pattern)
		if err != nil {
			return s.x.corrupt(gitstore.TrigramSection, runs[i].Files[0].Path, err)
		}
		for _, n := range list {
			f := &runs[i].Files[n]
			if (lang == 0 || f.Lang == lang) && underPrefix(f.Path, p.PathPrefix) {
				files[i] = append(files[i], f.Path)
			}
		}
		return nil
	})
	s.files = slices.Concat(files...)
	return err
}

// run looks at the candidates on all cores and returns the first hits, in
// order of path and line, and whether there are more.
func (s *scan) run() (hits []*SearchHit, more bool, err error) {
	s.found, s.done = make([][]*SearchHit, len(s.files)), make([]bool, len(s.files))
	scanners := make([]trigram.Scanner, runtime.GOMAXPROCS(0))
	err = parallel(s.context(), len(s.files), func(worker, i int) error {
		if s.stopped.Load() {
			return nil
		}
		found, err := s.file(&scanners[worker], s.files[i])
		if err == nil {
			s.finish(i, found)
		}
		return err
	})
	if err != nil {
		return nil, false, err
	}
	for _, found := range s.found[:s.ahead] {
		hits = append(hits, found...)
	}
	more = len(hits) > s.limit
	return hits[:min(len(hits), s.limit)], more, nil
}

// finish records the hits of a file. Once more than the limit is known of the
// first files, the others need not be read.
func (s *scan) finish(i int, found []*SearchHit) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.found[i], s.done[i] = found, true
	for s.ahead < len(s.done) && s.done[s.ahead] && s.sum <= s.limit {
		s.sum += len(s.found[s.ahead])
		s.ahead++
	}
	if s.sum > s.limit {
		s.stopped.Store(true)
	}
}

// file finds the hits of one file, one more than the limit at most.
func (s *scan) file(scanner *trigram.Scanner, path string) ([]*SearchHit, error) {
	src, err := s.x.Source(path)
	if err != nil {
		return nil, err
	}
	var hits []*SearchHit
	s.pattern.Lines(scanner, src, func(l trigram.Line) bool {
		hits = append(hits, s.hit(path, src, l))
		return len(hits) <= s.limit
	})
	if len(hits) == 0 {
		return nil, nil
	}
	symbols, err := s.x.decodeSymbols(path)
	if err != nil {
		return nil, err
	}
	for _, h := range hits {
		h.In = innermostAt(symbols, h.Line)
	}
	return hits, nil
}

// What is shown of a line, in bytes, and how much of that before the match.
const (
	maxLineText = 400
	textBefore  = 80
	maxMarks    = 32
)

func (s *scan) hit(path string, src []byte, l trigram.Line) *SearchHit {
	line := src[l.Start:l.End]
	h := &SearchHit{Path: path, Line: uint32(l.Number), Col: uint32(l.First[0] - l.Start + 1), Layer: layerSource}
	if l.Matches > 1 {
		h.Matches = l.Matches
	}
	at := l.First[0] - l.Start
	h.show(line, at)
	if h.TextCol == 0 {
		h.Marks = s.pattern.Matches(line, maxMarks)
	} else if from, to := at-h.TextCol+1, min(l.First[1]-l.Start-h.TextCol+1, len(h.Text)); from < to {
		h.Marks = [][]int{{from, to}}
	}
	return h
}

// show takes the text of a line over, of a long one the part around a match.
func (h *SearchHit) show(line []byte, match int) {
	from, to := 0, len(line)
	if len(line) > maxLineText {
		from, to = around(line, match)
		h.TextCol, h.Length = from+1, len(line)
	}
	h.Text = string(line[from:to])
}

// around cuts a part of a long line out so that it begins shortly before a
// match, at the bounds of characters.
func around(line []byte, at int) (from, to int) {
	from = max(0, min(at-textBefore, len(line)-maxLineText))
	for from < at && !utf8.RuneStart(line[from]) {
		from++
	}
	to = min(len(line), from+maxLineText)
	for to < len(line) && to > from && !utf8.RuneStart(line[to]) {
		to--
	}
	return from, to
}

// decodeSymbols returns the symbol table of a file without keeping it; nil
// where it has none.
func (x *Index) decodeSymbols(path string) (*graph.FileSymbols, error) {
	data, ok, err := x.symbols.Row(path)
	if err != nil || !ok {
		return nil, err
	}
	f, err := graph.DecodeSymbols(path, data)
	if err != nil {
		return nil, x.corrupt(graph.SymbolsTable, path, err)
	}
	return f, nil
}

func (s *scan) context() context.Context {
	if s.x.tree == nil {
		return context.Background()
	}
	return s.x.tree.ctx
}

// parallel calls work for 0..n-1, in order, on every core; worker says on which.
// The first error, or the end of the context, stops all of them.
func parallel(ctx context.Context, n int, work func(worker, i int) error) error {
	var next atomic.Int64
	var once sync.Once
	var failed atomic.Bool
	var first error
	var wg sync.WaitGroup
	for worker := range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			for !failed.Load() {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				err := ctx.Err()
				if err == nil {
					err = work(worker, i)
				}
				if err != nil {
					once.Do(func() { first = err })
					failed.Store(true)
				}
			}
		})
	}
	wg.Wait()
	if errors.Is(first, context.DeadlineExceeded) {
		return errorf(VerificationTimeout, "narrow it: a longer text, --path or --lang; codeidx.queryDeadline is the limit", "the search did not end in time")
	}
	return first
}
