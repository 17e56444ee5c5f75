package ecma

import (
	"sort"
	"strings"

	"codeidx/facts"
)

// place is where a module specifier leads.
type place struct {
	m        *module // a file
	def      defRef  // or an ambient module
	external bool    // a package outside of the repository
	near     *module // the file of the repository that it may be
}

// moduleOf resolves a specifier as written in m.
func (m *module) moduleOf(name facts.NameID) *place {
	if p := m.modules[name]; p != nil {
		return p
	}
	p := &place{}
	m.modules[name] = p
	*p = m.w.resolve(m, m.name(name))
	return p
}

func (w *world) resolve(m *module, spec string) place {
	clean := spec
	if i := strings.IndexByte(spec, '?'); i > 0 {
		clean = spec[:i]
	}
	switch {
	case strings.HasPrefix(spec, "./"), strings.HasPrefix(spec, "../"), spec == ".", spec == "..":
		if t := w.relative(m, spec); t != nil {
			return place{m: t}
		}
		if d := w.ambientModule(m, spec); d.m != nil {
			return place{def: d}
		}
		if clean != spec {
			if t := w.relative(m, clean); t != nil {
				return place{m: t}
			}
		}
		return place{}
	case strings.HasPrefix(spec, "#"):
		if t := w.selfImport(m, spec); t != nil {
			return place{m: t}
		}
	}
	if t := w.mapped(m, spec); t != nil {
		return place{m: t}
	}
	if t, stated := w.packageFile(m, spec); t != nil && stated {
		return place{m: t}
	} else if t != nil {
		return place{external: true, near: t}
	}
	if d := w.ambientModule(m, spec); d.m != nil {
		return place{def: d}
	}
	return place{external: true}
}

// relative resolves against the folder of m, through rootDirs where those are
// configured.
func (w *world) relative(m *module, spec string) *module {
	p, ok := join(m.dir, spec)
	if !ok {
		return nil
	}
	slash := strings.HasSuffix(spec, "/") || spec == "." || spec == ".." || strings.HasSuffix(spec, "/.") || strings.HasSuffix(spec, "/..")
	if t := w.fileOrFolder(p, slash); t != nil {
		return t
	}
	if c := w.configs.configOf(m.dir); c != nil {
		for _, from := range c.rootDirs {
			rest, ok := strings.CutPrefix(p+"/", from+"/")
			if !ok {
				continue
			}
			for _, to := range c.rootDirs {
				if t := w.fileOrFolder(below(to, strings.TrimSuffix(rest, "/")), slash); t != nil {
					return t
				}
			}
		}
	}
	return nil
}

