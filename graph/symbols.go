package graph

import (
	"bytes"
	"strings"

	"codeidx/facts"
	"codeidx/facts/wire"
)

// Bounds of the texts kept with a symbol, in bytes.
const (
	maxSignature = 400
	maxDoc       = 800
)

// Symbol is one definition as it is stored and shown. Lines are 1-based and
// inclusive, Col is the 1-based byte column of the name, Bytes is half-open.
type Symbol struct {
	Kind      facts.DefKind
	Flags     facts.DefFlags
	Name      string
	Qualified string
	Ordinal   uint32 // among equal (kind, qualified name) of the file
	Parent    int32  // index of the lexical parent; -1 for the file
	Line, Col uint32
	Start     uint32 // first line of the declaration
	End       uint32 // last line
	Bytes     facts.Span
	Signature string
	Doc       string
}

// FileSymbols is the symbol table of one file. Symbols[0] is the file.
type FileSymbols struct {
	Path    string
	Lang    facts.Lang
	Partial bool   // has syntax errors
	Lines   uint32 // number of lines
	Symbols []Symbol
}

// Key returns the key of symbol i.
func (f *FileSymbols) Key(i int) Key {
	s := &f.Symbols[i]
	return Key{f.Path, s.Kind, s.Qualified, s.Ordinal}
}

// Find returns the index of the symbol with the key, or -1.
func (f *FileSymbols) Find(k Key) int {
	for i := range f.Symbols {
		s := &f.Symbols[i]
		if s.Qualified == k.Qualified && s.Kind == k.Kind && s.Ordinal == k.Ordinal {
			return i
		}
	}
	return -1
}

// FindDef returns the definition of a file's facts that has the key, or false.
func FindDef(f *facts.File, k Key) (facts.DefID, bool) {
	last := LastPart(k.Qualified)
	ordinal := k.Ordinal
	for i := 1; i < len(f.Defs); i++ {
		d := &f.Defs[i]
		if d.Kind != k.Kind || LastPart(f.Names[d.Name]) != last || f.Qualified(facts.DefID(i)) != k.Qualified {
			continue
		}
		if ordinal == 0 {
			return facts.DefID(i), true
		}
		ordinal--
	}
	return 0, false
}

// SymbolsOf makes the symbol table of a file from its facts and bytes.
func SymbolsOf(f *facts.File, src []byte) *FileSymbols {
	t := &FileSymbols{Path: f.Path, Lang: f.Lang, Partial: f.Partial, Lines: uint32(len(f.Lines)), Symbols: make([]Symbol, len(f.Defs))}
	if n := len(src); n > 0 && src[n-1] == '\n' {
		t.Lines--
	}
	type equal struct {
		kind facts.DefKind
		name string
	}
	seen := make(map[equal]uint32, len(f.Defs))
	for i := range f.Defs {
		d := &f.Defs[i]
		s := &t.Symbols[i]
		*s = Symbol{
			Kind: d.Kind, Flags: d.Flags, Name: f.Names[d.Name], Qualified: f.Qualified(facts.DefID(i)), Parent: int32(d.Parent),
			Bytes: d.Span, Signature: signature(src, d), Doc: docText(src, d.Doc),
		}
		if i == 0 {
			s.Parent, s.Line, s.Col, s.Start, s.End = -1, 1, 1, 1, max(t.Lines, 1)
			continue
		}
		line, col := f.Position(d.NamePos)
		s.Line, s.Col = uint32(line), uint32(col)
		s.Start = uint32(f.Line(d.Span.Start))
		s.End = uint32(f.Line(max(d.Span.End, d.Span.Start+1) - 1))
		e := equal{s.Kind, s.Qualified}
		s.Ordinal = seen[e]
		seen[e]++
	}
	return t
}

// signature returns the declaration's head on one line.
func signature(src []byte, d *facts.Def) string {
	if d.Kind == facts.DefFile || d.SigEnd <= d.Span.Start || int(d.SigEnd) > len(src) {
		return ""
	}
	return oneLine(src[d.Span.Start:min(d.SigEnd, d.Span.Start+4*maxSignature)], maxSignature)
}

