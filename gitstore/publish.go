package gitstore

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Publication is a generation to be published.
type Publication struct {
	Binding string
	// Ref is Current for an explicit index or sync, which also moves Live
	// and, when the content is another, Previous; or Live alone.
	Ref  RefName
	Root Root
	// Attached are payloads that blocks refer to from within, by the name
	// of a section or another name of that form. A payload that is neither
	// here nor a section's block is reclaimed by the next gc.
	Attached map[string][]BlobRef
	// Predecessor is what Ref pointed at when the build began, zero if
	// nothing. Publishing fails with ErrRefChanged if it has moved since.
	Predecessor OID
	Trailers    []Trailer
	Time        time.Time // of the commit; zero: now
}

// Published says what a publication came to.
type Published struct {
	Commit OID
	Reused bool // the generation was in the store already
	Folded int  // packs that were joined into one
	Stats  WriteStats
}

const rootEntry = "manifest"

// Publish writes the generation and moves the refs: pack, index, generation
// ref, binding refs, each complete before the next. However it ends, the writer
// has ended; unless it returns nil, Ref points where it did.
func (w *Writer) Publish(ctx context.Context, p Publication) (pub Published, err error) {
	defer func() { err = errors.Join(err, w.Abort()) }()
	if err := p.check(); err != nil {
		return Published{}, fmt.Errorf("publish: %w", err)
	}
	tree, err := w.putTree(&p)
	if err != nil {
		return Published{}, fmt.Errorf("publish: %w", err)
	}
	if pub.Commit, pub.Reused = w.store.reusable(p.Root.Manifest, tree); !pub.Reused {
		if pub.Commit, err = w.putCommit(&p, tree); err != nil {
			return Published{}, fmt.Errorf("publish: %w", err)
		}
	}
	if err := ctx.Err(); err != nil {
		return Published{}, fmt.Errorf("publish: %w", err)
	}
	if _, err := w.pack.finish(rebuildable); err != nil {
		return Published{}, fmt.Errorf("publish: %w", err)
	}
	if err := w.store.point(ctx, p.Binding, p.Ref, p.Predecessor, pub.Commit, p.Root.Manifest); err != nil {
		return Published{}, fmt.Errorf("publish: %w", err)
	}
	pub.Stats = w.Stats()
	// The generation stands; folding can as well be done next time.
	pub.Folded, _ = w.store.fold()
	return pub, nil
}

func (p *Publication) check() error {
	if err := checkBinding(p.Binding); err != nil {
		return err
	}
	if p.Ref != Current && p.Ref != Live {
		return fmt.Errorf("cannot publish to %q", p.Ref)
	}
	if p.Root.Manifest.IsZero() {
		return errors.New("no manifest digest")
	}
	if p.Time.IsZero() {
		p.Time = time.Now()
	}
	return nil
}

// putTree writes the root and the trees.
func (w *Writer) putTree(p *Publication) (OID, error) {
	encoded, err := p.Root.Encode()
	if err != nil {
		return OID{}, err
	}
	root, err := w.Put(encoded)
	if err != nil {
		return OID{}, err
	}
	groups := map[string][]OID{}
	for name, blocks := range p.Root.Sections {
		for i := range blocks {
			groups[name] = append(groups[name], blocks[i].Blob.OID)
		}
	}
	for name, refs := range p.Attached {
		if err := checkSectionName(name); err != nil {
			return OID{}, err
		}
		for i := range refs {
			groups[name] = append(groups[name], refs[i].OID)
		}
	}
	files := []treeFile{{rootEntry, root.OID}}
	for name, oids := range groups {
		files = appendGroup(files, name, oids)
	}
	if err := w.allStored(files); err != nil {
		return OID{}, err
	}
	return buildTrees(files, w.putObject)
}

// fanoutFrom is the number of blobs from which on a group of the tree has one
// directory for each first byte, so that a changed blob rewrites a small tree.
const fanoutFrom = 256

