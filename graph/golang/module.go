package golang

import (
	"path"
	"sort"
	"strings"

	"codeidx/graph"
)

// module is one go.mod of the repository.
type module struct {
	dir      string // "" for the top
	path     string
	replaced []replacement
}

// replacement sends imports of a module path to a folder of the repository,
// or, where outside, out of it.
type replacement struct {
	path, dir string
	outside   bool
}

// modules answers which folder an import path names.
type modules struct {
	list   []*module // longest folder first
	byPath []*module // longest module path first
	roots  []string
	exists func(dir string) bool // a folder with Go files
}

// newModules reads go.mod and go.work files. What cannot be read is skipped:
// its imports count as outside.
func newModules(p *graph.Program, exists func(dir string) bool) *modules {
	m := &modules{exists: exists, roots: p.Roots}
	var works []graph.ConfigFile
	for _, c := range p.Config {
		switch path.Base(c.Path) {
		case "go.mod":
			if mod := parseMod(folder(c.Path), c.Data); mod.path != "" {
				m.list = append(m.list, mod)
			}
		case "go.work":
			works = append(works, c)
		}
	}
	for _, w := range works {
		m.useWork(folder(w.Path), w.Data)
	}
	m.byPath = append(m.byPath, m.list...)
	sort.SliceStable(m.list, func(i, j int) bool { return longer(m.list[i].dir, m.list[j].dir) })
	sort.SliceStable(m.byPath, func(i, j int) bool { return longer(m.byPath[i].path, m.byPath[j].path) })
	return m
}

func longer(a, b string) bool {
	if len(a) != len(b) {
		return len(a) > len(b)
	}
	return a < b
}

// folder is the directory of a path, "" for the top.
func folder(p string) string {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i]
	}
	return ""
}

// parseMod reads the module path and the replacements of a go.mod.
func parseMod(dir string, data []byte) *module {
	m := &module{dir: dir}
	eachDirective(data, func(verb string, words []string) {
		switch {
		case verb == "module" && len(words) == 1:
			m.path = words[0]
		case verb == "replace":
			m.replaced = append(m.replaced, parseReplace(dir, words)...)
		}
	})
	return m
}

func parseReplace(dir string, words []string) []replacement {
	for i, w := range words {
		if w != "=>" || i == 0 || i+1 >= len(words) {
			continue
		}
		r := replacement{path: words[0], outside: true}
		if to := words[i+1]; strings.HasPrefix(to, "./") || strings.HasPrefix(to, "../") || to == "." || to == ".." {
			r.dir = path.Join(dir, to)
			r.outside = r.dir == ".." || strings.HasPrefix(r.dir, "../")
			if r.dir == "." {
				r.dir = ""
			}
		}
		return []replacement{r}
	}
	return nil
}

// useWork gives the modules of a workspace its replacements.
func (m *modules) useWork(dir string, data []byte) {
	var replaced []replacement
	used := map[string]bool{}
	eachDirective(data, func(verb string, words []string) {
		switch {
		case verb == "use" && len(words) == 1:
			d := path.Join(dir, words[0])
			if d == "." {
				d = ""
			}
			used[d] = true
		case verb == "replace":
			replaced = append(replaced, parseReplace(dir, words)...)
		}
	})
	for _, mod := range m.list {
		if used[mod.dir] {
			mod.replaced = append(append([]replacement(nil), replaced...), mod.replaced...)
		}
	}
}

// eachDirective calls f for every directive of a go.mod or go.work file, with
// the words behind its verb, blocks included.
func eachDirective(data []byte, f func(verb string, words []string)) {
	block := ""
	for _, line := range strings.Split(string(data), "\n") {
		line, _, _ = strings.Cut(line, "//")
		words := strings.Fields(line)
		for i, w := range words {
			words[i] = strings.Trim(w, "\"`")
		}
		switch {
		case len(words) == 0:
		case block != "" && words[0] == ")":
			block = ""
		case block != "":
			f(block, words)
		case len(words) == 2 && words[1] == "(":
			block = words[0]
		default:
			f(words[0], words[1:])
		}
	}
}

// of returns the module that a folder belongs to, nil where there is none.
func (m *modules) of(dir string) *module {
	for _, mod := range m.list {
		if under(dir, mod.dir) {
			return mod
		}
	}
	return nil
}

// under says whether dir is base or lies below it.
func under(dir, base string) bool {
	return base == "" || dir == base || strings.HasPrefix(dir, base) && dir[len(base)] == '/'
}

// find returns the folder that an import path names for a file of mod. ok is
// false where the package lies outside the repository.
func (m *modules) find(mod *module, importPath string) (dir string, ok bool) {
	if mod != nil {
		if d := path.Join(mod.dir, "vendor", importPath); m.exists(d) {
			return d, true
		}
		if r := mod.replacement(importPath); r != nil {
			if r.outside {
				return "", false
			}
			return m.below(r.dir, r.path, importPath)
		}
	}
	for _, other := range m.byPath {
		if under(importPath, other.path) {
			if d, ok := m.below(other.dir, other.path, importPath); ok {
				return d, true
			}
		}
	}
	for _, root := range m.roots {
		if d := path.Join(root, importPath); m.exists(d) {
			return d, true
		}
	}
	return "", false
}

// replacement returns the longest replaced module path that holds importPath.
func (mod *module) replacement(importPath string) *replacement {
	var best *replacement
	for i := range mod.replaced {
		r := &mod.replaced[i]
		if under(importPath, r.path) && (best == nil || len(r.path) > len(best.path)) {
			best = r
		}
	}
	if best != nil && under(importPath, mod.path) && len(mod.path) > len(best.path) {
		return nil
	}
	return best
}

func (m *modules) below(dir, modPath, importPath string) (string, bool) {
	d := path.Join(dir, strings.TrimPrefix(importPath[len(modPath):], "/"))
	if d == "." {
		d = ""
	}
	return d, m.exists(d)
}
