package cli

import (
	"crypto/sha256"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"codeidx/cmd/internal/measure"
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

func cost(b *testing.B, dir, name string, args ...string) measure.Cost {
	b.Helper()
	c, err := measure.Run(dir, nil, name, args...)
	if err != nil {
		b.Fatal(err)
	}
	return c
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
		ours := cost(b, tree, binary, "index", "-q")
		floor := parseFloor(b, tree)
		ratios = append(ratios, float64(ours.CPU)/float64(floor))
		cpu = append(cpu, ours.CPU.Seconds())
		peaks = append(peaks, float64(ours.Peak)/(1<<20))
	}
	b.ReportMetric(measure.Median(ratios), "cpu/floor")
	b.ReportMetric(measure.Median(cpu), "cpu-s")
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
	cost(b, tree, binary, "sync", "-q")
	for _, q := range benchQuestions {
		b.Run(q, func(b *testing.B) {
			var ratios, wall []float64
			for b.Loop() {
				ours := cost(b, tree, binary, q, name)
				rg := cost(b, tree, "rg", "-w", name)
				ratios = append(ratios, float64(ours.Wall)/float64(rg.Wall))
				wall = append(wall, float64(ours.Wall.Microseconds())/1000)
			}
			b.ReportMetric(measure.Median(ratios), "wall/rg")
			b.ReportMetric(measure.Median(wall), "wall-ms")
		})
	}
}

// BenchmarkSyncAgainstQuery: a sync without changes as a multiple of a question.
func BenchmarkSyncAgainstQuery(b *testing.B) {
	tree, binary := benchTree(b)
	cost(b, tree, binary, "sync", "-q")
	var ratios []float64
	for b.Loop() {
		s := cost(b, tree, binary, "sync", "-q")
		q := cost(b, tree, binary, "symbols", "main")
		ratios = append(ratios, float64(s.Wall)/float64(q.Wall))
	}
	b.ReportMetric(measure.Median(ratios), "wall/query")
}
