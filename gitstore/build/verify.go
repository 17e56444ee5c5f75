package build

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"codeidx/gitstore"
)

// Verification says whether the generation that serves equals a full rebuild.
type Verification struct {
	Manifest gitstore.Digest
	Files    int
	Blocks   int      // compared
	Stale    bool     // the work tree differs from the index: nothing was compared
	Differs  []string // sections and files that differ, each with what
}

// Verify rebuilds the generation from the bytes alone, in a pack that is
// thrown away, and compares it with the one that serves.
func (b *Builder) Verify(ctx context.Context) (*Verification, error) {
	var v *Verification
	_, err := b.locked(ctx, func(ctx context.Context) (*Result, error) {
		g, err := b.Store.Serving(b.Binding, b.Config.IncludeUntracked)
		if err != nil {
			return nil, err
		}
		if g.Fallback != nil {
			return nil, g.Fallback
		}
		w, err := b.Store.NewWriter()
		if err != nil {
			return nil, err
		}
		defer w.Abort()
		d, err := b.draft(ctx, w, &earlier{}, false)
		if err != nil {
			return nil, err
		}
		v, err = compare(g, d, w)
		return nil, err
	})
	return v, err
}

func compare(g *gitstore.Generation, d *draft, w *gitstore.Writer) (*Verification, error) {
	v := &Verification{Manifest: g.Manifest, Files: len(d.snapshot.Files)}
	if g.Manifest != d.root.Manifest {
		v.Stale = true
		return v, nil
	}
	names := map[string]bool{}
	for n := range g.Sections {
		names[n] = true
	}
	for n := range d.root.Sections {
		names[n] = true
	}
	for n := range names {
		if n == gitstore.FilesSection {
			continue
		}
		v.Blocks += len(d.root.Sections[n])
		if !sameBlocks(g.Sections[n], d.root.Sections[n]) {
			v.Differs = append(v.Differs, "section "+n)
		}
	}
	for n, want := range d.root.Meta {
		if !bytes.Equal(g.Meta[n], want) {
			v.Differs = append(v.Differs, "record "+n)
		}
	}
	if err := v.compareFiles(g, d, w); err != nil {
		return nil, err
	}
	slices.Sort(v.Differs)
	return v, nil
}

// sameBlocks compares raw content: compressed bytes may change with the
// version of the compressor.
func sameBlocks(a, b []gitstore.BlockRef) bool {
	return slices.EqualFunc(a, b, func(x, y gitstore.BlockRef) bool {
		return bytes.Equal(x.Key, y.Key) && x.Blob.Digest == y.Blob.Digest && x.Blob.Len == y.Blob.Len
	})
}

// compareFiles compares what the manifests say of each file, object ids apart.
func (v *Verification) compareFiles(g *gitstore.Generation, d *draft, w *gitstore.Writer) error {
	want := map[string]gitstore.Entry{}
	fresh := gitstore.NewTable(gitstore.FilesSection, d.root.Sections[gitstore.FilesSection], w.Get)
	var failed error
	err := fresh.Scan("", func(r gitstore.Row) bool {
		var e *gitstore.Entry
		if e, failed = gitstore.DecodeEntry(r.Key, r.Data); failed != nil {
			return false
		}
		want[r.Key] = plainEntry(*e)
		return true
	})
	if err != nil || failed != nil {
		return fmt.Errorf("read rebuilt manifest: %w", cmp.Or(err, failed))
	}
	err = g.EachEntry(func(e *gitstore.Entry) {
		if want[e.Path] != plainEntry(*e) {
			v.Differs = append(v.Differs, "file "+e.Path)
		}
		delete(want, e.Path)
	})
	for p := range want {
		v.Differs = append(v.Differs, "file "+p)
	}
	return err
}

// plainEntry drops what may differ between equal entries: where payloads lie,
// and git's id, which depends on the git index of the moment.
func plainEntry(e gitstore.Entry) gitstore.Entry {
	e.Facts.OID, e.Source.OID, e.Blob = gitstore.OID{}, gitstore.OID{}, ""
	return e
}
