package main

import (
	"os/exec"
	"strings"
)

// step is one thing that a tool is timed at.
type step string

const (
	cold    step = "cold index"
	noop    step = "sync, nothing changed"
	oneFile step = "sync, one file changed"
	callers step = "callers"
	find    step = "find a name"
)

var steps = []step{cold, noop, oneFile, callers, find}

// tool is a program that answers what ours does, with its command for each
// step; NAME stands for the symbol that is asked for. A tool of several
// programs begins with env.
type tool struct {
	name     string
	program  []string // the command that all others begin with
	commands map[step]string
	env      []string
	data     string // where it keeps its index, below the tree
	hint     string // how to get it
}

// tools lists ours first. codegraph and optave are the commands of the two npm
// packages, which both call theirs "codegraph".
func tools(binary, codegraph, optave string) []tool {
	quiet := []string{"CODEGRAPH_TELEMETRY=0", "DO_NOT_TRACK=1", "NO_COLOR=1"}
	return []tool{
		{
			name: "git codeidx", program: []string{binary}, data: ".git/codeidx", hint: "go build ./cmd/git-codeidx",
			commands: map[step]string{cold: "index -q", noop: "sync -q", oneFile: "sync -q", callers: "callers NAME", find: "symbols NAME"},
		},
		{
			name: "CodeGraph", program: strings.Fields(codegraph), data: ".codegraph", env: quiet,
			hint:     "npm install @colbymchenry/codegraph, then -codegraph COMMAND",
			commands: map[step]string{cold: "init --yes .", noop: "sync", oneFile: "sync", callers: "callers NAME", find: "query NAME"},
		},
		{
			name: "optave", program: strings.Fields(optave), data: ".codegraph", env: quiet,
			hint:     "npm install @optave/codegraph, then -optave COMMAND",
			commands: map[step]string{cold: "build .", noop: "build .", oneFile: "build .", callers: "query NAME", find: "where NAME"},
		},
		{
			name: "GNU Global", program: []string{"env"}, data: "", hint: "the package global of most distributions",
			commands: map[step]string{cold: "gtags", noop: "global -u", oneFile: "global -u", callers: "global -r NAME", find: "global -x NAME"},
		},
		{
			name: "ripgrep", program: []string{"rg"}, hint: "the package ripgrep of most distributions",
			commands: map[step]string{callers: "-w NAME", find: "-w NAME"},
		},
	}
}

// command returns the words to run for a step, nil where the tool has no such
// step.
func (t *tool) command(s step, name string) []string {
	c, ok := t.commands[s]
	if !ok {
		return nil
	}
	words := append([]string{}, t.program...)
	for _, w := range strings.Fields(c) {
		if w == "NAME" {
			w = name
		}
		words = append(words, w)
	}
	return words
}

// missing says why a tool cannot be run, "" where it can.
func (t *tool) missing() string {
	if len(t.program) == 0 {
		return "no command given: " + t.hint
	}
	program := t.program[0]
	if program == "env" {
		program = strings.Fields(t.commands[cold])[0]
	}
	if _, err := exec.LookPath(program); err != nil {
		return "no command " + program + ": " + t.hint
	}
	return ""
}
