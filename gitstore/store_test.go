package gitstore_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"codeidx/gitstore"
	"codeidx/gitstore/gitstoretest"

	"github.com/google/go-cmp/cmp"
)

type content = gitstoretest.Content

// numbered returns a content of n distinct payloads.
func numbered(from, n int) content {
	c := content{}
	for i := from; i < from+n; i++ {
		c[fmt.Sprintf("k%05d", i)] = fmt.Sprintf("payload %d of some length, of some length", i)
	}
	return c
}

// wantContent fails the test unless the pointer of the test's binding leads to
// an undamaged generation of the content.
func wantContent(t testing.TB, s *gitstore.Store, ref gitstore.RefName, want content) {
	t.Helper()
	g, err := s.Generation(gitstoretest.Binding, ref)
	if err != nil {
		t.Fatalf("open %s: %v", ref, err)
	}
	if g.Fallback != nil {
		t.Errorf("open %s: fell back to %s: %v", ref, g.Ref, g.Fallback)
	}
	got, err := gitstoretest.Read(g)
	if err != nil {
		t.Fatalf("read %s: %v", ref, err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", ref, diff)
	}
}

func TestPublishAndRead(t *testing.T) {
	s := gitstoretest.NewStore(t)
	if _, err := s.Generation(gitstoretest.Binding, gitstore.Live); !errors.Is(err, gitstore.ErrNoGeneration) {
		t.Errorf("before the first publication: %v", err)
	}
	a, b, c := numbered(0, 300), numbered(1, 300), numbered(2, 10)
	gitstoretest.Publish(t, s, gitstore.Current, a)
	wantContent(t, s, gitstore.Current, a)
	wantContent(t, s, gitstore.Live, a)

	gitstoretest.Publish(t, s, gitstore.Live, b)
	wantContent(t, s, gitstore.Current, a)
	wantContent(t, s, gitstore.Live, b)

	pub := gitstoretest.Publish(t, s, gitstore.Current, c)
	if pub.Reused || pub.Stats.Stored == 0 {
		t.Errorf("new content: %+v", pub)
	}
	wantContent(t, s, gitstore.Live, c)
	wantContent(t, s, gitstore.Current, c)
	wantContent(t, s, gitstore.Previous, a)

	if pub = gitstoretest.Publish(t, s, gitstore.Current, a); !pub.Reused {
		t.Errorf("content that is stored already: %+v", pub)
	}
	wantContent(t, s, gitstore.Previous, c)
	g, err := s.GenerationOf(b.Manifest())
	if err != nil || g.Commit.IsZero() {
		t.Errorf("generation by manifest: %v", err)
	}
}

// TestOrdinaryGit looks at the store with git alone.
func TestOrdinaryGit(t *testing.T) {
	s := gitstoretest.NewStore(t)
	pub := gitstoretest.Publish(t, s, gitstore.Current, numbered(0, 300))
	dir := s.Dir()
	if got := gitstoretest.Git(t, dir, "rev-parse", "refs/codeidx/"+gitstoretest.Binding+"/current"); got != pub.Commit.String()+"\n" {
		t.Errorf("git sees %q, published %v", got, pub.Commit)
	}
	if got := gitstoretest.Git(t, dir, "log", "--format=%an <%ae> %s", pub.Commit.String()); got !=
		"codeidx <codeidx@localhost> generation "+numbered(0, 300).Manifest().String()[:12]+"\n" {
		t.Errorf("git log says %q", got)
	}
	if got := gitstoretest.Git(t, dir, "cat-file", "-t", pub.Commit.String()+":manifest"); got != "blob\n" {
		t.Errorf("root is a %q", got)
	}
}

func TestOpenErrors(t *testing.T) {
	ctx := context.Background()
	dir := filepath.Join(t.TempDir(), "codeidx")
	if _, err := gitstore.Open(ctx, dir, gitstore.Options{}); !errors.Is(err, gitstore.ErrNoStore) {
		t.Errorf("no store: %v", err)
	}
	gitstoretest.Open(t, dir, gitstore.Options{Create: true}).Close()
	for _, tc := range []struct {
		format string
		want   error
	}{{"0\n", gitstore.ErrNoStore}, {"", gitstore.ErrNoStore}, {"2\n", gitstore.ErrNewerStore}, {"1\n", nil}} {
		if err := os.WriteFile(filepath.Join(dir, "format"), []byte(tc.format), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := gitstore.Open(ctx, dir, gitstore.Options{})
		if !errors.Is(err, tc.want) {
			t.Errorf("format %q: %v, want %v", tc.format, err, tc.want)
		}
		if err == nil {
			s.Close()
		}
	}
}

// TestRepoint goes back to a generation that is stored, without writing any.
func TestRepoint(t *testing.T) {
	s := gitstoretest.NewStore(t)
	a, b := numbered(0, 5), numbered(3, 5)
	first := gitstoretest.Publish(t, s, gitstore.Current, a).Commit
	second := gitstoretest.Publish(t, s, gitstore.Current, b).Commit
	g, err := s.GenerationOf(a.Manifest())
	if err != nil || g.Commit != first {
		t.Fatalf("generation of a: %v, %v", g, err)
	}
	if err := s.Repoint(t.Context(), gitstoretest.Binding, gitstore.Current, first, g); !errors.Is(err, gitstore.ErrRefChanged) {
		t.Errorf("from a predecessor that is not: %v", err)
	}
	if err := s.Repoint(t.Context(), gitstoretest.Binding, gitstore.Current, second, g); err != nil {
		t.Fatal(err)
	}
	wantContent(t, s, gitstore.Current, a)
	wantContent(t, s, gitstore.Live, a)
	wantContent(t, s, gitstore.Previous, b)
}
