package gitstore

import (
	"bytes"
	"context"
	"fmt"
)

// Dirty says whether the included files differ from HEAD's tree: one has other
// bytes, is not in the tree, or is in the tree and gone. Bytes that differ by
// CRLF line ends alone do not count; what a clean filter would change does.
// Modes do not count, nor does a lost file that only its first bytes would
// class as source. While HEAD is unborn any included file is a difference.
func Dirty(ctx context.Context, r *Repo, p Policy, s *Snapshot) (bool, error) {
	if r.Head == "" {
		return len(s.Files) > 0, nil
	}
	out, err := r.git("ls-tree", "-r", "-z", "--full-tree", r.Head).run(ctx)
	if err != nil {
		return false, fmt.Errorf("read tree of HEAD: %w", err)
	}
	tree, err := parseTree(out, r.Format)
	if err != nil {
		return false, err
	}
	unproven, dirty := compareTree(&p, s, tree)
	if dirty {
		return true, nil
	}
	return anyDiffers(ctx, r, &p, unproven)
}

// parseTree reads the records "<mode> <type> <id>\t<path>" of ls-tree, which
// are sorted by path bytes, and keeps the files.
func parseTree(out []byte, format ObjectFormat) ([]candidate, error) {
	records := splitNUL(out)
	tree := make([]candidate, 0, len(records))
	for _, rec := range records {
		head, path, ok := bytes.Cut(rec, []byte{'\t'})
		fields := bytes.Split(head, []byte{' '})
		if !ok || len(fields) != 3 {
			return nil, fmt.Errorf("read tree: unexpected answer of git ls-tree: %q", rec)
		}
		if string(fields[1]) != "blob" || string(fields[0]) == "120000" {
			continue
		}
		id, err := parseGitID(string(fields[2]), format)
		if err != nil {
			return nil, fmt.Errorf("read tree: %w", err)
		}
		tree = append(tree, candidate{path: string(path), id: id})
	}
	return tree, nil
}

// compareTree compares by ids alone. What it returns beside a false are the
// files, with HEAD's id, whose bytes must be read.
func compareTree(p *Policy, s *Snapshot, tree []candidate) (unproven []candidate, dirty bool) {
	files, omitted := s.Files, s.Omitted
	sel := newSelector(p, tree)
	for i := range tree {
		t := &tree[i]
		for len(omitted) > 0 && omitted[0].Path < t.path {
			omitted = omitted[1:]
		}
		switch {
		case len(files) > 0 && files[0].Path < t.path:
			return nil, true
		case len(files) > 0 && files[0].Path == t.path:
			if files[0].GitBlob == "" {
				unproven = append(unproven, *t)
			} else if files[0].GitBlob != t.id {
				return nil, true
			}
			files = files[1:]
		case len(omitted) > 0 && omitted[0].Path == t.path && omitted[0].Reason != Missing && omitted[0].Reason != Unmerged:
		default:
			// Gone from disk or from the index, or torn by a merge.
			if sel.decide(t); t.class == ClassSource || t.class == ClassConfig {
				return nil, true
			}
		}
	}
	return unproven, len(files) > 0
}

// anyDiffers says whether the bytes on disk of any file, as they are or with LF
// for CRLF, are not HEAD's.
func anyDiffers(ctx context.Context, r *Repo, p *Policy, files []candidate) (bool, error) {
	if len(files) == 0 {
		return false, nil
	}
	root, err := r.openTop()
	if err != nil {
		return false, err
	}
	defer closeHandle(root)
	o := newOpener(root)
	defer o.close()
	blob := newBlobHash(r.Format)
	for i := range files {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		data, err := readSmall(o, files[i].path, p.MaxFileSize)
		if reason, fail := reasonOf(err); fail != nil {
			return false, fmt.Errorf("compare with HEAD: %w", fail)
		} else if reason != "" {
			return true, nil
		}
		lf := func() []byte { return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")) }
		if !blob.matches(data, files[i].id) && !blob.matches(lf(), files[i].id) {
			return true, nil
		}
	}
	return false, nil
}
