package gitstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// ErrNoGit says that there is no git program on PATH.
var ErrNoGit = errors.New("git is not installed or not on PATH")

// GitError is a git command that failed. Stderr is git's own message, in
// English, and is meant to be shown.
type GitError struct {
	Args   []string
	Exit   int // -1 when the command was killed
	Stderr string
}

func (e *GitError) Error() string {
	if e.Stderr != "" {
		return e.Stderr
	}
	return fmt.Sprintf("git %s: exit status %d", strings.Join(e.Args, " "), e.Exit)
}

// gitCommand is one run of git. The caller's environment is handed on, so that
// `git -C`, `--git-dir`, `--work-tree` and `-c` of the outer git hold here too.
type gitCommand struct {
	dir   string   // working directory; "" is the caller's
	env   []string // additions to the caller's environment
	args  []string
	stdin io.Reader // nil reads from the null device
}

// safeOptions come first in every git command: no lock is taken under the
// user, and no program that the repository's configuration names is run to
// list files.
var safeOptions = [...]string{"--no-optional-locks", "-c", "core.fsmonitor=false"}

// safeEnvironment keeps every command away from the network, and from the programs
// that a remote's configuration names: what a partial clone does not have
// stays away. git before 2.45 may not know the first variable.
var safeEnvironment = [...]string{"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "LC_ALL=C"}

// killGrace is how long a killed git's own children may hold our pipes.
const killGrace = time.Second

// run returns git's standard output. Output that came before a failure is
// returned with the error.
func (c gitCommand) run(ctx context.Context) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", append(safeOptions[:len(safeOptions):len(safeOptions)], c.args...)...)
	cmd.Dir = c.dir
	cmd.Env = append(append(os.Environ(), safeEnvironment[:]...), c.env...)
	cmd.Stdin = c.stdin
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = killGrace
	err := cmd.Run()
	switch {
	case err == nil:
		return stdout.Bytes(), nil
	case ctx.Err() != nil:
		return stdout.Bytes(), ctx.Err()
	case errors.Is(err, exec.ErrNotFound):
		return nil, ErrNoGit
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return nil, fmt.Errorf("run git: %w", err)
	}
	return stdout.Bytes(), &GitError{Args: c.args, Exit: exit.ExitCode(), Stderr: strings.TrimSpace(stderr.String())}
}

// splitNUL splits NUL-terminated records. The records share out's memory.
func splitNUL(out []byte) [][]byte {
	out = bytes.TrimSuffix(out, []byte{0})
	if len(out) == 0 {
		return nil
	}
	return bytes.Split(out, []byte{0})
}
