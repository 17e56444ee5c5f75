package reliability

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// The tracer runs a command and everything that it starts under ptrace and
// stands between each process and the disk. A seccomp filter stops the
// processes at the calls of traced alone, so that all others run at full speed.
// No seam in the product is needed, and git's own writes count, too.

// call is one system call that changes, or would change, what is on disk.
type call struct {
	n    int // its number among all of this run, from 0
	nr   uint64
	name string
	path string // below the root, or as the process gave it
}

// writes says whether the call carries bytes, so that it can be cut short.
func (c *call) writes() bool {
	return c.nr == syscall.SYS_WRITE || c.nr == syscall.SYS_PWRITE64
}

// grows says whether the call needs room on the disk.
func (c *call) grows() bool {
	switch c.nr {
	case syscall.SYS_OPEN, syscall.SYS_OPENAT, syscall.SYS_MKDIR, syscall.SYS_MKDIRAT, syscall.SYS_LINK, syscall.SYS_LINKAT,
		syscall.SYS_SYMLINK, syscall.SYS_SYMLINKAT, sysCopyFileRange:
		return true
	}
	return c.writes()
}

// verdict is what becomes of a call.
type verdict struct {
	errno syscall.Errno // the call is not made and gives this
	half  bool          // only the first half of its bytes are written
	kill  bool          // all processes die: before it, or with half behind it
	delay time.Duration
}

// tracer decides about calls that concern files below root.
type tracer struct {
	root   string
	reads  bool // also stop where files are opened for reading
	decide func(*call) verdict

	calls []call
	tasks map[int]bool // threads and processes that are stopped or run
	exits map[int]after
}

// after is what to do when a call comes back.
type after struct {
	errno syscall.Errno // what it gives instead
	kill  bool
}

// System calls that package syscall does not name.
const (
	sysRenameat2     = 316
	sysCopyFileRange = 326
	sysOpenat2       = 437
)

var traced = map[uint64]string{
	syscall.SYS_WRITE: "write", syscall.SYS_PWRITE64: "write", syscall.SYS_OPEN: "create", syscall.SYS_OPENAT: "create",
	syscall.SYS_FTRUNCATE: "truncate", syscall.SYS_RENAME: "rename", syscall.SYS_RENAMEAT: "rename", sysRenameat2: "rename",
	syscall.SYS_UNLINK: "remove", syscall.SYS_UNLINKAT: "remove", syscall.SYS_RMDIR: "remove", syscall.SYS_MKDIR: "mkdir",
	syscall.SYS_MKDIRAT: "mkdir", syscall.SYS_LINK: "link", syscall.SYS_LINKAT: "link", syscall.SYS_SYMLINK: "link",
	syscall.SYS_SYMLINKAT: "link", syscall.SYS_FSYNC: "fsync", syscall.SYS_FDATASYNC: "fsync", syscall.SYS_FCHMOD: "chmod",
	syscall.SYS_CHMOD: "chmod", syscall.SYS_FCHMODAT: "chmod", syscall.SYS_CLOSE: "close", sysCopyFileRange: "write",
	sysOpenat2: "open",
}

const (
	launchEnv  = "RELIABILITY_LAUNCH"
	wnothread  = 0x20000000 // __WNOTHREAD: children of this thread alone
	wall       = 0x40000000 // __WALL
	stopExit   = syscall.SIGTRAP | 0x80
	eventFirst = 1
	eventSecc  = 7                                                                                                                        // PTRACE_EVENT_SECCOMP
	options    = 0x1 /* SYSGOOD */ | 0x2 /* FORK */ | 0x4 /* VFORK */ | 0x8 /* CLONE */ | 0x10 /* EXEC */ | 0x80 /* SECCOMP */ | 0x100000 /* EXITKILL */
)

// launch installs the filter in this process and becomes the command.
func launch(args []string) error {
	runtime.LockOSThread()
	type filter struct {
		code   uint16
		jt, jf uint8
		k      uint32
	}
	const (
		load, jump, ret  = 0x20, 0x15, 0x06
		allow, askTracer = 0x7fff0000, 0x7ff00000
	)
	prog := []filter{{code: load, k: 0}}
	left := len(traced)
	for nr := range traced {
		prog = append(prog, filter{jump, uint8(left), 0, uint32(nr)})
		left--
	}
	prog = append(prog, filter{code: ret, k: allow}, filter{code: ret, k: askTracer})
	fprog := struct {
		n uint16
		p *filter
	}{uint16(len(prog)), &prog[0]}
	const prSetNoNewPrivs, prSetSeccomp, seccompFilter = 38, 22, 2
	if _, _, errno := syscall.RawSyscall6(syscall.SYS_PRCTL, prSetNoNewPrivs, 1, 0, 0, 0, 0); errno != 0 {
		return errno
	}
	if _, _, errno := syscall.RawSyscall(syscall.SYS_PRCTL, prSetSeccomp, seccompFilter, uintptr(unsafe.Pointer(&fprog))); errno != 0 {
		return errno
	}
	return syscall.Exec(args[0], args, os.Environ())
}

