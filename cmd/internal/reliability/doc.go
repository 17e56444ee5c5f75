// Package reliability holds no code of the product. Its tests break disks,
// processes and files under the real binary and the real git, and count what
// was survived: `go test ./cmd/internal/reliability` takes a sample of each
// sweep, with -every 1 all points. With -report FILE it writes the counts as
// Markdown tables, which docs/RELIABILITY.md holds.
package reliability
