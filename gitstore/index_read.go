package gitstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
)

// Index lists the index as `git ls-files -s -z` does, in git's order: by path
// bytes, then stage. It reads the file in-process where that is proven equal
// and asks git elsewhere.
func (r *Repo) Index(ctx context.Context) ([]IndexEntry, error) {
	data, err := readGitFile(r.indexFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case errors.Is(err, errNotRegular):
		return nil, fmt.Errorf("list tracked files: %w", err)
	}
	if err == nil {
		var entries []IndexEntry
		if entries, err = parseIndex(data, r.Format); err == nil {
			return entries, nil
		}
	}
	entries, gitErr := r.indexByGit(ctx)
	if gitErr != nil {
		return nil, fmt.Errorf("list tracked files: %w", gitErr)
	}
	return entries, nil
}

// indexByGit lists the index through git. -t puts a letter before each entry;
// S is skip-worktree.
func (r *Repo) indexByGit(ctx context.Context) ([]IndexEntry, error) {
	out, err := r.git("ls-files", "-s", "-t", "-z").run(ctx)
	if err != nil {
		return nil, err
	}
	records := splitNUL(out)
	entries := make([]IndexEntry, 0, len(records))
	for _, rec := range records {
		e, err := parseLsFiles(rec, r.Format)
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// parseLsFiles reads "H 100644 <id> 0\t<path>".
func parseLsFiles(rec []byte, format ObjectFormat) (IndexEntry, error) {
	head, path, _ := bytes.Cut(rec, []byte{'\t'})
	f := bytes.Split(head, []byte{' '})
	if len(f) != 4 || len(path) == 0 {
		return IndexEntry{}, fmt.Errorf("unexpected answer of git ls-files: %q", rec)
	}
	mode, errMode := strconv.ParseUint(string(f[1]), 8, 32)
	id, errID := parseGitID(string(f[2]), format)
	stage, errStage := strconv.ParseUint(string(f[3]), 10, 2)
	if err := errors.Join(errMode, errID, errStage); err != nil {
		return IndexEntry{}, fmt.Errorf("unexpected answer of git ls-files: %w", err)
	}
	return IndexEntry{
		Path: string(path), ID: id, Mode: uint32(mode), Stage: uint8(stage), SkipWorktree: string(f[0]) == "S",
	}, nil
}

// untracked lists the untracked files that no ignore rule covers, in no
// promised order. A folder that is a repository of its own ends in '/'.
func (r *Repo) untracked(ctx context.Context) ([]string, error) {
	out, err := r.git("ls-files", "-o", "--exclude-standard", "-z").run(ctx)
	if err != nil {
		return nil, fmt.Errorf("list untracked files: %w", err)
	}
	records := splitNUL(out)
	paths := make([]string, len(records))
	for i, rec := range records {
		paths[i] = string(rec)
	}
	return paths, nil
}
