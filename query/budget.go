package query

import (
	"fmt"
	"slices"
)

// Bounds of max_bytes and limit (spec/engine.md §7).
const (
	MinBytes     = 512
	MaxBytes     = 32768
	DefaultBytes = 16000
	DefaultLimit = 20
	MaxLimit     = 50
)

// GoOn ends the reasons of a partial answer whose rest is behind its cursor.
const GoOn = "go on with the next cursor"

// smallestItem is below the JSON of any item, in bytes: it bounds how many
// items a document of some size can hold.
const smallestItem = 32

// cuttable is an item with text that may be too long for a whole answer. cut
// returns a copy with the first lines lines of its source text and without
// prose, and says what was left out and how to ask for it. The place, the file
// and the digests stay, and speak of what is left.
type cuttable interface {
	Item
	lines() int
	cut(lines int) (Item, string)
}

// page chooses what of a response is shown.
type page struct {
	r        *Response
	rest     []Item // from the cursor on
	start    int    // items before the cursor
	complete bool   // nothing but the page itself makes the answer incomplete
	of       []Sym
	warnings []StaleWarning
	partial  []string
	lean     bool   // only what the shown items need stands beside them
	why      string // items are left for the next page
}

// bound cuts a response to limit items from start on and to maxBytes of JSON,
// and sets Next where items remain. Zero means unlimited. A cursor that
// follows Next meets every item exactly once.
func bound(r *Response, limit, maxBytes, start int) error {
	p := &page{
		r: r, rest: r.Items[min(start, len(r.Items)):], start: start, complete: r.Complete, of: r.Of, warnings: r.StaleWarnings, partial: r.Partial,
		why: "limit: " + GoOn,
	}
	n := len(p.rest)
	if limit > 0 && n > limit {
		n = limit
	}
	p.show(n)
	if maxBytes == 0 {
		return nil
	}
	return p.fit(n, maxBytes)
}

// show sets the response to the first n of the remaining items.
func (p *page) show(n int) { p.put(p.rest[:n]) }

func (p *page) put(items []Item) {
	r := p.r
	r.Items, r.Next, r.Partial = items, "", p.partial
	if p.start+len(items) < r.Total {
		r.Next = cursorAt(p.start+len(items), r.Fingerprint, r.Operation)
	}
	if r.Next != "" {
		r.Partial = append(slices.Clone(p.partial), p.why)
	}
	r.Of, r.StaleWarnings = p.of, p.warnings
	if p.lean {
		p.trim()
	}
	r.Status, r.Complete = "ok", p.complete
	if len(r.Partial) > 0 {
		r.Status, r.Complete = "partial", false
	}
}

// trim leaves out what no shown item refers to, and says how much.
func (p *page) trim() {
	r := p.r
	subjects, paths := map[string]bool{}, map[string]bool{}
	for _, it := range r.Items {
		subjects[subjectOf(it)] = true
		for _, f := range it.Paths() {
			paths[f] = true
		}
	}
	r.Of = slices.DeleteFunc(slices.Clone(p.of), func(s Sym) bool { return !subjects[s.ID] })
	r.StaleWarnings = slices.DeleteFunc(slices.Clone(p.warnings), func(w StaleWarning) bool { return !paths[w.Path] })
	if r.StaleWarnings == nil {
		r.StaleWarnings = []StaleWarning{}
	}
	r.Partial = slices.Clone(r.Partial)
	if n := len(p.of) - len(r.Of); n > 0 {
		r.Partial = append(r.Partial, fmt.Sprintf("%d of the %d definitions asked about are not listed in \"of\"", n, len(p.of)))
	}
	if n := len(p.warnings) - len(r.StaleWarnings); n > 0 {
		r.Partial = append(r.Partial, fmt.Sprintf("%d of the %d stale files are not listed", n, len(p.warnings)))
	}
}

// subjectOf is the id of the asked definition that an item belongs to.
func subjectOf(it Item) string {
	switch it := it.(type) {
	case *Relation:
		return it.Of
	case *Finding:
		if it.Role == "seed" {
			return it.Symbol.ID
		}
		return it.Of
	}
	return ""
}

// fit shows the most items whose document fits: all of them, as many as fit,
// as many as fit beside a lean envelope, or the first one cut.
func (p *page) fit(n, maxBytes int) error {
	size, err := p.size(n)
	if err != nil || size <= maxBytes {
		return err
	}
	p.why = "max_bytes: " + GoOn
	for _, lean := range []bool{false, true} {
		p.lean = lean
		most, err := p.most(min(n, maxBytes/smallestItem), maxBytes)
		if err != nil {
			return err
		}
		if most > 0 {
			p.show(most)
			return nil
		}
	}
	if size, err = p.size(0); err != nil {
		return err
	}
	if n == 0 && size <= maxBytes {
		return nil
	}
	if n > 0 {
		if done, err := p.cutFirst(maxBytes); done || err != nil {
			return err
		}
		if size, err = p.size(1); err != nil {
			return err
		}
	}
	return errorf(BudgetTooSmall, fmt.Sprintf("raise max_bytes (at most %d) or narrow the question", MaxBytes),
		"the smallest answer does not fit into %d bytes: it has %d", maxBytes, size)
}

func (p *page) size(n int) (int, error) {
	p.show(n)
	b, err := p.r.Encode()
	return len(b), err
}

// most finds how many of the first n items fit, 0 where not even one does. The
// size grows with each item.
func (p *page) most(n, maxBytes int) (int, error) {
	return searchMost(n, func(k int) (bool, error) {
		size, err := p.size(k)
		return size <= maxBytes, err
	})
}

// searchMost returns the greatest k in 1..n that fits, 0 where none does, for
// a test that fails for all k above the first that fails.
func searchMost(n int, fits func(int) (bool, error)) (int, error) {
	low, high := 0, n
	for low < high {
		mid := (low + high + 1) / 2
		ok, err := fits(mid)
		if err != nil {
			return 0, err
		}
		if ok {
			low = mid
		} else {
			high = mid - 1
		}
	}
	return low, nil
}

// cutFirst shows the first item alone, with as many whole lines as fit.
func (p *page) cutFirst(maxBytes int) (done bool, err error) {
	item, ok := p.rest[0].(cuttable)
	if !ok {
		return false, nil
	}
	whole := p.partial
	fits := func(lines int) (bool, error) {
		short, reason := item.cut(lines)
		p.partial = append(slices.Clone(whole), reason)
		p.put([]Item{short})
		b, err := p.r.Encode()
		return len(b) <= maxBytes, err
	}
	lines, err := searchMost(item.lines(), fits)
	if err != nil {
		return false, err
	}
	return fits(lines)
}
