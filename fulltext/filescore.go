package fulltext

import (
	"cmp"
	"math"
	"slices"
)

// Weights of a file's fields, found on half of the repositories of
// docs/EVALUATION.md. A word counts most in the path; names and docstrings
// count little more than bodies, since it is the file that is looked for. The
// qualified names repeat names.
var fileRanking = fieldWeights{
	Name: {1.5, 0.8}, Path: {6, 0.3}, Signature: {0.5, 0.5}, Docstring: {0.5, 0.2},
	Code: {1, 0.5}, Comment: {1, 0.5}, String: {0.4, 0.5},
}

// Weights of a symbol's fields beside the other symbols of its file, which have
// the path and much of the qualified names in common.
var partRanking = fieldWeights{
	Name: {8, 0.4}, Qualified: {1, 0.5}, Path: {3, 0.5}, Signature: {2, 0.6}, Docstring: {1, 0.5},
	Code: {1, 0.3}, Comment: {1, 0.5}, String: {0.6, 0.75},
}

const (
	fileSaturation = 8    // of the weighted frequencies, as saturation is of a symbol's
	bestWeight     = 0.3  // of the score of the best symbol, beside the file's
	sizeWeight     = 0.06 // of the logarithm of the length of the code: more happens in it
)

// fileScorer scores the files of one query, segment by segment. A file's score
// is BM25F over its texts, each field's frequency divided by its relative
// length, plus a share of the BM25F of its best symbol. See score.go.
type fileScorer struct {
	q           *FileQuery
	files, docs []float64          // worth of a word by rarity among files, among symbols
	average     [NumFields]float64 // length of a field of a file
	symbol      fieldFactors
}

func newFileScorer(ix *Index, q *FileQuery, matches []*fileMatch) *fileScorer {
	s := &fileScorer{q: q, symbol: symbolFactors(ix, &partRanking)}
	files := 0
	for _, m := range matches {
		files += m.files
		for f := range NumFields {
			for _, n := range m.lengths(f) {
				s.average[f] += n
			}
		}
	}
	for f := range s.average {
		s.average[f] = max(s.average[f], 1) / float64(files)
	}
	for w := range q.Words {
		inFiles, inDocs := 0, uint64(0)
		for _, m := range matches {
			inFiles += m.filesWith(w)
			inDocs += m.any[w].GetCardinality()
		}
		weight := q.Words[w].Weight
		s.files = append(s.files, float64(weight*inverseFrequency(float64(files), float64(inFiles))))
		s.docs = append(s.docs, float64(weight*inverseFrequency(float64(ix.docs), float64(inDocs))))
	}
	return s
}

// fileScores are the scores of one segment.
type fileScores struct {
	file, symbol []float64 // by number of the file, of the doc
	held         [][NumFields]WordSet
}

func (s *fileScorer) score(m *fileMatch) *fileScores {
	out := &fileScores{make([]float64, m.files), make([]float64, m.docs), make([][NumFields]WordSet, m.docs)}
	var factors [NumFields][]float64
	for f, r := range fileRanking {
		factors[f] = m.lengths(Field(f))
		for i, n := range factors[f] {
			factors[f][i] = r.weight / (1 - r.b + float64(r.b*n/s.average[f]))
		}
	}
	file, symbol := make([]float64, m.files), make([]float64, m.docs)
	for w := range m.words {
		clear(file)
		clear(symbol)
		for i := range m.words[w] {
			weight := s.q.Words[w].Forms[i].Weight
			for f := range NumFields {
				m.each(&m.words[w][i][f], func(doc uint32, tf float64) {
					out.held[doc][f] |= 1 << w
					n := m.file[doc]
					if f != Path || int(doc) == m.table.starts[n] {
						file[n] += float64(tf * weight * factors[f][n])
					}
					symbol[doc] += float64(tf * weight * s.symbol[f][m.table.length[f][doc]])
				})
			}
		}
		saturate(out.file, file, s.files[w], fileSaturation)
		saturate(out.symbol, symbol, s.docs[w], saturation)
	}
	for i, n := range m.lengths(Code) {
		out.file[i] += float64(sizeWeight * math.Log1p(n))
	}
	return out
}

// each calls f with the docs of postings that the filters let through.
func (m *fileMatch) each(p *postings, f func(doc uint32, tf float64)) {
	if p.docs == nil {
		return
	}
	rank := 0
	p.docs.Iterate(func(doc uint32) bool {
		tf := 1.0
		if p.tf != nil {
			tf = float64(p.tf[rank])
		}
		rank++
		if m.pass.Contains(doc) {
			f(doc, tf)
		}
		return true
	})
}

// saturate adds what the frequencies of one word are worth to scores.
func saturate(scores, tf []float64, worth, saturation float64) {
	for i, n := range tf {
		if n > 0 {
			scores[i] += float64(worth * (n / (n + saturation)))
		}
	}
}

// appendHits adds the files of a segment that hold a word.
func (s *fileScorer) appendHits(hits []FileHit, m *fileMatch) []FileHit {
	scores := s.score(m)
	for i, path := range m.table.paths {
		h := FileHit{Path: path, Lang: m.table.langs[m.table.starts[i]]}
		for doc := m.table.starts[i]; doc < m.table.starts[i+1]; doc++ {
			if scores.symbol[doc] > 0 {
				h.Symbols = append(h.Symbols, SymbolHit{
					Sym: m.table.syms[doc], Kind: m.table.kinds[doc], Flags: m.table.flags[doc],
					Score: inSteps(scores.symbol[doc]), Words: scores.held[doc],
				})
			}
		}
		if len(h.Symbols) == 0 {
			continue
		}
		weight := 1.0
		if s.q.Weigh != nil {
			weight = s.q.Weigh(path, h.Symbols[0].Flags)
		}
		slices.SortFunc(h.Symbols, func(a, b SymbolHit) int {
			return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Sym, b.Sym))
		})
		h.Score = inSteps(weight * (scores.file[i] + float64(bestWeight*h.Symbols[0].Score)))
		hits = append(hits, h)
	}
	return hits
}

// inSteps rounds a score, see scoreSteps.
func inSteps(score float64) float64 { return math.Round(score*scoreSteps) / scoreSteps }
