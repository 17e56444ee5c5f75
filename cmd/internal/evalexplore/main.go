// Command evalexplore measures explore: commit subjects are the questions, the
// source files that the commit changed are the truth. docs/EVALUATION.md says
// what the figures mean and keeps those that were measured.
//
//	go run ./cmd/internal/evalexplore [-n QUESTIONS] [-binary FILE] REPOSITORY…
//
// Each repository needs an index (git codeidx index) that is up to date.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	most := flag.Int("n", 150, "questions per repository, the newest commits first")
	binary := flag.String("binary", "git-codeidx", "the program to measure")
	only := flag.String("arm", "", "measure this arm alone: explore, rg or bm25")
	verbose := flag.Bool("v", false, "show each question with the ranks of its files")
	flag.Parse()
	if err := run(flag.Args(), *binary, *only, *most, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "evalexplore:", err)
		os.Exit(1)
	}
}

func run(repos []string, binary, only string, most int, verbose bool) error {
	fmt.Printf("%-12s %5s  %-8s %9s %9s %6s\n", "repository", "n", "arm", "recall@5", "recall@10", "MRR")
	all := map[string]*score{}
	for _, dir := range repos {
		r, err := open(dir, binary)
		if err != nil {
			return fmt.Errorf("open %s: %w", dir, err)
		}
		questions, err := r.questions(most)
		if err != nil {
			return fmt.Errorf("read history of %s: %w", dir, err)
		}
		for _, arm := range r.arms() {
			if only != "" && arm.name != only {
				continue
			}
			s := &score{}
			for _, q := range questions {
				ranking, err := arm.rank(q.text)
				if err != nil {
					return fmt.Errorf("ask %s: %w", arm.name, err)
				}
				s.add(r.code(ranking), q.files)
				if verbose && arm.name == "explore" {
					fmt.Printf("  %q %v\n    -> %v\n", q.text, q.files, head(r.code(ranking), 10))
				}
			}
			s.print(filepath.Base(dir), arm.name)
			if all[arm.name] == nil {
				all[arm.name] = &score{}
			}
			all[arm.name].join(s)
		}
	}
	for _, name := range []string{"explore", "rg", "bm25"} {
		if s := all[name]; s != nil && len(repos) > 1 {
			s.print("all", name)
		}
	}
	return nil
}

// score sums up what a ranking is worth.
type score struct {
	n                     int
	five, ten, reciprocal float64
}

func (s *score) add(ranking, truth []string) {
	s.n++
	at := map[string]int{}
	for i, p := range ranking {
		at[p] = i + 1
	}
	first := 0
	for _, p := range truth {
		rank := at[p]
		if rank == 0 {
			continue
		}
		if rank <= 5 {
			s.five += 1 / float64(len(truth))
		}
		if rank <= 10 {
			s.ten += 1 / float64(len(truth))
		}
		if first == 0 || rank < first {
			first = rank
		}
	}
	if first > 0 {
		s.reciprocal += 1 / float64(first)
	}
}

func (s *score) join(o *score) {
	s.n, s.five, s.ten, s.reciprocal = s.n+o.n, s.five+o.five, s.ten+o.ten, s.reciprocal+o.reciprocal
}

func (s *score) print(repo, arm string) {
	n := float64(max(s.n, 1))
	fmt.Printf("%-12s %5d  %-8s %9.3f %9.3f %6.3f\n", repo, s.n, arm, s.five/n, s.ten/n, s.reciprocal/n)
}

func head(list []string, n int) []string { return list[:min(n, len(list))] }
