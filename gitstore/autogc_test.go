package gitstore_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"codeidx/gitstore"
	"codeidx/gitstore/gitstoretest"
)

// reclaimBound is the documented bound of a store, given what the last reclaim
// left.
func reclaimBound(t *testing.T, dir string) int64 {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "reclaimed"))
	if err != nil {
		t.Fatal(err)
	}
	left, err := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return 2*left + 1<<20
}

func storeBytes(t *testing.T, dir string) int64 {
	t.Helper()
	s := gitstoretest.Open(t, dir, gitstore.Options{})
	defer s.Close()
	size, err := s.Size()
	if err != nil {
		t.Fatal(err)
	}
	return size
}

// noise returns a content of its own of about 100 kB that does not compress.
func noise(seed uint64) content {
	r := rand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8)})
	b := make([]byte, 100_000)
	r.Read(b)
	return content{"noise": string(b), "seed": fmt.Sprint(seed)}
}

func publishNoise(t *testing.T, dir string, seed uint64) {
	t.Helper()
	s := gitstoretest.Open(t, dir, gitstore.Options{})
	defer s.Close()
	gitstoretest.Publish(t, s, gitstore.Live, noise(seed))
}

func autoGC(t *testing.T, dir string) (ran bool) {
	t.Helper()
	_, ran, err := gitstore.AutoGC(t.Context(), dir, gitstore.GCOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return ran
}

func TestAutoGCBoundsTheStore(t *testing.T) {
	dir := gitstoretest.NewDir(t)
	runs := 0
	for seed := range uint64(60) {
		publishNoise(t, dir, seed)
		if autoGC(t, dir) {
			runs++
			gitstoretest.Check(t, dir)
		}
		if size, bound := storeBytes(t, dir), reclaimBound(t, dir); size > bound {
			t.Fatalf("after %d publications: %d bytes, at most %d are documented", seed+1, size, bound)
		}
		s := gitstoretest.Open(t, dir, gitstore.Options{})
		wantContent(t, s, gitstore.Live, noise(seed))
		s.Close()
	}
	// 6 MB were written; each reclaim frees at least the 1 MiB of the floor.
	if runs < 2 || runs > 6 {
		t.Errorf("%d reclaims", runs)
	}
}

func TestAutoGCWaitsForNobody(t *testing.T) {
	dir := gitstoretest.NewDir(t)
	publishNoise(t, dir, 0)
	autoGC(t, dir)
	reader := gitstoretest.Open(t, dir, gitstore.Options{})
	for seed := range uint64(20) {
		publishNoise(t, dir, seed)
		if autoGC(t, dir) {
			t.Fatal("reclaimed beside a reader")
		}
	}
	wantContent(t, reader, gitstore.Live, noise(19))
	reader.Close()
	if !autoGC(t, dir) {
		t.Error("not reclaimed after the reader has gone")
	}
	if autoGC(t, dir) {
		t.Error("reclaimed twice")
	}
}

func TestAutoGCAtOnce(t *testing.T) {
	dir := gitstoretest.NewDir(t)
	publishNoise(t, dir, 0)
	autoGC(t, dir)
	for seed := range uint64(20) {
		publishNoise(t, dir, seed)
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	runs := 0
	for range 4 {
		all.Go(func() {
			_, ran, err := gitstore.AutoGC(t.Context(), dir, gitstore.GCOptions{})
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Error(err)
			}
			if ran {
				runs++
			}
		})
	}
	all.Wait()
	if runs != 1 {
		t.Errorf("%d of 4 reclaimed", runs)
	}
}

// maxNote bounds the length of the notes below, which count as bytes of the
// store before they are replaced.
const maxNote = 32

// What the note says may be anything; the store's own size mends it.
func TestAutoGCNote(t *testing.T) {
	for _, tc := range []struct {
		name, note string
	}{
		{"missing", ""}, {"text", "soon\n"}, {"negative", "-5\n"}, {"more than there is", "9223372036854775807\n"}, {"out of range", "99999999999999999999\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := gitstoretest.NewDir(t)
			publishNoise(t, dir, 1)
			if tc.note != "" {
				if err := os.WriteFile(filepath.Join(dir, "reclaimed"), []byte(tc.note), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if autoGC(t, dir) {
				t.Error("reclaimed without knowing that the store has grown")
			}
			if size, bound := storeBytes(t, dir), reclaimBound(t, dir); bound > 2*(size+maxNote)+1<<20 || bound < size {
				t.Errorf("%d bytes, bound %d", size, bound)
			}
		})
	}
}

// A damaged store is tried once, not after each publication.
func TestAutoGCDamage(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "codeidx")
	s := gitstoretest.Open(t, dir, gitstore.Options{Create: true})
	gitstoretest.Publish(t, s, gitstore.Current, noise(0))
	s.Close()
	autoGC(t, dir)
	for seed := range uint64(15) {
		publishNoise(t, dir, seed+1)
	}
	refs, _ := filepath.Glob(filepath.Join(dir, "refs", "codeidx", gitstoretest.Binding, "current"))
	if len(refs) != 1 {
		t.Fatal("no ref")
	}
	if err := os.WriteFile(refs[0], []byte("nothing\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	before := storeBytes(t, dir)
	if _, ran, err := gitstore.AutoGC(t.Context(), dir, gitstore.GCOptions{}); err == nil || ran {
		t.Fatalf("reclaimed a damaged store: %v", err)
	}
	if after := storeBytes(t, dir); after < before {
		t.Errorf("%d bytes of %d are left", after, before)
	}
	if autoGC(t, dir) {
		t.Error("tried again")
	}
}
