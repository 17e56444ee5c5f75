package query

import "fmt"

// Code is a stable error code of spec/engine.md §7.
type Code string

// Codes.
const (
	InvalidRequest        Code = "invalid_request"
	AmbiguousSymbol       Code = "ambiguous_symbol"
	BudgetTooSmall        Code = "budget_too_small"
	CodeChanged           Code = "code_changed"
	BaselineUnavailable   Code = "baseline_unavailable"
	IndexMissing          Code = "index_missing"
	VerificationTimeout   Code = "verification_timeout"
	WorkspaceBusy         Code = "workspace_busy"
	StoreCorrupt          Code = "store_corrupt"
	UnsupportedCapability Code = "unsupported_capability"
)

// Error is an answer that could not be given: one line for a person, a code
// for a machine and what to do next.
type Error struct {
	Code    Code
	Message string
	Hint    string
}

func (e *Error) Error() string { return e.Message }

func errorf(code Code, hint, format string, args ...any) *Error {
	return &Error{code, fmt.Sprintf(format, args...), hint}
}
