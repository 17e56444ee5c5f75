package gitstore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"codeidx/gitstore"
	"codeidx/gitstore/gitstoretest"

	"github.com/klauspost/compress/zstd"
)

// sourceLike returns n payloads of about size bytes that compress like facts.
func sourceLike(n, size int) [][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	words := make([]string, 500)
	for i := range words {
		words[i] = fmt.Sprintf("name%x", r.Uint32()>>(r.Uint32()%20))
	}
	all := make([][]byte, n)
	for i := range all {
		var b []byte
		for len(b) < size {
			b = append(b, words[r.IntN(len(words))]...)
			b = append(b, byte(r.Uint32()), byte(r.IntN(4)))
		}
		all[i] = b
	}
	return all
}

func publishPayloads(b testing.TB, s *gitstore.Store, payloads [][]byte, manifest string) ([]gitstore.BlobRef, gitstore.Published) {
	w, err := s.NewWriter()
	if err != nil {
		b.Fatal(err)
	}
	refs := make([]gitstore.BlobRef, len(payloads))
	for i, p := range payloads {
		if refs[i], err = w.Put(p); err != nil {
			b.Fatal(err)
		}
	}
	old, _ := s.Ref("refs/codeidx/" + gitstoretest.Binding + "/live")
	pub, err := w.Publish(context.Background(), gitstore.Publication{
		Binding: gitstoretest.Binding, Ref: gitstore.Live, Predecessor: old,
		Root:     gitstore.Root{Manifest: gitstore.DigestOf([]byte(manifest))},
		Attached: map[string][]gitstore.BlobRef{"facts": refs},
	})
	if err != nil {
		b.Fatal(err)
	}
	return refs, pub
}

// BenchmarkPublish stores 20,000 payloads of 1.5 kB and publishes them.
func BenchmarkPublish(b *testing.B) {
	payloads := sourceLike(20_000, 1500)
	b.ReportAllocs()
	b.SetBytes(20_000 * 1500)
	for b.Loop() {
		b.StopTimer()
		s := gitstoretest.Open(b, b.TempDir()+"/s", gitstore.Options{Create: true})
		b.StartTimer()
		_, pub := publishPayloads(b, s, payloads, "m")
		b.StopTimer()
		size, _ := s.Size()
		b.ReportMetric(float64(size)/float64(pub.Stats.RawBytes), "disk/raw")
		b.StartTimer()
	}
}

// BenchmarkPublishSmall publishes ten new payloads beside 20,000 known ones.
func BenchmarkPublishSmall(b *testing.B) {
	s := gitstoretest.Open(b, b.TempDir()+"/s", gitstore.Options{Create: true})
	payloads := sourceLike(20_000, 1500)
	refs, _ := publishPayloads(b, s, payloads, "m")
	n := 0
	for b.Loop() {
		w, err := s.NewWriter()
		if err != nil {
			b.Fatal(err)
		}
		for _, r := range refs {
			if err := w.Known(r); err != nil {
				b.Fatal(err)
			}
		}
		for i := range 10 {
			n++
			if refs[i], err = w.Put(fmt.Appendf(payloads[i], "%d", n)); err != nil {
				b.Fatal(err)
			}
		}
		old, _ := s.Ref("refs/codeidx/" + gitstoretest.Binding + "/live")
		if _, err := w.Publish(context.Background(), gitstore.Publication{
			Binding: gitstoretest.Binding, Ref: gitstore.Live, Predecessor: old,
			Root:     gitstore.Root{Manifest: gitstore.DigestOf(fmt.Append(nil, n))},
			Attached: map[string][]gitstore.BlobRef{"facts": refs},
		}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFirstObject opens the store, the generation and one payload.
func BenchmarkFirstObject(b *testing.B) {
	dir := b.TempDir() + "/s"
	s := gitstoretest.Open(b, dir, gitstore.Options{Create: true})
	refs, _ := publishPayloads(b, s, sourceLike(20_000, 1500), "m")
	s.Close()
	b.ReportAllocs()
	for b.Loop() {
		s, err := gitstore.Open(context.Background(), dir, gitstore.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := s.Generation(gitstoretest.Binding, gitstore.Live); err != nil {
			b.Fatal(err)
		}
		if _, err := s.Get(refs[12345]); err != nil {
			b.Fatal(err)
		}
		s.Close()
	}
}

// BenchmarkGet reads stored payloads of 1.5 kB.
func BenchmarkGet(b *testing.B) {
	s := gitstoretest.Open(b, b.TempDir()+"/s", gitstore.Options{Create: true})
	refs, _ := publishPayloads(b, s, sourceLike(20_000, 1500), "m")
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if _, err := s.Get(refs[i%len(refs)]); err != nil {
			b.Fatal(err)
		}
		i += 7919
	}
}

// BenchmarkFloor does to the payloads of BenchmarkPublish what cannot be avoided:
// SHA-256 and compression.
func BenchmarkFloor(b *testing.B) {
	payloads := sourceLike(20_000, 1500)
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false))
	if err != nil {
		b.Fatal(err)
	}
	var buf []byte
	b.SetBytes(20_000 * 1500)
	for b.Loop() {
		for _, p := range payloads {
			sum := gitstore.DigestOf(p)
			buf = e.EncodeAll(p, append(buf[:0], sum[:]...))
		}
	}
}
