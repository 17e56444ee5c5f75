package gitstore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// packedRefs reads the refs that `git pack-refs` or `git gc` moved into one file.
// A ref's own file goes before.
func (s *Store) packedRefs() (map[string]OID, error) {
	b, err := os.ReadFile(s.packedRefsPath())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read refs: %w", err)
	}
	refs := map[string]OID{}
	for line := range strings.Lines(string(b)) {
		if oid, name, ok := parsePackedRef(line); ok {
			refs[name] = oid
		}
	}
	return refs, nil
}

func (s *Store) packedRefsPath() string { return filepath.Join(s.dir, "packed-refs") }

// parsePackedRef reads "<oid> <name>\n". Other lines are a header ("#"), what
// the tag before them points at ("^"), or damage.
func parsePackedRef(line string) (oid OID, name string, ok bool) {
	hex, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
	if !ok {
		return OID{}, "", false
	}
	oid, err := ParseOID(hex)
	return oid, name, err == nil
}

// removePackedRef removes a ref from the file, if it is in there.
func (s *Store) removePackedRef(name string) error {
	packed, err := s.packedRefs()
	if _, ok := packed[name]; !ok || err != nil {
		return err
	}
	path := s.packedRefsPath()
	f, err := createRefLock(path)
	if err != nil {
		return err
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return errors.Join(err, f.Close(), removeFile(f.Name()))
	}
	var keep strings.Builder
	for line := range strings.Lines(string(b)) {
		if _, have, ok := parsePackedRef(line); !ok || have != name {
			keep.WriteString(line)
		}
	}
	return f.publish(path, []byte(keep.String()), rebuildable)
}
