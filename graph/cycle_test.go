package graph

import (
	"testing"

	"pgregory.net/rapid"
)

// reach answers which nodes a node reaches, by recursion with memos: a toy
// inference over a graph with cycles.
type reach struct {
	Cycle
	edges [][]int
	memo  []Memo
	set   []map[int]bool
}

func (r *reach) of(n int) map[int]bool {
	if r.memo[n] == Done {
		return r.set[n]
	}
	if !r.Enter(&r.memo[n]) {
		return nil
	}
	out := map[int]bool{}
	for _, to := range r.edges[n] {
		out[to] = true
		for x := range r.of(to) {
			out[x] = true
		}
	}
	r.Leave(&r.memo[n])
	if r.memo[n] == Done {
		r.set[n] = out
	}
	return out
}

// What is kept does not depend on the order of the questions.
func TestCycleKeepsNothingThatDependsOnTheOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "nodes")
		edges := make([][]int, n)
		for i := range edges {
			edges[i] = rapid.SliceOfN(rapid.IntRange(0, n-1), 0, 3).Draw(t, "edges")
		}
		r := &reach{Cycle: Cycle{MaxDepth: 100, MaxFuel: 100000}, edges: edges, memo: make([]Memo, n), set: make([]map[int]bool, n)}
		for range 8 {
			at := rapid.IntRange(0, n-1).Draw(t, "question")
			got, want := r.of(at), reachable(edges, at)
			if len(got) != len(want) {
				t.Fatalf("node %d of %v reaches %v, want %v", at, edges, got, want)
			}
		}
		for i, m := range r.memo {
			if m.IsOpen() {
				t.Fatalf("question %d is left open", i)
			}
		}
	})
}

func reachable(edges [][]int, from int) map[int]bool {
	out := map[int]bool{}
	for todo := []int{from}; len(todo) > 0; todo = todo[1:] {
		for _, to := range edges[todo[0]] {
			if !out[to] {
				out[to] = true
				todo = append(todo, to)
			}
		}
	}
	return out
}

func TestCycleIsBounded(t *testing.T) {
	c := Cycle{MaxDepth: 2, MaxFuel: 3}
	var a, b, d Memo
	if !c.Enter(&a) || !c.Enter(&b) || c.Enter(&d) {
		t.Fatal("the third question within each other must be refused")
	}
	c.Leave(&b)
	c.Leave(&a)
	if b == Done || a != Done {
		t.Errorf("cut short by the bound: states %d and %d; only the outermost answer is kept", b, a)
	}
	if !c.Enter(&b) {
		t.Error("a new outermost question must start afresh")
	}
}