// run runs a command in a folder to its end. status is -1 where it was killed.
func (tr *tracer) run(t testing.TB, dir string, env []string, argv ...string) (out string, status int) {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	sink, err := os.CreateTemp(t.TempDir(), "out")
	if err != nil {
		t.Fatal(err)
	}
	defer sink.Close()
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	tr.tasks, tr.exits = map[int]bool{}, map[int]after{}
	p, err := os.StartProcess(self, append([]string{self}, argv...), &os.ProcAttr{
		Dir: dir, Env: append(env, launchEnv+"=1"), Files: []*os.File{null, sink, sink}, Sys: &syscall.SysProcAttr{Ptrace: true},
	})
	if err != nil {
		t.Skipf("this machine does not let processes be traced: %v", err)
	}
	status, err = tr.follow(p.Pid)
	p.Release()
	if err != nil {
		t.Fatalf("trace %s: %v", argv, err)
	}
	b, err := os.ReadFile(sink.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(b), status
}

// follow handles stops until no traced process is left.
func (tr *tracer) follow(pid int) (status int, err error) {
	status = -1
	for begun := false; ; {
		var ws syscall.WaitStatus
		tid, err := syscall.Wait4(-1, &ws, wall|wnothread, nil)
		switch {
		case err == syscall.EINTR:
			continue
		case err == syscall.ECHILD:
			return status, nil
		case err != nil:
			return status, err
		}
		if ws.Exited() || ws.Signaled() {
			delete(tr.tasks, tid)
			if tid == pid && ws.Exited() {
				status = ws.ExitStatus()
			}
			continue
		}
		if !begun {
			begun = true
			if err := syscall.PtraceSetOptions(tid, options); err != nil {
				return status, err
			}
		}
		isNew := !tr.tasks[tid]
		tr.tasks[tid] = true
		if err := tr.stopped(tid, ws, isNew); err != nil && !errors.Is(err, syscall.ESRCH) {
			return status, err
		}
	}
}

func (tr *tracer) stopped(tid int, ws syscall.WaitStatus, isNew bool) error {
	switch sig := ws.StopSignal(); {
	case sig == stopExit:
		a := tr.exits[tid]
		delete(tr.exits, tid)
		if a.kill {
			tr.killAll()
			return nil
		}
		return tr.giveBack(tid, a.errno)
	case ws.TrapCause() == eventSecc:
		return tr.atCall(tid)
	case ws.TrapCause() >= eventFirst, sig == syscall.SIGTRAP, sig == syscall.SIGSTOP && isNew:
		return syscall.PtraceCont(tid, 0)
	default:
		return syscall.PtraceCont(tid, int(sig))
	}
}

// giveBack changes what a call that was made returns.
func (tr *tracer) giveBack(tid int, errno syscall.Errno) error {
	var regs syscall.PtraceRegs
	if err := syscall.PtraceGetRegs(tid, &regs); err != nil {
		return err
	}
	regs.Rax = uint64(-int64(errno))
	if err := syscall.PtraceSetRegs(tid, &regs); err != nil {
		return err
	}
	return syscall.PtraceCont(tid, 0)
}

func (tr *tracer) killAll() {
	for tid := range tr.tasks {
		_ = syscall.Kill(tid, syscall.SIGKILL)
	}
}

// atCall lets a call be made, changed or skipped.
func (tr *tracer) atCall(tid int) error {
	var regs syscall.PtraceRegs
	if err := syscall.PtraceGetRegs(tid, &regs); err != nil {
		return err
	}
	c, concerns := tr.describe(tid, &regs)
	if !concerns {
		return syscall.PtraceCont(tid, 0)
	}
	c.n = len(tr.calls)
	tr.calls = append(tr.calls, c)
	v := tr.decide(&c)
	time.Sleep(v.delay)
	switch {
	case v.half:
		regs.Rdx /= 2
		if err := syscall.PtraceSetRegs(tid, &regs); err != nil {
			return err
		}
		if v.kill {
			tr.exits[tid] = after{kill: true}
			return syscall.PtraceSyscall(tid, 0)
		}
	case v.kill:
		tr.killAll()
		return nil
	case v.errno != 0 && c.nr == syscall.SYS_CLOSE: // the descriptor is gone whatever close says
		tr.exits[tid] = after{errno: v.errno}
		return syscall.PtraceSyscall(tid, 0)
	case v.errno != 0:
		regs.Orig_rax, regs.Rax = ^uint64(0), uint64(-int64(v.errno))
		if err := syscall.PtraceSetRegs(tid, &regs); err != nil {
			return err
		}
	}
	return syscall.PtraceCont(tid, 0)
}

// describe names a call and says whether it concerns files below the root.
func (tr *tracer) describe(tid int, regs *syscall.PtraceRegs) (c call, concerns bool) {
	c = call{nr: regs.Orig_rax, name: traced[regs.Orig_rax]}
	const changing = syscall.O_WRONLY | syscall.O_RDWR | syscall.O_CREAT | syscall.O_TRUNC
	at := func(dirfd, addr uint64) string { return tr.resolve(tid, int32(dirfd), readString(tid, addr)) }
	cwd := ^uint64(0) - 99 // AT_FDCWD
	switch c.nr {
	case syscall.SYS_WRITE, syscall.SYS_PWRITE64, syscall.SYS_FTRUNCATE, syscall.SYS_FSYNC, syscall.SYS_FDATASYNC, syscall.SYS_FCHMOD:
		c.path = descriptor(tid, int32(regs.Rdi))
	case sysCopyFileRange:
		c.path = descriptor(tid, int32(regs.Rdx))
	case syscall.SYS_CLOSE:
		c.path = descriptor(tid, int32(regs.Rdi))
		if !strings.HasPrefix(c.path, tr.root+"/") || !writable(tid, int32(regs.Rdi)) {
			return c, false
		}
	case syscall.SYS_OPEN:
		c.path = at(cwd, regs.Rdi)
		concerns = tr.reads || regs.Rsi&changing != 0
	case syscall.SYS_OPENAT:
		c.path = at(regs.Rdi, regs.Rsi)
		concerns = tr.reads || regs.Rdx&changing != 0
	case sysOpenat2:
		c.path, concerns = at(regs.Rdi, regs.Rsi), tr.reads
	case syscall.SYS_RENAME, syscall.SYS_LINK, syscall.SYS_SYMLINK:
		c.path = at(cwd, regs.Rsi)
	case syscall.SYS_UNLINK, syscall.SYS_RMDIR, syscall.SYS_MKDIR, syscall.SYS_CHMOD:
		c.path = at(cwd, regs.Rdi)
	case syscall.SYS_UNLINKAT, syscall.SYS_MKDIRAT, syscall.SYS_FCHMODAT:
		c.path = at(regs.Rdi, regs.Rsi)
	case syscall.SYS_RENAMEAT, sysRenameat2, syscall.SYS_LINKAT:
		c.path = at(regs.Rdx, regs.R10)
	case syscall.SYS_SYMLINKAT:
		c.path = at(regs.Rsi, regs.Rdx)
	}
	switch c.nr {
	case syscall.SYS_OPEN, syscall.SYS_OPENAT, sysOpenat2:
	default:
		concerns = true
	}
	rel, below := strings.CutPrefix(c.path, tr.root+"/")
	c.path = rel
	return c, concerns && below
}

// resolve makes a path that a process gives absolute.
func (tr *tracer) resolve(tid int, dirfd int32, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	link := fmt.Sprintf("/proc/%d/cwd", tid)
	if dirfd >= 0 {
		link = fmt.Sprintf("/proc/%d/fd/%d", tid, dirfd)
	}
	dir, err := os.Readlink(link)
	if err != nil {
		return path
	}
	return filepath.Join(dir, path)
}

func descriptor(tid int, fd int32) string {
	path, _ := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", tid, fd))
	return path
}

// writable says whether a descriptor was opened for writing.
func writable(tid int, fd int32) bool {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/fdinfo/%d", tid, fd))
	if err != nil {
		return false
	}
	var flags int64
	for line := range bytes.Lines(b) {
		if n, _ := fmt.Sscanf(string(line), "flags: %o", &flags); n == 1 {
			return flags&(syscall.O_WRONLY|syscall.O_RDWR) != 0
		}
	}
	return false
}

func readString(tid int, addr uint64) string {
	var s []byte
	for word := make([]byte, 8); len(s) < 4096; addr += 8 {
		if _, err := syscall.PtracePeekData(tid, uintptr(addr), word); err != nil {
			break
		}
		if i := bytes.IndexByte(word, 0); i >= 0 {
			return string(append(s, word[:i]...))
		}
		s = binary.NativeEndian.AppendUint64(s, binary.NativeEndian.Uint64(word))
	}
	return string(s)
}
