package fulltext

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"
)

// RankFiles returns the files that best fit a question, and how many hold any
// of its words.
func RankFiles(ctx context.Context, ix *Index, q FileQuery) ([]FileHit, int, error) {
	if len(q.Words) > MaxFileWords {
		return nil, 0, fmt.Errorf("rank files: %d words are more than %d", len(q.Words), MaxFileWords)
	}
	if len(q.Words) == 0 || ix.docs == 0 {
		return nil, 0, nil
	}
	matches := make([]*fileMatch, len(ix.segments))
	for i := range ix.segments {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		m, err := ix.fileMatch(&q, &ix.segments[i])
		if err != nil {
			return nil, 0, fmt.Errorf("search segment %q: %w", ix.segments[i].first, err)
		}
		matches[i] = m
	}
	s := newFileScorer(ix, &q, matches)
	var hits []FileHit
	for _, m := range matches {
		hits = s.appendHits(hits, m)
	}
	slices.SortFunc(hits, func(a, b FileHit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Path, b.Path))
	})
	total := len(hits)
	if q.Limit > 0 && total > q.Limit {
		hits = hits[:q.Limit]
	}
	return hits, total, nil
}

// fileMatch is what one segment holds of a FileQuery.
type fileMatch struct {
	*segment
	table *table
	file  []uint16                // number of the file, by doc
	pass  *roaring.Bitmap         // docs that the filters let through
	words [][][NumFields]postings // by word and form
	any   []*roaring.Bitmap       // by word: docs that hold it
}

func (ix *Index) fileMatch(q *FileQuery, s *segment) (*fileMatch, error) {
	m := &fileMatch{segment: s, words: make([][][NumFields]postings, len(q.Words))}
	if err := m.read(ix, q); err != nil {
		return nil, err
	}
	var err error
	if m.table, err = ix.table(s); err != nil {
		return nil, err
	}
	m.file = make([]uint16, 0, s.docs)
	for i := range m.table.paths {
		for range m.table.starts[i+1] - m.table.starts[i] {
			m.file = append(m.file, uint16(i))
		}
	}
	m.pass, err = ix.allowed(q.Langs, q.Kinds, s)
	if err == nil && q.PathPrefix != "" {
		m.pass.And(m.table.under(q.PathPrefix))
	}
	return m, err
}

// read reads the postings of all forms, each part in the order of its terms, so
// that every block is read once.
func (m *fileMatch) read(ix *Index, q *FileQuery) error {
	type place struct{ word, form int }
	var order []place
	for w := range q.Words {
		m.words[w] = make([][NumFields]postings, len(q.Words[w].Forms))
		for f := range q.Words[w].Forms {
			order = append(order, place{w, f})
		}
	}
	term := func(p place) string { return q.Words[p.word].Forms[p.form].Term }
	slices.SortFunc(order, func(a, b place) int { return strings.Compare(term(a), term(b)) })
	for _, part := range []*dict{ix.symbolTerms(m.segment), ix.bodyTerms(m.segment)} {
		for _, p := range order {
			cols, err := part.find(term(p))
			if err != nil {
				return err
			}
			for f := range NumFields {
				if cols[f].docs != nil {
					m.words[p.word][p.form][f] = cols[f]
				}
			}
		}
	}
	for _, forms := range m.words {
		docs := make([]*roaring.Bitmap, len(forms))
		for i := range forms {
			docs[i] = union(forms[i][:]...)
		}
		m.any = append(m.any, roaring.FastOr(docs...))
	}
	return nil
}

// filesWith counts the files that hold a word.
func (m *fileMatch) filesWith(word int) int {
	n, last := 0, -1
	m.any[word].Iterate(func(doc uint32) bool {
		if f := int(m.file[doc]); f != last {
			n, last = n+1, f
		}
		return true
	})
	return n
}

// lengths returns the length of a field by file: the sum over its symbols, of
// the path once.
func (m *fileMatch) lengths(f Field) []float64 {
	out := make([]float64, len(m.table.paths))
	for doc, code := range m.table.length[f] {
		file := m.file[doc]
		if f != Path || doc == m.table.starts[file] {
			out[file] += float64(lengthOf(f, code))
		}
	}
	return out
}
