//go:build !linux

package worker

import (
	"os"
	"os/exec"
)

// detach has nothing to do here: the end of stdin tells the worker that its
// parent is gone.
func detach(*exec.Cmd) {}

func killGroup(p *os.Process) { _ = p.Kill() }
