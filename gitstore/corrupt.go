package gitstore

import (
	"errors"
	"fmt"
)

var (
	// ErrCorrupt is matched by every error that says that something stored
	// is damaged or gone. The index can be built again from the work tree.
	ErrCorrupt = errors.New("store is damaged")
	// ErrMissing is matched, besides ErrCorrupt, where an object is gone.
	ErrMissing = errors.New("object is missing")
)

// CorruptError names the damaged object.
type CorruptError struct {
	What string // "object <id>", "ref <name>"
	Err  error
}

// Error implements error.
func (e *CorruptError) Error() string { return fmt.Sprintf("%v: %s: %v", ErrCorrupt, e.What, e.Err) }

// Unwrap makes errors.Is see ErrCorrupt and the cause.
func (e *CorruptError) Unwrap() []error { return []error{ErrCorrupt, e.Err} }

func corruptObject(oid OID, err error) error {
	return &CorruptError{What: "object " + oid.String(), Err: err}
}
