package build

import (
	"context"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"codeidx/fulltext/trigram"
	"codeidx/gitstore"
)

// trigramRun is the files of one run of the trigram index.
type trigramRun struct {
	files   []trigram.File
	sources []gitstore.BlobRef
	blocks  []gitstore.BlockRef // once written
}

// trigramRuns cuts the captured files, sorted by path, into runs. Empty files
// match nothing.
func trigramRuns(entries []gitstore.Entry) []*trigramRun {
	var runs []*trigramRun
	open, size := false, int64(0)
	for i := range entries {
		e := &entries[i]
		if e.Source.Len == 0 {
			continue
		}
		if !open {
			runs, open, size = append(runs, &trigramRun{}), true, 0
		}
		r := runs[len(runs)-1]
		r.files = append(r.files, trigram.File{Path: e.Path, Lang: e.Lang, Sum: e.SHA256})
		r.sources = append(r.sources, e.Source)
		size += e.Size
		open = !trigram.Boundary(e.Path, len(r.files), size)
	}
	return runs
}

// writeTrigrams writes the trigram index of the captured source. A run whose
// members an earlier generation has takes its blocks over; of any other the
// source is read back, run by run, so that memory stays bounded.
func (d *draft) writeTrigrams(ctx context.Context, w *gitstore.Writer, entries []gitstore.Entry, prior []*gitstore.Generation) error {
	runs := trigramRuns(entries)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, r := range runs {
		group.Go(func() error {
			if err := ctx.Err(); err != nil || r.takeOver(w, prior) {
				return err
			}
			return r.write(w)
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	var refs []gitstore.BlockRef
	for _, r := range runs {
		refs = append(refs, r.blocks...)
	}
	d.add(gitstore.TrigramSection, refs)
	return nil
}

// takeOver takes the blocks of the same run of an earlier generation. What is
// missing or damaged there is made again.
func (r *trigramRun) takeOver(w *gitstore.Writer, prior []*gitstore.Generation) bool {
	head, members := trigram.HeadKey(r.files), trigram.Members(r.files)
	for _, g := range prior {
		section := g.Section(gitstore.TrigramSection)
		i := section.Find(head)
		if i < 0 || string(section.Blocks[i].Key) != string(head) {
			continue
		}
		if data, err := g.Get(section.Blocks[i].Blob); err != nil || !trigram.HasMembers(data, members) {
			continue
		}
		n := i
		for n < len(section.Blocks) && trigram.SameRun(section.Blocks[n].Key, head) && w.Known(section.Blocks[n].Blob) == nil {
			n++
		}
		if n == len(section.Blocks) || !trigram.SameRun(section.Blocks[n].Key, head) {
			r.blocks = section.Blocks[i:n:n]
			return true
		}
	}
	return false
}

// encoders keep their memory between runs.
var encoders = sync.Pool{New: func() any { return &trigram.Encoder{} }}

func (r *trigramRun) write(w *gitstore.Writer) error {
	e := encoders.Get().(*trigram.Encoder)
	defer encoders.Put(e)
	blocks, err := e.Encode(r.files, func(i int) ([]byte, error) { return w.Get(r.sources[i]) })
	if err != nil {
		return err
	}
	for _, b := range blocks {
		ref, err := w.Put(b.Data)
		if err != nil {
			return err
		}
		r.blocks = append(r.blocks, gitstore.BlockRef{Key: b.Key, Blob: ref})
	}
	return nil
}
