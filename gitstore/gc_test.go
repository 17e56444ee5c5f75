package gitstore_test

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"codeidx/gitstore"
	"codeidx/gitstore/gitstoretest"

	"github.com/google/go-cmp/cmp"
)

func TestGC(t *testing.T) {
	dir := gitstoretest.NewDir(t)
	spool := filepath.Join(t.TempDir(), "binding")
	all := []content{numbered(0, 30), numbered(10, 30), numbered(20, 30), numbered(30, 30), numbered(40, 30)}
	s := gitstoretest.Open(t, dir, gitstore.Options{})
	for i, c := range all {
		ref := gitstore.Current
		if i == len(all)-1 {
			ref = gitstore.Live
		}
		gitstoretest.Publish(t, s, ref, c)
	}
	foldEntries(t, s, spool, 0, 2)
	s.Close()

	for _, tc := range []struct {
		retain int
		stats  gitstore.GCStats
		gone   []content
	}{
		{1, gitstore.GCStats{Kept: 4, Dropped: 1}, nil},
		{0, gitstore.GCStats{Kept: 3, Dropped: 1}, all[:2]},
		{0, gitstore.GCStats{Kept: 3}, all[:2]},
	} {
		s := gitstoretest.Open(t, dir, gitstore.Options{Exclusive: true})
		got, err := s.GC(t.Context(), gitstore.GCOptions{Retain: tc.retain})
		if err != nil {
			t.Fatal(err)
		}
		tc.stats.Objects, tc.stats.BytesBefore, tc.stats.BytesAfter = got.Objects, got.BytesBefore, got.BytesAfter
		if diff := cmp.Diff(tc.stats, got); diff != "" || got.BytesAfter > got.BytesBefore {
			t.Errorf("(-want +got):\n%s", diff)
		}
		wantContent(t, s, gitstore.Live, all[4])
		wantContent(t, s, gitstore.Current, all[3])
		wantContent(t, s, gitstore.Previous, all[2])
		wantEntries(t, s, spool, 2)
		for _, c := range tc.gone {
			if _, err := s.GenerationOf(c.Manifest()); !errors.Is(err, gitstore.ErrNoGeneration) {
				t.Errorf("dropped generation: %v", err)
			}
		}
		packs, _ := filepath.Glob(filepath.Join(dir, "objects", "pack", "*"))
		if len(packs) != 2 {
			t.Errorf("%d files in objects/pack", len(packs))
		}
		s.Close()
	}
}

func TestClear(t *testing.T) {
	dir := gitstoretest.NewDir(t)
	spool := filepath.Join(t.TempDir(), "binding")
	const other = "bbbbbbbbbbbbbbbb"
	shared, own := numbered(0, 10), numbered(5, 10)
	s := gitstoretest.Open(t, dir, gitstore.Options{Exclusive: true})
	gitstoretest.Publish(t, s, gitstore.Current, own)
	gitstoretest.Publish(t, s, gitstore.Current, shared)
	if _, err := gitstoretest.TryPublish(s, other, gitstore.Current, shared); err != nil {
		t.Fatal(err)
	}
	foldEntries(t, s, spool, 0, 2)

	st, err := s.Clear(t.Context(), gitstoretest.Binding, false, gitstore.GCOptions{})
	if err != nil || st.Kept != 1 || st.Dropped != 1 {
		t.Errorf("%+v, %v", st, err)
	}
	if _, err := s.Generation(gitstoretest.Binding, gitstore.Live); !errors.Is(err, gitstore.ErrNoGeneration) {
		t.Errorf("cleared binding: %v", err)
	}
	if _, err := s.GenerationOf(shared.Manifest()); err != nil {
		t.Errorf("generation of another binding: %v", err)
	}
	wantEntries(t, s, spool, 2)
	if got, err := s.Bindings(); err != nil || !cmp.Equal(got, []string{gitstoretest.Binding, other}) {
		t.Errorf("bindings %v, %v", got, err)
	}
	if _, err := s.Clear(t.Context(), gitstoretest.Binding, true, gitstore.GCOptions{}); err != nil {
		t.Error(err)
	}
	wantEntries(t, s, spool, 0)
	if got, err := s.Bindings(); err != nil || !cmp.Equal(got, []string{other}) {
		t.Errorf("bindings %v, %v", got, err)
	}
}

// TestGCOfDamage damages a generation: what nothing depends on is dropped, the
// current one is not.
func TestGCOfDamage(t *testing.T) {
	for _, tc := range []struct {
		ref  gitstore.RefName
		want error
	}{{gitstore.Previous, nil}, {gitstore.Current, gitstore.ErrCorrupt}} {
		dir, previous, current := closedStore(t)
		s := gitstoretest.Open(t, dir, gitstore.Options{Exclusive: true})
		c := map[gitstore.RefName]content{gitstore.Previous: previous, gitstore.Current: current}[tc.ref]
		g, err := s.GenerationOf(c.Manifest())
		if err != nil {
			t.Fatal(err)
		}
		// The two share half of their blocks: the first is only the older one's,
		// the last only the newer one's.
		blocks := g.Section(gitstoretest.Section).Blocks
		victim := blocks[0].Blob.OID
		if tc.ref == gitstore.Current {
			victim = blocks[len(blocks)-1].Blob.OID
		}
		damageObject(t, s, dir, victim)
		s.Close()
		s = gitstoretest.Open(t, dir, gitstore.Options{Exclusive: true})
		st, err := s.GC(t.Context(), gitstore.GCOptions{})
		if !errors.Is(err, tc.want) || (err == nil) != (len(st.Damaged) > 0) {
			t.Errorf("%s damaged: %+v, %v", tc.ref, st, err)
		}
		if tc.want == nil {
			wantContent(t, s, gitstore.Current, current)
			if f, err := s.Fsck(t.Context()); len(f) > 0 || err != nil {
				t.Errorf("%v, %v", f, err)
			}
		} else if _, err := s.GenerationOf(previous.Manifest()); err != nil {
			t.Errorf("gc that failed dropped something: %v", err)
		}
	}
}

// TestSweep says which temporary files a new writer removes.
func TestSweep(t *testing.T) {
	s := gitstoretest.NewStore(t)
	w, err := s.NewWriter()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Put([]byte("at work")); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	dir := filepath.Join(s.Dir(), "objects", "pack")
	writeAged(t, filepath.Join(dir, "tmp_pack_dead"), old)
	writeAged(t, filepath.Join(dir, "tmp_pack_young"), time.Now())
	live, _ := filepath.Glob(filepath.Join(dir, "tmp_pack_*"))
	for _, f := range live {
		if filepath.Base(f) != "tmp_pack_young" {
			age(t, f, old)
		}
	}
	other, err := s.NewWriter()
	if err != nil {
		t.Fatal(err)
	}
	defer other.Abort()
	left, _ := filepath.Glob(filepath.Join(dir, "tmp_pack_*"))
	if len(live) != 3 || len(left) != 2 {
		t.Errorf("%d files before, %v after", len(live), left)
	}
	if err := w.Abort(); err != nil {
		t.Error(err)
	}
}
