package mcp

import (
	"fmt"

	"codeidx/query"
)

// fit cuts the answer to max bytes: first the items get smaller where they
// can, then there are fewer of them. What is left out is said, never dropped
// in silence.
func (a *answer) fit(max int) ([]byte, error) {
	all := a.Items
	n := len(all)
	if a.limit > 0 {
		n = min(n, a.limit)
	}
	step := 0
	for {
		data, err := a.show(all, n)
		if err != nil || len(data) <= max {
			return data, err
		}
		step++
		if a.shrink == nil || !a.shrink(step) {
			return a.fewer(all, n, max)
		}
	}
}

// fewer finds the most items that fit: the size grows with each.
func (a *answer) fewer(all []any, n, max int) ([]byte, error) {
	low, high := 0, n-1
	var best []byte
	for low <= high {
		mid := (low + high + 1) / 2
		data, err := a.show(all, mid)
		if err != nil {
			return nil, err
		}
		if len(data) <= max {
			low, best = mid+1, data
		} else {
			high = mid - 1
		}
	}
	if best == nil || high == 0 && len(all) > 0 {
		return nil, &query.Error{
			Code: query.BudgetTooSmall, Message: fmt.Sprintf("the smallest answer does not fit into %d bytes", max),
			Hint: fmt.Sprintf("raise max_bytes (at most %d) or narrow the question", query.MaxBytes),
		}
	}
	return best, nil
}

// show encodes the answer with its first n items.
func (a *answer) show(all []any, n int) ([]byte, error) {
	out := *a
	out.Items, out.NextCursor = all[:n], ""
	if left := a.Total - a.from - n; left > 0 {
		out.Complete = false
		if a.cursor != nil {
			out.NextCursor = a.cursor(a.from + n)
		}
		if n < len(all) {
			out.Notes = append(a.Notes[:len(a.Notes):len(a.Notes)], fmt.Sprintf("%d more: %s", left, a.rest()))
		}
	}
	return encode(&out)
}

func (a *answer) rest() string {
	if a.cursor != nil {
		return "repeat the call with next_cursor"
	}
	return "raise max_bytes, or ask relations about one definition"
}
