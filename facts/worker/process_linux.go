package worker

import (
	"os"
	"os/exec"
	"syscall"
)

// detach gives the worker a process group of its own, so that an interrupt at
// the terminal reaches the parent alone, and ties its life to the parent's
// (more exactly to the thread that started it; Go ends threads only with
// goroutines that are locked to them).
func detach(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// killGroup kills the process and what it may have started.
func killGroup(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }
