package query

import (
	"bytes"
	"context"

	"codeidx/fulltext"
	"codeidx/gitstore"
)

// textBlocks gives the full-text index its blocks from the store.
type textBlocks struct {
	gen     *gitstore.Generation
	section gitstore.Section
}

// Floor returns the block with the greatest key that is at most key.
func (t *textBlocks) Floor(key []byte) (fulltext.Block, error) { return t.block(t.section.Find(key)) }

// Ceil returns the block with the least key that is at least key.
func (t *textBlocks) Ceil(key []byte) (fulltext.Block, error) {
	i := t.section.Find(key)
	if i < 0 || !bytes.Equal(t.section.Blocks[i].Key, key) {
		i++
	}
	return t.block(i)
}

func (t *textBlocks) block(i int) (fulltext.Block, error) {
	if i < 0 || i >= len(t.section.Blocks) {
		return fulltext.Block{}, nil
	}
	ref := &t.section.Blocks[i]
	data, err := t.gen.Get(ref.Blob)
	return fulltext.Block{Key: ref.Key, Data: data}, err
}

// textIndex opens the full-text index over all symbols.
func (x *Index) textIndex(ctx context.Context) (*fulltext.Index, error) {
	return fulltext.Open(ctx, &textBlocks{x.gen, x.gen.Section(gitstore.TextSection)})
}
