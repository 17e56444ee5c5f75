package main

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// question is one thing that an agent wants to know.
type question struct {
	kind  string
	name  string   // simple name of the definition that it is about
	at    string   // place of it
	path  string   // of a file, where it is about one
	words string   // of a phrase
	truth []string // places or paths, sorted
	exact bool     // further claims are wrong
	edit  *edit    // made before the question
}

// Bounds of what makes a question: what everybody calls is a question that
// nobody asks.
const (
	mostSites  = 100
	mostBroken = 20
)

// group is a definition with the facts that point at it.
type group struct {
	def   *fact // any of them
	sites []string
	facts []*fact
}

// groups collects facts by definition, the largest first; take chooses them.
func (w *world) groups(take func(*fact) bool) []*group {
	by := map[string]*group{}
	for _, f := range w.facts {
		if !take(f) || f.DefLine == 0 || !isCode(f.DefPath) {
			continue
		}
		g := by[f.def()]
		if g == nil {
			g = &group{def: f}
			by[f.def()] = g
		}
		g.facts = append(g.facts, f)
		g.sites = append(g.sites, f.site())
	}
	list := slices.Collect(maps.Values(by))
	for _, g := range list {
		g.sites = set(g.sites)
	}
	slices.SortFunc(list, func(a, b *group) int {
		if d := len(b.sites) - len(a.sites); d != 0 {
			return d
		}
		return strings.Compare(a.def.def(), b.def.def())
	})
	return list
}

