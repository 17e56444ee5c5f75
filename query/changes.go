package query

import (
	"fmt"

	"codeidx/gitstore"
	"codeidx/graph"
)

// Change is one file or definition that differs between two states. A file
// comes before its definitions.
type Change struct {
	Type   string `json:"type"`   // "file" or "symbol"
	Change string `json:"change"` // file: added, modified or deleted; symbol: added, removed or changed
	Path   string `json:"path"`

	// Of a file.
	OldSHA256   string `json:"old_sha256,omitempty"`
	NewSHA256   string `json:"new_sha256,omitempty"`
	RenamedFrom string `json:"renamed_from,omitempty"` // a deleted file had the same bytes
	RenamedTo   string `json:"renamed_to,omitempty"`
	Shifted     int    `json:"shifted,omitempty"` // definitions that only stand on another line

	// Of a symbol.
	What      []string `json:"what,omitempty"` // of changed: signature, body
	Before    *Sym     `json:"before,omitempty"`
	After     *Sym     `json:"after,omitempty"`
	MovedFrom string   `json:"moved_from,omitempty"` // PATH:LINE of a removed definition with the same name and text
	MovedTo   string   `json:"moved_to,omitempty"`

	affected func() ([]Site, bool, error)
}

// Paths lists the file.
func (c *Change) Paths() []string { return []string{c.Path} }

// MarkStale does nothing: that a file differs from the index is what the item says.
func (c *Change) MarkStale() {}

func (c *Change) lines() int { return 0 }

// cut leaves the signatures out.
func (c *Change) cut(int) (Item, string) {
	short := *c
	for _, s := range []**Sym{&short.Before, &short.After} {
		if *s != nil {
			brief := (*s).brief()
			*s = &brief
		}
	}
	return &short, "max_bytes: signatures are left out"
}

// changes answers what differs between two states of the code.
func changes(x *Index, p Params) (*result, error) {
	before, after, err := x.baseline()
	if err != nil {
		return nil, err
	}
	res := &result{Before: &before.Endpoint, After: &after.Endpoint}
	if after.index == nil {
		res.Origin = "mixed"
	}
	var moved movements
	for _, d := range deltas(before, after) {
		if !p.takesDelta(&d) {
			continue
		}
		delta, err := symbolDeltas(before, after, &d)
		if err != nil {
			return nil, err
		}
		if p.SymbolKind == "" {
			res.add(fileChange(&d, delta.shifted))
		}
		for _, s := range delta.list {
			if p.SymbolKind == "" || p.SymbolKind == s.kind() {
				c := s.item(before, after)
				res.add(c)
				moved.note(s, c)
			}
		}
	}
	moved.pair()
	if after.index == nil {
		res.note("measured from the last explicit index to the work tree as it is: git codeidx sync makes it the index")
	}
	return res, nil
}

func (p *Params) takesDelta(d *fileDelta) bool {
	f := d.after
	if f == nil {
		f = d.before
	}
	return underPrefix(d.path, p.PathPrefix) && (p.Lang == "" || languageByName(p.Lang).ID == langOf(f))
}

func fileChange(d *fileDelta, shifted int) *Change {
	c := &Change{Type: "file", Change: "modified", Path: d.path, Shifted: shifted}
	if d.before != nil {
		c.OldSHA256 = d.before.SHA256.String()
	} else {
		c.Change, c.RenamedFrom = "added", d.renamed
	}
	if d.after != nil {
		c.NewSHA256 = d.after.SHA256.String()
	} else {
		c.Change, c.RenamedTo = "deleted", d.renamed
	}
	return c
}

// movements pairs removed definitions with added ones of the same name and
// text, where exactly one of each exists.
type movements struct {
	order []movement
	gone  map[movement][]*Change
	come  map[movement][]*Change
}

// movement is what a definition keeps when it moves.
type movement struct {
	kind, name string
	text       gitstore.Digest
}

func (m *movements) note(s *symbolDelta, c *Change) {
	if m.gone == nil {
		m.gone, m.come = map[movement][]*Change{}, map[movement][]*Change{}
	}
	k := movement{s.kind(), s.name(), s.text}
	switch c.Change {
	case "removed":
		if m.gone[k] == nil {
			m.order = append(m.order, k)
		}
		m.gone[k] = append(m.gone[k], c)
	case "added":
		m.come[k] = append(m.come[k], c)
	}
}

func (m *movements) pair() {
	for _, k := range m.order {
		from, to := m.gone[k], m.come[k]
		if len(from) == 1 && len(to) == 1 {
			from[0].MovedTo = fmt.Sprintf("%s:%d", to[0].Path, to[0].After.Line)
			to[0].MovedFrom = fmt.Sprintf("%s:%d", from[0].Path, from[0].Before.Line)
		}
	}
}

// symbolDelta is a definition that differs; one side is -1 where it is not there.
type symbolDelta struct {
	a, b   int
	at, bt *graph.FileSymbols
	what   []string
	text   gitstore.Digest // of the side that is there
}

func (s *symbolDelta) one() *graph.Symbol {
	if s.b >= 0 {
		return &s.bt.Symbols[s.b]
	}
	return &s.at.Symbols[s.a]
}

func (s *symbolDelta) kind() string { return s.one().Kind.String() }
func (s *symbolDelta) name() string { return s.one().Name }

func (s *symbolDelta) item(before, after *state) *Change {
	c := &Change{Type: "symbol", Change: "changed", What: s.what, affected: s.affects(before, after)}
	if s.a >= 0 {
		c.Before, c.Path = before.sym(s.at, s.a), s.at.Path
	} else {
		c.Change = "added"
	}
	if s.b >= 0 {
		c.After, c.Path = after.sym(s.bt, s.b), s.bt.Path
	} else {
		c.Change = "removed"
	}
	return c
}
