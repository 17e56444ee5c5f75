package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"codeidx/fulltext"
)

// arm is one way to find the files of a question, best first.
type arm struct {
	name string
	rank func(question string) ([]string, error)
}

func (r *repository) arms() []arm {
	return []arm{{"explore", r.explore}, {"rg", r.ripgrep}, {"bm25", r.fileBM25}}
}

// explore takes the files in the order in which the answer names them.
func (r *repository) explore(question string) ([]string, error) {
	c := exec.Command(r.binary, "explore", "--json", "--freshness", "stat", "--", question)
	c.Dir = r.dir
	answer, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("explore: %w: %s", err, answer)
	}
	var doc struct {
		Items []struct{ Symbol struct{ Path string } }
	}
	if err := json.Unmarshal(answer, &doc); err != nil {
		return nil, err
	}
	var files []string
	for _, it := range doc.Items {
		if p := it.Symbol.Path; !slices.Contains(files, p) {
			files = append(files, p)
		}
	}
	return files, nil
}

// words are the terms that the plain arms look for: those of three letters and
// more, without the commonest English words.
func words(question string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(strings.ToLower(question), func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z')
	}) {
		if len(w) >= 3 && !slices.Contains(plainStop, w) && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

var plainStop = strings.Fields("the and for with from into that this not are when use using add fix all its has have was were can should make")

// ripgrep orders files by how many of the words they hold, then by how often.
func (r *repository) ripgrep(question string) ([]string, error) {
	distinct, total := map[string]int{}, map[string]int{}
	for _, w := range words(question) {
		hits, err := r.occurrences(w)
		if err != nil {
			return nil, err
		}
		for p, n := range hits {
			distinct[p]++
			total[p] += n
		}
	}
	return ranked(distinct, func(a, b string) int {
		return cmp.Or(cmp.Compare(distinct[b], distinct[a]), cmp.Compare(total[b], total[a]), cmp.Compare(a, b))
	}), nil
}

func (r *repository) occurrences(word string) (map[string]int, error) {
	if hits, ok := r.hits[word]; ok {
		return hits, nil
	}
	c := exec.Command("rg", "--count-matches", "-i", "--null", "-e", word, ".")
	c.Dir = r.dir
	out, err := c.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		return nil, fmt.Errorf("rg: %w", err)
	}
	hits := map[string]int{}
	for line := range strings.Lines(string(out)) {
		p, n, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\x00")
		if count, err := strconv.Atoi(n); ok && err == nil {
			hits[strings.TrimPrefix(p, "./")] = count
		}
	}
	r.hits[word] = hits
	return hits, nil
}

func ranked[V any](files map[string]V, compare func(a, b string) int) []string {
	list := make([]string, 0, len(files))
	for p := range files {
		list = append(list, p)
	}
	slices.SortFunc(list, compare)
	return list
}

// bm25 ranks whole files by the parts of their identifiers and words.
type bm25 struct {
	files   []string
	counts  []map[string]int
	lengths []float64
	average float64
	df      map[string]int
}

func (r *repository) fileBM25(question string) ([]string, error) {
	if r.bm == nil {
		b := &bm25{files: r.files, df: map[string]int{}}
		for _, p := range r.files {
			src, err := os.ReadFile(filepath.Join(r.dir, p))
			if err != nil {
				return nil, err
			}
			b.add(string(src) + " " + p)
		}
		r.bm = b
	}
	return r.bm.rank(words(question)), nil
}

func (b *bm25) add(text string) {
	counts := map[string]int{}
	n := 0
	for _, w := range fulltext.Words(text) {
		counts[w]++
		n++
	}
	for w := range counts {
		b.df[w]++
	}
	b.counts = append(b.counts, counts)
	b.lengths = append(b.lengths, float64(n))
	b.average += (float64(n) - b.average) / float64(len(b.counts))
}

func (b *bm25) rank(terms []string) []string {
	score := map[string]float64{}
	for _, t := range terms {
		idf := math.Log(1 + (float64(len(b.files)-b.df[t])+0.5)/(float64(b.df[t])+0.5))
		for i, c := range b.counts {
			if tf := float64(c[t]); tf > 0 {
				score[b.files[i]] += idf * tf * 2.2 / (tf + 1.2*(0.25+0.75*b.lengths[i]/b.average))
			}
		}
	}
	return ranked(score, func(x, y string) int { return cmp.Or(cmp.Compare(score[y], score[x]), cmp.Compare(x, y)) })
}
