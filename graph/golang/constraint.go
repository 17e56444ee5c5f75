package golang

import (
	"go/build/constraint"
	"strings"

	"codeidx/facts"
)

// buildSet interns the build constraints of files and answers whether one
// build can take two files at once. Constraint 0 asks for nothing.
type buildSet struct {
	exprs []constraint.Expr
	tags  [][]string
	ids   map[string]int32
	pairs map[[2]int32]bool
}

func newBuildSet() *buildSet {
	return &buildSet{
		exprs: []constraint.Expr{nil}, tags: [][]string{nil},
		ids: map[string]int32{"": 0}, pairs: map[[2]int32]bool{},
	}
}

// of returns the id of a file's constraint: its build lines and name suffixes.
func (s *buildSet) of(f *facts.File) int32 {
	var key string
	for _, m := range f.Marks {
		switch k := f.Name(m.Key); k {
		case "build", "goos", "goarch":
			key += k + " " + f.Name(m.Value) + "\n"
		}
	}
	if id, ok := s.ids[key]; ok {
		return id
	}
	var all constraint.Expr
	goBuild := strings.Contains(key, "//go:build")
	for _, line := range strings.Split(strings.TrimSuffix(key, "\n"), "\n") {
		k, v, _ := strings.Cut(line, " ")
		var x constraint.Expr = &constraint.TagExpr{Tag: v}
		if k == "build" {
			if goBuild && !strings.HasPrefix(v, "//go:build") {
				continue // a go:build line replaces the older form
			}
			var err error
			if x, err = constraint.Parse(v); err != nil {
				continue
			}
		}
		if all == nil {
			all = x
		} else {
			all = &constraint.AndExpr{X: all, Y: x}
		}
	}
	id := int32(len(s.exprs))
	s.exprs = append(s.exprs, all)
	s.tags = append(s.tags, tagsOf(all, nil))
	s.ids[key] = id
	return id
}

func tagsOf(x constraint.Expr, tags []string) []string {
	switch x := x.(type) {
	case *constraint.TagExpr:
		for _, t := range tags {
			if t == x.Tag {
				return tags
			}
		}
		return append(tags, x.Tag)
	case *constraint.NotExpr:
		return tagsOf(x.X, tags)
	case *constraint.AndExpr:
		return tagsOf(x.Y, tagsOf(x.X, tags))
	case *constraint.OrExpr:
		return tagsOf(x.Y, tagsOf(x.X, tags))
	}
	return tags
}

// alone says whether a file is built by naming it, never with its package: its
// constraint asks for the tag "ignore", which no build sets.
func (s *buildSet) alone(id int32) bool { return requires(s.exprs[id], "ignore") }

func requires(x constraint.Expr, tag string) bool {
	switch x := x.(type) {
	case *constraint.TagExpr:
		return x.Tag == tag
	case *constraint.AndExpr:
		return requires(x.X, tag) || requires(x.Y, tag)
	}
	return false
}

// together says whether some build takes files of both constraints.
func (s *buildSet) together(a, b int32) bool {
	if a == b || a == 0 || b == 0 {
		return true
	}
	if a > b {
		a, b = b, a
	}
	ok, known := s.pairs[[2]int32{a, b}]
	if !known {
		ok = s.satisfiable(a, b)
		s.pairs[[2]int32{a, b}] = ok
	}
	return ok
}

// maxFreeTags bounds the 2^n search over tags that exclude nothing.
const maxFreeTags = 8

// satisfiable tries every system and architecture that the constraints name,
// one that they do not name of each family, and all values of other tags.
func (s *buildSet) satisfiable(a, b int32) bool {
	systems, archs := []string{"", "other_unix"}, []string{""}
	var free []string
	for _, t := range append(append([]string(nil), s.tags[a]...), s.tags[b]...) {
		switch {
		case isSystem(t):
			systems = append(systems, t)
		case isArch(t):
			archs = append(archs, t)
		case t != "unix":
			free = append(free, t)
		}
	}
	if len(free) > maxFreeTags {
		return true
	}
	for _, system := range systems {
		for _, arch := range archs {
			for bits := range 1 << len(free) {
				has := func(tag string) bool {
					if tag == system || tag == arch {
						return true
					}
					if tag == "unix" {
						return isUnix(system)
					}
					for i, f := range free {
						if f == tag {
							return bits>>i&1 == 1
						}
					}
					return tag == "linux" && system == "android" || tag == "darwin" && system == "ios" ||
						tag == "solaris" && system == "illumos"
				}
				if (s.exprs[a] == nil || s.exprs[a].Eval(has)) && (s.exprs[b] == nil || s.exprs[b].Eval(has)) {
					return true
				}
			}
		}
	}
	return false
}

func isSystem(tag string) bool {
	switch tag {
	case "js", "nacl", "plan9", "wasip1", "windows", "zos":
		return true
	}
	return tag != "other_unix" && isUnix(tag)
}

func isUnix(tag string) bool {
	switch tag {
	case "aix", "android", "darwin", "dragonfly", "freebsd", "hurd", "illumos", "ios", "linux", "netbsd", "openbsd",
		"solaris", "other_unix":
		return true
	}
	return false
}

func isArch(tag string) bool {
	switch tag {
	case "386", "amd64", "arm", "arm64", "loong64", "mips", "mipsle", "mips64", "mips64le", "ppc64", "ppc64le", "riscv64",
		"s390x", "wasm":
		return true
	}
	return false
}
