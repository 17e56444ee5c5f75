package query

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"codeidx/facts"
	"codeidx/graph"
)

// Key definitions listed for one file of a map.
const mapSymbols = 6

// Place is one folder or file of a map.
type Place struct {
	Path    string         `json:"path"`
	Type    string         `json:"type"` // "folder" or "file"
	Depth   int            `json:"depth"`
	Files   int            `json:"files,omitempty"`
	Lines   int            `json:"lines"`
	Langs   map[string]int `json:"langs,omitempty"` // lines by language
	Symbols []Sym          `json:"symbols,omitempty"`
	Hidden  int            `json:"hidden,omitempty"` // definitions of the file that are not listed
	Stale
}

// Paths lists the place itself when it is a file.
func (p *Place) Paths() []string {
	if p.Type == "file" {
		return []string{p.Path}
	}
	return nil
}

func (p *Place) lines() int { return 0 }

// cut leaves the signatures out.
func (p *Place) cut(int) (Item, string) {
	short := *p
	short.Symbols = make([]Sym, len(p.Symbols))
	for i, s := range p.Symbols {
		short.Symbols[i] = s.brief()
	}
	return &short, "max_bytes: signatures are left out"
}

// mapTree gives folders down to a depth, and the files of the last level with
// their most used definitions.
func mapTree(x *Index, p Params) (*result, error) {
	root, err := x.mapRoot(p)
	if err != nil {
		return nil, err
	}
	places := map[string]*Place{}
	var files []*graph.FileSymbols
	err = x.eachFile(root, func(f *graph.FileSymbols) {
		if p.Lang != "" && f.Lang.String() != p.Lang {
			return
		}
		files = append(files, f)
		for dir := f.Path; ; {
			dir = parentDir(dir)
			if under := underPrefix(dir, root); under {
				places[dir] = addFile(places[dir], dir, depthBelow(dir, root), f)
			}
			if dir == root || dir == "" {
				break
			}
		}
	})
	if err != nil {
		return nil, err
	}
	res := &result{}
	if len(files) == 0 {
		res.note("no indexed file lies below " + cmp.Or(root, "the top"))
	}
	for _, f := range files {
		if d := depthBelow(f.Path, root); d <= p.Depth {
			place, err := x.filePlace(f, d)
			if err != nil {
				return nil, err
			}
			places[f.Path] = place
		}
	}
	for _, k := range sortedKeys(places) {
		if places[k].Depth <= p.Depth {
			res.add(places[k])
		}
	}
	return res, nil
}

func (x *Index) mapRoot(p Params) (string, error) {
	root := strings.Trim(path.Clean("/"+path.Join(p.Prefix, p.Path)), "/")
	if p.PathPrefix != "" {
		root = strings.Trim(path.Clean("/"+p.PathPrefix), "/")
	}
	return root, nil
}

func parentDir(p string) string {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i]
	}
	return ""
}

// depthBelow counts the levels from root down to p; root itself is 0.
func depthBelow(p, root string) int {
	if p == root {
		return 0
	}
	if root != "" {
		p = p[len(root)+1:]
	}
	return strings.Count(p, "/") + 1
}

func addFile(d *Place, dir string, depth int, f *graph.FileSymbols) *Place {
	if d == nil {
		d = &Place{Path: cmp.Or(dir, "."), Type: "folder", Depth: depth, Langs: map[string]int{}}
	}
	d.Files++
	d.Lines += int(f.Lines)
	d.Langs[f.Lang.String()] += int(f.Lines)
	return d
}

// filePlace lists the definitions of a file that most files use, in order of
// position.
func (x *Index) filePlace(f *graph.FileSymbols, depth int) (*Place, error) {
	inbound, err := x.inboundOf(f.Path)
	if err != nil {
		return nil, err
	}
	use := map[graph.Key]int{}
	for _, in := range inbound {
		use[in.Key] = len(in.Paths)
	}
	var top []int
	for i := 1; i < len(f.Symbols); i++ {
		if f.Symbols[i].Parent <= 0 && f.Symbols[i].Flags&facts.Local == 0 {
			top = append(top, i)
		}
	}
	place := &Place{Path: f.Path, Type: "file", Depth: depth, Lines: int(f.Lines)}
	slices.SortStableFunc(top, func(a, b int) int {
		return cmp.Or(cmp.Compare(use[f.Key(b)], use[f.Key(a)]), cmp.Compare(a, b))
	})
	if len(top) > mapSymbols {
		place.Hidden = len(top) - mapSymbols
		top = top[:mapSymbols]
	}
	slices.Sort(top)
	for _, i := range top {
		place.Symbols = append(place.Symbols, x.symOf(f, i))
	}
	return place, nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