func set(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

// first returns the first group that fits.
func first(list []*group, fits func(*group) bool) *group {
	if i := slices.IndexFunc(list, fits); i >= 0 {
		return list[i]
	}
	return nil
}

func (g *group) ask(kind string) *question {
	return &question{kind: kind, name: simple(g.def.DefName), at: g.def.def(), truth: g.sites, exact: true}
}

func isFunction(f *fact) bool { return isOneOf(f.DefKind, "function", "method") }

// questions derives at most ten questions; a repository without overrides has
// none about them.
func (w *world) questions() []*question {
	var out []*question
	add := func(q *question) {
		if q != nil && len(q.truth) > 0 {
			out = append(out, q)
		}
	}
	called := w.groups(func(f *fact) bool { return f.Kind == "calls" && isFunction(f) })
	common := first(called, func(g *group) bool { return len(g.sites) <= mostSites })
	if common == nil {
		return nil
	}
	add(common.ask("callers"))
	add(w.callees())
	add(w.definition())
	bases := w.groups(func(f *fact) bool { return isOneOf(f.Kind, "inherits", "implements") })
	if g := first(bases, func(*group) bool { return true }); g != nil {
		add(g.ask("implementers"))
	}
	over := w.groups(func(f *fact) bool {
		return f.Kind == "overrides" && simple(f.DefName) != "__init__" && simple(f.DefName) != "__construct"
	})
	if g := first(over, func(*group) bool { return true }); g != nil {
		add(g.ask("overrides"))
	}
	add(w.impact())
	add(tests(called))
	add(w.changes(called))
	add(w.reading(common))
	add(w.phrase(called))
	return out
}

// isAlone says whether its file defines the name once: an overload has others.
func (w *world) isAlone(g *group) bool {
	text, err := os.ReadFile(filepath.Join(w.dir, g.def.DefPath))
	return err == nil && len(regexp.MustCompile(defines(simple(g.def.DefName))).FindAll(text, 2)) == 1
}

// callees asks about the definition that calls most others.
func (w *world) callees() *question {
	defs := map[string]*fact{} // by path and qualified name
	for _, f := range w.facts {
		defs[f.DefPath+"\x00"+f.DefName] = f
	}
	targets, where := map[string][]string{}, map[string]*fact{}
	for _, f := range w.facts {
		key := f.Path + "\x00" + f.From
		if f.Kind == "calls" && !isFunction(f) {
			w.undecided[f.def()] = true // a construction: to the class or to its constructor
		}
		if f.Kind != "calls" || !isFunction(f) || f.FromLine == 0 && defs[key] == nil {
			continue
		}
		targets[key], where[key] = append(targets[key], f.def()), f
	}
	best := ""
	for _, key := range slices.Sorted(maps.Keys(targets)) {
		targets[key] = set(targets[key])
		if d := defs[key]; d != nil && !isFunction(d) {
			continue
		}
		if best == "" || len(targets[key]) > len(targets[best]) {
			best = key
		}
	}
	if best == "" {
		return nil
	}
	f := where[best]
	line := f.FromLine
	if line == 0 {
		line = defs[best].DefLine
	}
	return &question{kind: "callees", name: simple(f.From), at: place(f.Path, line), truth: targets[best], exact: true}
}

// definition asks where the class stands that is used most; without classes,
// the function.
func (w *world) definition() *question {
	isType := func(f *fact) bool { return isOneOf(f.DefKind, "class", "struct", "interface", "trait", "type", "enum") }
	list := w.groups(isType)
	if len(list) == 0 {
		list = w.groups(isFunction)
	}
	if len(list) == 0 {
		return nil
	}
	name := simple(list[0].def.DefName)
	q := &question{kind: "definition", name: name, exact: true}
	for _, g := range list {
		if simple(g.def.DefName) == name {
			q.truth = append(q.truth, g.def.def())
		}
	}
	return q
}

// impact asks which files use a file: the one in the middle of those that at
// least three others use.
func (w *world) impact() *question {
	users := map[string][]string{}
	for _, f := range w.facts {
		if f.Path != f.DefPath && f.DefLine > 0 && isCode(f.DefPath) && f.Kind != "overrides" {
			users[f.DefPath] = append(users[f.DefPath], f.Path)
		}
	}
	var files []string
	for path, list := range users {
		if users[path] = set(list); len(users[path]) >= 3 {
			files = append(files, path)
		}
	}
	if len(files) == 0 {
		return nil
	}
	slices.SortFunc(files, func(a, b string) int {
		if d := len(users[a]) - len(users[b]); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	path := files[len(files)/2]
	return &question{kind: "impact", path: path, truth: users[path], exact: true}
}

// tests asks which test files call the function that most of them call. Those
// that reach it in more steps are no wrong answer.
func tests(called []*group) *question {
	var best *question
	for _, g := range called {
		var files []string
		for _, f := range g.facts {
			if isTest(f.Path) {
				files = append(files, f.Path)
			}
		}
		files = set(files)
		if len(g.sites) <= mostSites && !isTest(g.def.DefPath) && (best == nil || len(files) > len(best.truth)) {
			best = &question{kind: "tests", name: simple(g.def.DefName), at: g.def.def(), truth: files}
		}
	}
	return best
}

// changes renames a function at its definition alone: what still uses it?
func (w *world) changes(called []*group) *question {
	g := first(called, func(g *group) bool {
		return g.def.DefKind == "function" && len(g.sites) <= mostBroken && !isTest(g.def.DefPath) && w.isAlone(g)
	})
	if g == nil {
		return nil
	}
	q := g.ask("changes")
	q.truth = nil
	for _, f := range w.facts {
		if f.def() == q.at && f.site() != q.at {
			q.truth = append(q.truth, f.site())
		}
	}
	q.truth = set(q.truth)
	q.edit = &edit{path: g.def.DefPath, line: g.def.DefLine, name: q.name}
	return q
}

// edit renames what a line defines.
type edit struct {
	path string
	line int
	name string
	old  []byte
}

func (e *edit) apply(tree string) error {
	file := filepath.Join(tree, e.path)
	var err error
	if e.old, err = os.ReadFile(file); err != nil {
		return err
	}
	lines := strings.SplitAfter(string(e.old), "\n")
	lines[e.line-1] = strings.Replace(lines[e.line-1], e.name, e.name+"Renamed", 1)
	return os.WriteFile(file, []byte(strings.Join(lines, "")), 0o644)
}

func (e *edit) undo(tree string) error {
	return os.WriteFile(filepath.Join(tree, e.path), e.old, 0o644)
}

// reading asks for the body of a definition: all of its lines.
func (w *world) reading(g *group) *question {
	b, err := w.body(g.def.def())
	if err != nil {
		return nil
	}
	q := g.ask("read")
	q.exact, q.truth = false, nil
	for line := b[0]; line <= b[1]; line++ {
		q.truth = append(q.truth, place(g.def.DefPath, line))
	}
	return q
}

// phrase asks for the function that most call of those whose name has three
// words or more, by these words.
func (w *world) phrase(called []*group) *question {
	for _, g := range called {
		name := simple(g.def.DefName)
		if words := wordsOf(name); len(words) >= 3 && len(g.sites) <= mostSites && !isTest(g.def.DefPath) && w.isAlone(g) {
			return &question{kind: "phrase", name: name, words: strings.Join(words, " "), truth: []string{g.def.def()}}
		}
	}
	return nil
}

// wordsOf splits an identifier at underscores and humps.
func wordsOf(name string) []string {
	var out []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			out = append(out, strings.ToLower(string(word)))
		}
		word = nil
	}
	lower := false
	for _, r := range name {
		if r == '_' || unicode.IsUpper(r) && lower {
			flush()
		}
		if r != '_' {
			word = append(word, r)
		}
		lower = unicode.IsLower(r)
	}
	flush()
	return out
}
