package cli

import (
	"crypto/sha256"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"codeidx/facts"
	"codeidx/facts/treesitter"
)

// The benchmarks below compare whole processes, in turn, over the clone that
// CODEIDX_BENCH_TREE names, and report medians of ratios: machines are noisy,
// ratios of neighbouring runs are not. They need a fresh binary in
// CODEIDX_BENCH_BINARY; just bench does all that.
func benchTree(b *testing.B) (tree, binary string) {
	tree, binary = os.Getenv("CODEIDX_BENCH_TREE"), os.Getenv("CODEIDX_BENCH_BINARY")
	if tree == "" || binary == "" {
		b.Skip("CODEIDX_BENCH_TREE and CODEIDX_BENCH_BINARY name no clone and no binary")
	}
	return tree, binary
}

// cost is what one process and the children that it waited for took.
type cost struct {
	cpu, wall time.Duration
	peak      int64 // bytes, over the whole process tree, sampled
}

func measure(b *testing.B, dir string, name string, args ...string) cost {
	b.Helper()
	c := exec.Command(name, args...)
	c.Dir = dir
	start := time.Now()
	if err := c.Start(); err != nil {
		b.Fatal(err)
	}
	var peak atomic.Int64
	done := make(chan struct{})
	go samplePeak(c.Process.Pid, &peak, done)
	err := c.Wait()
	wall := time.Since(start)
	close(done)
	if err != nil {
		if e, ok := err.(*exec.ExitError); !ok || e.ExitCode() > 1 {
			b.Fatalf("%s %v: %v", name, args, err)
		}
	}
	return cost{c.ProcessState.UserTime() + c.ProcessState.SystemTime(), wall, peak.Load()}
}

// samplePeak adds up the resident memory of a process and its children.
func samplePeak(pid int, peak *atomic.Int64, done <-chan struct{}) {
	for {
		select {
		case <-done:
			return
		case <-time.After(5 * time.Millisecond):
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

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

// BenchmarkIndexAgainstParse: CPU of a cold index as a multiple of the CPU of
// reading, hashing and parsing the same files in one process.
func BenchmarkIndexAgainstParse(b *testing.B) {
	tree, binary := benchTree(b)
	var ratios, peaks, cpu []float64
	for b.Loop() {
		if err := os.RemoveAll(filepath.Join(tree, ".git", "codeidx")); err != nil {
			b.Fatal(err)
		}
		ours := measure(b, tree, binary, "index", "-q")
		floor := parseFloor(b, tree)
		ratios = append(ratios, float64(ours.cpu)/float64(floor))
		cpu = append(cpu, ours.cpu.Seconds())
		peaks = append(peaks, float64(ours.peak)/(1<<20))
	}
	b.ReportMetric(median(ratios), "cpu/floor")
	b.ReportMetric(median(cpu), "cpu-s")
	b.ReportMetric(slices.Max(peaks), "peak-MiB")
}

// parseFloor reads, hashes and parses every source file that git lists, and
// returns the CPU time that took.
func parseFloor(b *testing.B, tree string) time.Duration {
	out, err := exec.Command("git", "-C", tree, "ls-files", "-z").Output()
	if err != nil {
		b.Fatal(err)
	}
	parsers := map[facts.Lang]*treesitter.Parser{}
	before := cpuTime()
	for p := range strings.SplitSeq(string(out), "\x00") {
		lang := facts.Detect(p)
		if lang == facts.NoLang {
			continue
		}
		src, err := os.ReadFile(filepath.Join(tree, p))
		if err != nil {
			continue
		}
		sha256.Sum256(src)
		if parsers[lang] == nil {
			if parsers[lang], err = treesitter.New(facts.ByID(lang).Grammar); err != nil {
				b.Fatal(err)
			}
			defer parsers[lang].Close()
		}
		if _, err := parsers[lang].Parse(src, 5*time.Second); err != nil {
			b.Logf("%s: %v", p, err)
		}
	}
	return cpuTime() - before
}

func cpuTime() time.Duration {
	var ru syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &ru); err != nil {
		return 0
	}
	return time.Duration(ru.Utime.Nano() + ru.Stime.Nano())
}

// benchQuestions are the questions timed against ripgrep, which searches for
// CODEIDX_BENCH_NAME as a word.
var benchQuestions = []string{"callers", "symbols", "references", "explore"}

// BenchmarkQueryAgainstRipgrep: wall time of a question as one process, strict
// check included, as a multiple of rg -w on the same tree.
func BenchmarkQueryAgainstRipgrep(b *testing.B) {
	tree, binary := benchTree(b)
	name := os.Getenv("CODEIDX_BENCH_NAME")
	if name == "" {
		b.Skip("CODEIDX_BENCH_NAME names no symbol")
	}
	if _, err := exec.LookPath("rg"); err != nil {
		b.Skip("ripgrep is not installed")
	}
	measure(b, tree, binary, "sync", "-q")
	for _, q := range benchQuestions {
		b.Run(q, func(b *testing.B) {
			var ratios, wall []float64
			for b.Loop() {
				ours := measure(b, tree, binary, q, name)
				rg := measure(b, tree, "rg", "-w", name)
				ratios = append(ratios, float64(ours.wall)/float64(rg.wall))
				wall = append(wall, float64(ours.wall.Microseconds())/1000)
			}
			b.ReportMetric(median(ratios), "wall/rg")
			b.ReportMetric(median(wall), "wall-ms")
		})
	}
}

// BenchmarkSyncAgainstQuery: a sync without changes as a multiple of a question.
func BenchmarkSyncAgainstQuery(b *testing.B) {
	tree, binary := benchTree(b)
	measure(b, tree, binary, "sync", "-q")
	var ratios []float64
	for b.Loop() {
		s := measure(b, tree, binary, "sync", "-q")
		q := measure(b, tree, binary, "symbols", "main")
		ratios = append(ratios, float64(s.wall)/float64(q.wall))
	}
	b.ReportMetric(median(ratios), "wall/query")
}
