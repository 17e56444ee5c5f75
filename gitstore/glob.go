package gitstore

import (
	"path"
	"strings"
)

// globs is a list of patterns in the language of gitignore: the last one that
// matches decides, "!" takes back, a slash inside anchors to the top, a slash
// at the end asks for a folder, "**" crosses folders, and what matches a
// folder covers everything below it.
type globs []glob

type glob struct {
	parts    []string // components of the pattern; "**" stands for any number
	negate   bool
	dirOnly  bool
	literal  string // the only component, where it holds no wildcard
	anchored bool
}

func compileGlobs(patterns []string) globs {
	var gs globs
	for _, p := range patterns {
		var g glob
		p, g.negate = strings.CutPrefix(p, "!")
		p, g.dirOnly = strings.CutSuffix(p, "/")
		g.anchored = strings.Contains(p, "/")
		p = strings.TrimPrefix(p, "/")
		if p == "" {
			continue
		}
		g.parts = strings.Split(p, "/")
		if !g.anchored && !strings.ContainsAny(p, `*?[\`) {
			g.literal = p
		}
		gs = append(gs, g)
	}
	return gs
}

// match says whether the list covers a file.
func (gs globs) match(file string) bool {
	for i := len(gs) - 1; i >= 0; i-- {
		if gs[i].match(file) {
			return !gs[i].negate
		}
	}
	return false
}

// match tries the file and each folder above it.
func (g *glob) match(file string) bool {
	for end := len(file); end > 0; end = strings.LastIndexByte(file[:end], '/') {
		if end == len(file) && g.dirOnly {
			continue
		}
		if g.matchExact(file[:end]) {
			return true
		}
	}
	return false
}

func (g *glob) matchExact(p string) bool {
	if g.anchored {
		return matchParts(g.parts, p)
	}
	base := p[strings.LastIndexByte(p, '/')+1:]
	if g.literal != "" {
		return base == g.literal
	}
	return matchPart(g.parts[0], base)
}

// matchParts matches components one by one; p is never empty at the start.
// A "**" at the end wants at least one component.
func matchParts(parts []string, p string) bool {
	for len(parts) > 0 {
		if parts[0] == "**" {
			if len(parts) == 1 {
				return p != ""
			}
			for {
				if matchParts(parts[1:], p) {
					return true
				}
				_, rest, more := strings.Cut(p, "/")
				if !more {
					return false
				}
				p = rest
			}
		}
		name, rest, _ := strings.Cut(p, "/")
		if name == "" || !matchPart(parts[0], name) {
			return false
		}
		parts, p = parts[1:], rest
	}
	return p == ""
}

// matchPart matches one component. A malformed pattern matches nothing, as in
// git; "[!a]" is git's way to write path.Match's "[^a]".
func matchPart(pattern, name string) bool {
	if strings.Contains(pattern, "[!") {
		pattern = strings.ReplaceAll(pattern, "[!", "[^")
	}
	ok, err := path.Match(pattern, name)
	return err == nil && ok
}
