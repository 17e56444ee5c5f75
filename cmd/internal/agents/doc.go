// Package agents wires coding agents to this program: it puts entries into
// their configuration files and takes them out again. A file keeps every byte
// that is not ours, comments and order included, and uninstalling gives back
// the file that was there before.
//
// clients.go says what each client reads; plan.go works out the changes;
// jsontree.go and jsonedit.go edit JSON with comments, block.go TOML and
// Markdown. The edits keep no record: how an entry is laid out says what has
// to go with it.
package agents
