package mcp

import (
	"flag"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

var long = flag.Bool("long", false, "run the endurance test over 10,000 calls")

// A session holds nothing: after thousands of calls, with edits between them,
// memory, descriptors, child processes and the store are what they were after
// the first tenth.
func TestEndurance(t *testing.T) {
	calls := 200
	if *long {
		calls = 10_000
	}
	if testing.Short() {
		calls = 100
	}
	dir := makeRepo(t, shop)
	p := serveProgram(t, dir, nil)
	p.handshake("2025-11-25")
	var warm, peak usage
	var store int64
	for i := range calls {
		if i%25 == 0 {
			write(t, dir, "shop/edit.py", fmt.Sprintf("from shop.price import total\n\n\ndef edit_%d():\n    return total([%d])\n", i, i))
		}
		p.oneOf(i)
		if i%10 != 0 {
			continue
		}
		u := p.held()
		if i <= calls/5 {
			warm = usage{max(warm.resident, u.resident), max(warm.descriptors, u.descriptors), max(warm.children, u.children)}
			store = sizeOf(t, filepath.Join(dir, ".git/codeidx"))
		} else if i >= calls*4/5 {
			peak = usage{max(peak.resident, u.resident), max(peak.descriptors, u.descriptors), max(peak.children, u.children)}
		}
	}
	grown := sizeOf(t, filepath.Join(dir, ".git/codeidx"))
	t.Logf("%d calls: resident %d to %d KiB, descriptors %d to %d, children %d to %d, store %d to %d KiB", calls,
		warm.resident>>10, peak.resident>>10, warm.descriptors, peak.descriptors, warm.children, peak.children, store>>10, grown>>10)
	if limit := warm.resident + warm.resident/4 + 8<<20; peak.resident > limit {
		t.Errorf("resident memory grew from %d to %d bytes", warm.resident, peak.resident)
	}
	if peak.descriptors > warm.descriptors+2 {
		t.Errorf("open descriptors grew from %d to %d", warm.descriptors, peak.descriptors)
	}
	if peak.children > warm.children {
		t.Errorf("child processes grew from %d to %d", warm.children, peak.children)
	}
	if limit := 2*store + 1<<20; grown > limit {
		t.Errorf("the store grew from %d to %d bytes, at most %d are documented", store, grown, limit)
	}
}

// Edits that an agent makes for hours leave no more than is documented, with
// nobody running gc by hand.
func TestStoreStaysBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("60 syncs")
	}
	dir := makeRepo(t, shop)
	store := filepath.Join(dir, ".git/codeidx")
	p := serveProgram(t, dir, nil)
	p.handshake("2025-11-25")
	p.ok("sync", m{})
	var last, largest int64
	reclaims := 0
	for i := range 60 {
		write(t, dir, "shop/edit.py", manyFunctions(i))
		p.ok("sync", m{})
		size := sizeOf(t, store)
		if size < last {
			reclaims++
		}
		last, largest = size, max(largest, size)
	}
	t.Logf("%d reclaims, store at most %d KiB, in the end %d", reclaims, largest>>10, last>>10)
	if reclaims == 0 {
		t.Error("nothing was reclaimed")
	}
	// Three generations of edits are kept, below 128 KiB each; a reclaim that
	// a call got ahead of comes a few edits later.
	if limit := int64(2*3*128<<10 + 1<<20 + 4*128<<10); largest > limit {
		t.Errorf("the store grew to %d bytes, more than %d", largest, limit)
	}
	if doc := p.ok("symbols", m{"query": "edit_59_0"}); !has(doc, `"edit_59_0"`) {
		t.Errorf("the last edit is not found: %v", doc)
	}
}

// manyFunctions is a file whose names no other edit has.
func manyFunctions(edit int) string {
	var b strings.Builder
	for i := range 600 {
		fmt.Fprintf(&b, "def edit_%d_%d(a, b_%d):\n    return a + %d\n\n\n", edit, i, edit*i, i*edit)
	}
	return b.String()
}

// oneOf makes the i-th call of a mix of all tools, some of which must fail.
func (p *process) oneOf(i int) {
	p.t.Helper()
	switch i % 10 {
	case 0:
		p.ok("relations", m{"symbol": "total", "kind": "callers"})
	case 1:
		p.ok("explore", m{"query": "checkout the cart"})
	case 2:
		p.ok("symbols", m{"query": fmt.Sprintf("edit_%d", i)})
	case 3:
		p.ok("relations", m{"symbol": "shop/price.py", "kind": "impact"})
	case 4:
		p.ok("read", m{"symbol": "checkout"})
	case 5:
		p.ok("changes", m{})
	case 6:
		p.ok("status", m{})
	case 7:
		p.fails("read", m{"path": "no/such/file.py"}, "invalid_request")
	case 8:
		p.ok("relations", m{"symbol": "Cart.sum", "kind": "tests"})
	case 9:
		p.ok("sync", m{})
	}
}

// sizeOf sums up the files below a folder. One that goes meanwhile does not
// count.
func sizeOf(t testing.TB, dir string) (n int64) {
	t.Helper()
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			n += info.Size()
		}
		return nil
	})
	return n
}
