package golang

import (
	"codeidx/facts"
	"codeidx/facts/syntax"
)

// texts scans the tree once for comments, strings and broken regions.
func (w *walker) texts() {
	w.f.Partial = w.nodes[0].Flags&(syntax.HasError|syntax.Error) != 0
	end := w.nodes[0].Next
	for c := uint32(1); c < end; c = w.nodes[c].Next {
		if w.sound(c) {
			w.textsIn(c)
		} else {
			w.broken(c)
		}
	}
}

// sound says whether a child of the root can be trusted. In a file that the
// parser could not read as a whole, statements at the top level are what is
// left of a function, and a declaration that does not start its line may be a
// local one.
func (w *walker) sound(c uint32) bool {
	n := &w.nodes[c]
	if !w.f.Partial {
		return true
	}
	switch w.kind(c) {
	case kComment:
		return true
	case kPackageClause, kImportDeclaration, kFunctionDeclaration, kMethodDeclaration, kConstDeclaration, kVarDeclaration,
		kTypeDeclaration:
		return n.Start == 0 || w.src[n.Start-1] == '\n'
	}
	return n.Flags&(syntax.Named|syntax.Error) == 0
}

// textsIn scans the subtree of i.
func (w *walker) textsIn(i uint32) {
	end := w.nodes[i].Next
	for i < end {
		n := &w.nodes[i]
		switch {
		case n.Kind == syntax.ErrorKind || n.Flags&syntax.Error != 0:
			w.broken(i)
			i = n.Next
			continue
		case n.Flags&syntax.Missing != 0:
			w.f.Errors = append(w.f.Errors, w.span(i))
		case w.kind(i) == kComment:
			w.b.Text(facts.Comment, w.span(i))
		case w.kind(i) == kString:
			w.b.Text(facts.String, w.span(i))
			i = n.Next
			continue
		}
		i++
	}
}

// broken records a broken region and the comments and strings in it.
func (w *walker) broken(i uint32) {
	w.regions = append(w.regions, i)
	w.f.Errors = append(w.f.Errors, w.span(i))
	for c := i; c < w.nodes[i].Next; c++ {
		switch w.kind(c) {
		case kComment:
			w.b.Text(facts.Comment, w.span(c))
		case kString:
			w.b.Text(facts.String, w.span(c))
		}
	}
}

// brokenNames lists the names inside broken regions as Bad nodes, in the
// scopes around them. Scopes are in order of their start.
func (w *walker) brokenNames() {
	scopes := w.f.Scopes
	next, cur := 1, facts.ScopeID(0)
	for _, i := range w.regions {
		for c := i; c < w.nodes[i].Next; c++ {
			switch w.kind(c) {
			case kIdentifier, kTypeIdentifier, kFieldIdentifier:
			default:
				continue
			}
			pos := w.nodes[c].Start
			for next < len(scopes) && scopes[next].Span.Start <= pos {
				cur = facts.ScopeID(next)
				next++
			}
			for cur != 0 && scopes[cur].Span.End <= pos {
				cur = scopes[cur].Parent
			}
			w.b.Expr(facts.Expr{Kind: facts.Bad, Scope: cur, Pos: pos, Name: w.b.Intern(w.text(c))})
		}
	}
}

// brokenHead says whether the parser skipped text between the parts of a
// declaration. Such a one is listed but nothing binds to it: what looks like
// its name may be none.
func (w *walker) brokenHead(i uint32) bool {
	end := w.nodes[i].Next
	for c := i + 1; c < end; c = w.nodes[c].Next {
		if w.nodes[c].Kind == syntax.ErrorKind {
			return true
		}
	}
	return false
}
