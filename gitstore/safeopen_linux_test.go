package gitstore

import "testing"

// forceWalk makes openFolder do without openat2 for one test.
func forceWalk(t *testing.T, walk bool) {
	t.Helper()
	before := noOpenat2.Swap(walk)
	t.Cleanup(func() { noOpenat2.Store(before) })
	if !walk && before {
		t.Skip("the kernel refuses openat2")
	}
}
