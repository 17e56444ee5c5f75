// Package worker extracts facts in processes of their own, so that a grammar
// that crashes, hangs or eats memory costs one file and never the command.
//
// The parent holds a Pool. Its workers are the same binary, started again with
// Verb as first argument, for which main calls Main. A worker starts with the
// first work for it, serves until its stdin ends, and dies with its parent.
//
//	parent                                worker
//	  settings {memory limit, timeout} ─▶
//	  batch {language, path, source}…  ─▶   reads the whole batch
//	                                   ◀─   one reply a file, in order
//
// Since a batch is read whole before the first reply, neither side can block
// the other; since replies are not held back, the file after the last reply is
// the one that a dead worker was at. That file is tried once more, alone in a
// fresh worker, when it was not alone before; the others of its batch are sent
// again. A file that outlasts its time is not tried again.
package worker
