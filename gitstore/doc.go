// Package gitstore is the ground that the index stands on: it asks git about
// the user's repository, takes snapshots of a work tree, and keeps generations
// in a private object store. It knows no language and no fact.
//
// The user's repository (Repo, Index, Capture, Check) is read through the git
// binary and never written to.
//
// The private store is a plain bare SHA-1 repository in <common git dir>/codeidx,
// shared by all work trees of a repository. Ordinary git can look into it;
// docs/FORMAT.md describes its bytes. Vocabulary:
//
//   - Payload: raw bytes kept compressed in a blob. A BlobRef names one, by
//     address (OID) and by content (Digest).
//   - Block, Section: a payload that is part of a large sorted table, and that
//     table: the list of its blocks by first key.
//   - Root: the sections of one index. Generation: a root, published.
//   - Binding: one work tree. Its pointers are Current, Previous and Live.
//   - Ledger, spool: what happened to a work tree, for good and on the way there.
//
// What holds at any moment, wherever a process is killed:
//
//   - Objects come before what points at them: pack, index, generation ref,
//     pointer. A pointer moves in one step.
//   - An object never changes, and only GC removes one. Folding removes packs
//     whose objects are on disk in another one.
//   - Whoever has a Store open keeps GC out. Locks end with their holder.
//   - Reading proves what it returns: payloads by SHA-256, trees and commits by
//     their id. What is damaged is an error that matches ErrCorrupt, never
//     wrong bytes; a damaged generation gives way to the one before.
//   - The index is not forced to disk, since it can be built again; the ledger
//     is.
package gitstore
