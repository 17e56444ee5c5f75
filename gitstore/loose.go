package gitstore

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
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
func readLoose(objects string, want request) (t objectType, data []byte, err error) {
	f, _, err := openOwn(loosePath(objects, want.oid))
	if err != nil {
		return 0, nil, err
	}
	defer f.Close()
	z, err := zlib.NewReader(f)
	if err != nil {
		return 0, nil, err
	}
	in := bufio.NewReader(z)
	t, size, err := readLooseHead(in)
	if err != nil {
		return 0, nil, err
	}
	if size > want.limit {
		return 0, nil, fmt.Errorf("has %d bytes, more than the %d it may have", size, want.limit)
	}
	var b bytes.Buffer
	if _, err = b.ReadFrom(io.LimitReader(in, int64(size)+1)); err == nil && b.Len() != size {
		err = errLoose
	}
	return t, b.Bytes(), err
}

var errLoose = errors.New("loose object is malformed")

// readLooseHead reads type and size: "blob 12", and a zero byte.
func readLooseHead(in *bufio.Reader) (t objectType, size int, err error) {
	head, err := in.ReadSlice(0)
	if err != nil {
		return 0, 0, errLoose
	}
	name, digits, _ := strings.Cut(string(head[:len(head)-1]), " ")
	if size, err = strconv.Atoi(digits); err != nil || size < 0 {
		return 0, 0, errLoose
	}
	for t := typeCommit; t <= typeTag; t++ {
		if t.String() == name {
			return t, size, nil
		}
	}
	return 0, 0, fmt.Errorf("loose object of unknown type %q", name)
}
