package query

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"codeidx/facts"
	"codeidx/graph"
)

// idPrefix starts every symbol id; the fingerprint's first digits and the
// key's hash follow.
const (
	idPrefix   = "sym:"
	idFinger   = 12
	maxTargets = 200
)

func (x *Index) symbolID(k graph.Key) string {
	return idPrefix + x.Fingerprint[:idFinger] + ":" + k.Hash()
}

// located is a definition together with the table that holds it.
type located struct {
	file *graph.FileSymbols
	i    int
}

func (l located) key() graph.Key { return l.file.Key(l.i) }

// targets finds what a user's symbol means: an id, PATH:LINE, PATH:FIRST-LAST, a
// path, a qualified name or a name. No match is an empty list.
func (x *Index) targets(sym string) ([]located, error) {
	sym = strings.TrimSpace(sym)
	switch {
	case sym == "":
		return nil, errorf(InvalidRequest, "name a symbol, a qualified name or PATH:LINE", "the symbol is empty")
	case strings.HasPrefix(sym, idPrefix):
		return x.targetByID(sym)
	}
	if p, first, last, ok := pathLines(sym); ok {
		if found, err := x.targetsAt(p, first, last); err != nil || found != nil {
			return found, err
		}
	}
	if f, err := x.fileAt(sym); err != nil || f != nil {
		return x.whole(f), err
	}
	return x.targetsByName(graph.Normalize(sym))
}

// fileAt returns the symbols of the file that a user's path means, nil for none.
func (x *Index) fileAt(p string) (*graph.FileSymbols, error) {
	for _, try := range pathChoices(p, x.prefix) {
		if f, err := x.Symbols(try); err != nil || f != nil {
			return f, err
		}
	}
	return nil, nil
}

// expand lists what a seed stands for: a name or a path with its members,
// lines of a file nothing but the definitions around them.
func (x *Index) expand(sym string, l located) []located {
	if _, _, _, ok := pathLines(sym); ok {
		return []located{l}
	}
	return members(l)
}

func (x *Index) whole(f *graph.FileSymbols) []located {
	if f == nil {
		return nil
	}
	return []located{{f, 0}}
}

func (x *Index) targetsByName(name string) ([]located, error) {
	keys, err := x.Defined(graph.LastPart(name))
	if err != nil {
		return nil, err
	}
	keys = slices.DeleteFunc(keys, func(k graph.Key) bool { return !k.Matches(name) })
	if len(keys) > maxTargets {
		return nil, errorf(InvalidRequest, "qualify the name, or give PATH:LINE", "%d definitions are called %q", len(keys), name)
	}
	return x.locate(keys)
}

func (x *Index) locate(keys []graph.Key) ([]located, error) {
	out := make([]located, 0, len(keys))
	for _, k := range keys {
		l, err := x.find(k)
		if err != nil {
			return nil, err
		}
		if l.file != nil {
			out = append(out, l)
		}
	}
	return out, nil
}

// find returns the definition with the key; its file is nil where it has none.
func (x *Index) find(k graph.Key) (located, error) {
	f, err := x.Symbols(k.Path)
	if err != nil || f == nil {
		return located{}, err
	}
	i := f.Find(k)
	if i < 0 {
		return located{}, errorf(StoreCorrupt, "run: git codeidx index", "the index names %s in %s, whose symbols lack it", k.Qualified, k.Path)
	}
	return located{f, i}, nil
}

func (x *Index) targetByID(id string) ([]located, error) {
	finger, hash, ok := strings.Cut(strings.TrimPrefix(id, idPrefix), ":")
	if !ok || finger != x.Fingerprint[:idFinger] {
		return nil, errorf(InvalidRequest, "ask again by name: ids are valid only with the fingerprint they came with", "symbol id %s belongs to another index", id)
	}
	var keys []graph.Key
	err := x.eachDefinition(func(k graph.Key) {
		if k.Hash() == hash {
			keys = append(keys, k)
		}
	})
	if err != nil {
		return nil, err
	}
	if keys != nil {
		return x.locate(keys)
	}
	return x.fileByID(hash)
}

// fileByID finds the file whose own symbol has the hash.
func (x *Index) fileByID(hash string) ([]located, error) {
	var found string
	err := x.symbols.Scan("", func(r row) bool {
		if (graph.Key{Path: r.Key, Kind: facts.DefFile}).Hash() == hash {
			found = r.Key
		}
		return found == ""
	})
	if err != nil || found == "" {
		return nil, err
	}
	f, err := x.Symbols(found)
	return x.whole(f), err
}

// pathLines splits PATH:LINE and PATH:FIRST-LAST.
func pathLines(s string) (p string, first, last uint32, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i <= 0 {
		return "", 0, 0, false
	}
	from, to, ranged := strings.Cut(s[i+1:], "-")
	if !ranged {
		to = from
	}
	a, err := strconv.ParseUint(from, 10, 32)
	b, err2 := strconv.ParseUint(to, 10, 32)
	if err != nil || err2 != nil || a == 0 || b < a {
		return "", 0, 0, false
	}
	return path.Clean(s[:i]), uint32(a), uint32(b), true
}

// targetsAt finds the innermost definition around each line of a range, by
// position: the file itself stands for lines outside of any.
func (x *Index) targetsAt(p string, first, last uint32) ([]located, error) {
	f, err := x.fileAt(p)
	if err != nil || f == nil {
		return nil, err
	}
	hit := map[int]bool{}
	for line := first; line <= max(first, min(last, f.Lines)); line++ {
		hit[innermost(f, line)] = true
	}
	var out []located
	for i := range f.Symbols {
		if hit[i] {
			out = append(out, located{f, i})
		}
	}
	return out, nil
}

func innermost(f *graph.FileSymbols, line uint32) int {
	best := 0
	for i := 1; i < len(f.Symbols); i++ {
		s, b := &f.Symbols[i], &f.Symbols[best]
		if s.Start <= line && line <= s.End && s.End-s.Start <= b.End-b.Start {
			best = i
		}
	}
	return best
}
