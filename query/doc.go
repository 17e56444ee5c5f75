// Package query answers questions from one pinned generation. Every answer
// says what it was asked, how fresh it is, whether it is complete and what it
// cannot promise (spec/engine.md §6–7, spec/evidence.md "Envelope additions").
//
// ops.go is the one table of operations: the command line, other protocols,
// man pages and docs read it. Run pins a generation, verifies the work tree
// against it, computes the items, bounds them and verifies again.
package query
