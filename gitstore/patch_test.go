package gitstore

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// packed is a table of rows with a store of its blocks.
func packed(rows []Row) (*Table, map[Digest][]byte) {
	stored := map[Digest][]byte{}
	var refs []BlockRef
	for _, b := range PackRows(rows) {
		ref := BlobRef{Digest: DigestOf(b.Data), Len: uint32(len(b.Data))}
		stored[ref.Digest] = b.Data
		refs = append(refs, BlockRef{[]byte(b.Key), ref})
	}
	return NewTable("test", refs, func(r BlobRef) ([]byte, error) { return stored[r.Digest], nil }), stored
}

func rowGen(t *rapid.T, key string) Row {
	size := rapid.SampledFrom([]int{0, 10, 1000, 3000, 9000, 17000, 30000, 57000}).Draw(t, "size")
	return Row{key, []byte(strings.Repeat(rapid.StringMatching("[a-c]").Draw(t, "fill"), size))}
}

// Patching a table gives the blocks of packing its new rows.
func TestPatchIsPack(t *testing.T) {
	kept := 0
	rapid.Check(t, func(t *rapid.T) {
		key := func(i int) string { return fmt.Sprintf("k%02d", i) }
		var before, after []Row
		var changes []RowChange
		for i := range rapid.IntRange(0, 60).Draw(t, "keys") {
			there := rapid.IntRange(0, 3).Draw(t, "there") > 0
			row := rowGen(t, key(i))
			if there {
				before = append(before, row)
			}
			switch rapid.IntRange(0, 12).Draw(t, "change") {
			case 0:
				changes = append(changes, RowChange{Row{Key: key(i)}, true})
			case 1:
				row = rowGen(t, key(i))
				changes = append(changes, RowChange{Row: row})
				after = append(after, row)
			default:
				if there {
					after = append(after, row)
				}
			}
		}
		table, stored := packed(before)
		blocks, err := table.Patch(changes)
		if err != nil {
			t.Fatal(err)
		}
		var got []RowBlock
		for _, b := range blocks {
			if b.Kept != nil {
				kept++
				b.New = RowBlock{string(b.Kept.Key), stored[b.Kept.Blob.Digest]}
			}
			got = append(got, b.New)
		}
		want := PackRows(after)
		if !slices.EqualFunc(want, got, func(a, b RowBlock) bool { return a.Key == b.Key && string(a.Data) == string(b.Data) }) {
			t.Fatalf("other blocks: %s", cmp.Diff(keysOf(want), keysOf(got)))
		}
	})
	if kept == 0 {
		t.Error("no block was ever kept")
	}
}

func keysOf(blocks []RowBlock) []string {
	var keys []string
	for _, b := range blocks {
		keys = append(keys, fmt.Sprintf("%s %d", b.Key, len(b.Data)))
	}
	return keys
}

// One changed row of a large table reads and writes a few blocks only.
func TestPatchTouchesLittle(t *testing.T) {
	var rows []Row
	for i := range 5000 {
		rows = append(rows, Row{fmt.Sprintf("key%06d", i), []byte(strings.Repeat("x", 300))})
	}
	table, _ := packed(rows)
	get, read := table.get, 0
	table.get = func(r BlobRef) ([]byte, error) { read++; return get(r) }
	blocks, err := table.Patch([]RowChange{{Row: Row{"key002500", []byte("other")}}})
	if err != nil {
		t.Fatal(err)
	}
	fresh := 0
	for _, b := range blocks {
		if b.Kept == nil {
			fresh++
		}
	}
	if all, _ := table.Blocks(); read > 3 || fresh > 3 || all < 40 {
		t.Errorf("read %d and wrote %d of %d blocks", read, fresh, all)
	}
}
