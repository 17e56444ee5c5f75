package fulltext

import "math"

// BM25F: the frequencies of a term in all fields are weighted, divided by the
// relative length of the field, summed, and saturate together:
//
//	tf    = Σ weight·tf / (1 − b + b·length/average)   over the fields
//	score = Σ idf · tf / (tf + saturation)             over the terms
//	idf   = ln(1 + (docs − df + ½) / (df + ½))
//
// Document frequencies and average lengths are those of the whole index, never
// of what a filter leaves. Every product is rounded by itself (float64(x*y)),
// since fused operations would make scores differ between machines.
const saturation = 1.2

// fieldWeights are the weight of each field and how much its length matters, 0 to 1.
type fieldWeights [NumFields]struct{ weight, b float64 }

var fieldRanking = fieldWeights{
	Name: {8, 0.4}, Qualified: {4, 0.5}, Path: {3, 0.5}, Signature: {2, 0.6}, Docstring: {1, 0.75},
	Code: {1, 0.75}, Comment: {1, 0.75}, String: {1, 0.75},
}

// inverseFrequency is what a term is worth that with of the documents hold.
func inverseFrequency(documents, with float64) float64 {
	return math.Log(1 + (documents-with+0.5)/(with+0.5))
}

// scoreSteps is the number of steps in a score of 1: ranking compares whole
// steps, so that the last bits of a logarithm do not matter.
const scoreSteps = 1000

// penalty weighs down test and generated code.
const penalty = 0.5

// fieldFactors are the weight of a field over its relative length, by the byte
// that stands for the length.
type fieldFactors [NumFields][maxLength + 1]float64

func symbolFactors(ix *Index, by *fieldWeights) (factor fieldFactors) {
	for f, r := range by {
		average := max(float64(ix.length[f]), 1) / float64(ix.docs)
		for n := range factor[f] {
			length := float64(lengthOf(Field(f), byte(n)))
			factor[f][n] = r.weight / (1 - r.b + float64(r.b*length/average))
		}
	}
	return factor
}

// scorer scores the docs of one query, segment by segment.
type scorer struct {
	factor fieldFactors
	idf    []float64 // by term

	tf, score []float64 // by doc of the segment at hand
}

func newScorer(ix *Index, matches []*match, terms int) *scorer {
	largest := 0
	for _, m := range matches {
		largest = max(largest, m.docs)
	}
	s := &scorer{factor: symbolFactors(ix, &fieldRanking), tf: make([]float64, largest), score: make([]float64, largest)}
	for i := range terms {
		df := 0.0
		for _, m := range matches {
			df += float64(m.any[i].GetCardinality())
		}
		s.idf = append(s.idf, inverseFrequency(float64(ix.docs), df))
	}
	return s
}

// rank scores the docs of a segment that have a tier. The result, by doc, holds
// until the next call.
func (s *scorer) rank(m *match, tiers []Tier) []float64 {
	score, tf := s.score[:m.docs], s.tf[:m.docs]
	clear(score)
	for i := range m.terms {
		clear(tf)
		for f := range NumFields {
			s.weigh(tf, &m.terms[i][f], &s.factor[f], m.table.length[f])
		}
		for doc, n := range tf {
			if n > 0 && tiers[doc] != 0 {
				score[doc] += float64(s.idf[i] * (n / (n + saturation)))
			}
		}
	}
	return score
}

func (s *scorer) weigh(tf []float64, p *postings, factor *[maxLength + 1]float64, length []byte) {
	if p.docs == nil {
		return
	}
	rank := 0
	p.docs.Iterate(func(doc uint32) bool {
		w := factor[length[doc]]
		if p.tf != nil {
			w = float64(w * float64(p.tf[rank]))
		}
		tf[doc] += w
		rank++
		return true
	})
}
