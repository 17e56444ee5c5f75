package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"codeidx/cmd/internal/measure"
	"codeidx/facts"
)

// figure is what one step of one tool costs.
type figure struct {
	Tool string  `json:"tool"`
	Step step    `json:"step"`
	CPU  float64 `json:"cpu_s"`
	Wall float64 `json:"wall_s"`
	Peak float64 `json:"peak_mib"`
	// Ratio is its CPU time divided by that of our program for the same step.
	Ratio float64 `json:"cpu_ratio,omitempty"`
}

// report is what a comparison gives.
type report struct {
	Tree    string            `json:"tree"`
	Name    string            `json:"name"`
	Runs    int               `json:"runs"`
	Figures []figure          `json:"figures"`
	Disk    map[string]int64  `json:"disk_bytes"`
	NotRun  map[string]string `json:"not_run,omitempty"`
}

func peersCommand(args []string) error {
	var c common
	f := c.flags("peers")
	codegraph := f.String("codegraph", "codegraph", "command of @colbymchenry/codegraph")
	optave := f.String("optave", "", "command of @optave/codegraph")
	_ = f.Parse(args)
	if f.NArg() != 2 {
		return fmt.Errorf("say which clone and which name: peers TREE NAME")
	}
	r := &report{Tree: filepath.Base(f.Arg(0)), Name: f.Arg(1), Runs: c.runs, Disk: map[string]int64{}, NotRun: map[string]string{}}
	for _, t := range tools(c.binary, *codegraph, *optave) {
		if why := t.missing(); why != "" {
			r.NotRun[t.name] = why
			continue
		}
		if err := r.run(&t, f.Arg(0)); err != nil {
			r.NotRun[t.name] = err.Error()
		}
	}
	r.compare()
	if c.json {
		return json.NewEncoder(os.Stdout).Encode(r)
	}
	return r.print()
}

// run measures one tool on a clone of its own.
func (r *report) run(t *tool, tree string) error {
	dir, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if out, err := exec.Command("git", "clone", "-q", tree, dir).CombinedOutput(); err != nil {
		return fmt.Errorf("clone %s: %w: %s", tree, err, out)
	}
	before := measure.DiskUse(dir)
	edited, err := someSource(dir)
	if err != nil {
		return err
	}
	for _, s := range steps {
		words := t.command(s, r.Name)
		if words == nil {
			continue
		}
		var costs []measure.Cost
		for n := range r.Runs {
			if err := prepare(t, s, dir, edited, n); err != nil {
				return err
			}
			c, err := measure.Run(dir, t.env, words[0], words[1:]...)
			if err != nil {
				return err
			}
			costs = append(costs, c)
		}
		m := measure.Medians(costs)
		r.Figures = append(r.Figures, figure{Tool: t.name, Step: s, CPU: m.CPU.Seconds(), Wall: m.Wall.Seconds(), Peak: float64(m.Peak) / (1 << 20)})
		if s == cold {
			r.Disk[t.name] = measure.DiskUse(dir) - before
		}
	}
	return nil
}

// prepare brings the tree into the state that a step starts from.
func prepare(t *tool, s step, dir, edited string, n int) error {
	switch {
	case s == cold && t.data != "":
		return os.RemoveAll(filepath.Join(dir, t.data))
	case s == cold:
		for _, name := range []string{"GTAGS", "GRTAGS", "GPATH"} {
			if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
				return err
			}
		}
	case s == oneFile:
		f, err := os.OpenFile(edited, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(f, "\n\n\n%s", strings.Repeat("\n", n))
		if err := f.Close(); err != nil {
			return err
		}
		return err
	}
	return nil
}

// someSource is the file in the middle of those that all tools read.
func someSource(dir string) (string, error) {
	files, err := sourceFiles(dir)
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, files[len(files)/2]), nil
}

// sourceFiles lists the tracked files of our languages, sorted.
func sourceFiles(dir string) ([]string, error) {
	out, err := exec.Command("git", "-C", dir, "ls-files", "-z").Output()
	if err != nil {
		return nil, fmt.Errorf("list files of %s: %w", dir, err)
	}
	var files []string
	for p := range strings.SplitSeq(string(out), "\x00") {
		if facts.Detect(p) != facts.NoLang {
			files = append(files, p)
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s has no source files", dir)
	}
	return files, nil
}

// compare sets each figure against ours.
func (r *report) compare() {
	ours := map[step]float64{}
	for _, f := range r.Figures {
		if f.Tool == "git codeidx" {
			ours[f.Step] = f.CPU
		}
	}
	for i := range r.Figures {
		f := &r.Figures[i]
		if o := ours[f.Step]; o > 0 && f.Tool != "git codeidx" {
			f.Ratio = f.CPU / o
		}
	}
}

func (r *report) print() error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 1, ' ', 0)
	fmt.Fprintf(w, "| %s\t| tool\t| CPU s\t| of ours\t| wall s\t| peak MiB\t|\n", r.Tree)
	fmt.Fprintln(w, "| ---\t| ---\t| ---\t| ---\t| ---\t| ---\t|")
	for _, s := range steps {
		for _, f := range r.Figures {
			if f.Step != s {
				continue
			}
			ratio := ""
			if f.Ratio > 0 {
				ratio = fmt.Sprintf("%.1f×", f.Ratio)
			}
			fmt.Fprintf(w, "| %s\t| %s\t| %.2f\t| %s\t| %.2f\t| %.0f\t|\n", f.Step, f.Tool, f.CPU, ratio, f.Wall, f.Peak)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, t := range sortedKeys(r.Disk) {
		fmt.Printf("disk: %s %.1f MiB\n", t, float64(r.Disk[t])/(1<<20))
	}
	for _, t := range sortedKeys(r.NotRun) {
		fmt.Printf("not run: %s (%s)\n", t, r.NotRun[t])
	}
	return nil
}
