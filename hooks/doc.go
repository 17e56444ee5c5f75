// Package hooks turns git's hook events into a ledger of what drifted away
// from the index.
//
//	git hook → Record: one event line in the spool          (a few ms)
//	Fold:      event → git diff-tree → one line of changes  (next sync, query or drift)
//	           spool → ledger                               (gitstore.FoldSpool)
//	Analyst.Explain: changes → definitions, edges, slice boundaries
//	Analyst.Scan:    work tree as it is → event, changes, meaning
//	Book.Close:      old and new index → report
//	Read, Pending, ReadReport: ledger and spool, newest first
//	Analyst.CheckPush: commits that are pushed → what breaks; records nothing
//
// Hooks are hints. Whether the code differs from the index is decided by
// content at query time; the ledger remembers since when, and explains. What
// fires no hook (reset --hard, stash, other git clients) is found by a scan.
//
// # Lines
//
// A line is one JSON object, named by "schema"; readers pass over lines whose
// schema they do not know. An event (codeidx.event.v1) is what a hook saw. A line of
// changes (codeidx.changes.v1) names the event that it is "of" and holds an entry a
// path; the line with "last" is the event's last one. So does a line of meaning
// (codeidx.symbols.v1) for definitions. Acknowledgements (codeidx.ack.v1) and
// reports (codeidx.report.v1) stand alone. Ids are content hashes,
// so that a line, or an entry, that is met twice is known to be the same.
//
// # Why nothing is lost and nothing counts twice
//
// No line is ever rewritten. Events are written by hooks alone, one write a
// line. Fold looks for events that have no last line of changes, from the newest
// line back to the first event that has one, and appends theirs, oldest event
// first: so behind an event that has its changes, all have; but for a scan, which
// writes its own, and the steps of a rebase, which wait for its end. A Fold that is killed
// leaves at most lines without a last one; the next Fold writes them again, with
// the same ids. An event that comes in while the spool is folded is found in the
// ledger by the next Fold. Two Folds at once write equal lines, which readers
// count once.
package hooks
