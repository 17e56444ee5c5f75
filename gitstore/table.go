package gitstore

import (
	"bytes"
	"fmt"
	"sort"
	"strings"
	"sync"
)

// Table reads one sorted table of a generation, block by block: a lookup
// decodes the one block that may hold its key. Safe for concurrent use.
type Table struct {
	name   string
	blocks []BlockRef
	get    func(BlobRef) ([]byte, error)

	mu     sync.Mutex
	cached map[int][]Row
}

// NewTable returns the table made of blocks, sorted by first key, whose bytes
// get returns.
func NewTable(name string, blocks []BlockRef, get func(BlobRef) ([]byte, error)) *Table {
	return &Table{name: name, blocks: blocks, get: get, cached: map[int][]Row{}}
}

// Blocks returns the number of blocks and their raw bytes.
func (t *Table) Blocks() (n int, raw int64) {
	for i := range t.blocks {
		raw += int64(t.blocks[i].Blob.Len)
	}
	return len(t.blocks), raw
}

// Row returns the data of the row with the key.
func (t *Table) Row(key string) (data []byte, ok bool, err error) {
	i := t.block(key)
	if i < 0 {
		return nil, false, nil
	}
	rows, err := t.rows(i)
	if err != nil {
		return nil, false, err
	}
	data, ok = findRow(rows, key)
	return data, ok, nil
}

// Scan calls f for each row whose key starts with prefix, in order, until f
// returns false.
func (t *Table) Scan(prefix string, f func(Row) bool) error {
	for i := max(t.block(prefix), 0); i < len(t.blocks); i++ {
		if k := t.blocks[i].Key; string(k) > prefix && !bytes.HasPrefix(k, []byte(prefix)) {
			return nil
		}
		rows, err := t.rows(i)
		if err != nil {
			return err
		}
		for _, r := range rows {
			if strings.HasPrefix(r.Key, prefix) && !f(r) {
				return nil
			}
		}
	}
	return nil
}

// block returns the last block whose first key is not above key, or -1.
func (t *Table) block(key string) int {
	return sort.Search(len(t.blocks), func(i int) bool { return string(t.blocks[i].Key) > key }) - 1
}

func (t *Table) rows(i int) ([]Row, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if rows, ok := t.cached[i]; ok {
		return rows, nil
	}
	b, err := t.get(t.blocks[i].Blob)
	if err != nil {
		return nil, fmt.Errorf("read table %s: %w", t.name, err)
	}
	rows, err := UnpackRows(b)
	if err != nil {
		return nil, fmt.Errorf("read table %s: %w", t.name, err)
	}
	t.cached[i] = rows
	return rows, nil
}
