package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"codeidx/cmd/internal/measure"
)

// point is what trees of one size cost.
type point struct {
	Files  int     `json:"files"`
	Source float64 `json:"source_mib"`
	Cold   float64 `json:"cold_cpu_s"`
	Wall   float64 `json:"cold_wall_s"`
	Peak   float64 `json:"cold_peak_mib"`
	Disk   float64 `json:"disk_mib"`
	Noop   float64 `json:"sync_noop_s"`
	Sync   float64 `json:"sync_one_file_s"`
	Query  float64 `json:"query_s"`
	Stat   float64 `json:"query_stat_s"`
	QPeak  float64 `json:"query_peak_mib"`
}

func scaleCommand(args []string) error {
	var c common
	f := c.flags("scale")
	svg := f.String("svg", "", "draw the figures into FILE")
	sizes := f.String("files", "1000,3000,10000,30000,100000", "sizes of generated trees")
	_ = f.Parse(args)
	trees, err := scaleTrees(f.Args(), *sizes)
	if err != nil {
		return err
	}
	var points []point
	for _, make := range trees {
		p, err := measureSize(make, c)
		if err != nil {
			return err
		}
		points = append(points, *p)
		fmt.Fprintf(os.Stderr, "bench: %d files: %.1f s CPU, %.0f MiB\n", p.Files, p.Cold, p.Peak)
	}
	if *svg != "" {
		if err := os.WriteFile(*svg, plot(points), 0o644); err != nil {
			return err
		}
	}
	if c.json {
		return json.NewEncoder(os.Stdout).Encode(points)
	}
	return printPoints(points)
}

// fill writes the files of a tree into a folder.
type fill func(dir string) error

// scaleTrees gives the trees to measure: sixteenths to the whole of a clone, or
// generated ones.
func scaleTrees(args []string, sizes string) ([]fill, error) {
	var out []fill
	if len(args) == 1 {
		files, err := sourceFiles(args[0])
		if err != nil {
			return nil, err
		}
		for _, part := range []int{16, 8, 4, 2, 1} {
			out = append(out, func(dir string) error { return copyFiles(args[0], dir, files[:len(files)/part]) })
		}
		return out, nil
	}
	for s := range strings.SplitSeq(sizes, ",") {
		n, err := strconv.Atoi(s)
		if err != nil || n < 10 {
			return nil, fmt.Errorf("%q is no number of files from 10 on", s)
		}
		out = append(out, func(dir string) error { return generate(dir, n) })
	}
	return out, nil
}

func copyFiles(from, to string, files []string) error {
	for _, p := range files {
		data, err := os.ReadFile(filepath.Join(from, p))
		if err != nil {
			continue // a link, or gone from the work tree
		}
		if err := writeFile(filepath.Join(to, p), data); err != nil {
			return err
		}
	}
	return nil
}

func writeFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// measureSize makes a tree, indexes it and asks it.
func measureSize(fill fill, c common) (*point, error) {
	dir, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := fill(dir); err != nil {
		return nil, err
	}
	p := &point{Source: mib(measure.DiskUse(dir))}
	for _, words := range [][]string{{"init", "-q"}, {"add", "-A", "-f"}} {
		if out, err := exec.Command("git", append([]string{"-C", dir}, words...)...).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("git %s: %w: %s", words[0], err, out)
		}
	}
	edited, err := someSource(dir)
	if err != nil {
		return nil, err
	}
	files, err := sourceFiles(dir)
	if err != nil {
		return nil, err
	}
	p.Files = len(files)
	return p, p.take(dir, edited, c)
}

func (p *point) take(dir, edited string, c common) error {
	ours := tools(c.binary, "", "")[0]
	ask := func(args ...string) func(int) ([]string, error) {
		return func(int) ([]string, error) { return append([]string{c.binary}, args...), nil }
	}
	after := func(s step, args ...string) func(int) ([]string, error) {
		return func(n int) ([]string, error) {
			return append([]string{c.binary}, args...), prepare(&ours, s, dir, edited, n)
		}
	}
	for _, m := range []struct {
		next func(int) ([]string, error)
		put  func(measure.Cost)
	}{
		{after(cold, "index", "-q"), func(m measure.Cost) { p.Cold, p.Wall, p.Peak = m.CPU.Seconds(), m.Wall.Seconds(), mib(m.Peak) }},
		{after(oneFile, "sync", "-q"), func(m measure.Cost) { p.Sync = m.Wall.Seconds() }},
		{ask("sync", "-q"), func(m measure.Cost) { p.Noop = m.Wall.Seconds() }},
		{ask("callers", "main"), func(m measure.Cost) { p.Query, p.QPeak = m.Wall.Seconds(), mib(m.Peak) }},
		{ask("callers", "main", "--freshness", "stat"), func(m measure.Cost) { p.Stat = m.Wall.Seconds() }},
	} {
		var costs []measure.Cost
		for n := range c.runs {
			words, err := m.next(n)
			if err != nil {
				return err
			}
			cost, err := measure.Run(dir, nil, words[0], words[1:]...)
			if err != nil {
				return err
			}
			costs = append(costs, cost)
		}
		m.put(measure.Medians(costs))
	}
	p.Disk = mib(measure.DiskUse(filepath.Join(dir, ".git", "codeidx")))
	return nil
}

func mib(n int64) float64 { return float64(n) / (1 << 20) }

func printPoints(points []point) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 1, ' ', 0)
	fmt.Fprintln(w, "| files\t| source MiB\t| cold CPU s\t| cold wall s\t| peak MiB\t| disk MiB\t| no-op sync s\t| one-file sync s\t| query s\t| with stat s\t| query peak MiB\t|")
	fmt.Fprintln(w, "|"+strings.Repeat(" ---\t|", 11))
	for _, p := range points {
		fmt.Fprintf(w, "| %d\t| %.1f\t| %.1f\t| %.1f\t| %.0f\t| %.1f\t| %.2f\t| %.2f\t| %.3f\t| %.3f\t| %.0f\t|\n",
			p.Files, p.Source, p.Cold, p.Wall, p.Peak, p.Disk, p.Noop, p.Sync, p.Query, p.Stat, p.QPeak)
	}
	return w.Flush()
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
