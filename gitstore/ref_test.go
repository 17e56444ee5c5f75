package gitstore_test

import (
	"errors"
	"testing"

	"codeidx/gitstore"
	"codeidx/gitstore/gitstoretest"
)

func TestCompareAndSwap(t *testing.T) {
	s := gitstoretest.NewStore(t)
	a := gitstoretest.Publish(t, s, gitstore.Live, numbered(0, 2)).Commit
	b := gitstoretest.Publish(t, s, gitstore.Live, numbered(1, 2)).Commit
	const name = "refs/codeidx/aaaaaaaaaaaaaaaa/live"
	var none gitstore.OID
	for _, step := range []struct {
		pack     bool // git packs the refs before
		old, new gitstore.OID
		want     error
		left     gitstore.OID
	}{
		{false, a, b, gitstore.ErrRefChanged, none},
		{false, none, a, nil, a},
		{false, none, b, gitstore.ErrRefChanged, a},
		{true, a, b, nil, b},
		{true, b, none, nil, none},
		{false, b, none, gitstore.ErrRefChanged, none},
		{true, none, b, nil, b},
	} {
		if step.pack {
			gitstoretest.Git(t, s.Dir(), "pack-refs", "--all")
		}
		if err := s.CompareAndSwap(t.Context(), name, step.old, step.new); !errors.Is(err, step.want) {
			t.Errorf("%v -> %v: %v, want %v", step.old, step.new, err, step.want)
		}
		got, err := s.Ref(name)
		if got != step.left || errors.Is(err, gitstore.ErrNoRef) != step.left.IsZero() {
			t.Errorf("%v -> %v leaves %v, %v", step.old, step.new, got, err)
		}
		if out := gitstoretest.Git(t, s.Dir(), "for-each-ref", "--format=%(objectname)", name); (out != "") != !step.left.IsZero() {
			t.Errorf("%v -> %v: git sees %q", step.old, step.new, out)
		}
	}
}

func TestPublishRefuses(t *testing.T) {
	s := gitstoretest.NewStore(t)
	old := numbered(0, 3)
	pub := gitstoretest.Publish(t, s, gitstore.Current, old)
	manifest := gitstore.DigestOf([]byte("m"))
	missing := gitstore.BlobRef{Digest: manifest}
	for _, tc := range []struct {
		name string
		pub  gitstore.Publication
		want error // nil: any
	}{
		{"predecessor that is not", gitstore.Publication{Root: gitstore.Root{Manifest: manifest}}, gitstore.ErrRefChanged},
		{"no manifest", gitstore.Publication{Predecessor: pub.Commit}, nil},
		{"missing block", gitstore.Publication{Predecessor: pub.Commit, Root: gitstore.Root{
			Manifest: manifest, Sections: map[string][]gitstore.BlockRef{"facts": {{Blob: missing}}},
		}}, gitstore.ErrMissing},
		{"missing attachment", gitstore.Publication{Predecessor: pub.Commit, Root: gitstore.Root{Manifest: manifest},
			Attached: map[string][]gitstore.BlobRef{"facts": {missing}}}, gitstore.ErrMissing},
		{"trailer of two lines", gitstore.Publication{Predecessor: pub.Commit, Root: gitstore.Root{Manifest: manifest},
			Trailers: []gitstore.Trailer{{Key: "A", Value: "b\nc"}}}, nil},
	} {
		w, err := s.NewWriter()
		if err != nil {
			t.Fatal(err)
		}
		tc.pub.Binding, tc.pub.Ref = gitstoretest.Binding, gitstore.Current
		if _, err := w.Publish(t.Context(), tc.pub); err == nil || tc.want != nil && !errors.Is(err, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, err, tc.want)
		}
		if _, err := w.Put([]byte("x")); err == nil {
			t.Errorf("%s: writer goes on", tc.name)
		}
		wantContent(t, s, gitstore.Current, old)
	}
}
