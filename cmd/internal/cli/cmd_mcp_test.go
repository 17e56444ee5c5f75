package cli

import (
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The short cut around the parser means what the parser means.
func TestPlainMcp(t *testing.T) {
	var c commands
	k, err := newParser(&c, &app{err: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := k.Parse([]string{"mcp"}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&c.Mcp, plainMcp([]string{"mcp"})); diff != "" {
		t.Error(diff)
	}
	if plainMcp([]string{"mcp", "--stale=mark"}) != nil || plainMcp([]string{"status"}) != nil || plainMcp(nil) != nil {
		t.Error("another command line is taken for a bare mcp")
	}
}
