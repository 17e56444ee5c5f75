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

// targets finds what a user's symbol means: an id, PATH:LINE, a path, a
// qualified name or a name. No match is an empty list.
func (x *Index) targets(sym string) ([]located, error) {
	sym = strings.TrimSpace(sym)
	switch {
	case sym == "":
		return nil, errorf(InvalidRequest, "name a symbol, a qualified name or PATH:LINE", "the symbol is empty")
	case strings.HasPrefix(sym, idPrefix):
		return x.targetByID(sym)
	}
	if p, line, ok := pathLine(sym); ok {
		if found, err := x.targetAt(p, line); err != nil || found != nil {
			return found, err
		}
	}
	if f, err := x.Symbols(sym); err != nil || f != nil {
		return x.whole(f), err
	}
	return x.targetsByName(graph.Normalize(sym))
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

// pathLine splits PATH:LINE.
func pathLine(s string) (string, uint32, bool) {
	i := strings.LastIndexByte(s, ':')
	if i <= 0 {
		return "", 0, false
	}
	n, err := strconv.ParseUint(s[i+1:], 10, 32)
	if err != nil || n == 0 {
		return "", 0, false
	}
	return path.Clean(s[:i]), uint32(n), true
}

// targetAt finds the innermost definition around a line.
func (x *Index) targetAt(p string, line uint32) ([]located, error) {
	f, err := x.Symbols(p)
	if err != nil || f == nil {
		return nil, err
	}
	best := 0
	for i := 1; i < len(f.Symbols); i++ {
		s, b := &f.Symbols[i], &f.Symbols[best]
		if s.Start <= line && line <= s.End && s.End-s.Start <= b.End-b.Start {
			best = i
		}
	}
	return []located{{f, best}}, nil
}
