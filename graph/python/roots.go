package python

import (
	"regexp"
	"sort"
	"strings"
	"sync"
)

// findRoots returns the folders that absolute imports start from: configured
// ones, else those that packaging files name, "src" folders and the top.
func (w *world) findRoots() []string {
	if len(w.p.Roots) > 0 {
		return w.p.Roots
	}
	seen := map[string]bool{}
	var roots []string
	add := func(d string) {
		d = strings.Trim(strings.TrimPrefix(d, "./"), "/")
		if d == "." {
			d = ""
		}
		if !seen[d] && (d == "" || w.dirs[d]) {
			seen[d] = true
			roots = append(roots, d)
		}
	}
	for _, c := range w.p.Config {
		base := parentDir(c.Path)
		for _, d := range configRoots(c.Path, string(c.Data)) {
			add(join(base, strings.Trim(d, "/.")))
		}
		add(join(base, "src"))
	}
	add("src")
	add("")
	for _, c := range w.p.Config {
		add(parentDir(c.Path))
	}
	var more []string
	for d := range w.dirs {
		if d == "src" || strings.HasSuffix(d, "/src") {
			more = append(more, d)
		}
	}
	sort.Strings(more)
	for _, d := range more {
		add(d)
	}
	return roots
}

// rootPatterns find the folders that packaging files name: where = ["src"],
// package_dir = {"": "src"}, from = "lib", and their setup.cfg forms.
var rootPatterns = sync.OnceValue(func() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`(?m)^\s*where\s*=\s*\[?\s*["']?([\w./-]+)`),
		regexp.MustCompile(`["']{2}\s*[:=]\s*["']([\w./-]+)["']`),
		regexp.MustCompile(`(?m)^package_dir\s*=\s*\n?\s*=\s*([\w./-]+)`),
		regexp.MustCompile(`from\s*=\s*["']([\w./-]+)["']`),
		regexp.MustCompile(`(?m)^\s*(?:dev-mode-dirs|python-paths|pythonpath|source-roots?)\s*=\s*\[?\s*["']?([\w./-]+)`),
		regexp.MustCompile(`find_packages\(\s*(?:where\s*=\s*)?["']([\w./-]+)["']`),
	}
})

func configRoots(path, data string) []string {
	var dirs []string
	for _, re := range rootPatterns() {
		for _, g := range re.FindAllStringSubmatch(data, -1) {
			dirs = append(dirs, g[1])
		}
	}
	return dirs
}

// isPackage says whether a folder has an __init__ file.
func (w *world) isPackage(dir string) bool {
	return dir != "" && (w.files[dir+"/__init__.py"] != nil || w.files[dir+"/__init__.pyi"] != nil)
}

// searchPath lists the folders above m that an absolute import may start from,
// nearest first, as scripts and test runners put them on the path: all but
// packages and folders inside of packages. The source roots directly in such a
// folder, as in a repository of several projects, follow it.
func (m *module) searchPath() []string {
	if m.search != nil {
		return m.search
	}
	for d := m.dir; ; d = parentDir(d) {
		m.search = append(m.search, d)
		if m.w.isPackage(d) {
			m.search = m.search[:0]
		} else if d != "" {
			m.search = append(m.search, m.w.rootsIn[d]...)
		}
		if d == "" {
			break
		}
	}
	return m.search
}

// besides lists the folders below those above m that hold top-level packages,
// such as tests/apps: test suites put them on the path.
func (m *module) besides() []string {
	var out []string
	for _, d := range m.w.holders {
		if p := parentDir(d); p != "" && (m.dir == p || strings.HasPrefix(m.dir, p+"/")) {
			out = append(out, d)
		}
	}
	return out
}

// findHolders lists the folders that hold packages without being in one.
func (w *world) findHolders() []string {
	seen := map[string]bool{}
	var out []string
	for _, m := range w.order {
		if !m.pkg || m.dir == "" {
			continue
		}
		d := parentDir(m.dir)
		if d == "" || seen[d] {
			continue
		}
		seen[d] = true
		inside := false
		for p := d; p != "" && !inside; p = parentDir(p) {
			inside = w.isPackage(p)
		}
		if !inside {
			out = append(out, d)
		}
	}
	sort.Strings(out)
	return out
}
