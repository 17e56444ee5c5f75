package query

import (
	"cmp"
	"math"
	"path"
	"slices"

	"codeidx/fulltext"
)

// Weights of what tells tests of one distance apart, in steps.
const (
	sameStemSteps = 1.0 // the test's file is called like a changed file
	sameDirSteps  = 0.5 // it lies in the same folder
	sharedSteps   = 1.0 // the names share a word that no other found test has; less for commoner words
)

// rankFound orders the tests of one reason: the fewest steps first, less where
// name and place of the test speak of what is asked about.
func (s *testSearch) rankFound() {
	if len(s.found) < 2 {
		return
	}
	subject, stems, dirs := s.subject()
	words := make([][]string, len(s.found))
	common := map[string]int{}
	for i, h := range s.found {
		words[i] = distinctWords(h.Symbol.Qualified, testStem(h.Symbol.Path))
		for _, w := range words[i] {
			common[w]++
		}
	}
	n := float64(len(s.found))
	for i, h := range s.found {
		h.rank = float64(h.Depth)
		if h.by != nil && h.by.likely > 0 {
			h.rank = -math.Log2(h.by.likely)
		}
		if stems[testStem(h.Symbol.Path)] {
			h.rank -= sameStemSteps
		}
		if dirs[parentDir(h.Symbol.Path)] {
			h.rank -= sameDirSteps
		}
		for _, w := range words[i] {
			if subject[w] {
				h.rank -= sharedSteps * math.Log(n/float64(common[w])) / math.Log(n)
			}
		}
	}
	slices.SortStableFunc(s.found, func(a, b *TestHit) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.Symbol.Path, b.Symbol.Path), cmp.Compare(a.Symbol.Line, b.Symbol.Line))
	})
}

// subject gives the words of the names that are asked about, the stems of the
// changed files and their folders.
func (s *testSearch) subject() (words, stems, dirs map[string]bool) {
	words, stems, dirs = map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, p := range s.changed {
		stems[testStem(p)], dirs[path.Dir(p)], dirs[parentDir(p)] = true, true, true
		for _, w := range distinctWords(testStem(p)) {
			words[w] = true
		}
	}
	for _, of := range s.res.Of {
		if of.Kind != "file" {
			for _, w := range distinctWords(of.Qualified) {
				words[w] = true
			}
		}
	}
	return words, stems, dirs
}

func distinctWords(texts ...string) []string {
	var out []string
	for _, t := range texts {
		out = append(out, fulltext.Words(t)...)
	}
	slices.Sort(out)
	return slices.DeleteFunc(slices.Compact(out), func(w string) bool { return w == "test" || w == "tests" })
}
