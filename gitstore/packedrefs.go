package gitstore

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// packedRefs reads the refs that `git pack-refs` or `git gc` moved into one file.
// A ref's own file goes before. damaged is what is wrong with the file: then a
// ref that is not found may have been there.
func (s *Store) packedRefs() (refs map[string]OID, damaged error, err error) {
	b, err := readOwn(s.packedRefsPath(), maxPackedRefs)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, nil
	case errors.Is(err, errForeignFile):
		return nil, &CorruptError{What: packedRefsFile, Err: err}, nil
	case err != nil:
		return nil, nil, fmt.Errorf("read refs: %w", err)
	}
	refs = map[string]OID{}
	if len(b) == 0 { // git writes a header even where there is no ref
		damaged = &CorruptError{What: packedRefsFile, Err: errors.New("is empty")}
	}
	number := 0
	for line := range strings.Lines(string(b)) {
		number++
		if oid, name, ok := parsePackedRef(line); ok {
			refs[name] = oid
		} else if damaged == nil && !isPackedNote(line) {
			damaged = &CorruptError{What: packedRefsFile, Err: fmt.Errorf("line %d cannot be read", number)}
		}
	}
	return refs, damaged, nil
}

const packedRefsFile = "packed-refs"

func (s *Store) packedRefsPath() string { return filepath.Join(s.dir, packedRefsFile) }

// parsePackedRef reads "<oid> <name>\n".
func parsePackedRef(line string) (oid OID, name string, ok bool) {
	line, whole := strings.CutSuffix(line, "\n")
	hex, name, ok := strings.Cut(line, " ")
	if !ok || !whole {
		return OID{}, "", false
	}
	oid, err := ParseOID(hex)
	return oid, name, err == nil && checkRefName(name) == nil
}

// isPackedNote recognises the other lines: the header, and what the tag in the
// line before points at.
func isPackedNote(line string) bool {
	if hex, ok := strings.CutPrefix(line, "^"); ok {
		_, err := ParseOID(strings.TrimSuffix(hex, "\n"))
		return err == nil
	}
	return strings.HasPrefix(line, "# pack-refs with:") && strings.HasSuffix(line, "\n")
}

// removePackedRef removes a ref from the file, if it is in there.
func (s *Store) removePackedRef(name string) error {
	packed, _, err := s.packedRefs()
	if _, ok := packed[name]; !ok || err != nil {
		return err
	}
	return s.rewritePackedRefs(func(line string) bool {
		_, have, ok := parsePackedRef(line)
		return !ok || have != name
	})
}

// dropDamagedRefs removes the lines that cannot be read.
func (s *Store) dropDamagedRefs() error {
	if _, damaged, err := s.packedRefs(); damaged == nil || err != nil {
		return err
	}
	return s.rewritePackedRefs(func(line string) bool {
		_, _, ok := parsePackedRef(line)
		return ok || isPackedNote(line)
	})
}

// rewritePackedRefs keeps the lines of the file that keep asks for.
func (s *Store) rewritePackedRefs(keep func(line string) bool) error {
	path := s.packedRefsPath()
	f, err := createRefLock(path)
	if err != nil {
		return err
	}
	b, err := readOwn(path, maxPackedRefs)
	if err != nil {
		return errors.Join(err, f.Close(), removeFile(f.Name()))
	}
	var kept strings.Builder
	for line := range strings.Lines(string(b)) {
		if keep(line) {
			kept.WriteString(line)
		}
	}
	if kept.Len() == 0 {
		return errors.Join(removeFile(path), f.Close(), removeFile(f.Name()))
	}
	return f.publish(path, []byte(kept.String()), rebuildable)
}
