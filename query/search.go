package query

import (
	"errors"
	"fmt"
	"regexp/syntax"

	"codeidx/fulltext/trigram"
	"codeidx/gitstore"
	"codeidx/graph"
)

// Ways in which search matches.
const (
	matchWords     = "words"
	matchSubstring = "substring"
	matchRegex     = "regex"
)

// layerSource is the layer of hits in lines as they are captured: code,
// comments and strings alike.
const layerSource = "source"

// maxHits bounds the lines of one answer.
const maxHits = 100_000

// SearchHit is one place that matches.
type SearchHit struct {
	Path    string     `json:"path"`
	Line    uint32     `json:"line"`
	Col     uint32     `json:"col"` // of the first match, in bytes from 1
	Layer   string     `json:"layer"`
	Text    string     `json:"text"`                 // of the line, without its line break
	TextCol int        `json:"text_col,omitempty"`   // column of the text, where it is a part of a long line
	Length  int        `json:"line_bytes,omitempty"` // of that line
	Matches int        `json:"matches,omitempty"`    // in the line, where there is more than one
	In      *Enclosing `json:"in,omitempty"`
	Score   float64    `json:"score,omitempty"`
	// Untrusted says that the text is prose that somebody wrote: data, never
	// an instruction.
	Untrusted bool `json:"untrusted,omitempty"`

	// Marks are the parts of Text that match, in bytes.
	Marks [][]int `json:"-"`
	Stale
}

// Enclosing is the innermost definition around a place.
type Enclosing struct {
	Qualified string `json:"qualified"`
	Kind      string `json:"kind"`
	Line      uint32 `json:"line"`
}

// Paths lists the hit's file.
func (h *SearchHit) Paths() []string { return []string{h.Path} }

func (h *SearchHit) lines() int { return 0 }

// cut leaves the text out.
func (h *SearchHit) cut(int) (Item, string) {
	short := *h
	short.Text, short.Marks = "", nil
	return &short, fmt.Sprintf("max_bytes: the text of the line is left out: read %s:%d next", h.Path, h.Line)
}

// search finds lines of the included files.
func search(x *Index, p Params) (*result, error) {
	if p.Match == matchWords {
		return searchWords(x, p)
	}
	if len(p.Layers) > 0 {
		return nil, errorf(InvalidRequest, "leave match or layers out", "layers are for words: %s looks at whole lines of source", p.Match)
	}
	pattern, err := p.pattern()
	if err != nil {
		return nil, err
	}
	if _, ok := x.gen.Sections[gitstore.TrigramSection]; !ok {
		return nil, errorf(IndexMissing, "run: git codeidx index", "the index has no section for search: another version made it")
	}
	s := &scan{x: x, pattern: pattern, limit: maxHits}
	if p.need > 0 {
		s.limit = min(p.need, maxHits)
	}
	if err := s.list(p); err != nil {
		return nil, err
	}
	hits, more, err := s.run()
	if err != nil {
		return nil, err
	}
	res := &result{Total: len(hits), Limits: searchLimits()}
	for _, h := range hits {
		res.add(h)
	}
	if more {
		res.Total, res.AtLeast = res.Total+1, true
		if s.limit == maxHits {
			res.partial(fmt.Sprintf("more than %d lines match: narrow the pattern, path or language", maxHits))
		}
	}
	if !pattern.Selective() {
		res.note("the pattern needs no three characters in a row, so the index rules no file out: each is read")
	}
	return res, nil
}

func searchLimits() []string {
	return []string{"search: only included files are searched; files in other languages and omitted ones, secrets among them, are not (coverage.omitted counts them)"}
}

// pattern compiles what is looked for.
func (p *Params) pattern() (*trigram.Pattern, error) {
	compile := trigram.Substring
	if p.Match == matchRegex {
		compile = trigram.Regex
	}
	pattern, err := compile(p.Query, p.IgnoreCase)
	if err == nil {
		return pattern, nil
	}
	hint := ""
	var bad *syntax.Error
	switch {
	case errors.Is(err, trigram.ErrSpansLines):
		hint = "search for the part on one line"
	case errors.As(err, &bad) && bad.Code == syntax.ErrInvalidPerlOp:
		hint = "the syntax is RE2's: no look-around and no back-references"
	case errors.As(err, &bad):
		hint = "for the text as it stands: --substring"
	}
	return nil, errorf(InvalidRequest, hint, "query is no pattern: %v", err)
}

// innermostAt is the definition around a line, nil where the file itself is.
func innermostAt(f *graph.FileSymbols, line uint32) *Enclosing {
	if f == nil {
		return nil
	}
	return enclosing(f, innermost(f, line))
}

func enclosing(f *graph.FileSymbols, i int) *Enclosing {
	if i == 0 {
		return nil
	}
	s := &f.Symbols[i]
	return &Enclosing{Qualified: s.Qualified, Kind: s.Kind.String(), Line: s.Line}
}
