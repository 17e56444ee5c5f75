package cli

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A line of search never leaves its columns, and shows its first match where
// that fits at all.
func TestSearchLinesKeepToTheirColumns(t *testing.T) {
	a := newApp(t.Context(), Streams{})
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching("[a-zé\t ]{0,30}"), 2, 6).Draw(t, "words")
		room := rapid.IntRange(2, 60).Draw(t, "room")
		var parts []span
		for i, w := range words {
			if i%2 == 1 {
				parts = append(parts, span{text: "<" + strings.TrimSpace(w) + ">", look: matched})
			} else {
				parts = append(parts, span{text: w})
			}
		}
		first := strings.ReplaceAll(parts[1].text, "\t", "    ")
		got := a.paintSpans(parts, room)
		if n := columns(got); n > room {
			t.Fatalf("%q has %d columns of %d", got, n, room)
		}
		if columns(first) <= room-room/3 && !strings.Contains(got, first) {
			t.Fatalf("%q does not show %q in %d columns", got, first, room)
		}
	})
}
