package mcp

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// AsProgram is the variable that makes the test binary the whole program.
const AsProgram = "CODEIDX_TEST_PROGRAM"

// program prepares a run of the whole program in a folder.
func program(t testing.TB, dir string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), AsProgram+"=1")
	return cmd
}

// codeidx runs the program to its end.
func codeidx(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := program(t, dir, args...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git codeidx %v: %v\n%s", args, err, errs.Bytes())
	}
	return string(out)
}

// process is a server in a process of its own.
type process struct {
	*peer
	cmd *exec.Cmd
}

// serveProgram starts the program as a server. change, which may be nil, has
// the last word on how it is started.
func serveProgram(t testing.TB, dir string, change func(*exec.Cmd), args ...string) *process {
	t.Helper()
	cmd := program(t, dir, append([]string{"mcp"}, args...)...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(cmd)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &process{&peer{t: t, in: in, out: bufio.NewReaderSize(out, 1<<20)}, cmd}
	t.Cleanup(func() {
		in.Close()
		late := time.AfterFunc(30*time.Second, func() { cmd.Process.Kill() })
		defer late.Stop()
		if err := cmd.Wait(); err != nil || errs.Len() > 0 {
			t.Errorf("the server ended with: %v\n%s", err, errs.Bytes())
		}
	})
	return p
}

// usage is what a process holds.
type usage struct {
	resident, descriptors, children int
}

// held reads what the server holds now; the test is skipped where the system
// does not say.
func (p *process) held() usage {
	p.t.Helper()
	proc := filepath.Join("/proc", strconv.Itoa(p.cmd.Process.Pid))
	list, err := os.ReadDir(filepath.Join(proc, "fd"))
	if err != nil {
		p.t.Skip("the system does not list descriptors")
	}
	u := usage{descriptors: len(list)}
	status, err := os.ReadFile(filepath.Join(proc, "status"))
	if err != nil {
		p.t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kb, err := strconv.Atoi(strings.Fields(rest)[0])
			if err != nil {
				p.t.Fatal(err)
			}
			u.resident = kb << 10
		}
	}
	lists, _ := filepath.Glob(filepath.Join(proc, "task", "*", "children"))
	for _, l := range lists {
		pids, _ := os.ReadFile(l)
		u.children += len(strings.Fields(string(pids)))
	}
	return u
}
