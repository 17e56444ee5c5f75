package query

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"codeidx/facts"
	"codeidx/graph"
)

// mapSymbols bounds the definitions listed for one file of a map.
const mapSymbols = 6

// Place is one folder or file of a map.
type Place struct {
	Path    string         `json:"path"`
	Type    string         `json:"type"` // "folder" or "file"
	Depth   int            `json:"depth"`
	Files   int            `json:"files,omitempty"`
	Lines   int            `json:"lines"`
	Langs   map[string]int `json:"langs,omitempty"`   // lines by language
	UsedBy  int            `json:"used_by,omitempty"` // of a file: other files with edges to it
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
// their most used definitions; with a budget, the most used files of any depth.
func mapTree(x *Index, p Params) (*result, error) {
	root := mapRoot(p)
	folders := map[string]*Place{}
	var files []*graph.FileSymbols
	err := x.eachFile(root, func(f *graph.FileSymbols) {
		if p.Lang != "" && f.Lang.String() != p.Lang {
			return
		}
		files = append(files, f)
		for dir := f.Path; ; {
			dir = parentDir(dir)
			if depth := depthBelow(dir, root); underPrefix(dir, root) && depth <= p.Depth {
				folders[dir] = addFile(folders[dir], dir, depth, f)
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
	places := folders
	if p.Budget > 0 {
		if places, err = x.budgetMap(res, folders, files, root, p.Budget); err != nil {
			return nil, err
		}
	} else if err := x.addFiles(places, files, root, p.Depth); err != nil {
		return nil, err
	}
	for _, k := range sortedKeys(places) {
		res.add(places[k])
	}
	return res, nil
}

// addFiles adds the files down to a depth.
func (x *Index) addFiles(places map[string]*Place, files []*graph.FileSymbols, root string, depth int) error {
	for _, f := range files {
		if d := depthBelow(f.Path, root); d <= depth {
			m, err := x.mapped(f, d)
			if err != nil {
				return err
			}
			m.show(mapSymbols)
			places[f.Path] = m.place
		}
	}
	return nil
}

func mapRoot(p Params) string {
	root := strings.Trim(path.Clean("/"+path.Join(p.Prefix, p.Path)), "/")
	if p.PathPrefix != "" {
		root = strings.Trim(path.Clean("/"+p.PathPrefix), "/")
	}
	return root
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

// mappedFile is a file of a map with its definitions, the most used first.
type mappedFile struct {
	x     *Index
	file  *graph.FileSymbols
	place *Place
	order []int       // definitions outside of others, the most used first
	use   map[int]int // by definition: the files with edges to it
}

func (x *Index) mapped(f *graph.FileSymbols, depth int) (*mappedFile, error) {
	inbound, err := x.inboundOf(f.Path)
	if err != nil {
		return nil, err
	}
	byKey, users := map[graph.Key]int{}, map[string]bool{}
	for _, in := range inbound {
		byKey[in.Key] = len(in.Paths)
		for _, p := range in.Paths {
			users[p] = true
		}
	}
	delete(users, f.Path)
	m := &mappedFile{x: x, file: f, use: map[int]int{}}
	for i := 1; i < len(f.Symbols); i++ {
		if f.Symbols[i].Parent <= 0 && f.Symbols[i].Flags&facts.Local == 0 {
			m.order = append(m.order, i)
			m.use[i] = byKey[f.Key(i)]
		}
	}
	slices.SortStableFunc(m.order, func(a, b int) int { return cmp.Or(cmp.Compare(m.use[b], m.use[a]), cmp.Compare(a, b)) })
	m.place = &Place{Path: f.Path, Type: "file", Depth: depth, Lines: int(f.Lines), UsedBy: len(users), Hidden: len(m.order)}
	return m, nil
}

// show lists the n most used definitions, in order of position.
func (m *mappedFile) show(n int) {
	n = min(n, len(m.order))
	top := slices.Sorted(slices.Values(m.order[:n]))
	m.place.Symbols, m.place.Hidden = nil, len(m.order)-n
	for _, i := range top {
		m.place.Symbols = append(m.place.Symbols, m.x.symOf(m.file, i))
	}
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
