package main

import (
	"fmt"
	"slices"
)

// shown is how many tests of an answer the figures look at.
const shown = 20

// score sums up what the orders of one arm are worth.
type score struct {
	n, answered       int
	recall, precision float64
	right, listed     int // over all tests of all answers
}

// add scores one order of tests.
func (s *score) add(order []string, truth map[string]bool) (recall, precision float64) {
	s.n++
	s.listed += len(order)
	s.right += hits(order, truth)
	if len(order) == 0 {
		return 0, 0
	}
	top := head(order, shown)
	n := float64(hits(top, truth))
	recall, precision = n/float64(min(shown, len(truth))), n/float64(len(top))
	s.answered++
	s.recall += recall
	s.precision += precision
	return recall, precision
}

func (s *score) join(o *score) {
	s.n, s.answered, s.right, s.listed = s.n+o.n, s.answered+o.answered, s.right+o.right, s.listed+o.listed
	s.recall, s.precision = s.recall+o.recall, s.precision+o.precision
}

// print gives recall over all functions and precision over those with an answer.
func (s *score) print(repo, arm string) {
	n, answered := float64(max(s.n, 1)), float64(max(s.answered, 1))
	fmt.Printf("%-12s %5d  %-8s %10.3f %12.3f %14.3f %9.3f\n", repo, s.n, arm, s.recall/n, s.precision/answered,
		float64(s.right)/float64(max(s.listed, 1)), answered/n)
}

func hits(order []string, truth map[string]bool) int {
	n := 0
	for _, t := range order {
		if truth[t] {
			n++
		}
	}
	return n
}

func head(list []string, n int) []string { return list[:min(n, len(list))] }

// without are the elements of a list that another lacks.
func without(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(other, s) })
}

func wrong(order []string, truth map[string]bool) []string {
	return slices.DeleteFunc(slices.Clone(order), func(s string) bool { return truth[s] })
}
