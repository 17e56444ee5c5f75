package gitstore

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func rowsGen() *rapid.Generator[[]Row] {
	return rapid.Custom(func(t *rapid.T) []Row {
		keys := rapid.SliceOfDistinct(rapid.StringMatching(`[ab/]{1,6}`), rapid.ID).Draw(t, "keys")
		slices.Sort(keys)
		rows := make([]Row, 0, len(keys))
		for _, k := range keys {
			n := rapid.SampledFrom([]int{0, 1, 10, 9000, 70000}).Draw(t, "size")
			rows = append(rows, Row{k, []byte(strings.Repeat(k, n)[:n])})
		}
		return rows
	})
}

func TestRowsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rowsGen().Draw(t, "rows")
		var got []Row
		for _, b := range PackRows(rows) {
			part, err := UnpackRows(b.Data)
			if err != nil {
				t.Fatal(err)
			}
			if part[0].Key != b.Key {
				t.Fatalf("block is keyed %q, its first row %q", b.Key, part[0].Key)
			}
			got = append(got, part...)
		}
		equal := func(a, b Row) bool { return a.Key == b.Key && string(a.Data) == string(b.Data) }
		if !slices.EqualFunc(rows, got, equal) {
			t.Fatalf("rows differ: %d in, %d out", len(rows), len(got))
		}
	})
}

// A changed row must leave the blocks of distant rows alone.
func TestRowsChangeIsLocal(t *testing.T) {
	var rows []Row
	for i := range 3000 {
		rows = append(rows, Row{fmt.Sprintf("dir%02d/file%04d", i/100, i), []byte(strings.Repeat("x", 200+i%300))})
	}
	before := PackRows(rows)
	rows = slices.Insert(rows, 1500, Row{rows[1499].Key + "a", []byte("new")})
	known := map[string]bool{}
	for _, b := range before {
		known[string(b.Data)] = true
	}
	fresh := 0
	for _, b := range PackRows(rows) {
		if !known[string(b.Data)] {
			fresh++
		}
	}
	if len(before) < 10 || fresh > 4 {
		t.Fatalf("%d of %d blocks changed", fresh, len(before))
	}
}

func FuzzUnpackRows(f *testing.F) {
	for _, b := range PackRows([]Row{{"a", nil}, {"ab", []byte("x")}, {"b", []byte("yy")}}) {
		f.Add(b.Data)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		rows, err := UnpackRows(b)
		if err != nil || len(rows) == 0 {
			return
		}
		again, err := UnpackRows(packBlock(rows))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(rows, again, cmp.Comparer(func(a, b []byte) bool { return string(a) == string(b) })); d != "" {
			t.Fatal(d)
		}
	})
}
