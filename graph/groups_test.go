package graph

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestGroupsEqualAScan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const keys = 5
		of := rapid.SliceOf(rapid.IntRange(0, keys)).Draw(t, "keys of members")
		g := Group(keys, len(of), func(i int) int { return of[i] })
		for k := range keys + 2 {
			var want []uint32
			for i, key := range of {
				if key == k+1 && k < keys {
					want = append(want, uint32(i))
				}
			}
			if got := g.Of(uint32(k)); !slices.Equal(got, want) {
				t.Fatalf("key %d has %v, want %v", k, got, want)
			}
		}
	})
}
