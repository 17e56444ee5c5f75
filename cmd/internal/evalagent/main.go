// Command evalagent lets a scripted agent without a model answer ten structural
// questions about a repository twice: with the tools of the MCP server, and with
// ripgrep and reading. It reports calls, bytes read and whether the answers are
// complete and free of anything wrong. docs/AGENTS.md keeps what was measured
// and says what the figures mean.
//
//	go run ./cmd/internal/evalagent [-binary FILE] [-gold FOLDER] [-v] REPOSITORY…
//
// Each repository is cloned first, so that nothing of it is touched. Questions
// and truth come from the edges of the index or, with -gold, from the files of
// another program where it has some on the repository (truth.go).
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

func main() {
	binary := flag.String("binary", "git-codeidx", "the program to measure")
	gold := flag.String("gold", "", "folder with NAME.jsonl.gz of facts that another program found")
	verbose := flag.Bool("v", false, "show each question with what was missed")
	flag.Parse()
	if err := run(flag.Args(), *binary, *gold, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "evalagent:", err)
		os.Exit(1)
	}
}

func run(repos []string, binary, gold string, verbose bool) error {
	var all []*outcome
	for _, dir := range repos {
		list, err := evaluate(dir, binary, gold)
		if err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		if verbose {
			for _, o := range list {
				o.print()
			}
		}
		all = append(all, list...)
	}
	byRepository := func(o *outcome) string { return o.repo + " (" + o.truth + ")" }
	table("repository (truth)", all, byRepository)
	table("question", all, func(o *outcome) string { return o.q.kind })
	return nil
}

// evaluate asks all questions about one repository, with both arms.
func evaluate(dir, binary, gold string) ([]*outcome, error) {
	tmp, err := os.MkdirTemp("", "evalagent-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	name := filepath.Base(dir)
	tree := filepath.Join(tmp, name)
	if out, err := exec.Command("git", "clone", "-q", "--shared", dir, tree).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("clone: %w: %s", err, out)
	}
	server, err := connect(context.Background(), binary, tree)
	if err != nil {
		return nil, err
	}
	defer server.close()
	w, err := load(tree, binary, gold)
	if err != nil {
		return nil, fmt.Errorf("load facts: %w", err)
	}
	var out []*outcome
	for _, q := range w.questions() {
		if q.edit != nil {
			if err := q.edit.apply(tree); err != nil {
				return nil, err
			}
		}
		for _, a := range []arm{server, &grep{world: w}} {
			got, err := a.answer(q)
			if err != nil {
				return nil, fmt.Errorf("question %s: %w", q.kind, err)
			}
			out = append(out, w.judge(q, a.name(), got))
		}
		if q.edit != nil {
			if err := q.edit.undo(tree); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// arm is a way to answer.
type arm interface {
	name() string
	answer(*question) (*answer, error)
}

// answer is what an arm found, as places or paths, and what it took.
type answer struct {
	claims       []string
	calls, bytes int
}

func (a *answer) took(n int) { a.calls, a.bytes = a.calls+1, a.bytes+n }

// outcome is a judged answer.
type outcome struct {
	repo, truth, arm string
	q                *question
	*answer
	missed, wrong []string
}

// judge compares an answer with the truth. A claim on which the truth has no
// word is neither right nor wrong.
func (w *world) judge(q *question, arm string, a *answer) *outcome {
	o := &outcome{repo: filepath.Base(w.dir), truth: w.source, arm: arm, q: q, answer: a}
	for _, t := range q.truth {
		if !slices.Contains(a.claims, t) {
			o.missed = append(o.missed, t)
		}
	}
	slices.Sort(a.claims)
	for _, c := range slices.Compact(a.claims) {
		if q.exact && !slices.Contains(q.truth, c) && !w.undecided[c] {
			o.wrong = append(o.wrong, c)
		}
	}
	return o
}

func (o *outcome) print() {
	fmt.Printf("%s %-12s %-5s %s %s: %d calls, %d bytes, %d true, missed %v, wrong %d %v\n", o.repo, o.q.kind, o.arm, o.q.name, o.q.at,
		o.calls, o.bytes, len(o.q.truth), head(o.missed, 5), len(o.wrong), head(o.wrong, 5))
}

func head(list []string, n int) []string { return list[:min(n, len(list))] }

// table prints sums by a key, in the order of first appearance.
func table(title string, all []*outcome, key func(*outcome) string) {
	type sum struct{ n, calls, bytes, complete, right int }
	sums := map[string]*sum{}
	var order []string
	for _, o := range all {
		k := key(o)
		if sums[k+o.arm] == nil {
			sums[k+o.arm] = &sum{}
			if !slices.Contains(order, k) {
				order = append(order, k)
			}
		}
		s := sums[k+o.arm]
		s.n, s.calls, s.bytes = s.n+1, s.calls+o.calls, s.bytes+o.bytes
		if len(o.missed) == 0 {
			s.complete++
			if len(o.wrong) == 0 {
				s.right++
			}
		}
	}
	fmt.Printf("\n| %s | n | tools: calls | kB | complete | exact | grep: calls | kB | complete | exact |\n| --- |%s\n", title, " ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
	for _, k := range order {
		t, g := sums[k+"tools"], sums[k+"grep"]
		fmt.Printf("| %s | %d | %d | %.1f | %d | %d | %d | %.1f | %d | %d |\n", k, t.n, t.calls, float64(t.bytes)/1e3, t.complete, t.right,
			g.calls, float64(g.bytes)/1e3, g.complete, g.right)
	}
}
