package query

import (
	"bytes"
	"slices"
	"strings"

	"codeidx/facts"
	"codeidx/gitstore"
	"codeidx/graph"
)

// delta is what became of the definitions of one file.
type delta struct {
	list    []*symbolDelta // by position: changed and added ones as they stand after, removed ones last
	shifted int            // equal ones that stand on another line
}

func langOf(f *gitstore.File) facts.Lang { return facts.Lang(f.Lang) }

// symbolDeltas compares the definitions of a file by their keys. A definition
// is changed where its signature or its own text differs, that of definitions
// inside it apart; the file itself stands for the code outside of any.
func symbolDeltas(before, after *state, d *fileDelta) (*delta, error) {
	a, at, err := before.content(d.before)
	if err != nil {
		return nil, err
	}
	b, bt, err := after.content(d.after)
	if err != nil {
		return nil, err
	}
	out := &delta{}
	aTexts, bTexts := ownTexts(at, a), ownTexts(bt, b)
	old := byIdentity(at)
	for i := range bTexts {
		j, known := old[identity{bt.Symbols[i].Kind, bt.Symbols[i].Qualified, bt.Symbols[i].Ordinal}]
		s := &symbolDelta{a: -1, b: i, at: at, bt: bt, text: gitstore.DigestOf(bTexts[i])}
		switch {
		case i == 0 && !known: // a file that is new: its item says so
		case !known:
			out.list = append(out.list, s)
		default:
			s.a = j
			if s.what = whatChanged(s, aTexts[j], bTexts[i]); s.what != nil {
				out.list = append(out.list, s)
			} else if i > 0 && at.Symbols[j].Line != bt.Symbols[i].Line {
				out.shifted++
			}
		}
	}
	kept := byIdentity(bt)
	for j := 1; j < len(aTexts); j++ {
		s := &at.Symbols[j]
		if _, ok := kept[identity{s.Kind, s.Qualified, s.Ordinal}]; !ok {
			out.list = append(out.list, &symbolDelta{a: j, b: -1, at: at, bt: bt, text: gitstore.DigestOf(aTexts[j])})
		}
	}
	return out, nil
}

// identity is a key without its path.
type identity struct {
	kind      facts.DefKind
	qualified string
	ordinal   uint32
}

func byIdentity(t *graph.FileSymbols) map[identity]int {
	m := map[identity]int{}
	if t != nil {
		for i := range t.Symbols {
			s := &t.Symbols[i]
			m[identity{s.Kind, s.Qualified, s.Ordinal}] = i
		}
	}
	return m
}

// ownTexts returns the text of each definition without that of the ones inside
// it; of the file, without empty lines.
func ownTexts(t *graph.FileSymbols, src []byte) [][]byte {
	if t == nil {
		return nil
	}
	children := make([][]int, len(t.Symbols))
	for i := 1; i < len(t.Symbols); i++ {
		parent := max(int(t.Symbols[i].Parent), 0)
		children[parent] = append(children[parent], i)
	}
	out := make([][]byte, len(t.Symbols))
	for i := range t.Symbols {
		span := t.Symbols[i].Bytes
		if i == 0 {
			span = facts.Span{End: uint32(len(src))}
		}
		out[i] = without(src, span, t, children[i])
	}
	out[0] = dropEmptyLines(out[0])
	return out
}

func without(src []byte, span facts.Span, t *graph.FileSymbols, inside []int) []byte {
	slices.SortFunc(inside, func(a, b int) int { return int(t.Symbols[a].Bytes.Start) - int(t.Symbols[b].Bytes.Start) })
	at, end := min(int(span.Start), len(src)), min(int(span.End), len(src))
	var out []byte
	for _, i := range inside {
		s := t.Symbols[i].Bytes
		if int(s.Start) >= at && int(s.End) <= end {
			out = append(out, src[at:s.Start]...)
			at = int(s.End)
		}
	}
	return append(out, src[at:max(at, end)]...)
}

func dropEmptyLines(b []byte) []byte {
	var out []byte
	for line := range bytes.Lines(b) {
		if len(bytes.TrimSpace(line)) > 0 {
			out = append(out, line...)
		}
	}
	return out
}

// whatChanged says which parts of a definition differ, nil for none.
func whatChanged(s *symbolDelta, a, b []byte) []string {
	old, now := &s.at.Symbols[s.a], &s.bt.Symbols[s.b]
	switch {
	case bytes.Equal(a, b):
		return nil
	case old.Signature == now.Signature:
		return []string{"body"}
	case behind(a, old.Signature) == behind(b, now.Signature):
		return []string{"signature"}
	}
	return []string{"signature", "body"}
}

// behind returns what follows the signature in a text, without any space:
// signatures are kept on one line.
func behind(text []byte, signature string) string {
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
	rest, _ := strings.CutPrefix(squeeze(string(text)), squeeze(signature))
	return rest
}
