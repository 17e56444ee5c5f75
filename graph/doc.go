// Package graph turns the facts of all files into resolved edges. A Resolver
// per language binds names by declared rules; an edge says by which rule, how
// sure it is and where its evidence stands. What cannot be bound stays an
// Unresolved with its reason: equal names alone never make an edge.
//
// Resolution says how an edge may be used:
//
//   - Resolved: uniquely bound under a named static rule. It names the static
//     callee; Open says that the target can be overridden or implemented, and
//     its known implementations are Candidate edges beside it.
//   - Candidate: explicit but insufficient evidence.
package graph
