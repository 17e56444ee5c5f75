package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"codeidx/gitstore"
	"codeidx/gitstore/build"
	"codeidx/query"
)

// Exit statuses of spec/cli.md.
const (
	exitOK          = 0
	exitNo          = 1 // no match with --exit-code, or damage found
	exitBad         = 2
	exitChanged     = 3
	exitUnavailable = 4
	exitUnsupported = 5
	exitFatal       = 128
	exitUsage       = 129
)

// exitStatus ends a command with a status and no message.
type exitStatus int

func (e exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// failure is an error as a person and a machine see it.
type failure struct {
	Schema  string `json:"schema"`
	Code    string `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
	status  int
}

var codeStatus = map[query.Code]int{
	query.InvalidRequest: exitBad, query.AmbiguousSymbol: exitBad, query.BudgetTooSmall: exitBad,
	query.CodeChanged: exitChanged, query.BaselineUnavailable: exitChanged,
	query.IndexMissing: exitUnavailable, query.VerificationTimeout: exitUnavailable, query.WorkspaceBusy: exitUnavailable,
	query.StoreCorrupt: exitUnavailable, query.UnsupportedCapability: exitUnsupported,
}

// explain is the one switch from errors to codes, hints and exit statuses.
func explain(err error) failure {
	f := failure{Schema: "codeidx.error.v1", Message: err.Error(), status: exitFatal}
	var q *query.Error
	var parse *kong.ParseError
	var usage usageError
	var limit *gitstore.LimitError
	var space *build.SpaceError
	var deadline *build.DeadlineError
	switch {
	case errors.As(err, &q):
		f.Code, f.Hint, f.status = string(q.Code), q.Hint, codeStatus[q.Code]
	case errors.As(err, &parse), errors.As(err, &usage):
		f.Code, f.Hint, f.status = "usage", "see: git codeidx -h", exitUsage
	case errors.Is(err, gitstore.ErrNotRepository):
		f.Code, f.Message = "not_a_repository", strings.TrimPrefix(f.Message, "fatal: ")
		f.Hint = "run it inside a git work tree, or with git -C PATH codeidx …"
	case errors.Is(err, gitstore.ErrBare), errors.Is(err, gitstore.ErrNoWorkTree):
		f.Code, f.Hint = "no_work_tree", "index a clone or a linked work tree: git worktree add"
	case errors.Is(err, gitstore.ErrForeignOwner):
		f.Code, f.Message = "foreign_owner", strings.TrimPrefix(f.Message, "fatal: ")
	case errors.As(err, &deadline):
		f.Code, f.status = "limit_exceeded", exitUnavailable
		f.Hint = "raise codeidx.buildDeadline, or leave files out with codeidx.exclude; the index before still answers"
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, gitstore.ErrVerificationTimeout):
		f.Code, f.status = string(query.VerificationTimeout), exitUnavailable
		f.Hint = "for very large trees: --freshness stat"
	case errors.Is(err, context.Canceled):
		f.Code, f.Message, f.status = "interrupted", "interrupted; nothing was changed", 130
	case errors.As(err, &limit):
		f.Code, f.status = "limit_exceeded", exitUnavailable
		f.Hint = "raise codeidx.maxFiles or codeidx.maxTotal, or leave files out with codeidx.exclude"
	case errors.As(err, &space):
		f.Code, f.status = "no_space", exitUnavailable
		f.Hint = "free some room, run git codeidx gc, or raise codeidx.maxStore; the index before still answers"
	case errors.Is(err, syscall.ENOSPC):
		f.Code, f.status = "no_space", exitUnavailable
		f.Hint = "free some disk space; the index before still answers"
	case errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission):
		f.Code, f.status = "read_only", exitUnavailable
		f.Hint = "the index cannot be written here; --stale mark still answers from the one before"
	case errors.Is(err, gitstore.ErrLocked):
		f.Code, f.status = string(query.WorkspaceBusy), exitUnavailable
		f.Hint = "another process holds it; codeidx.lockWait sets how long to wait"
	case isStoreDamage(err):
		f.Code, f.status = string(query.StoreCorrupt), exitUnavailable
		f.Hint = "see what is damaged: git codeidx fsck; rebuild: git codeidx index"
	default:
		f.Code = "failed"
	}
	return f
}

// report prints an error and returns the exit status.
func (a *app) report(err error) int {
	var status exitStatus
	if errors.As(err, &status) {
		return int(status)
	}
	f := explain(err)
	if a.json {
		if b, encErr := encodeJSON(f); encErr == nil {
			a.out.Write(b)
			return f.status
		}
	}
	printFailure(a.err, f)
	return f.status
}

func printFailure(w io.Writer, f failure) {
	fmt.Fprintf(w, "codeidx: %s\n", oneLine(f.Message))
	if f.Hint != "" {
		fmt.Fprintf(w, "hint: %s\n", oneLine(f.Hint))
	}
}

// oneLine keeps a message on one line and free of terminal controls.
func oneLine(s string) string { return printable(strings.ReplaceAll(strings.TrimSpace(s), "\n", "; ")) }
