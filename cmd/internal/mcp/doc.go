// Package mcp answers coding agents over the Model Context Protocol on
// standard input and output: one message a line, nothing else.
//
// One call walks through these files:
//
//	conn.go      a line becomes a message; bad lines are answered, not fatal
//	tools.go     the table of tools; schema.go writes their schemas
//	args.go      arguments become values, with errors that name the argument
//	call.go      opens the work tree that the call means, asks, and shapes
//	jobs.go      builds and syncs run in the background, one per work tree
//	answer.go    the compact document; items.go its parts; fit.go its bound
//
// No state between calls is visible to an agent: repository, position in a
// list (cursor) and index (fingerprint) are arguments or part of an answer.
// Nothing is kept open between calls, so that gc, clear, a removed store, a
// branch switch or another process's sync need no care here.
package mcp
