package query

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"strings"

	"codeidx/gitstore"
	"codeidx/graph"
)

// LiveText is lines of a file as it is now, each marked by what the index has
// there. Text is the bytes as they are on disk, line ends included; Hash is
// their SHA-256.
type LiveText struct {
	Path    string     `json:"path"`
	First   int        `json:"first_line"`
	Last    int        `json:"last_line"`
	Lines   int        `json:"file_lines"`
	File    string     `json:"file_sha256"`
	Indexed string     `json:"indexed_sha256,omitempty"` // "" for a file that is not indexed
	Hash    string     `json:"snippet_sha256"`
	State   string     `json:"state"` // same, modified or added
	Text    string     `json:"text"`
	Marks   []LineMark `json:"marks"`
	// Touched are the definitions that differ from the index within these lines.
	Touched []TouchedSym `json:"touched"`
}

// LineMark is a run of lines of one kind. "removed" lines stand in the index
// before line First and are not in the file; Last is First-1 and Count says
// how many they are.
type LineMark struct {
	Kind  string `json:"kind"` // same, added, changed or removed
	First int    `json:"first_line"`
	Last  int    `json:"last_line"`
	Count int    `json:"count"`         // lines of the run; of changed ones, as they are now
	Old   int    `json:"old,omitempty"` // first line in the index, where it has any
}

// TouchedSym is a definition that differs from the index.
type TouchedSym struct {
	Change string   `json:"change"` // added, removed or changed
	What   []string `json:"what,omitempty"`
	Symbol Sym      `json:"symbol"` // as it is now; of a removed one, as it was
}

// Paths lists the file.
func (l *LiveText) Paths() []string { return []string{l.Path} }

// MarkStale does nothing: the lines are those of the work tree.
func (l *LiveText) MarkStale() {}

func (l *LiveText) lines() int { return l.Last - l.First + 1 }

// cut keeps the first lines, their marks and the definitions within them.
func (l *LiveText) cut(lines int) (Item, string) {
	s := Snippet{Path: l.Path, First: l.First, Last: l.Last, Text: l.Text}
	reason := s.cutReason(lines)
	s.shorten(lines)
	short := *l
	short.Last, short.Text, short.Hash = s.Last, s.Text, s.Hash
	short.Marks = clipMarks(l.Marks, l.First, s.Last)
	short.Touched = []TouchedSym{}
	for _, t := range l.Touched {
		if int(t.Symbol.Line) <= s.Last {
			t.Symbol = t.Symbol.brief()
			short.Touched = append(short.Touched, t)
		}
	}
	return &short, strings.Replace(reason, ": read ", ": live-read ", 1)
}

// liveRead returns lines of the work tree's file with their differences from
// the index.
func liveRead(x *Index, p Params) (*result, error) {
	name, f, err := x.liveFile(p)
	if err != nil {
		return nil, err
	}
	first, last, err := p.lineRange()
	if err != nil {
		return nil, err
	}
	src, err := x.tree.read(f)
	if err != nil {
		return nil, err
	}
	now := splitLines(src)
	if first > max(len(now), 1) {
		return nil, errorf(InvalidRequest, "", "%s has %d lines, no line %d", name, len(now), first)
	}
	last = min(last, len(now))
	text := bytes.Join(now[min(first-1, last):last], nil)
	hash := sha256.Sum256(text)
	l := &LiveText{
		Path: name, First: first, Last: last, Lines: len(now), File: f.SHA256.String(), Hash: hex.EncodeToString(hash[:]), Text: string(text),
		State: "added", Touched: []TouchedSym{},
	}
	old, err := x.compareLive(l, f, src)
	if err != nil {
		return nil, err
	}
	l.Marks = clipMarks(diffLines(splitLines(old), now), first, last)
	res := &result{Origin: "live"}
	res.add(l)
	if l.Last < l.Lines && p.Last == 0 {
		res.partial(fmt.Sprintf("the file has %d lines: live-read %s:%d-%d next", l.Lines, name, l.Last+1, min(l.Last+maxReadLines, l.Lines)))
	}
	return res, nil
}

// liveFile finds a file that may be read now: one that the rules of inclusion
// admit, whether or not the index has it yet.
func (x *Index) liveFile(p Params) (string, *gitstore.File, error) {
	for _, try := range pathChoices(p.Path, p.Prefix) {
		f, reason, err := x.tree.file(try)
		if err != nil || f != nil {
			return try, f, err
		}
		if reason != "" && reason != gitstore.Missing {
			return "", nil, errorf(InvalidRequest, "see: git codeidx diagnostics", "%s is not read: %s", p.Path, reason)
		}
		if e, err := x.entry(try); err != nil || e != nil {
			if err == nil {
				err = errorf(InvalidRequest, "its indexed lines: git codeidx read "+try, "%s is gone from the work tree", p.Path)
			}
			return "", nil, err
		}
	}
	return "", nil, errorf(InvalidRequest, "paths are relative to this folder or to the top of the work tree",
		"no file of the work tree that may be indexed is called %q", path.Clean(p.Path))
}

// compareLive fills in what the index has of the file and returns its bytes.
func (x *Index) compareLive(l *LiveText, f *gitstore.File, src []byte) ([]byte, error) {
	e, err := x.entry(l.Path)
	if err != nil || e == nil {
		return nil, err
	}
	l.Indexed, l.State = e.SHA256.String(), "modified"
	if e.SHA256 == f.SHA256 {
		l.State = "same"
		return src, nil
	}
	before, after := &state{index: x}, &state{tree: x.tree}
	entry := e.File()
	delta, err := symbolDeltas(before, after, &fileDelta{path: l.Path, before: &entry, after: f})
	if err != nil {
		return nil, err
	}
	for _, s := range delta.list {
		if t, ok := l.touch(before, after, s); ok {
			l.Touched = append(l.Touched, t)
		}
	}
	if e.Class != gitstore.ClassSource {
		return nil, nil // its bytes are not kept
	}
	return x.Source(l.Path)
}

// touch describes a definition that differs, if it stands within the lines. A
// removed one counts by where it stood.
func (l *LiveText) touch(before, after *state, s *symbolDelta) (TouchedSym, bool) {
	t := TouchedSym{Change: "changed", What: s.what}
	var at *graph.Symbol
	if s.b >= 0 {
		at, t.Symbol = &s.bt.Symbols[s.b], *after.sym(s.bt, s.b)
		if s.a < 0 {
			t.Change = "added"
		}
	} else {
		at, t.Symbol, t.Change = &s.at.Symbols[s.a], *before.sym(s.at, s.a), "removed"
	}
	return t, int(at.Start) <= l.Last && int(at.End) >= l.First
}

func splitLines(src []byte) [][]byte {
	lines := bytes.SplitAfter(src, []byte("\n"))
	if n := len(lines); len(lines[n-1]) == 0 {
		lines = lines[:n-1]
	}
	return lines
}

// clipMarks keeps the parts of runs that lie within first..last.
func clipMarks(marks []LineMark, first, last int) []LineMark {
	out := []LineMark{}
	for _, m := range marks {
		if m.Kind == "removed" {
			if m.First >= first && m.First <= last+1 {
				out = append(out, m)
			}
			continue
		}
		cut := max(first-m.First, 0)
		if m.First += cut; m.Old > 0 {
			m.Old += cut
		}
		m.Last = min(m.Last, last)
		if m.Count = m.Last - m.First + 1; m.Count > 0 {
			out = append(out, m)
		}
	}
	return out
}
