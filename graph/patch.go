package graph

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// RowChange is a row that a table has from now on, or one that it loses.
type RowChange struct {
	Row
	Gone bool
}

// Patch turns the tables of one program into those of another by difference.
// What a file added to the tables by name and by target is read from its own
// rows, taken out and put in anew. The result is what MakeTables would give.
type Patch struct {
	old   func(table, key string) (data []byte, ok bool, err error)
	Stats Stats

	rows     map[string]map[string]RowChange // by table and key, of the tables by path
	incoming map[string]map[Key]*difference  // by path of the target
	names    map[string]*nameChange
	unbound  map[string]map[string]uint32 // name → path → sites, 0 where there are none any more
}

// difference is the files that begin and cease to refer to a symbol.
type difference struct{ add, drop []string }

// nameChange is the definitions that a name gains, and the files whose former
// ones it loses.
type nameChange struct {
	add  []Key
	drop map[string]bool
}

// NewPatch begins a patch of the tables that old reads, whose counts are stats.
func NewPatch(old func(table, key string) ([]byte, bool, error), stats Stats) *Patch {
	stats.Reasons = maps.Clone(stats.Reasons)
	if stats.Reasons == nil {
		stats.Reasons = map[string]int{}
	}
	return &Patch{
		old: old, Stats: stats, rows: map[string]map[string]RowChange{}, incoming: map[string]map[Key]*difference{},
		names: map[string]*nameChange{}, unbound: map[string]map[string]uint32{},
	}
}

// FileRows are the rows of one file, encoded, with what they were made from.
type FileRows struct {
	Symbols             *FileSymbols // nil: as before
	Refs                *FileRefs
	Loose               []Loose
	symbols, refs, rest []byte
}

// RowsOf encodes the rows of a file.
func RowsOf(symbols *FileSymbols, refs *FileRefs, loose []Loose) *FileRows {
	r := &FileRows{Symbols: symbols, Refs: refs, Loose: loose, refs: refs.Encode(), rest: EncodeLoose(loose)}
	if symbols != nil {
		r.symbols = symbols.Encode()
	}
	return r
}

// Set replaces the rows of the file at path; r is nil for a file that is gone.
func (p *Patch) Set(path string, r *FileRows) error {
	if r == nil {
		r = &FileRows{Symbols: &FileSymbols{Path: path}, Refs: &FileRefs{Path: path}}
	}
	if r.Symbols != nil {
		if err := p.setSymbols(path, r); err != nil {
			return fmt.Errorf("patch symbols of %s: %w", path, err)
		}
	}
	if err := p.setRefs(path, r); err != nil {
		return fmt.Errorf("patch edges of %s: %w", path, err)
	}
	if err := p.setLoose(path, r); err != nil {
		return fmt.Errorf("patch unresolved references of %s: %w", path, err)
	}
	return nil
}

// change records a row of a table by path and returns the one before; same says
// that they are equal.
func (p *Patch) change(table, path string, data []byte) (old []byte, ok, same bool, err error) {
	old, ok, err = p.old(table, path)
	if err != nil || ok && data != nil && bytes.Equal(old, data) || !ok && data == nil {
		return old, ok, true, err
	}
	p.put(table, RowChange{Row{path, data}, data == nil})
	return old, ok, false, nil
}

func (p *Patch) put(table string, c RowChange) {
	if p.rows[table] == nil {
		p.rows[table] = map[string]RowChange{}
	}
	p.rows[table][c.Key] = c
}

func (p *Patch) setSymbols(path string, r *FileRows) error {
	row, ok, same, err := p.change(SymbolsTable, path, r.symbols)
	if err != nil || same {
		return err
	}
	old := &FileSymbols{Path: path}
	if ok {
		if old, err = DecodeSymbols(path, row); err != nil {
			return err
		}
	}
	p.Stats.Symbols += max(len(r.Symbols.Symbols)-1, 0) - max(len(old.Symbols)-1, 0)
	before, after := keysByName(old), keysByName(r.Symbols)
	for name, keys := range before {
		if !slices.Equal(keys, after[name]) {
			p.name(name).drop[path] = true
		}
	}
	for name, keys := range after {
		if !slices.Equal(keys, before[name]) {
			c := p.name(name)
			c.add = append(c.add, keys...)
		}
	}
	return nil
}

func (p *Patch) name(name string) *nameChange {
	c := p.names[name]
	if c == nil {
		c = &nameChange{drop: map[string]bool{}}
		p.names[name] = c
	}
	return c
}

// keysByName lists the keys of a file's definitions by name, each list sorted.
func keysByName(f *FileSymbols) map[string][]Key {
	all := map[string][]Key{}
	for i := 1; i < len(f.Symbols); i++ {
		n := f.Symbols[i].Name
		all[n] = append(all[n], f.Key(i))
	}
	for _, keys := range all {
		slices.SortFunc(keys, Key.Compare)
	}
	return all
}

func (p *Patch) setRefs(path string, r *FileRows) error {
	row, ok, same, err := p.change(EdgesTable, path, r.refs)
	if err == nil && !ok && r.Symbols == nil {
		err = errors.New("no row of a file that was there")
	}
	if err != nil || same {
		return err
	}
	old := &FileRefs{Path: path}
	if ok {
		if old, err = DecodeRefs(path, row); err != nil {
			return err
		}
	}
	p.countRefs(old, -1)
	p.countRefs(r.Refs, 1)
	before, after := old.Targets, r.Refs.Targets // both sorted
	for len(before)+len(after) > 0 {
		switch {
		case len(after) == 0 || len(before) > 0 && before[0].Compare(after[0]) < 0:
			d := p.target(before[0])
			d.drop, before = append(d.drop, path), before[1:]
		case len(before) == 0 || before[0].Compare(after[0]) > 0:
			d := p.target(after[0])
			d.add, after = append(d.add, path), after[1:]
		default:
			before, after = before[1:], after[1:]
		}
	}
	return nil
}

