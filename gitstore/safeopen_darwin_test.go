package gitstore

import "testing"

// forceWalk does nothing: there is no other way.
func forceWalk(*testing.T, bool) {}
