// Package measure takes the cost of whole processes: CPU, wall time and the
// peak memory of the process tree. Benchmarks compare such costs as ratios of
// neighbouring runs, because machines are noisy.
package measure

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// Cost is what one process and the children that it waited for took.
type Cost struct {
	CPU, Wall time.Duration
	Peak      int64 // bytes resident, over the whole process tree, sampled; 0 where there is no /proc
}

// sampleEvery is the time between two looks at the memory of a process tree.
const sampleEvery = 5 * time.Millisecond

// Run runs a command in dir and returns its cost. An exit status of 1 counts as
// an answer: searches say "nothing found" so.
func Run(dir string, env []string, name string, args ...string) (Cost, error) {
	c := exec.Command(name, args...)
	c.Dir, c.Stdout = dir, io.Discard
	c.Env = append(os.Environ(), env...)
	start := time.Now()
	if err := c.Start(); err != nil {
		return Cost{}, err
	}
	var peak atomic.Int64
	done := make(chan struct{})
	go samplePeak(c.Process.Pid, &peak, done)
	err := c.Wait()
	wall := time.Since(start)
	close(done)
	if e := (*exec.ExitError)(nil); err != nil && (!errors.As(err, &e) || e.ExitCode() != 1) {
		return Cost{}, fmt.Errorf("run %s %s: %w", name, strings.Join(args, " "), err)
	}
	return Cost{c.ProcessState.UserTime() + c.ProcessState.SystemTime(), wall, peak.Load()}, nil
}

// samplePeak adds up the resident memory of a process and its children.
func samplePeak(pid int, peak *atomic.Int64, done <-chan struct{}) {
	for {
		select {
		case <-done:
			return
		case <-time.After(sampleEvery):
			if n := treeMemory(pid); n > peak.Load() {
				peak.Store(n)
			}
		}
	}
}

func treeMemory(pid int) int64 {
	dir := filepath.Join("/proc", strconv.Itoa(pid))
	total := int64(0)
	if b, err := os.ReadFile(filepath.Join(dir, "statm")); err == nil {
		if f := strings.Fields(string(b)); len(f) > 1 {
			pages, _ := strconv.ParseInt(f[1], 10, 64)
			total = pages * int64(os.Getpagesize())
		}
	}
	tasks, _ := filepath.Glob(filepath.Join(dir, "task", "*", "children"))
	for _, t := range tasks {
		b, _ := os.ReadFile(t)
		for _, child := range strings.Fields(string(b)) {
			if n, err := strconv.Atoi(child); err == nil {
				total += treeMemory(n)
			}
		}
	}
	return total
}

// Median returns the middle of a list that is not empty, the upper one of two.
func Median[T int64 | float64 | time.Duration](list []T) T {
	s := slices.Clone(list)
	slices.Sort(s)
	return s[len(s)/2]
}

// Medians returns the median of each figure of several runs.
func Medians(runs []Cost) Cost {
	var cpu, wall []time.Duration
	var peak []int64
	for _, r := range runs {
		cpu, wall, peak = append(cpu, r.CPU), append(wall, r.Wall), append(peak, r.Peak)
	}
	return Cost{Median(cpu), Median(wall), slices.Max(peak)}
}

// DiskUse returns the bytes of the regular files below a folder, 0 where there
// is none.
func DiskUse(dir string) int64 {
	total := int64(0)
	_ = filepath.WalkDir(dir, func(_ string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			total += info.Size()
		}
		return nil
	})
	return total
}
