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

// searchPath lists the folders where an absolute import of m is looked for:
// the folders above the file from the first that is no package, which is what
// scripts and test runners put first, then the source roots.
func (m *module) searchPath() []string {
	var path []string
	d := m.dir
	for w := m.w; d != "" && (w.files[d+"/__init__.py"] != nil || w.files[d+"/__init__.pyi"] != nil); {
		d = parentDir(d)
	}
	for {
		path = append(path, d)
		if d == "" {
			break
		}
		d = parentDir(d)
	}
	return path
}
