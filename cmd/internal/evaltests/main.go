// Command evaltests measures tests: what each test executes under coverage is
// the truth. docs/EVALUATION.md says what the figures mean and keeps those that
// were measured.
//
//	go run ./cmd/internal/evaltests [-n FUNCTIONS] [-binary FILE] REPOSITORY=COVERAGE…
//
// COVERAGE holds the JSON lines of .ci/cover.py. Each repository needs an index
// (git codeidx index) that is up to date.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	most := flag.Int("n", 200, "functions per repository, spread evenly over its files")
	binary := flag.String("binary", "git-codeidx", "the program to measure")
	verbose := flag.Bool("v", false, "show each function that lacks tests or has wrong ones")
	flag.Parse()
	if err := run(flag.Args(), *binary, *most, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "evaltests:", err)
		os.Exit(1)
	}
}

func run(pairs []string, binary string, most int, verbose bool) error {
	fmt.Printf("%-12s %5s  %-8s %10s %12s %14s %9s\n", "repository", "n", "arm", "recall@20", "precision@20", "precision(all)", "answered")
	total, reach := map[string]*score{}, map[string]*score{}
	for _, pair := range pairs {
		dir, file, ok := strings.Cut(pair, "=")
		if !ok {
			return fmt.Errorf("%q is not REPOSITORY=COVERAGE", pair)
		}
		r := &repository{dir: dir, binary: binary}
		if err := r.readTruth(file); err != nil {
			return fmt.Errorf("read %s: %w", file, err)
		}
		functions := spread(r.functions, most)
		for _, arm := range r.arms() {
			s := &score{}
			for i := range functions {
				f := &functions[i]
				order, err := arm.rank(f)
				if err != nil {
					return fmt.Errorf("ask %s of %s:%d: %w", arm.name, f.path, f.line, err)
				}
				recall, precision := s.add(order, f.truth)
				if arm.name != "calls" {
					of(reach, arm.name+" "+f.reach).add(order, f.truth)
				}
				if verbose && arm.name != "closure" && (recall < 1 || precision < 0.5) {
					fmt.Printf("  %s %s:%d %s  recall %.2f precision %.2f, %d of %d: missing %v, wrong %v\n", arm.name, f.path, f.line, f.name, recall, precision,
						len(order), len(f.truth), head(without(f.tests(), order), 3), head(wrong(order, f.truth), 3))
				}
			}
			s.print(filepath.Base(dir), arm.name)
			of(total, arm.name).join(s)
		}
	}
	for _, name := range armNames {
		of(total, name).print("all", name)
	}
	for _, r := range reaches {
		for _, name := range []string{"tests", "closure"} {
			of(reach, name+" "+r).print(r, name)
		}
	}
	return nil
}

// of is the score of a name, made where there is none yet.
func of(scores map[string]*score, name string) *score {
	if scores[name] == nil {
		scores[name] = &score{}
	}
	return scores[name]
}

// spread takes most of a list, evenly.
func spread(list []function, most int) []function {
	if len(list) <= most {
		return list
	}
	out := make([]function, most)
	for i := range out {
		out[i] = list[i*len(list)/most]
	}
	return out
}
