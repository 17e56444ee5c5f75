// Package fault is the seam through which tests make changes of the file
// system fail. The store announces every change here before it makes it;
// without a hook that costs one atomic load.
package fault

import (
	"errors"
	"sync/atomic"
)

// Op is a kind of change to the file system.
type Op string

// Kinds of change.
const (
	Create Op = "create"
	Write  Op = "write"
	Sync   Op = "sync"
	Rename Op = "rename"
	Remove Op = "remove"
	Mkdir  Op = "mkdir"
)

// ErrShort is returned by a Hook to have half of a write done and the rest
// refused, as a full disk does.
var ErrShort = errors.New("short write")

// ErrSkip is returned by a Hook to have a Sync taken as done, for the sake of
// speed.
var ErrSkip = errors.New("skip")

// Hook is asked before each change. An error stops the change and is what its
// caller sees.
type Hook func(op Op, path string) error

var hook atomic.Pointer[Hook]

// Set installs h for the whole process and returns the function that takes it
// away again.
func Set(h Hook) (restore func()) {
	hook.Store(&h)
	return func() { hook.Store(nil) }
}

// Check asks the hook about a change.
func Check(op Op, path string) error {
	if h := hook.Load(); h != nil {
		return (*h)(op, path)
	}
	return nil
}