func (p *Patch) target(k Key) *difference {
	m := p.incoming[k.Path]
	if m == nil {
		m = map[Key]*difference{}
		p.incoming[k.Path] = m
	}
	if m[k] == nil {
		m[k] = &difference{}
	}
	return m[k]
}

func (p *Patch) countRefs(f *FileRefs, by int) {
	for i := range f.Edges {
		if f.Edges[i].Resolution == Resolved {
			p.Stats.Resolved += by
		} else {
			p.Stats.Candidate += by
		}
	}
}

func (p *Patch) setLoose(path string, r *FileRows) error {
	row, ok, same, err := p.change(UnresolvedTable, path, r.rest)
	if err != nil || same {
		return err
	}
	var old []Loose
	if ok {
		if old, err = DecodeLoose(row); err != nil {
			return err
		}
	}
	p.countLoose(old, -1)
	p.countLoose(r.Loose, 1)
	before, after := map[string][]PathCount{}, map[string][]PathCount{}
	countUnbound(before, path, old)
	countUnbound(after, path, r.Loose)
	for name := range before {
		if after[name] == nil {
			p.sites(name)[path] = 0
		}
	}
	for name, list := range after {
		if !slices.Equal(list, before[name]) {
			p.sites(name)[path] = list[0].Count
		}
	}
	return nil
}

func (p *Patch) sites(name string) map[string]uint32 {
	m := p.unbound[name]
	if m == nil {
		m = map[string]uint32{}
		p.unbound[name] = m
	}
	return m
}

func (p *Patch) countLoose(list []Loose, by int) {
	p.Stats.Unresolved += by * len(list)
	for i := range list {
		reason := list[i].Reason.String()
		if p.Stats.Reasons[reason] += by; p.Stats.Reasons[reason] == 0 {
			delete(p.Stats.Reasons, reason)
		}
	}
}

// Changes returns the changed rows of each table, sorted by key.
func (p *Patch) Changes() (map[string][]RowChange, error) {
	for path, targets := range p.incoming {
		if err := p.patchIncoming(path, targets); err != nil {
			return nil, fmt.Errorf("patch incoming edges of %s: %w", path, err)
		}
	}
	for name, c := range p.names {
		if err := p.patchName(name, c); err != nil {
			return nil, fmt.Errorf("patch name %q: %w", name, err)
		}
	}
	for name, sites := range p.unbound {
		if err := p.patchUnbound(name, sites); err != nil {
			return nil, fmt.Errorf("patch sites of %q: %w", name, err)
		}
	}
	out := make(map[string][]RowChange, len(p.rows))
	for table, rows := range p.rows {
		for _, key := range slices.Sorted(maps.Keys(rows)) {
			out[table] = append(out[table], rows[key])
		}
	}
	return out, nil
}

// replace records the new row of a table by name or target; encode is not asked
// where nothing is left.
func (p *Patch) replace(table, key string, old []byte, had bool, left int, encode func() []byte) {
	if left == 0 {
		if had {
			p.put(table, RowChange{Row{Key: key}, true})
		}
		return
	}
	if data := encode(); !had || !bytes.Equal(data, old) {
		p.put(table, RowChange{Row: Row{key, data}})
	}
}

func (p *Patch) patchIncoming(path string, targets map[Key]*difference) error {
	row, ok, err := p.old(IncomingTable, path)
	if err != nil {
		return err
	}
	var list []Inbound
	if ok {
		if list, err = DecodeIncoming(path, row); err != nil {
			return err
		}
	}
	all := make(map[Key][]string, len(list)+len(targets))
	for i := range list {
		all[list[i].Key] = list[i].Paths
	}
	for k, d := range targets {
		paths := slices.DeleteFunc(all[k], func(s string) bool { return slices.Contains(d.drop, s) })
		paths = append(paths, d.add...)
		slices.Sort(paths)
		if all[k] = slices.Compact(paths); len(paths) == 0 {
			delete(all, k)
		}
	}
	p.replace(IncomingTable, path, row, ok, len(all), func() []byte { return incomingRows(all)[0].Data })
	return nil
}

func (p *Patch) patchName(name string, c *nameChange) error {
	row, ok, err := p.old(NamesTable, name)
	if err != nil {
		return err
	}
	var keys []Key
	if ok {
		if keys, err = DecodeKeys(row); err != nil {
			return err
		}
	}
	keys = slices.DeleteFunc(keys, func(k Key) bool { return c.drop[k.Path] })
	keys = append(keys, c.add...)
	slices.SortFunc(keys, Key.Compare)
	p.replace(NamesTable, name, row, ok, len(keys), func() []byte { return encodeKeys(keys) })
	return nil
}

func (p *Patch) patchUnbound(name string, sites map[string]uint32) error {
	row, ok, err := p.old(UnboundTable, name)
	if err != nil {
		return err
	}
	var list []PathCount
	if ok {
		if list, err = DecodeUnbound(row); err != nil {
			return err
		}
	}
	list = slices.DeleteFunc(list, func(pc PathCount) bool { _, changed := sites[pc.Path]; return changed })
	for path, n := range sites {
		if n > 0 {
			list = append(list, PathCount{path, n})
		}
	}
	slices.SortFunc(list, func(a, b PathCount) int { return cmp.Compare(a.Path, b.Path) })
	p.replace(UnboundTable, name, row, ok, len(list), func() []byte { return encodeUnbound(list) })
	return nil
}
