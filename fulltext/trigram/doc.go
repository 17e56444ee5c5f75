// Package trigram finds the files whose bytes may match a pattern, and the
// lines of a file that do.
//
// Vocabulary:
//
//   - Trigram: three neighbouring bytes of one line, folded (see fold.go) so
//     that case does not matter.
//   - Run: neighbouring files, sorted by path, that are indexed together. Runs
//     know nothing of each other, so that generations share those whose files
//     did not change.
//   - Block: a piece of a run that is stored and read by itself: the head with
//     the list of files, or a range of trigrams with the files that hold each.
//   - Section: the blocks of all runs, sorted by key.
//   - Pattern: what is looked for, compiled: a condition on trigrams that every
//     matching file meets, and the exact test of a line.
//
// The index only ever says "may": what it names has to be looked at with
// Pattern.Lines, and what it does not name cannot match. The package does no
// I/O of its own.
//
// Limits: text is UTF-8; a pattern matches within one line, as in grep.
package trigram