// extensions are what a specifier may leave out, in the checker's order.
var extensions = [...]string{".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".d.mts", ".d.cts"}

// swaps are the sources that a written extension may stand for.
var swaps = map[string][]string{
	".js": {".ts", ".tsx", ".d.ts", ".js", ".jsx"}, ".jsx": {".tsx", ".d.ts", ".jsx"},
	".mjs": {".mts", ".d.mts", ".mjs"}, ".cjs": {".cts", ".d.cts", ".cjs"},
}

// file finds the source that a path without or with extension means.
func (w *world) file(p string) *module {
	if i := strings.LastIndexByte(p, '.'); i > strings.LastIndexByte(p, '/') {
		for _, ext := range swaps[p[i:]] {
			if t := w.files[p[:i]+ext]; t != nil {
				return t
			}
		}
		if t := w.files[p]; t != nil {
			return t
		}
		if t := w.files[p[:i]+".d"+p[i:]+".ts"]; t != nil {
			return t
		}
	}
	for _, ext := range extensions {
		if t := w.files[p+ext]; t != nil {
			return t
		}
	}
	return nil
}

func (w *world) fileOrFolder(p string, folder bool) *module {
	if !folder {
		if t := w.file(p); t != nil {
			return t
		}
	}
	if k := w.configs.packages[p]; k != nil {
		if t := w.entry(k); t != nil {
			return t
		}
	}
	return w.file(below(p, "index"))
}

// entry is what a package's main fields name.
func (w *world) entry(k *pkg) *module {
	for _, s := range [...]string{k.Types, k.Typings, k.Module, k.Main} {
		if s == "" {
			continue
		}
		if t := w.built(k, s); t != nil {
			return t
		}
	}
	return w.file(below(k.dir, "index"))
}

// built finds a file that a package names. What a build makes of the sources
// is not in the repository: then the source that it is made of is meant.
func (w *world) built(k *pkg, rel string) *module {
	p, ok := join(k.dir, rel)
	if !ok {
		return nil
	}
	if t := w.file(p); t != nil {
		return t
	}
	if t := w.file(below(p, "index")); t != nil {
		return t
	}
	rest, ok := strings.CutPrefix(p+"/", k.dir+"/")
	if k.dir == "" {
		rest, ok = p, true
	}
	if !ok {
		return nil
	}
	rest = strings.TrimSuffix(rest, "/")
	if c := w.configs.configOf(k.dir); c != nil && c.outDir != "" {
		if tail, ok := strings.CutPrefix(p, c.outDir+"/"); ok && c.rootDir != "" {
			if t := w.source(below(c.rootDir, tail)); t != nil {
				return t
			}
		}
	}
	for i := strings.IndexByte(rest, '/'); i > 0; {
		if outputFolder(rest[:i]) || outputFolder(rest[strings.LastIndexByte(rest[:i], '/')+1:i]) {
			for _, s := range [...]string{"src", "source", "lib"} {
				if t := w.source(below(k.dir, s+"/"+rest[i+1:])); t != nil {
					return t
				}
			}
		}
		j := strings.IndexByte(rest[i+1:], '/')
		if j < 0 {
			break
		}
		i += j + 1
	}
	return nil
}

func outputFolder(name string) bool {
	switch name {
	case "dist", "build", "lib", "out", "esm", "cjs", "es", "types", "output":
		return true
	}
	return false
}

// source is file, with the declaration extensions of build output taken off.
func (w *world) source(p string) *module {
	if t := w.file(p); t != nil {
		return t
	}
	for _, ext := range [...]string{".d.ts", ".d.mts", ".d.cts", ".mjs", ".cjs"} {
		if stem, ok := strings.CutSuffix(p, ext); ok {
			if t := w.file(stem); t != nil {
				return t
			}
			return w.file(below(stem, "index"))
		}
	}
	if stem, ok := strings.CutSuffix(p, ".js"); ok {
		return w.file(below(stem, "index"))
	}
	return nil
}

// mapped resolves by paths and baseUrl of the nearest configuration.
func (w *world) mapped(m *module, spec string) *module {
	c := w.configs.configOf(m.dir)
	if c == nil {
		return nil
	}
	for _, pattern := range c.order {
		star, ok := match(pattern, spec)
		if !ok {
			continue
		}
		for _, to := range c.paths[pattern] {
			p, ok := join(c.pathsDir, strings.Replace(to, "*", star, 1))
			if !ok {
				continue
			}
			if t := w.fileOrFolder(p, false); t != nil {
				return t
			}
		}
		break
	}
	if c.hasBase {
		if p, ok := join(c.baseURL, spec); ok {
			return w.fileOrFolder(p, false)
		}
	}
	return nil
}

// match says whether spec fits a pattern with at most one star, and what the
// star stands for.
func match(pattern, spec string) (string, bool) {
	pre, post, ok := strings.Cut(pattern, "*")
	if !ok {
		return "", pattern == spec
	}
	if len(spec) < len(pre)+len(post) || !strings.HasPrefix(spec, pre) || !strings.HasSuffix(spec, post) {
		return "", false
	}
	return spec[len(pre) : len(spec)-len(post)], true
}

// sortedPatterns orders patterns: exact ones first, then by longest prefix.
func sortedPatterns(m map[string][]string) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	prefix := func(s string) int {
		i := strings.IndexByte(s, '*')
		if i < 0 {
			return 1 << 20
		}
		return i
	}
	sort.Slice(out, func(i, j int) bool {
		if a, b := prefix(out[i]), prefix(out[j]); a != b {
			return a > b
		}
		return out[i] < out[j]
	})
	return out
}

// selfImport resolves "#name" by the imports of the nearest package.
func (w *world) selfImport(m *module, spec string) *module {
	k := w.configs.packageOf(m.dir)
	if k == nil {
		return nil
	}
	fields, _ := k.imports.([]field)
	return w.conditional(m, k, fields, spec)
}

// packageFile resolves a bare specifier that names a package of the
// repository; not stated where only the index file's name says that it is
// meant, or where it is installed under a name that is not its own.
func (w *world) packageFile(m *module, spec string) (t *module, stated bool) {
	name, sub := spec, "."
	if i := packageEnd(spec); i < len(spec) {
		name, sub = spec[:i], "."+spec[i:]
	}
	k := w.packageNamed(m, name)
	if k == nil {
		return nil, false
	}
	return w.inPackage(m, k, sub), k.Name == name && (sub != "." || k.exports != nil || k.Main+k.Module+k.Types+k.Typings != "")
}

// inPackage resolves a path within a package, as the package exports it.
func (w *world) inPackage(m *module, k *pkg, sub string) *module {
	if k.exports != nil {
		fields, ok := k.exports.([]field)
		if ok && len(fields) > 0 && strings.HasPrefix(fields[0].key, ".") {
			return w.conditional(m, k, fields, sub)
		}
		if sub == "." {
			return w.target(m, k, k.exports, "", 0)
		}
		return nil
	}
	if sub == "." {
		return w.entry(k)
	}
	p, ok := join(k.dir, sub)
	if !ok {
		return nil
	}
	if t := w.fileOrFolder(p, false); t != nil {
		return t
	}
	return w.built(k, sub)
}

