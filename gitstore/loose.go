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

const tempLoosePrefix = "tmp_obj_"

func loosePath(objects string, oid OID) string {
	hex := oid.String()
	return filepath.Join(objects, hex[:2], hex[2:])
}

// writeLoose stores one object as a file of its own, on disk before it
// returns, and returns its id.
func writeLoose(objects string, t objectType, data []byte) (OID, error) {
	oid := objectID(t, data)
	path := loosePath(objects, oid)
	if have, content, err := readLoose(objects, oid); err == nil && have == t && bytes.Equal(content, data) {
		return oid, nil
	}
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	fmt.Fprintf(z, "%v %d\x00", t, len(data))
	z.Write(data)
	if err := z.Close(); err != nil {
		return OID{}, err
	}
	dir := filepath.Dir(path)
	if err := makeDir(dir); err != nil {
		return OID{}, err
	}
	f, err := createTemp(filepath.Join(dir, tempLoosePrefix))
	if err != nil {
		return OID{}, err
	}
	if err := f.publish(path, b.Bytes(), durable); err != nil {
		return OID{}, err
	}
	return oid, syncDir(objects)
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
