package gitstore_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"codeidx/gitstore"
	"codeidx/gitstore/gitstoretest"

	"github.com/google/go-cmp/cmp"
)

// TestTwoWriters has two bindings publish side by side often enough for packs to
// be folded, while readers of both come and go.
func TestTwoWriters(t *testing.T) {
	dir := gitstoretest.NewDir(t)
	gitstoretest.SetFault(t, skipSync)
	bindings := []string{"aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb"}
	const rounds = 25
	var wg sync.WaitGroup
	for k, binding := range bindings {
		wg.Go(func() {
			s := gitstoretest.Open(t, dir, gitstore.Options{})
			for i := range rounds {
				if _, err := gitstoretest.TryPublish(s, binding, gitstore.Current, numbered(100*k+i, 10)); err != nil {
					t.Errorf("%s, round %d: %v", binding, i, err)
				}
			}
		})
		wg.Go(func() {
			s := gitstoretest.Open(t, dir, gitstore.Options{})
			for range rounds {
				g, err := s.Generation(binding, gitstore.Live)
				if errors.Is(err, gitstore.ErrNoGeneration) {
					continue
				}
				if err != nil || g.Fallback != nil {
					t.Errorf("open %s: %v", binding, errors.Join(err, g.Fallback))
					return
				}
				if c, err := gitstoretest.Read(g); err != nil || c.Manifest() != g.Manifest {
					t.Errorf("read %s: %v", binding, err)
				}
			}
		})
	}
	wg.Wait()
	packs, err := filepath.Glob(filepath.Join(dir, "objects", "pack", "*.idx"))
	if err != nil || len(packs) > 9 {
		t.Errorf("%d packs, %v", len(packs), err)
	}
}

func skipSync(op, _ string) error {
	if op == "sync" {
		return gitstoretest.Skip
	}
	return nil
}

// TestConcurrentPut puts overlapping payloads from several goroutines and reads
// them back before they are published.
func TestConcurrentPut(t *testing.T) {
	s := gitstoretest.NewStore(t)
	w, err := s.NewWriter()
	if err != nil {
		t.Fatal(err)
	}
	refs := make([][]gitstore.BlobRef, 4)
	var wg sync.WaitGroup
	for k := range refs {
		wg.Go(func() {
			for i := range 200 {
				raw := fmt.Appendf(nil, "payload %d", i)
				ref, err := w.Put(raw)
				if err != nil {
					t.Error(err)
					return
				}
				if got, err := w.Get(ref); string(got) != string(raw) || err != nil {
					t.Errorf("read back %q, %v", got, err)
				}
				refs[k] = append(refs[k], ref)
			}
		})
	}
	wg.Wait()
	for _, r := range refs[1:] {
		if diff := cmp.Diff(refs[0], r); diff != "" {
			t.Errorf("equal payloads, different refs:\n%s", diff)
		}
	}
	if st := w.Stats(); st.Payloads != 200 || st.Stored != 200 {
		t.Errorf("%+v", st)
	}
	if err := w.Abort(); err != nil {
		t.Error(err)
	}
	left, err := filepath.Glob(filepath.Join(s.Dir(), "objects", "pack", "*"))
	if len(left) > 0 || err != nil {
		t.Errorf("abort leaves %v, %v", left, err)
	}
}

// TestReaderDuringFold opens packs, has them folded away, and reads on.
func TestReaderDuringFold(t *testing.T) {
	s := gitstoretest.NewStore(t)
	gitstoretest.SetFault(t, skipSync)
	first := numbered(0, 10)
	gitstoretest.Publish(t, s, gitstore.Current, first)
	reader := gitstoretest.Open(t, s.Dir(), gitstore.Options{})
	g, err := reader.Generation(gitstoretest.Binding, gitstore.Current)
	if err != nil {
		t.Fatal(err)
	}
	folded := 0
	for i := range 30 {
		folded += gitstoretest.Publish(t, s, gitstore.Live, numbered(10*i, 12)).Folded
	}
	if folded == 0 {
		t.Fatal("nothing was folded")
	}
	got, err := gitstoretest.Read(g)
	if diff := cmp.Diff(first, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	wantContent(t, reader, gitstore.Live, numbered(290, 12))
}

// TestPutDoesNotRepeat counts what is written when content is stored already.
func TestPutDoesNotRepeat(t *testing.T) {
	s := gitstoretest.NewStore(t)
	gitstoretest.Publish(t, s, gitstore.Current, numbered(0, 100))
	pub := gitstoretest.Publish(t, s, gitstore.Current, numbered(1, 100))
	// One new payload, the root, two trees, the commit.
	if pub.Stats.Payloads != 101 || pub.Stats.Stored != 5 {
		t.Errorf("%+v", pub.Stats)
	}
}
