package hooks

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"

	"codeidx/facts"
	"codeidx/graph"
)

// How a definition changed.
const (
	SignatureChanged = "signature"
	BodyChanged      = "body"
	Moved            = "moved"   // the same text under another path or container
	Renamed          = "renamed" // the same text after another head, in the same file
)

// Definition names one definition of a file.
type Definition struct {
	Name string `json:"name"` // lexically qualified
	Kind string `json:"kind"`
	Line uint32 `json:"line"` // in the newest version that has it
}

// DefinitionChange is a definition that both versions have.
type DefinitionChange struct {
	Definition
	How []string `json:"how"`
	// FromPath and FromName say where a moved or renamed one was, where they differ.
	FromPath string `json:"from_path,omitempty"`
	FromName string `json:"from_name,omitempty"`
}

// Delta is what changed in the definitions of one file. Lists hold at most
// maxListed; More counts what is beyond.
type Delta struct {
	Path    string             `json:"path"`
	OldPath string             `json:"old_path,omitempty"`
	Note    string             `json:"note,omitempty"` // why definitions are not known
	Added   []Definition       `json:"added,omitempty"`
	Removed []Definition       `json:"removed,omitempty"`
	Changed []DefinitionChange `json:"changed,omitempty"`
	More    int                `json:"more,omitempty"`
	// Edges of the serving index that lean on what changed, by edge_uid.
	Edges     []string `json:"edges_invalidated,omitempty"`
	MoreEdges int      `json:"more_edges_invalidated,omitempty"`

	old, new     *version
	removed      []int // of old
	added        []int // of new
	pairs        []pair
	movedAway    map[int]bool // of old
	movedHere    map[int]bool // of new
	moves        []DefinitionChange
	replacesPath bool // the old path is gone: every key of it is, too
}

// maxListed bounds each list of a Delta.
const maxListed = 500

// version is a file with its definitions; a nil one has none.
type version struct {
	path  string
	src   []byte
	table *graph.FileSymbols
	own   [][]byte // by symbol: its text after the signature, without inner definitions; made once
}

// pair is a definition in both versions.
type pair struct {
	old, new int
	how      []string
}

// local is a name of a file's definition, free of the path.
type local struct {
	kind      facts.DefKind
	qualified string
	ordinal   uint32
}

// listed says whether a definition is one that others can speak of; variables
// inside of functions are text of these.
func listed(s *graph.Symbol) bool {
	switch s.Kind {
	case facts.DefFile:
		return false
	case facts.DefVariable, facts.DefConstant, facts.DefField:
		return s.Flags&facts.Local == 0
	}
	return true
}

func (v *version) index() map[local]int {
	m := map[local]int{}
	if v == nil {
		return m
	}
	for i := range v.table.Symbols {
		if s := &v.table.Symbols[i]; listed(s) {
			m[local{s.Kind, s.Qualified, s.Ordinal}] = i
		}
	}
	return m
}

func (v *version) symbol(i int) *graph.Symbol { return &v.table.Symbols[i] }

func (v *version) definition(i int) Definition {
	s := v.symbol(i)
	return Definition{validPath(s.Qualified), s.Kind.String(), s.Line}
}

// newDelta compares two versions of a file; nil stands for none.
func newDelta(path, oldPath string, old, new *version) *Delta {
	d := &Delta{Path: validPath(path), old: old, new: new, movedAway: map[int]bool{}, movedHere: map[int]bool{}}
	d.replacesPath = oldPath != "" || new == nil
	if oldPath != "" {
		d.OldPath = validPath(oldPath)
	}
	was, is := old.index(), new.index()
	if old != nil {
		for i := range old.table.Symbols {
			s := old.symbol(i)
			if !listed(s) {
				continue
			}
			j, ok := is[local{s.Kind, s.Qualified, s.Ordinal}]
			if !ok {
				d.removed = append(d.removed, i)
			} else if how := changes(old, i, new, j); how != nil {
				d.pairs = append(d.pairs, pair{i, j, how})
			}
		}
	}
	if new != nil {
		for j := range new.table.Symbols {
			s := new.symbol(j)
			if _, ok := was[local{s.Kind, s.Qualified, s.Ordinal}]; listed(s) && !ok {
				d.added = append(d.added, j)
			}
		}
	}
	return d
}

// changes says what differs between two versions of one definition.
func changes(old *version, i int, new *version, j int) (how []string) {
	if old.symbol(i).Signature != new.symbol(j).Signature {
		how = append(how, SignatureChanged)
	}
	if !bytes.Equal(old.body(i), new.body(j)) {
		how = append(how, BodyChanged)
	}
	return how
}

// body returns the text of a definition after its signature, without the
// definitions in it: a changed method does not change its class.
func (v *version) body(i int) []byte {
	if v.own == nil {
		v.own = make([][]byte, len(v.table.Symbols))
		for i := range v.own {
			v.own[i] = v.cutBody(i)
		}
	}
	return v.own[i]
}

func (v *version) cutBody(i int) []byte {
	s := v.symbol(i)
	if int(s.Bytes.End) > len(v.src) || s.Bytes.Start > s.Bytes.End {
		return nil
	}
	at := s.Bytes.Start + signatureLen(v.src[s.Bytes.Start:s.Bytes.End], s.Signature)
	var out []byte
	for j := i + 1; j < len(v.table.Symbols); j++ {
		inner := v.symbol(j)
		if inner.Bytes.Start >= s.Bytes.End {
			continue
		}
		if listed(inner) && v.within(j, i) && inner.Bytes.Start >= at && inner.Bytes.End <= s.Bytes.End {
			out = append(out, v.src[at:inner.Bytes.Start]...)
			at = inner.Bytes.End
		}
	}
	return bytes.TrimSpace(append(out, v.src[at:s.Bytes.End]...))
}

