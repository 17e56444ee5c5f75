package build

import (
	"cmp"
	"slices"
	"sort"

	"codeidx/facts"
	"codeidx/fulltext"
)

// longSignature is the size, in bytes, above which a signature may be shown and
// indexed in part only, so that its words belong to the code, too.
const longSignature = 400

// splitter cuts the source of a file into the texts of its definitions: each
// byte belongs to the innermost definition around it and is code, comment,
// string, or part of a docstring.
type splitter struct {
	f     *facts.File
	src   []byte
	order []facts.DefID // definitions but the file, outer ones before what they hold
	open  []facts.DefID // those around the position at hand
	texts [][fulltext.NumFields][]byte
}

// splitSource returns the body texts of each definition of f, and its whole
// docstring.
func splitSource(f *facts.File, src []byte) [][fulltext.NumFields][]byte {
	s := &splitter{f: f, src: src, texts: make([][fulltext.NumFields][]byte, len(f.Defs)), open: []facts.DefID{0}}
	for i := 1; i < len(f.Defs); i++ {
		s.order = append(s.order, facts.DefID(i))
	}
	slices.SortStableFunc(s.order, func(a, b facts.DefID) int {
		x, y := f.Defs[a].Span, f.Defs[b].Span
		return cmp.Or(cmp.Compare(x.Start, y.Start), cmp.Compare(y.End, x.End))
	})
	docs := s.docstrings()
	at := uint32(0)
	for _, t := range f.Texts {
		if t.Span.End <= at || int(t.Span.End) > len(src) {
			continue // inside of another text
		}
		s.put(fulltext.Code, at, t.Span.Start)
		at = max(at, t.Span.Start)
		if field := fieldOf(t.Kind); field == fulltext.String || !within(docs, at) {
			s.put(field, at, t.Span.End)
		}
		at = t.Span.End
	}
	s.put(fulltext.Code, at, uint32(len(src)))
	return s.texts
}

func fieldOf(k facts.TextKind) fulltext.Field {
	switch k {
	case facts.String, facts.Markup:
		return fulltext.String
	}
	return fulltext.Comment
}

// docstrings gives each definition its docstring and returns their spans,
// sorted.
func (s *splitter) docstrings() []facts.Span {
	var spans []facts.Span
	for i := range s.f.Defs {
		if doc := s.f.Defs[i].Doc; doc.Start < doc.End && int(doc.End) <= len(s.src) {
			s.texts[i][fulltext.Docstring] = s.src[doc.Start:doc.End]
			spans = append(spans, doc)
		}
	}
	slices.SortFunc(spans, func(a, b facts.Span) int { return cmp.Compare(a.Start, b.Start) })
	return spans
}

// within reports whether a position lies in one of sorted spans.
func within(spans []facts.Span, at uint32) bool {
	i := sort.Search(len(spans), func(i int) bool { return spans[i].Start > at }) - 1
	return i >= 0 && at < spans[i].End
}

// put gives src[from:to] to the definitions around it. Calls ascend by position.
func (s *splitter) put(field fulltext.Field, from, to uint32) {
	for from < to {
		s.enter(from)
		d := s.open[len(s.open)-1]
		end := to
		if d != 0 {
			end = min(end, s.f.Defs[d].Span.End)
		}
		if len(s.order) > 0 {
			end = min(end, s.f.Defs[s.order[0]].Span.Start)
		}
		start := from
		if head := s.head(d); field == fulltext.Code && start < head {
			start = min(head, end)
		}
		if start < end {
			text := &s.texts[d][field]
			*text = append(append(*text, s.src[start:end]...), '\n')
		}
		from = end
	}
}

// enter brings the open definitions up to a position. Of definitions with one
// span ("var a, b = f()") the first one has its text.
func (s *splitter) enter(at uint32) {
	for n := len(s.open) - 1; n > 0 && s.f.Defs[s.open[n]].Span.End <= at; n-- {
		s.open = s.open[:n]
	}
	for len(s.order) > 0 && s.f.Defs[s.order[0]].Span.Start <= at {
		d := &s.f.Defs[s.order[0]]
		top := &s.f.Defs[s.open[len(s.open)-1]]
		if d.Span.End > at && (d.Span != top.Span || d.Parent == s.open[len(s.open)-1]) {
			s.open = append(s.open, s.order[0])
		}
		s.order = s.order[1:]
	}
}

// head is where a definition's own signature ends, which is a field apart.
func (s *splitter) head(d facts.DefID) uint32 {
	def := &s.f.Defs[d]
	if d == 0 || def.SigEnd-def.Span.Start > longSignature {
		return 0
	}
	return def.SigEnd
}
