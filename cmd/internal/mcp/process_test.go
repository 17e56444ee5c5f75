package mcp_test

import (
	"os"
	"strings"
	"testing"

	"codeidx/cmd/internal/cli"
	"codeidx/cmd/internal/mcp"
	"codeidx/facts/worker"
)

// The test binary is its own parser process, and the whole program where a
// test starts it as one. It lives outside the package because the program
// imports it.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == worker.Verb {
		os.Exit(worker.Main(os.Stdin, os.Stdout))
	}
	if os.Getenv(mcp.AsProgram) != "" {
		os.Exit(cli.Main(os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
	}
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "GIT_") {
			os.Unsetenv(name)
		}
	}
	os.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	os.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		os.Setenv("GIT_"+who+"_NAME", "A")
		os.Setenv("GIT_"+who+"_EMAIL", "a@example.com")
		os.Setenv("GIT_"+who+"_DATE", "2026-01-02T03:04:05Z")
	}
	os.Exit(m.Run())
}
