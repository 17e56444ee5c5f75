// Package facts says what one file states by itself: its definitions, scopes,
// local bindings, imports and expressions. Facts are syntax, taken from the
// bytes of one file alone; they never name what a reference resolves to.
//
// Vocabulary:
//
//   - File: all facts of one file, in tables that refer to each other by index.
//   - Def: a definition. Def 0 is the file itself.
//   - Scope: a region with its own names. Scope 0 is the file's.
//   - Bind: a name that a scope binds, and from what (a parameter, a variable
//     and its initialiser, an import, a definition, a narrowing test, …).
//   - Expr: one node of the expression forest. It covers every use of a name
//     (value, call, type, decorator, base class) with its receiver expression,
//     so that a resolver can compute the type of a receiver from facts alone.
//   - Text: a comment, docstring or string literal, by position.
//
// The same expression vocabulary serves all languages. An extractor maps a
// grammar onto it (facts/<language>), a resolver gives it meaning
// (graph/<language>).
//
// Encode and Decode store a File, ExtractionKey says when stored facts may be
// reused, Validate and Dump serve the tests of extractors (facts/factstest).
package facts
