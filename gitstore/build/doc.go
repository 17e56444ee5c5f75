// Package build is the one write pipeline: snapshot of the work tree → facts,
// reused where their key is known, else extracted → graph and full text →
// published generation.
//
// What must hold: the same bytes give the same generation, whether it was
// built anew or from another one, with any number of workers; a build that
// ends early leaves the generation before it serving; the tree is verified
// after the last byte was read and before anything is published.
package build
