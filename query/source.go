package query

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// Most lines that one read returns (spec/engine.md §6).
const maxReadLines = 200

// Snippet is a run of captured source lines. Text is the bytes of the lines
// as captured, line ends included; Hash is their SHA-256.
type Snippet struct {
	Path   string `json:"path"`
	First  int    `json:"first_line"`
	Last   int    `json:"last_line"`
	Lines  int    `json:"file_lines"`
	File   string `json:"file_sha256"`
	Hash   string `json:"snippet_sha256"`
	Text   string `json:"text"`
	Symbol *Sym   `json:"symbol,omitempty"`
	Stale
}

// Paths lists the snippet's file.
func (s *Snippet) Paths() []string { return []string{s.Path} }

func (s *Snippet) lines() int { return s.Last - s.First + 1 }

// cut keeps the first lines of the snippet; its digest is that of what is left.
func (s *Snippet) cut(lines int) (Item, string) {
	short := *s
	short.shorten(lines)
	if s.Symbol != nil {
		sym := s.Symbol.brief()
		short.Symbol = &sym
	}
	return &short, s.cutReason(lines)
}

func (s *Snippet) shorten(lines int) {
	end := 0
	for range min(lines, s.lines()) {
		i := strings.IndexByte(s.Text[end:], '\n')
		if i < 0 {
			end = len(s.Text)
			break
		}
		end += i + 1
	}
	s.Last, s.Text = s.First+min(lines, s.lines())-1, s.Text[:end]
	part := sha256.Sum256([]byte(s.Text))
	s.Hash = hex.EncodeToString(part[:])
}

// cutReason says which lines max_bytes leaves out and how to get them.
func (s *Snippet) cutReason(lines int) string {
	first := s.First + lines
	switch {
	case first > s.Last:
		return "max_bytes: signatures and prose are left out"
	case lines == 0:
		return fmt.Sprintf("max_bytes: line %d of %s alone is too long; lines %d-%d are left out", first, s.Path, first, s.Last)
	}
	return fmt.Sprintf("max_bytes: lines %d-%d of %s are left out: read %s:%d-%d next", first, s.Last, s.Path, s.Path, first, s.Last)
}

// read returns lines of a captured file.
func read(x *Index, p Params) (*result, error) {
	path, ok, err := x.resolvePath(p.Path, p.Prefix)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, x.noSuchFile(p.Path)
	}
	first, last, err := p.lineRange()
	if err != nil {
		return nil, err
	}
	s, err := x.snippet(path, first, last)
	if err != nil {
		return nil, err
	}
	res := &result{}
	res.add(s)
	if s.Last < s.Lines && p.Last == 0 {
		res.partial(fmt.Sprintf("the file has %d lines: read %s:%d-%d next", s.Lines, path, s.Last+1, min(s.Last+maxReadLines, s.Lines)))
	}
	return res, nil
}

// lineRange is the asked range of lines, at most maxReadLines of them.
func (p *Params) lineRange() (first, last int, err error) {
	first, last = max(p.First, 1), p.Last
	if last == 0 {
		last = first + maxReadLines - 1
	}
	if last < first || last-first >= maxReadLines {
		return 0, 0, errorf(InvalidRequest, "", "lines %d-%d are no range of at most %d lines", first, last, maxReadLines)
	}
	return first, last, nil
}

// code returns the source of exactly one definition.
func code(x *Index, p Params) (*result, error) {
	found, err := x.targets(p.Symbol)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(x.filter(found, p), func(l located) bool { return !underPrefix(l.file.Path, p.PathPrefix) })
	switch len(found) {
	case 0:
		res := &result{}
		res.missing(x, p.Symbol)
		return res, nil
	case 1:
	default:
		return nil, ambiguous(p.Symbol, found)
	}
	s := &found[0].file.Symbols[found[0].i]
	snip, err := x.snippet(found[0].file.Path, int(s.Start), int(s.End))
	if err != nil {
		return nil, err
	}
	sym := x.symOf(found[0].file, found[0].i)
	snip.Symbol = &sym
	res := &result{}
	res.add(snip)
	return res, nil
}

func ambiguous(sym string, found []located) *Error {
	hint := "name one of:"
	for i, l := range found {
		if i == 8 {
			hint += fmt.Sprintf(" and %d more", len(found)-i)
			break
		}
		s := &l.file.Symbols[l.i]
		hint += fmt.Sprintf(" %s:%d (%s)", l.file.Path, s.Line, s.Qualified)
	}
	return errorf(AmbiguousSymbol, hint, "%q means %d definitions", sym, len(found))
}

// snippet returns the captured lines first..last of a file, cut at its end.
func (x *Index) snippet(path string, first, last int) (*Snippet, error) {
	src, err := x.Source(path)
	if err != nil {
		return nil, err
	}
	lines := splitLines(src)
	if first > max(len(lines), 1) {
		return nil, errorf(InvalidRequest, "", "%s has %d lines, no line %d", path, len(lines), first)
	}
	last = min(last, len(lines))
	text := bytes.Join(lines[min(first-1, last):last], nil)
	whole, part := sha256.Sum256(src), sha256.Sum256(text)
	return &Snippet{
		Path: path, First: first, Last: last, Lines: len(lines), File: hex.EncodeToString(whole[:]),
		Hash: hex.EncodeToString(part[:]), Text: string(text),
	}, nil
}
