package query

import (
	"cmp"
	"fmt"
	"slices"

	"codeidx/graph"
)

// Bounds of budget_tokens, and what a token is taken for: an estimate.
const (
	minBudget     = 100
	maxBudget     = 100000
	bytesPerToken = 4
)

// firstSymbols are listed with a file before any file gets more.
const firstSymbols = 2

// budgetMap chooses what a map of few tokens shows: the folders, nearest the
// root first; then files by how many others use them, each with its most used
// definitions; then further definitions of these files, the most used first.
// What is shown is a prefix of that order, so that more budget never shows less.
func (x *Index) budgetMap(res *result, folders map[string]*Place, files []*graph.FileSymbols, root string, tokens int) (map[string]*Place, error) {
	room := tokens * bytesPerToken
	places := map[string]*Place{}
	order := sortedKeys(folders)
	slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(folders[a].Depth, folders[b].Depth) })
	for _, dir := range order {
		ok, err := take(&room, folders[dir])
		if err != nil {
			return nil, err
		}
		if !ok {
			res.partial(fmt.Sprintf("budget: %d of %d folders and none of %d files shown: raise it or name a folder", len(places), len(folders), len(files)))
			return places, nil
		}
		places[dir] = folders[dir]
	}
	list := make([]*mappedFile, 0, len(files))
	for _, f := range files {
		m, err := x.mapped(f, depthBelow(f.Path, root))
		if err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	slices.SortStableFunc(list, func(a, b *mappedFile) int {
		return cmp.Or(cmp.Compare(boolRank(isTest(located{a.file, 0})), boolRank(isTest(located{b.file, 0}))), cmp.Compare(b.place.UsedBy, a.place.UsedBy))
	})
	for n, m := range list {
		ok, err := take(&room, m.place)
		if err != nil {
			return nil, err
		}
		if !ok {
			res.partial(fmt.Sprintf("budget: %d of %d files shown, the most used ones: raise it or name a folder", n, len(files)))
			return places, nil
		}
		places[m.file.Path] = m.place
		for shown := 1; shown <= min(firstSymbols, len(m.order)); shown++ {
			if ok, err := m.takeSymbol(&room, shown); err != nil || !ok {
				res.partial(fmt.Sprintf("budget: %d of %d files shown, the most used ones: raise it or name a folder", n+1, len(files)))
				return places, err
			}
		}
	}
	return places, x.moreSymbols(res, list, &room)
}

// moreSymbols lists further definitions of files that are shown.
func (x *Index) moreSymbols(res *result, list []*mappedFile, room *int) error {
	type further struct {
		m     *mappedFile
		shown int // with it
	}
	var rest []further
	for _, m := range list {
		for n := firstSymbols + 1; n <= len(m.order); n++ {
			rest = append(rest, further{m, n})
		}
	}
	slices.SortStableFunc(rest, func(a, b further) int {
		return cmp.Compare(b.m.use[b.m.order[b.shown-1]], a.m.use[a.m.order[a.shown-1]])
	})
	for n, f := range rest {
		if ok, err := f.m.takeSymbol(room, f.shown); err != nil || !ok {
			res.partial(fmt.Sprintf("budget: all files shown, %d of their definitions not: raise it or name a folder", len(rest)-n))
			return err
		}
	}
	return nil
}

// takeSymbol lists the n most used definitions where there is room for the last.
func (m *mappedFile) takeSymbol(room *int, n int) (bool, error) {
	ok, err := take(room, m.x.symOf(m.file, m.order[n-1]))
	if ok {
		m.show(n)
	}
	return ok, err
}

// listBytes is what the list of a file's definitions takes beside them, and an
// item's comma and staleness mark: above the truth rather than below it.
const listBytes = len(`,"symbols":[],"stale":true,`)

// take takes the JSON of a place or a definition out of the room.
func take(room *int, v any) (bool, error) {
	b, err := encodeJSON(v)
	need := len(b)
	if _, isPlace := v.(*Place); isPlace {
		need += listBytes
	}
	if err != nil || need > *room {
		*room = 0
		return false, err
	}
	*room -= need
	return true, nil
}
