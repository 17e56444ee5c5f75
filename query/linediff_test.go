package query

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func lineList(s string) [][]byte {
	return bytes.SplitAfter([]byte(s), []byte("\n"))[:strings.Count(s, "\n")]
}

func TestDiffLines(t *testing.T) {
	for _, c := range []struct {
		old, now string
		want     []LineMark
	}{
		{"a\nb\n", "a\nb\n", []LineMark{{"same", 1, 2, 2, 1}}},
		{"", "a\n", []LineMark{{"added", 1, 1, 1, 0}}},
		{"a\n", "", []LineMark{{"removed", 1, 0, 1, 1}}},
		{"a\nb\nc\n", "a\nx\ny\nc\n", []LineMark{{"same", 1, 1, 1, 1}, {"changed", 2, 3, 2, 2}, {"same", 4, 4, 1, 3}}},
		{"a\nb\nc\nd\n", "b\nn\nc\n", []LineMark{{"removed", 1, 0, 1, 1}, {"same", 1, 1, 1, 2}, {"added", 2, 2, 1, 0}, {"same", 3, 3, 1, 3}, {"removed", 4, 3, 1, 4}}},
	} {
		if d := cmp.Diff(c.want, diffLines(lineList(c.old), lineList(c.now))); d != "" {
			t.Errorf("%q -> %q: %s", c.old, c.now, d)
		}
	}
}

// The marks cover every line of the new side once, in order, and "same" lines
// are equal at both sides.
func TestDiffLinesCoversTheFile(t *testing.T) {
	lines := rapid.SliceOfN(rapid.SampledFrom([]string{"a\n", "b\n", "c\r\n", "\n"}), 0, 12)
	rapid.Check(t, func(t *rapid.T) {
		old, now := lineList(strings.Join(lines.Draw(t, "old"), "")), lineList(strings.Join(lines.Draw(t, "now"), ""))
		at, was := 1, 1
		marks := diffLines(old, now)
		for _, m := range marks {
			if m.First != at {
				t.Fatalf("a run begins at %d, not at %d: %v", m.First, at, marks)
			}
			switch m.Kind {
			case "removed":
				was += m.Count
				continue
			case "same":
				if m.Old < was || !slices.EqualFunc(old[m.Old-1:m.Old-1+m.Count], now[m.First-1:m.Last], bytes.Equal) {
					t.Fatalf("%v is not the same", m)
				}
				was = m.Old + m.Count
			}
			if m.Count < 1 || m.Last != m.First+m.Count-1 {
				t.Fatalf("odd run %v", m)
			}
			at = m.Last + 1
		}
		if at != len(now)+1 {
			t.Fatalf("%d of %d lines: %v", at-1, len(now), marks)
		}
		first := rapid.IntRange(1, len(now)+1).Draw(t, "first")
		last := rapid.IntRange(first-1, len(now)).Draw(t, "last")
		at = first
		for _, m := range clipMarks(marks, first, last) {
			if m.Kind != "removed" {
				if m.First != at || m.Last > last {
					t.Fatalf("%v outside %d-%d", m, first, last)
				}
				at = m.Last + 1
			}
		}
		if at != last+1 {
			t.Fatalf("clipped to %d-%d, %d is the first line without a mark", first, last, at)
		}
	})
}
