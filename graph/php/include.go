package php

import (
	"path"
	"strings"

	"codeidx/facts"
	"codeidx/graph"
)

// known is what is known of a path: its text, relative to the top of the
// repository where it is absolute, or its last part only.
type known struct {
	text     string
	absolute bool // text is a path in the repository
	tail     bool // something unknown precedes text
}

// maxPathDepth bounds how far the parts of a path are followed.
const maxPathDepth = 12

// emitInclude binds an include to the file that its path names.
func (x *file) emitInclude(e *facts.Expr) {
	k, ok := x.pathOf(e.X, 0)
	edge := graph.Edge{Kind: graph.Imports, Rule: graph.PhpInclude, From: x.f.Scopes[e.Scope].Def, Pos: e.Pos, Name: e.Name}
	var found []*file
	if ok && !k.tail {
		found = x.includable(k)
	} else if ok {
		found = x.w.endingWith(k.text)
		edge.Rule = graph.PhpIncludeSuffix
	}
	switch {
	case len(found) > 0:
	case ok && !k.tail:
		x.looseInclude(edge, graph.ExternalImport)
		return
	default:
		x.emitConfigured(edge)
		return
	}
	if len(found) > 1 || k.tail {
		edge.Resolution = graph.Candidate
	}
	if len(found) > 1 {
		edge.Rule = graph.PhpIncludeAmbiguous
	}
	for _, f := range found {
		edge.To = graph.Target{File: f.idx}
		x.out.Edges = append(x.out.Edges, edge)
	}
}

// emitConfigured makes candidates of the files that the configuration names for
// includes whose path the source does not tell.
func (x *file) emitConfigured(edge graph.Edge) {
	edge.Resolution, edge.Rule = graph.Candidate, graph.PhpIncludeGlob
	found := false
	for _, f := range x.w.configured {
		if f != x {
			found = true
			edge.To = graph.Target{File: f.idx}
			x.out.Edges = append(x.out.Edges, edge)
		}
	}
	if !found {
		x.looseInclude(edge, graph.DynamicReceiver)
	}
}

func (x *file) looseInclude(edge graph.Edge, why graph.Reason) {
	x.out.Unresolved = append(x.out.Unresolved, graph.Unresolved{Kind: graph.Imports, Reason: why, From: edge.From, Pos: edge.Pos, Name: edge.Name})
}

// maxIncluded bounds the files that are followed from one.
const maxIncluded = 1000

// included returns the files that a file includes by readable paths, also
// through those files.
func (x *file) included() map[*file]bool {
	if x.reached != nil {
		return x.reached
	}
	x.reached = map[*file]bool{}
	for queue := []*file{x}; len(queue) > 0 && len(x.reached) < maxIncluded; queue = queue[1:] {
		f := queue[0]
		for i := range f.f.Exprs {
			e := &f.f.Exprs[i]
			if e.Kind != facts.Include {
				continue
			}
			k, ok := f.pathOf(e.X, 0)
			if !ok || k.tail {
				continue
			}
			if to := f.includable(k); len(to) == 1 && !x.reached[to[0]] {
				x.reached[to[0]] = true
				queue = append(queue, to[0])
			}
		}
	}
	return x.reached
}

// includable lists the files that a path may mean: one in the repository, else
// relative to the including file, or to a folder that scripts start in.
func (x *file) includable(k known) []*file {
	if k.absolute {
		if f := x.w.files[strings.TrimPrefix(path.Clean("/"+k.text), "/")]; f != nil {
			return []*file{f}
		}
		return nil
	}
	var out []*file
	seen := map[string]bool{}
	for _, dir := range append([]string{x.dir, ""}, x.w.p.Roots...) {
		p := path.Join(dir, k.text)
		if f := x.w.files[p]; f != nil && !seen[p] {
			seen[p] = true
			out = append(out, f)
		}
	}
	return out
}

// maxSuffix bounds the files that a path known in its last part may mean.
const maxSuffix = 8