// within says whether definition i is an ancestor of j.
func (v *version) within(j, i int) bool {
	for p := int(v.symbol(j).Parent); p > 0; p = int(v.symbol(p).Parent) {
		if p == i {
			return true
		}
	}
	return false
}

// signatureLen returns the length of the text that a signature was made of, 0
// where it does not tell (a very long one). Blanks do not count, nor does a comma
// before a closing parenthesis.
func signatureLen(text []byte, signature string) uint32 {
	at := 0
	for _, r := range signature {
		if unicode.IsSpace(r) {
			continue
		}
		for {
			if at >= len(text) {
				return 0
			}
			c, n := utf8.DecodeRune(text[at:])
			at += n
			if c == r {
				break
			}
			if !unicode.IsSpace(c) && !(c == ',' && r == ')') {
				return 0
			}
		}
	}
	return uint32(at)
}

// movable says whether equal text makes two definitions the same.
func movable(s *graph.Symbol) bool {
	switch s.Kind {
	case facts.DefFunction, facts.DefMethod, facts.DefClass, facts.DefInterface, facts.DefTrait, facts.DefEnum, facts.DefStruct, facts.DefType:
		return true
	}
	return false
}

// findMoves takes removed and added definitions of the same kind and text
// together: first those with the same head, over all files of one event, then those with
// another name in the same file. Order decides between several.
func findMoves(list []*Delta) {
	matchMoves(list, Moved, func(v *version, i int) identity {
		s := v.symbol(i)
		return identity{kind: s.Kind, head: s.Name + "\x00" + s.Signature, body: string(v.body(i))}
	})
	matchMoves(list, Renamed, func(v *version, i int) identity {
		if len(v.body(i)) < minRenamed {
			return identity{}
		}
		return identity{kind: v.symbol(i).Kind, head: v.path, body: string(v.body(i))}
	})
}

// minRenamed is the least text, in bytes, that makes two definitions of different
// names the same.
const minRenamed = 24

// identity is what two definitions must share to be the same; the zero value is
// shared by none.
type identity struct {
	kind       facts.DefKind
	head, body string
}

func matchMoves(list []*Delta, how string, identify func(*version, int) identity) {
	type place struct {
		d *Delta
		i int
	}
	gone := map[identity][]place{}
	for _, d := range list {
		for _, i := range d.removed {
			if movable(d.old.symbol(i)) && !d.movedAway[i] {
				id := identify(d.old, i)
				gone[id] = append(gone[id], place{d, i})
			}
		}
	}
	for _, d := range list {
		for _, j := range d.added {
			if !movable(d.new.symbol(j)) || d.movedHere[j] {
				continue
			}
			id := identify(d.new, j)
			from := gone[id]
			if id == (identity{}) || len(from) == 0 {
				continue
			}
			gone[id] = from[1:]
			from[0].d.movedAway[from[0].i], d.movedHere[j] = true, true
			c := DefinitionChange{Definition: d.new.definition(j), How: []string{how}}
			if path := validPath(from[0].d.old.path); path != d.Path {
				c.FromPath = path
			}
			if name := from[0].d.old.definition(from[0].i).Name; name != c.Name {
				c.FromName = name
			}
			d.moves = append(d.moves, c)
		}
	}
}

// list fills in the lists that are stored.
func (d *Delta) list() {
	for _, i := range d.removed {
		if !d.movedAway[i] {
			d.Removed = append(d.Removed, d.old.definition(i))
		}
	}
	for _, j := range d.added {
		if !d.movedHere[j] {
			d.Added = append(d.Added, d.new.definition(j))
		}
	}
	for _, p := range d.pairs {
		d.Changed = append(d.Changed, DefinitionChange{Definition: d.new.definition(p.new), How: p.how})
	}
	d.Changed = append(d.Changed, d.moves...)
	d.Added, d.More = bounded(d.Added, d.More)
	d.Removed, d.More = bounded(d.Removed, d.More)
	d.Changed, d.More = bounded(d.Changed, d.More)
}

func bounded[T any](list []T, more int) ([]T, int) {
	n := min(len(list), maxListed)
	return list[:n:n], more + len(list) - n
}

// empty says that nothing is worth to be stored.
func (d *Delta) empty() bool {
	return d.Note == "" && len(d.Added)+len(d.Removed)+len(d.Changed)+len(d.Edges) == 0
}

// goneKeys returns the keys of definitions that the new version does not have
// any more, and of those whose signature, or body alone, is another.
func (d *Delta) goneKeys() (gone, signature, body map[graph.Key]bool) {
	gone, signature, body = map[graph.Key]bool{}, map[graph.Key]bool{}, map[graph.Key]bool{}
	if d.old == nil {
		return gone, signature, body
	}
	if d.replacesPath {
		for i := range d.old.table.Symbols {
			gone[d.old.table.Key(i)] = true
		}
		return gone, signature, body
	}
	for _, i := range d.removed {
		gone[d.old.table.Key(i)] = true
	}
	for _, p := range d.pairs {
		k := d.old.table.Key(p.old)
		if slices.Contains(p.how, SignatureChanged) {
			signature[k] = true
		} else {
			body[k] = true
		}
	}
	return gone, signature, body
}
