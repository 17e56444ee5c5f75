package gitstore

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// loosePath returns where git keeps an object that is in no pack. We write none,
// but `git gc` makes some of what is unused at the time.
func loosePath(objects string, oid OID) string {
	hex := oid.String()
	return filepath.Join(objects, hex[:2], hex[2:])
}

// readLoose reads an object that has a file of its own. The caller checks that
// it is the one asked for.
func readLoose(objects string, oid OID) (t objectType, data []byte, err error) {
	f, err := os.Open(loosePath(objects, oid))
	if err != nil {
		return 0, nil, err
	}
	defer f.Close()
	z, err := zlib.NewReader(f)
	if err != nil {
		return 0, nil, err
	}
	all, err := io.ReadAll(io.LimitReader(z, maxObjectSize+1))
	if err != nil {
		return 0, nil, err
	}
	head, data, ok := bytes.Cut(all, []byte{0})
	name, size, ok2 := strings.Cut(string(head), " ")
	if !ok || !ok2 || size != strconv.Itoa(len(data)) {
		return 0, nil, errors.New("loose object is malformed")
	}
	for t := typeCommit; t <= typeTag; t++ {
		if t.String() == name {
			return t, data, nil
		}
	}
	return 0, nil, fmt.Errorf("loose object of unknown type %q", name)
}
