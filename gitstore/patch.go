package gitstore

// RowChange is a row that a table has from now on, or one that it loses.
type RowChange struct {
	Row
	Gone bool
}

// PatchedBlock is a block of a patched table: one that the table had, or a new
// one with its bytes.
type PatchedBlock struct {
	Kept *BlockRef
	New  RowBlock
}

// Patch returns the blocks that PackRows would make of the table's rows after
// changes, which are sorted by key without duplicates. It reads only the blocks
// that changes fall into and those whose borders may move.
func (t *Table) Patch(changes []RowChange) ([]PatchedBlock, error) {
	p := patcher{table: t, changes: changes}
	for i := range t.blocks {
		if err := p.block(i); err != nil {
			return nil, err
		}
	}
	p.pending = applyChanges(p.pending, p.changes) // of a table without blocks
	p.cut(true)
	return p.out, nil
}

// patcher is a Patch under way.
type patcher struct {
	table   *Table
	changes []RowChange // still to come
	pending []Row       // not yet in a block
	out     []PatchedBlock
}

// block takes one block of the table.
func (p *patcher) block(i int) error {
	t := p.table
	last := i == len(t.blocks)-1
	n := len(p.changes)
	follower := false // the row after the block changes, which may move its end
	if !last {
		next := string(t.blocks[i+1].Key)
		for n = 0; n < len(p.changes) && p.changes[n].Key < next; n++ {
		}
		follower = n < len(p.changes) && p.changes[n].Key == next
	}
	if len(p.pending) == 0 && n == 0 && !follower {
		p.out = append(p.out, PatchedBlock{Kept: &t.blocks[i]})
		return nil
	}
	rows, err := t.rows(i)
	if err != nil {
		return err
	}
	if n == 0 && !follower && p.endsBefore(rows) {
		p.out = append(p.out, PatchedBlock{Kept: &t.blocks[i]})
		return nil
	}
	p.pending = append(p.pending, applyChanges(rows, p.changes[:n])...)
	p.changes = p.changes[n:]
	p.cut(last)
	return nil
}

// endsBefore closes the pending rows as blocks where they end with the first of
// the rows that follow, and says whether they did.
func (p *patcher) endsBefore(rows []Row) bool {
	all := append(p.pending[:len(p.pending):len(p.pending)], rows[0])
	if n := blockEnd(all, false); n != len(p.pending) {
		return false
	}
	p.emit(len(p.pending))
	return true
}

// cut makes blocks of the pending rows as far as their ends are certain.
func (p *patcher) cut(last bool) {
	for len(p.pending) > 0 {
		n := blockEnd(p.pending, last)
		if n == 0 {
			return
		}
		p.emit(n)
	}
}

func (p *patcher) emit(n int) {
	p.out = append(p.out, PatchedBlock{New: RowBlock{p.pending[0].Key, packBlock(p.pending[:n])}})
	p.pending = p.pending[n:]
}

// applyChanges merges changes into sorted rows.
func applyChanges(rows []Row, changes []RowChange) []Row {
	if len(changes) == 0 {
		return rows
	}
	out := make([]Row, 0, len(rows)+len(changes))
	for _, c := range changes {
		for len(rows) > 0 && rows[0].Key < c.Key {
			out, rows = append(out, rows[0]), rows[1:]
		}
		if len(rows) > 0 && rows[0].Key == c.Key {
			rows = rows[1:]
		}
		if !c.Gone {
			out = append(out, c.Row)
		}
	}
	return append(out, rows...)
}
