// Command bench compares whole processes. docs/PERFORMANCE.md says what the
// figures mean and keeps those that were measured.
//
//	go run ./cmd/internal/bench peers [-n RUNS] [-json] [-binary FILE] TREE NAME
//	go run ./cmd/internal/bench ops [-n RUNS] [-json] [-binary FILE] TREE NAME
//	go run ./cmd/internal/bench scale [-n RUNS] [-json] [-binary FILE] [-svg FILE] [-files N,N,…] [TREE]
//
// peers runs other tools beside ours on copies of the clone TREE. ops times every
// operation in turn with ripgrep. scale indexes
// growing trees: slices of TREE, or generated ones.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	if len(os.Args) < 2 {
		fail(fmt.Errorf("say what to measure: ops, peers or scale"))
	}
	var err error
	switch os.Args[1] {
	case "peers":
		err = peersCommand(os.Args[2:])
	case "ops":
		err = opsCommand(os.Args[2:])
	case "scale":
		err = scaleCommand(os.Args[2:])
	default:
		err = fmt.Errorf("%q is not known: say ops, peers or scale", os.Args[1])
	}
	if err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "bench:", err)
	os.Exit(1)
}

// common are the flags of all commands.
type common struct {
	runs   int
	json   bool
	binary string
}

func (c *common) flags(name string) *flag.FlagSet {
	f := flag.NewFlagSet(name, flag.ExitOnError)
	f.IntVar(&c.runs, "n", 3, "runs of each command; medians are shown")
	f.BoolVar(&c.json, "json", false, "write JSON instead of a table")
	f.StringVar(&c.binary, "binary", "git-codeidx", "our program")
	return f
}
