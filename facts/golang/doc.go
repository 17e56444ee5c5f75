// Package golang extracts the facts of one Go file from its flat syntax tree.
//
// How Go maps onto the vocabulary of package facts:
//
//   - Functions and methods open a ScopeFunction that holds type parameters,
//     receiver, parameters, results and the outermost block, as Go does. Their
//     Def.Type is a FuncType with one kid a parameter; a function literal has
//     its FuncType in Expr.X.
//   - A generic type opens a ScopeTypeParams. Every struct and interface type
//     opens a ScopeClass: its fields are the Defs with that Def.Scope, also
//     in anonymous types, and its methods are DefMethod with the flag Declared
//     and a FuncType in Def.Type.
//   - Package-level variables and constants have a Def and, for the part of
//     the initialiser that they take, a Bind with that Def. Names of package
//     level are visible everywhere (From 0), local ones from From on. Binds
//     of one name are in ascending order of From.
//   - An import binds its alias; without one Bind.Name is 0, because only the
//     imported package knows its name.
//   - ArrayType has the length as its only kid, "[...]" as an EllipsisLit; a
//     slice type has none. ChanType's Op is OpSend or OpReceive where it has a
//     direction. A constraint "~T" is Unary with X = T.
//   - Parentheses leave no node. Labels leave no trace.
//   - Names inside regions that the parser could not read are Bad nodes with a
//     Name: they are listed but never bound.
package golang
