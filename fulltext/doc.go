// Package fulltext is an inverted index over symbols: it finds definitions by
// path, name, parts of a name, signature and docstring, and where it is asked
// to by the code, comments and string literals of their bodies.
//
// Vocabulary:
//
//   - Doc: one symbol with the texts that it is found by.
//   - Term: a case-folded identifier, or a part of one ("HTTPServer" gives
//     httpserver, http and server).
//   - Column: where a term stands: a Field, or the whole of a name, qualified
//     name or path.
//   - Postings: the docs of one term in one column, a roaring bitmap.
//   - Segment: the index of one run of files. Segments know nothing of each
//     other, so that generations share those whose files did not change.
//   - Block: a piece of a segment that is stored and read by itself.
//   - Section: the blocks of all segments of a generation, sorted by key.
//
// A build cuts its files, sorted by path, into runs with Boundary, encodes each
// run with EncodeSegment and stores the blocks. A query opens the section with
// Open and asks Search. Package fulltext does no I/O of its own.
//
// Limits: words are runs of letters, marks, digits and underscores; texts of
// scripts that are written without spaces are found by whole runs only. Text is
// compared by simple case folding, without Unicode normalisation. A field's
// length counts as at most 255 words and a term's frequency in a field as at
// most 255 in ranking; neither limits what is found.
package fulltext
