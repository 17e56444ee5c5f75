// Command git-codeidx is the git subcommand "git codeidx".
package main

import (
	"os"

	"codeidx/cmd/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}
