package gitstoretest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"codeidx/gitstore"
)

// Content is a small generation: payloads by name.
type Content map[string]string

// Section is where Publish puts them.
const Section = "facts"

// Manifest returns the manifest digest that Publish gives the content.
func (c Content) Manifest() gitstore.Digest {
	return gitstore.DigestOf(fmt.Appendf(nil, "%q", map[string]string(c)))
}

// Publish publishes the content for Binding.
func Publish(t testing.TB, s *gitstore.Store, ref gitstore.RefName, c Content) gitstore.Published {
	t.Helper()
	pub, err := TryPublish(s, Binding, ref, c)
	if err != nil {
		t.Fatalf("publish: %v", err)
	}
	return pub
}

// TryPublish publishes the content for a binding.
func TryPublish(s *gitstore.Store, binding string, ref gitstore.RefName, c Content) (gitstore.Published, error) {
	old, err := s.Ref("refs/codeidx/" + binding + "/" + string(ref))
	if err != nil && !errors.Is(err, gitstore.ErrNoRef) && !errors.Is(err, gitstore.ErrCorrupt) {
		return gitstore.Published{}, err
	}
	w, err := s.NewWriter()
	if err != nil {
		return gitstore.Published{}, err
	}
	var blocks []gitstore.BlockRef
	for _, name := range slices.Sorted(maps.Keys(c)) {
		ref, err := w.Put([]byte(c[name]))
		if err != nil {
			return gitstore.Published{}, errors.Join(err, w.Abort())
		}
		blocks = append(blocks, gitstore.BlockRef{Key: []byte(name), Blob: ref})
	}
	return w.Publish(context.Background(), gitstore.Publication{
		Binding: binding, Ref: ref, Predecessor: old,
		Root: gitstore.Root{Format: 1, Manifest: c.Manifest(), Sections: map[string][]gitstore.BlockRef{Section: blocks}},
	})
}

// Read returns the content of a generation, all of it checked.
func Read(g *gitstore.Generation) (Content, error) {
	c := Content{}
	for _, b := range g.Section(Section).Blocks {
		raw, err := g.Get(b.Blob)
		if err != nil {
			return nil, err
		}
		c[string(b.Key)] = string(raw)
	}
	return c, nil
}