// oneLine joins the words of a head, without the gaps that a broken parameter
// list leaves inside its parentheses.
func oneLine(b []byte, limit int) string {
	out := make([]byte, 0, min(len(b), limit+64))
	for _, w := range bytes.Fields(b) {
		if len(out) > limit {
			break
		}
		if n := len(out); n > 0 && out[n-1] != '(' && w[0] != ')' {
			out = append(out, ' ')
		}
		if n := len(out); w[0] == ')' && n > 0 && out[n-1] == ',' {
			out = out[:n-1]
		}
		out = append(out, w...)
	}
	return truncate(string(out), limit)
}

// truncate cuts s at a rune boundary at or below limit bytes.
func truncate(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && s[limit]&0xC0 == 0x80 {
		limit--
	}
	return s[:limit]
}

// docText returns the words of a docstring or doc comment without its
// delimiters.
func docText(src []byte, s facts.Span) string {
	if s.End <= s.Start || int(s.End) > len(src) {
		return ""
	}
	var words []string
	n := 0
	for line := range bytes.Lines(src[s.Start:s.End]) {
		for _, w := range strings.Fields(trimComment(string(line))) {
			if n += len(w) + 1; n > maxDoc {
				return strings.Join(words, " ")
			}
			words = append(words, w)
		}
	}
	return strings.Join(words, " ")
}

// trimComment strips comment markers and docstring quotes from one line.
func trimComment(line string) string {
	line = strings.TrimSpace(line)
	line = strings.TrimLeft(line, "/#*")
	for _, q := range []string{`"""`, "'''"} {
		if i := strings.Index(line, q); i >= 0 && i <= 2 {
			line = line[i+3:]
		}
		line = strings.TrimSuffix(line, q)
	}
	return strings.TrimSuffix(line, "*/")
}

// Row formats. Each row is one record of a file-keyed table; numbers are
// varints, lines are deltas. Symbols row:
//
//	lang byte, partial byte, lines, count,
//	per symbol: kind byte, flags, name, qualified (length 0: equals the name),
//	ordinal, parent+1, line, col, start, end-start, first byte, length,
//	signature, doc

// Encode returns the row of a symbol table.
func (f *FileSymbols) Encode() []byte {
	w := wire.Writer{B: make([]byte, 0, 48*len(f.Symbols))}
	w.Byte(byte(f.Lang))
	w.Byte(flag(f.Partial))
	w.Uint(uint64(f.Lines))
	w.Uint(uint64(len(f.Symbols)))
	last := uint32(0)
	for i := range f.Symbols {
		s := &f.Symbols[i]
		w.Byte(byte(s.Kind))
		w.Uint(uint64(s.Flags))
		w.String(s.Name)
		if s.Qualified == s.Name {
			w.Uint(0)
		} else {
			w.String(s.Qualified)
		}
		w.Uint(uint64(s.Ordinal))
		w.Uint(uint64(s.Parent + 1))
		w.Int(int64(s.Line) - int64(last))
		last = s.Line
		w.Uint(uint64(s.Col))
		w.Int(int64(s.Start) - int64(s.Line))
		w.Uint(uint64(s.End - s.Start))
		w.Uint(uint64(s.Bytes.Start))
		w.Uint(uint64(s.Bytes.End - s.Bytes.Start))
		w.String(s.Signature)
		w.String(s.Doc)
	}
	return w.B
}

// DecodeSymbols reads the symbols row of the file at path.
func DecodeSymbols(path string, row []byte) (*FileSymbols, error) {
	r := wire.NewReader(row)
	f := &FileSymbols{Path: path, Lang: facts.Lang(r.Byte()), Partial: r.Byte() != 0, Lines: r.Uint32()}
	n := r.Count(13)
	f.Symbols = make([]Symbol, n)
	last := int64(0)
	for i := range f.Symbols {
		s := &f.Symbols[i]
		s.Kind = facts.DefKind(r.Byte())
		if s.Kind >= facts.DefKinds {
			r.Fail()
		}
		s.Flags = facts.DefFlags(r.Uint32())
		s.Name = r.String()
		if s.Qualified = r.String(); s.Qualified == "" {
			s.Qualified = s.Name
		}
		s.Ordinal = r.Uint32()
		s.Parent = int32(r.Below(i+1)) - 1
		last += r.Int()
		s.Line = uint32(last)
		s.Col = r.Uint32()
		s.Start = uint32(last + r.Int())
		s.End = s.Start + r.Uint32()
		s.Bytes.Start = r.Uint32()
		s.Bytes.End = s.Bytes.Start + r.Uint32()
		s.Signature = r.String()
		s.Doc = r.String()
	}
	return f, r.Done()
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}
