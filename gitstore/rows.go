package gitstore

import (
	"encoding/binary"
	"errors"
	"hash/fnv"
	"sort"
)

// Row is one record of a table, by key. Tables are sorted by key bytes and
// cut into blocks; keys are unique.
type Row struct {
	Key  string
	Data []byte
}

// RowBlock is one encoded block of a table and its first key.
type RowBlock struct {
	Key  string
	Data []byte
}

// A block ends after a row whose key hashes to a boundary once it holds
// minBlock bytes, and at maxBlock bytes in any case. So an inserted or changed
// row touches its own block only: all others keep their bytes and ids.
const (
	minBlock     = 16 << 10
	maxBlock     = 56 << 10
	boundaryBits = 3
)

var errRows = errors.New("malformed table block")

// PackRows cuts sorted rows into blocks. Block:
//
//	count, per row: length of the key's prefix shared with the row before,
//	length of the rest, the rest, length of the data;
//	then all data
//
// All numbers are unsigned varints.
func PackRows(rows []Row) []RowBlock {
	var blocks []RowBlock
	for len(rows) > 0 {
		n := blockEnd(rows, true)
		blocks = append(blocks, RowBlock{rows[0].Key, packBlock(rows[:n])})
		rows = rows[n:]
	}
	return blocks
}

// blockEnd returns how many of the rows make the first block. Where they are
// not the table's last ones it may depend on those that follow: then it is 0.
func blockEnd(rows []Row, last bool) int {
	size := 0
	for i := range rows {
		size += len(rows[i].Key) + len(rows[i].Data) + 4
		if size >= maxBlock || size >= minBlock && boundary(rows[i].Key) {
			return i + 1
		}
		if i+1 < len(rows) && size+len(rows[i+1].Data) > maxBlock {
			return i + 1
		}
	}
	if last {
		return len(rows)
	}
	return 0
}

func boundary(key string) bool {
	h := fnv.New32a()
	h.Write([]byte(key))
	return h.Sum32()>>(32-boundaryBits) == 0
}

func packBlock(rows []Row) []byte {
	size := binary.MaxVarintLen32
	for i := range rows {
		size += len(rows[i].Key) + len(rows[i].Data) + 3*binary.MaxVarintLen32
	}
	b := binary.AppendUvarint(make([]byte, 0, size), uint64(len(rows)))
	last := ""
	for i := range rows {
		shared := sharedPrefix(last, rows[i].Key)
		b = binary.AppendUvarint(b, uint64(shared))
		b = binary.AppendUvarint(b, uint64(len(rows[i].Key)-shared))
		b = append(b, rows[i].Key[shared:]...)
		b = binary.AppendUvarint(b, uint64(len(rows[i].Data)))
		last = rows[i].Key
	}
	for i := range rows {
		b = append(b, rows[i].Data...)
	}
	return b
}

func sharedPrefix(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// UnpackRows reads one block. Data aliases the block.
func UnpackRows(block []byte) ([]Row, error) {
	b := block
	uint := func() (uint64, bool) {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			return 0, false
		}
		b = b[n:]
		return v, true
	}
	count, ok := uint()
	if !ok || count > uint64(len(b))/3 {
		return nil, errRows
	}
	rows := make([]Row, count)
	sizes := make([]uint64, count)
	last := ""
	for i := range rows {
		shared, ok1 := uint()
		rest, ok2 := uint()
		if !ok1 || !ok2 || shared > uint64(len(last)) || rest > uint64(len(b)) {
			return nil, errRows
		}
		key := last[:shared] + string(b[:rest])
		b = b[rest:]
		if sizes[i], ok = uint(); !ok || i > 0 && key <= last {
			return nil, errRows
		}
		rows[i].Key, last = key, key
	}
	for i := range rows {
		if sizes[i] > uint64(len(b)) {
			return nil, errRows
		}
		rows[i].Data = b[:sizes[i]:sizes[i]]
		b = b[sizes[i]:]
	}
	if len(b) != 0 {
		return nil, errRows
	}
	return rows, nil
}

// findRow returns the data of the row with the key.
func findRow(rows []Row, key string) ([]byte, bool) {
	i := sort.Search(len(rows), func(i int) bool { return rows[i].Key >= key })
	if i < len(rows) && rows[i].Key == key {
		return rows[i].Data, true
	}
	return nil, false
}
