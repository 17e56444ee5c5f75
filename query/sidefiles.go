package query

import (
	"slices"
	"strings"

	"codeidx/fulltext"
)

// sideFolders are the folders whose files explore weighs down, unless the
// question asks for them: what stands beside the code that answers questions.
var sideFolders = []struct {
	asked   []string
	folders []string
	weight  float64
}{
	{testWords, []string{"test", "tests", "testdata", "__tests__", "spec", "specs", "fixture", "fixtures", "__fixtures__", "e2e"}, testWeight},
	{[]string{"example", "demo", "sample"}, []string{"example", "examples", "demo", "demos", "sample", "samples", "playground"}, asideWeight},
	{[]string{"doc", "documentation"}, []string{"doc", "docs", "docs_src"}, asideWeight},
	{[]string{"benchmark"}, []string{"bench", "benchmark", "benchmarks"}, asideWeight},
	{[]string{"vendor", "dependency"}, []string{"vendor", "vendored", "_vendor", "third_party", "thirdparty", "external", "deps"}, asideWeight},
}

// testWords are asked for by whoever wants tests.
var testWords = []string{"test"}

const (
	testWeight      = 0.35
	generatedWeight = 0.5
	asideWeight     = 0.75
)

// weigh is the weight of a file for this question. Nothing is hidden: where
// only tests hold the words, tests are the answer.
func (q *question) weigh(path string, flags byte) float64 {
	weight := 1.0
	if flags&fulltext.Test != 0 && !q.asksFor(testWords) {
		weight = testWeight
	}
	if flags&fulltext.Generated != 0 {
		weight = min(weight, generatedWeight)
	}
	for folder, rest, more := strings.Cut(path, "/"); more; folder, rest, more = strings.Cut(rest, "/") {
		for _, side := range sideFolders {
			if slices.Contains(side.folders, folder) && !q.asksFor(side.asked) {
				weight = min(weight, side.weight)
			}
		}
	}
	return weight
}