// appendGroup gives the blobs of one group their paths. A blob is called by its
// id: so what stays keeps its place.
func appendGroup(files []treeFile, name string, oids []OID) []treeFile {
	seen := make(map[OID]bool, len(oids))
	for _, oid := range oids {
		seen[oid] = true
	}
	for oid := range seen {
		hex := oid.String()
		if len(seen) >= fanoutFrom {
			hex = hex[:2] + "/" + hex[2:]
		}
		files = append(files, treeFile{name + "/" + hex, oid})
	}
	return files
}

// allStored keeps a generation from being published that refers to what is not
// there.
func (w *Writer) allStored(files []treeFile) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, f := range files {
		if _, ok := w.objects[f.oid]; !ok && !w.store.hasObject(f.oid) {
			return fmt.Errorf("%s: %w", f.path, corruptObject(f.oid, ErrMissing))
		}
	}
	return nil
}

func (w *Writer) putCommit(p *Publication, tree OID) (OID, error) {
	c := commit{tree: tree, when: p.Time, subject: "generation " + p.Root.Manifest.String()[:12]}
	c.trailers = append(c.trailers, Trailer{trailerManifest, p.Root.Manifest.String()})
	if !p.Predecessor.IsZero() {
		c.trailers = append(c.trailers, Trailer{trailerPredecessor, p.Predecessor.String()})
	}
	c.trailers = append(c.trailers, p.Trailers...)
	data, err := c.encode()
	if err != nil {
		return OID{}, err
	}
	return w.putObject(typeCommit, data)
}

// reusable returns the commit of the stored generation of manifest if it has
// this very tree, whose objects the writer has just put or found.
func (s *Store) reusable(manifest Digest, tree OID) (OID, bool) {
	oid, err := s.Ref(genRef(manifest))
	if err != nil {
		return OID{}, false
	}
	c, err := s.commit(oid)
	if err != nil || c.tree != tree || c.trailer(trailerManifest) != manifest.String() {
		return OID{}, false
	}
	return oid, true
}

// Repoint publishes a generation that is in the store already, as after
// switching back to a branch: only refs move. predecessor is as in Publication.
func (s *Store) Repoint(ctx context.Context, binding string, ref RefName, predecessor OID, g *Generation) error {
	p := Publication{Binding: binding, Ref: ref, Root: Root{Manifest: g.Root.Manifest}}
	if err := p.check(); err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	if err := s.point(ctx, binding, ref, predecessor, g.Commit, g.Root.Manifest); err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	return nil
}

// point moves the refs to a stored generation, the one that was asked for last.
// A crash in between leaves what an automatic sync leaves, or costs the older
// baseline; it never makes Current lead to less than before.
func (s *Store) point(ctx context.Context, binding string, ref RefName, predecessor, to OID, manifest Digest) error {
	return s.updateRefs(ctx, func(tx *refUpdate) error {
		have, err := tx.get(bindingRef(binding, ref))
		if err != nil {
			return err
		}
		if have != predecessor {
			return fmt.Errorf("%w: %s is %v, not %v", ErrRefChanged, ref, have, predecessor)
		}
		moves := []refMove{{genRef(manifest), to}, {bindingRef(binding, Live), to}}
		if ref == Current {
			if s.isBaseline(have, manifest) {
				moves = append(moves, refMove{bindingRef(binding, Previous), have})
			}
			moves = append(moves, refMove{bindingRef(binding, Current), to})
		}
		for _, m := range moves {
			if err := tx.move(m); err != nil {
				return err
			}
		}
		return nil
	})
}

type refMove struct {
	name string
	to   OID
}

// isBaseline reports whether a former current generation is worth keeping as
// previous: readable, and of other content than manifest.
func (s *Store) isBaseline(oid OID, manifest Digest) bool {
	if oid.IsZero() {
		return false
	}
	c, err := s.commit(oid)
	return err == nil && c.trailer(trailerManifest) != manifest.String()
}

// move sets a ref unless it has the value already.
func (tx *refUpdate) move(m refMove) error {
	have, err := tx.get(m.name)
	if err != nil || have == m.to {
		return err
	}
	return tx.set(m.name, m.to)
}
