// Package lint keeps the architecture of docs/ARCHITECTURE.md as tests: import
// directions, file sizes, who may end the process, one help page per verb.
package lint
