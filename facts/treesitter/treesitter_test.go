package treesitter

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func BenchmarkParse(b *testing.B) {
	dir := os.Getenv("CODEIDX_BENCH_TREE")
	if dir == "" {
		b.Skip("CODEIDX_BENCH_TREE names no tree")
	}
	var srcs [][]byte
	total := 0
	filepath.Walk(dir, func(p string, i os.FileInfo, err error) error {
		if err == nil && filepath.Ext(p) == ".go" {
			s, _ := os.ReadFile(p)
			srcs = append(srcs, s)
			total += len(s)
		}
		return nil
	})
	p, err := New("go")
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	b.SetBytes(int64(total))
	for b.Loop() {
		n := 0
		for _, s := range srcs {
			t, err := p.Parse(s, 5*time.Second)
			if err != nil {
				b.Fatal(err)
			}
			n += len(t.Nodes)
		}
		b.ReportMetric(float64(n), "nodes")
	}
}
