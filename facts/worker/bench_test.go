package worker

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"codeidx/facts"
)

// benchSources returns the files below CODEIDX_BENCH_TREE that have an
// extractor, and their size together.
func benchSources(b *testing.B) (sources []Request, bytes int64) {
	dir := os.Getenv("CODEIDX_BENCH_TREE")
	if dir == "" {
		b.Skip("CODEIDX_BENCH_TREE names no tree")
	}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || facts.Detect(p) == facts.NoLang {
			return err
		}
		src, err := os.ReadFile(p)
		sources = append(sources, Request{p, facts.Detect(p), src})
		bytes += int64(len(src))
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return sources, bytes
}

// BenchmarkPool extracts the tree in two workers, their start included.
func BenchmarkPool(b *testing.B) {
	sources, bytes := benchSources(b)
	b.SetBytes(bytes)
	for b.Loop() {
		p := NewPool(Options{Workers: 2, Command: command})
		requests := make(chan Request)
		var wait sync.WaitGroup
		for range 8 {
			wait.Go(func() {
				for r := range requests {
					if _, err := p.Extract(context.Background(), r); err != nil {
						b.Error(err)
					}
				}
			})
		}
		for _, r := range sources {
			requests <- r
		}
		close(requests)
		wait.Wait()
		p.Close()
	}
}

func benchFacts(b *testing.B) (files []*facts.File, bytes int64) {
	sources, bytes := benchSources(b)
	for _, r := range sources {
		f, err := ExtractInProcess(r.Path, r.Lang, r.Src)
		if err != nil {
			b.Fatal(err)
		}
		files = append(files, f)
	}
	return files, bytes
}

// BenchmarkEncode and BenchmarkDecode count bytes of source.
func BenchmarkEncode(b *testing.B) {
	files, bytes := benchFacts(b)
	b.SetBytes(bytes)
	b.ReportAllocs()
	for b.Loop() {
		for _, f := range files {
			facts.Encode(f)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	files, bytes := benchFacts(b)
	var encoded [][]byte
	for _, f := range files {
		encoded = append(encoded, facts.Encode(f))
	}
	b.SetBytes(bytes)
	b.ReportAllocs()
	for b.Loop() {
		for _, e := range encoded {
			if _, err := facts.Decode(e); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkExtract extracts every file in one worker's engine: parser,
// flattening and extractor together, without the codec.
func BenchmarkExtract(b *testing.B) {
	sources, bytes := benchSources(b)
	b.SetBytes(bytes)
	e := &engine{extractor: newExtractor}
	defer e.close()
	for b.Loop() {
		for _, r := range sources {
			if _, err := e.extract(r.Path, r.Lang, r.Src, DefaultTimeout); err != nil {
				b.Fatal(err)
			}
		}
	}
}
