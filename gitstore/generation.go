package gitstore

import (
	"errors"
	"fmt"
	"time"
)

// ErrNoGeneration is returned where nothing has been published.
var ErrNoGeneration = errors.New("no generation")

// Generation is one completely published index. The store must stay open while
// it is read.
type Generation struct {
	*Root
	store       *Store
	Commit      OID
	Time        time.Time // when it was built, to the second
	Predecessor OID       // the commit that it replaced when it was built
	Ref         RefName   // the pointer that led here, "" if opened by digest
	// Fallback is set when another pointer was asked for and its generation
	// is damaged: what is wrong with it.
	Fallback error
}

// fallbacks are the pointers to try when one leads to damage.
var fallbacks = map[RefName][]RefName{
	Live:     {Live, Current, Previous},
	Current:  {Current, Previous},
	Previous: {Previous},
}

// Generation opens the generation that a pointer of a binding names. If it is
// damaged, it opens the next older one that is not and reports that in
// Fallback. It is ErrNoGeneration where nothing was published, and matches
// ErrCorrupt where no generation can be read.
func (s *Store) Generation(binding string, ref RefName) (*Generation, error) {
	if err := checkBinding(binding); err != nil {
		return nil, err
	}
	var damage error
	for _, name := range fallbacks[ref] {
		g, err := s.openPointer(binding, name)
		switch {
		case err == nil:
			g.Ref, g.Fallback = name, damage
			return g, nil
		case errors.Is(err, ErrCorrupt):
			damage = errors.Join(damage, fmt.Errorf("open %s generation: %w", name, err))
		case !errors.Is(err, ErrNoRef):
			return nil, fmt.Errorf("open %s generation: %w", name, err)
		}
	}
	if damage != nil {
		return nil, damage
	}
	return nil, ErrNoGeneration
}

func (s *Store) openPointer(binding string, name RefName) (*Generation, error) {
	oid, err := s.Ref(bindingRef(binding, name))
	if err != nil {
		return nil, err
	}
	return s.GenerationAt(oid)
}

// GenerationOf opens the generation of a manifest, whichever binding built it.
// It is ErrNoGeneration if the store has none.
func (s *Store) GenerationOf(manifest Digest) (*Generation, error) {
	oid, err := s.Ref(genRef(manifest))
	if errors.Is(err, ErrNoRef) {
		return nil, ErrNoGeneration
	}
	if err != nil {
		return nil, err
	}
	g, err := s.GenerationAt(oid)
	if err == nil && g.Manifest != manifest {
		return nil, corruptObject(oid, errors.New("is the generation of another manifest"))
	}
	return g, err
}

// GenerationAt opens the generation whose commit is oid.
func (s *Store) GenerationAt(oid OID) (*Generation, error) {
	c, err := s.commit(oid)
	if err != nil {
		return nil, err
	}
	entries, err := s.tree(c.tree)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.name != rootEntry || e.isDir {
			continue
		}
		root, err := s.root(e.oid)
		if err != nil {
			return nil, err
		}
		if c.trailer(trailerManifest) != root.Manifest.String() {
			return nil, corruptObject(oid, errors.New("names another manifest than its root"))
		}
		g := &Generation{Root: root, store: s, Commit: oid, Time: c.when}
		// A missing or odd predecessor is history, not damage.
		g.Predecessor, _ = ParseOID(c.trailer(trailerPredecessor))
		return g, nil
	}
	return nil, corruptObject(c.tree, errors.New("tree has no root"))
}

func (s *Store) root(oid OID) (*Root, error) {
	data, _, err := s.GetOID(oid)
	if err != nil {
		return nil, err
	}
	root, err := DecodeRoot(data)
	if err != nil {
		return nil, corruptObject(oid, err)
	}
	return root, nil
}

// Get returns the raw bytes of one of the generation's payloads.
func (g *Generation) Get(ref BlobRef) ([]byte, error) { return g.store.Get(ref) }