// packageEnd is the length of the package name at the start of a specifier.
func packageEnd(spec string) int {
	i := strings.IndexByte(spec, '/')
	if i < 0 {
		return len(spec)
	}
	if spec[0] == '@' {
		j := strings.IndexByte(spec[i+1:], '/')
		if j < 0 {
			return len(spec)
		}
		return i + 1 + j
	}
	return i
}

// packageNamed finds the package of the repository that a name means in m:
// the package of m itself, or a dependency of a package above m. Without pnpm
// every package of the repository is in reach.
func (w *world) packageNamed(m *module, name string) *pkg {
	for d := m.dir; ; d = parentDir(d) {
		if own := w.configs.packages[d]; own != nil {
			if own.Name == name {
				return own
			}
			if v, ok := own.deps[name]; ok {
				return w.dependency(own, name, v)
			}
		}
		if d == "" {
			break
		}
	}
	if w.configs.pnpm {
		return nil
	}
	return w.nearestPackage(m.dir, name)
}

// dependency finds what a package.json means by a dependency: a folder, or the
// package of the repository that is so called.
func (w *world) dependency(own *pkg, name, version string) *pkg {
	for _, scheme := range [...]string{"file:", "link:", "portal:", "workspace:."} {
		rel, ok := strings.CutPrefix(version, scheme)
		if !ok {
			continue
		}
		if p, ok := join(own.dir, rel); ok && w.configs.packages[p] != nil {
			return w.configs.packages[p]
		}
	}
	return w.nearestPackage(own.dir, name)
}

// nearestPackage picks the package of a name that shares most folders with dir.
func (w *world) nearestPackage(dir, name string) *pkg {
	var best *pkg
	for _, k := range w.configs.byName[name] {
		if best == nil || shared(k.dir, dir) > shared(best.dir, dir) {
			best = k
		}
	}
	return best
}

// shared is the length of the common leading folders.
func shared(a, b string) int {
	n := 0
	for i := 0; i < len(a) && i < len(b) && a[i] == b[i]; i++ {
		if a[i] == '/' {
			n = i
		}
	}
	if strings.HasPrefix(b, a) {
		n = len(a)
	}
	return n
}

// conditional finds spec among the keys of "exports" or "imports".
func (w *world) conditional(m *module, k *pkg, fields []field, spec string) *module {
	var best *field
	star, length := "", -1
	for i := range fields {
		f := &fields[i]
		if s, ok := match(f.key, spec); ok {
			n := strings.IndexByte(f.key, '*')
			if n < 0 {
				n = 1 << 20
			}
			if n > length {
				best, star, length = f, s, n
			}
		}
	}
	if best == nil {
		return nil
	}
	return w.target(m, k, best.value, star, 0)
}

// target follows the value of an export: a path, alternatives or conditions.
// Types come first, as they do for the checker.
func (w *world) target(m *module, k *pkg, v any, star string, depth int) *module {
	if depth > 8 {
		return nil
	}
	switch v := v.(type) {
	case string:
		v = strings.ReplaceAll(v, "*", star)
		if strings.HasPrefix(v, ".") {
			return w.built(k, v)
		}
		t, _ := w.packageFile(m, v)
		return t
	case []any:
		for _, a := range v {
			if t := w.target(m, k, a, star, depth+1); t != nil {
				return t
			}
		}
	case []field:
		for _, c := range [...]string{"types", "import", "node", "default", "require", "module", "browser"} {
			for _, f := range v {
				if f.key != c {
					continue
				}
				if t := w.target(m, k, f.value, star, depth+1); t != nil {
					return t
				}
			}
		}
	}
	return nil
}

// ambientModule finds the "declare module" that fits a specifier, nearest first.
func (w *world) ambientModule(m *module, spec string) defRef {
	all := w.ambient[spec]
	if len(all) == 0 {
		best := ""
		for _, p := range w.patterns {
			if _, ok := match(p, spec); ok && strings.IndexByte(p, '*') >= strings.IndexByte(best, '*') {
				best = p
			}
		}
		all = w.ambient[best]
	}
	if len(all) == 0 {
		return defRef{}
	}
	return nearest(all, m)
}

// nearest picks the definition whose file shares most folders with m.
func nearest(all []defRef, m *module) defRef {
	best := all[0]
	for _, d := range all[1:] {
		if shared(d.m.dir, m.dir) > shared(best.m.dir, m.dir) {
			best = d
		}
	}
	return best
}