// endingWith lists the files whose path ends with text, none where there are
// too many.
func (w *world) endingWith(text string) []*file {
	text = strings.TrimLeft(path.Clean("/"+text), "/")
	var out []*file
	for _, f := range w.suffixes[text[strings.LastIndexByte(text, '/')+1:]] {
		if f.f.Path == text || strings.HasSuffix(f.f.Path, "/"+text) {
			out = append(out, f)
		}
	}
	if len(out) > maxSuffix {
		return nil
	}
	return out
}

// pathOf evaluates the path of an include as far as the source tells it.
func (x *file) pathOf(id facts.ExprID, depth int) (known, bool) {
	e := &x.f.Exprs[id]
	if id == 0 || depth > maxPathDepth {
		return known{}, false
	}
	kids := x.f.KidsOf(e.Kids)
	switch e.Kind {
	case facts.Literal:
		if e.Lit == facts.StringLit {
			return known{text: x.name(e.Name)}, e.Name != 0
		}
	case facts.Name:
		return x.namedPath(e, depth)
	case facts.Call:
		return x.dirname(e, kids, depth)
	case facts.Binary:
		if e.Op != facts.OpConcat {
			return known{}, false
		}
		left, ok := x.pathOf(kids[0], depth+1)
		right, okRight := x.pathOf(kids[1], depth+1)
		switch {
		case !okRight || right.absolute || right.tail:
			return known{}, false
		case !ok:
			return known{text: right.text, tail: true}, strings.Contains(right.text, ".")
		}
		return known{text: left.text + right.text, absolute: left.absolute, tail: left.tail}, true
	}
	return known{}, false
}

// namedPath evaluates __DIR__, __FILE__, constants with one definition and
// variables with one assignment.
func (x *file) namedPath(e *facts.Expr, depth int) (known, bool) {
	n := x.name(e.Name)
	switch {
	case strings.EqualFold(n, "__DIR__"):
		return known{text: x.dir, absolute: true}, true
	case strings.EqualFold(n, "__FILE__"):
		return known{text: x.f.Path, absolute: true}, true
	case n == "DIRECTORY_SEPARATOR":
		return known{text: "/"}, true
	case isVariable(n):
		binds := x.reach(x.pick(x.vars.Of(uint32(e.Name)), x.varScope(e.Scope)), e.Pos)
		if len(binds) != 1 {
			return known{}, false
		}
		if b := &x.f.Binds[binds[0]]; b.Kind == facts.BindVar && b.Part == facts.PartWhole {
			return x.pathOf(b.Value, depth+1)
		}
		return known{}, false
	}
	for _, key := range x.constantNames(e) {
		if refs := x.w.constants[key]; len(refs) == 1 {
			return refs[0].f.pathOf(refs[0].f.f.Defs[refs[0].def].Value, depth+1)
		} else if len(refs) > 1 {
			return known{}, false
		}
	}
	return known{}, false
}

// dirname evaluates dirname(path, levels) and realpath(path).
func (x *file) dirname(e *facts.Expr, kids []facts.ExprID, depth int) (known, bool) {
	fn := &x.f.Exprs[e.X]
	if fn.Kind != facts.Name || len(kids) == 0 {
		return known{}, false
	}
	k, ok := x.pathOf(kids[0], depth+1)
	if !ok || !k.absolute {
		return known{}, false
	}
	switch strings.ToLower(x.name(fn.Name)) {
	case "realpath":
		return k, true
	case "trailingslashit", "plugin_dir_path":
		if strings.HasSuffix(k.text, ".php") {
			k.text = parentDir(k.text)
		}
		k.text += "/"
		return k, true
	case "dirname":
		levels := 1
		if len(kids) > 1 {
			if n := x.name(x.f.Exprs[kids[1]].Name); len(n) == 1 && n[0] > '0' && n[0] <= '9' {
				levels = int(n[0] - '0')
			}
		}
		p := path.Clean("/" + k.text)
		for range levels {
			p = path.Dir(p)
		}
		return known{text: strings.TrimPrefix(p, "/"), absolute: true}, true
	}
	return known{}, false
}
