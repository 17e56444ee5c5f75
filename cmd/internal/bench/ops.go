package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"codeidx/cmd/internal/measure"
	"codeidx/query"
)

// opCost is what one operation takes as one process, beside ripgrep.
type opCost struct {
	Op     string  `json:"op"`
	P50    float64 `json:"p50_ms"`
	P95    float64 `json:"p95_ms"`
	CPU    float64 `json:"cpu_ms"`
	WallRg float64 `json:"wall_rg"` // median of the ratios of neighbouring runs
	CPURg  float64 `json:"cpu_rg"`
}

// opsCommand times every operation on a copy of TREE in turn with "rg -w NAME".
func opsCommand(args []string) error {
	c := common{}
	f := c.flags("ops")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() != 2 {
		return errors.New("ops takes TREE NAME, NAME a symbol of the tree")
	}
	dir, err := os.MkdirTemp("", "bench-ops")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	tree := filepath.Join(dir, filepath.Base(f.Arg(0)))
	if out, err := exec.Command("cp", "-r", f.Arg(0), tree).CombinedOutput(); err != nil {
		return fmt.Errorf("copy tree: %w: %s", err, out)
	}
	costs, err := c.operations(tree, f.Arg(1))
	if err != nil {
		return err
	}
	if c.json {
		return json.NewEncoder(os.Stdout).Encode(costs)
	}
	fmt.Printf("| operation | p50 ms | p95 ms | CPU ms | wall / rg | CPU / rg |\n| --- | ---: | ---: | ---: | ---: | ---: |\n")
	for _, o := range costs {
		fmt.Printf("| %s | %.0f | %.0f | %.0f | %.2f | %.2f |\n", o.Op, o.P50, o.P95, o.CPU, o.WallRg, o.CPURg)
	}
	return nil
}

func (c *common) operations(tree, name string) ([]opCost, error) {
	path, err := c.prepare(tree, name)
	if err != nil {
		return nil, err
	}
	rg := opCost{Op: "rg -w", WallRg: 1, CPURg: 1}
	var costs []opCost
	var plain []measure.Cost
	for _, op := range query.Ops() {
		args := append([]string{op.Name}, opArguments(op.Name, name, path)...)
		var runs []measure.Cost
		var wall, cpu []float64
		for range c.runs {
			ours, err := measure.Run(tree, nil, c.binary, args...)
			if err != nil {
				return nil, err
			}
			theirs, err := measure.Run(tree, nil, "rg", "-w", name)
			if err != nil {
				return nil, err
			}
			runs, plain = append(runs, ours), append(plain, theirs)
			wall = append(wall, float64(ours.Wall)/float64(theirs.Wall))
			cpu = append(cpu, float64(ours.CPU)/float64(max(theirs.CPU, time.Microsecond)))
		}
		o := percentiles(op.Name, runs)
		o.WallRg, o.CPURg = measure.Median(wall), measure.Median(cpu)
		costs = append(costs, o)
	}
	rg.P50, rg.P95, rg.CPU = percentilesOf(plain)
	return append([]opCost{rg}, costs...), nil
}

// prepare makes two indexes, so that changes has something to compare, and
// returns the file that defines name.
func (c *common) prepare(tree, name string) (string, error) {
	run := func(args ...string) ([]byte, error) {
		cmd := exec.Command(c.binary, args...)
		cmd.Dir = tree
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("%v: %w", args, err)
		}
		return out, nil
	}
	if _, err := run("index", "-q"); err != nil {
		return "", err
	}
	out, err := run("symbols", name, "--json", "--limit", "1")
	if err != nil {
		return "", err
	}
	var doc struct {
		Items []struct{ Symbol struct{ Path string } }
	}
	if err := json.Unmarshal(out, &doc); err != nil {
		return "", err
	}
	if len(doc.Items) == 0 {
		return "", fmt.Errorf("no definition of %s is called %q", tree, name)
	}
	path := doc.Items[0].Symbol.Path
	file, err := os.OpenFile(filepath.Join(tree, path), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return "", err
	}
	if _, err := file.WriteString("\n"); err != nil {
		return "", err
	}
	if err := file.Close(); err != nil {
		return "", err
	}
	_, err = run("sync", "-q")
	return path, err
}

// opArguments are what an operation is asked for.
func opArguments(op, name, path string) []string {
	switch op {
	case "map", "edges", "diagnostics", "changes", "impact-changes":
		return nil
	case "read", "live-read":
		return []string{path + ":1-40"}
	case "tests":
		return []string{path}
	case "search":
		return []string{"--substring", name}
	case "code":
		return []string{path + ":1"}
	}
	return []string{name}
}

func percentiles(op string, runs []measure.Cost) opCost {
	o := opCost{Op: op}
	o.P50, o.P95, o.CPU = percentilesOf(runs)
	return o
}

// percentilesOf gives p50 and p95 of wall time and the median CPU time, in ms.
func percentilesOf(runs []measure.Cost) (p50, p95, cpu float64) {
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	var wall, used []time.Duration
	for _, r := range runs {
		wall, used = append(wall, r.Wall), append(used, r.CPU)
	}
	slices.Sort(wall)
	return ms(measure.Median(wall)), ms(wall[min(len(wall)*95/100, len(wall)-1)]), ms(measure.Median(used))
}
