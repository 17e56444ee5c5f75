package query

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Bounds of max_bytes (spec/engine.md §7).
const (
	MinBytes     = 512
	MaxBytes     = 32768
	DefaultBytes = 16000
	DefaultLimit = 20
	MaxLimit     = 50
)

// bound cuts a response to limit items from the cursor on and to maxBytes of
// JSON, and sets Next where items remain. Zero means unlimited.
func bound(r *Response, limit, maxBytes int, cursor string) error {
	start, err := r.start(cursor)
	if err != nil {
		return err
	}
	all := r.Items[min(start, len(r.Items)):]
	n := len(all)
	if limit > 0 && n > limit {
		n = limit
	}
	r.show(all, n, start)
	if maxBytes == 0 {
		return nil
	}
	return r.fit(all, n, start, maxBytes)
}

// show sets the response to the first n of the remaining items.
func (r *Response) show(all []Item, n, start int) {
	r.Items, r.Next = all[:n], ""
	r.Status = "ok"
	if len(r.Partial) > 0 {
		r.Status = "partial"
	}
	if n < len(all) {
		r.Status = "partial"
		r.Next = r.cursor(start + n)
	}
}

// fit finds the most items whose document fits. The size grows with each
// item, so a binary search is exact.
func (r *Response) fit(all []Item, n, start, maxBytes int) error {
	fits := func(k int) (bool, error) {
		r.show(all, k, start)
		b, err := r.Encode()
		return len(b) <= maxBytes, err
	}
	ok, err := fits(n)
	if err != nil || ok {
		return err
	}
	r.Partial = append(r.Partial, "max_bytes: ask for the rest with the next cursor")
	low, high := 0, n-1
	for low < high {
		mid := (low + high + 1) / 2
		if ok, err = fits(mid); err != nil {
			return err
		}
		if ok {
			low = mid
		} else {
			high = mid - 1
		}
	}
	if ok, err = fits(low); err != nil {
		return err
	}
	if !ok || low == 0 && len(all) > 0 {
		return errorf(BudgetTooSmall, fmt.Sprintf("raise max_bytes (at most %d) or narrow the question", MaxBytes),
			"the smallest answer does not fit into %d bytes", maxBytes)
	}
	return nil
}

// cursor binds a position to the fingerprint and the question.
func (r *Response) cursor(at int) string { return fmt.Sprintf("%d.%s", at, r.question()) }

func (r *Response) question() string {
	op := r.Operation
	op.Limit = 0
	b, _ := json.Marshal(op)
	h := sha256.Sum256(append([]byte(r.Fingerprint), b...))
	return hex.EncodeToString(h[:8])
}

func (r *Response) start(cursor string) (int, error) {
	if cursor == "" {
		return 0, nil
	}
	at, question, ok := strings.Cut(cursor, ".")
	n, err := strconv.Atoi(at)
	if !ok || err != nil || n < 0 {
		return 0, errorf(InvalidRequest, "use the next value of the answer before, unchanged", "cursor %q is malformed", cursor)
	}
	if question != r.question() {
		return 0, errorf(CodeChanged, "ask again from the start", "the cursor belongs to another question or another index")
	}
	return n, nil
}
