package gitstore

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// treeFile is a blob with its path in a generation's tree.
type treeFile struct {
	path string
	oid  OID
}

const (
	modeFile = "100644"
	modeTree = "40000"
)

// buildTrees writes the tree objects for files through put, deepest first, and
// returns the id of the top.
func buildTrees(files []treeFile, put func(objectType, []byte) (OID, error)) (OID, error) {
	// Git sorts a directory as if its name ended in a slash, which is the
	// order of whole paths.
	slices.SortFunc(files, func(a, b treeFile) int { return strings.Compare(a.path, b.path) })
	return buildTree(files, 0, put)
}

// buildTree writes the tree of files whose paths share the first skip bytes.
func buildTree(files []treeFile, skip int, put func(objectType, []byte) (OID, error)) (OID, error) {
	var b []byte
	for i := 0; i < len(files); {
		name, _, isDir := strings.Cut(files[i].path[skip:], "/")
		if !isDir {
			b = appendTreeEntry(b, modeFile, name, files[i].oid)
			i++
			continue
		}
		prefix := files[i].path[:skip+len(name)+1]
		n := 1
		for i+n < len(files) && strings.HasPrefix(files[i+n].path, prefix) {
			n++
		}
		oid, err := buildTree(files[i:i+n], len(prefix), put)
		if err != nil {
			return OID{}, err
		}
		b = appendTreeEntry(b, modeTree, name, oid)
		i += n
	}
	return put(typeTree, b)
}

func appendTreeEntry(b []byte, mode, name string, oid OID) []byte {
	b = append(append(b, mode...), ' ')
	b = append(append(b, name...), 0)
	return append(b, oid[:]...)
}

// treeEntry is one line of a tree object.
type treeEntry struct {
	name  string
	oid   OID
	isDir bool
}

var errTree = errors.New("malformed tree")

// parseTreeObject reads a tree object.
func parseTreeObject(data []byte) (entries []treeEntry, err error) {
	for len(data) > 0 {
		head, rest, ok := bytes.Cut(data, []byte{0})
		mode, name, ok2 := strings.Cut(string(head), " ")
		var e treeEntry
		if !ok || !ok2 || name == "" || copy(e.oid[:], rest) < len(e.oid) {
			return nil, errTree
		}
		switch mode {
		case modeTree:
			e.isDir = true
		case modeFile:
		default:
			return nil, fmt.Errorf("%w: mode %q", errTree, mode)
		}
		e.name = name
		entries = append(entries, e)
		data = rest[len(e.oid):]
	}
	return entries, nil
}
