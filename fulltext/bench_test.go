package fulltext

import (
	"context"
	"testing"
)

const benchDocs = 20000

func BenchmarkEncode(b *testing.B) {
	runs := cutRuns(synthetic(benchDocs), boundary)
	b.ReportAllocs()
	size := 0
	for b.Loop() {
		size = 0
		for _, run := range runs {
			blocks, err := EncodeSegment(run)
			if err != nil {
				b.Fatal(err)
			}
			for _, block := range blocks {
				size += len(block.Data)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchDocs, "ns/doc")
	b.ReportMetric(float64(size)/benchDocs, "bytes/doc")
}

// counted counts the blocks and bytes that are read.
type counted struct {
	blockList
	blocks, bytes int
}

func (c *counted) count(b Block, err error) (Block, error) {
	c.blocks, c.bytes = c.blocks+1, c.bytes+len(b.Data)
	return b, err
}

func (c *counted) Floor(key []byte) (Block, error) { return c.count(c.blockList.Floor(key)) }
func (c *counted) Ceil(key []byte) (Block, error)  { return c.count(c.blockList.Ceil(key)) }

// BenchmarkSearch opens the index and answers one query, as one process does.
func BenchmarkSearch(b *testing.B) {
	docs := synthetic(benchDocs)
	d := docs[len(docs)/2]
	blocks := &counted{blockList: section(b, docs, boundary)}
	for name, q := range map[string]Query{
		"name":   {Text: d.Fields[Name], Limit: 20},
		"prefix": {Text: d.Fields[Name][:3], Limit: 20},
		"words2": {Text: "Ca Debe", Limit: 20},
		"words3": {Text: "Ca Debe Go", Limit: 20},
		"filter": {Text: "func", Kinds: []byte{3}, PathPrefix: d.Path, Limit: 20},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			blocks.blocks, blocks.bytes = 0, 0
			for b.Loop() {
				ix, err := Open(context.Background(), blocks)
				if err != nil {
					b.Fatal(err)
				}
				if _, _, err := Search(context.Background(), ix, q); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(blocks.blocks)/float64(b.N), "blocks/op")
			b.ReportMetric(float64(blocks.bytes)/float64(b.N), "read-B/op")
		})
	}
}
