package install

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// hookDir is the folder that git takes hook files from.
type hookDir struct {
	path    string // as git names it, "" where core.hooksPath is empty
	refused string // why no file in it may be changed, "" where it may
}

// hooksDir asks git for the folder. Linked work trees share it; core.hooksPath
// moves it.
func (in *installer) hooksDir(ctx context.Context) (*hookDir, error) {
	if out, err := in.repo.Run(ctx, nil, "config", "--get", "core.hooksPath"); err == nil && len(bytes.TrimSpace(out)) == 0 {
		return &hookDir{refused: "core.hooksPath is empty: git runs no hook files"}, nil
	}
	out, err := in.repo.Run(ctx, nil, "rev-parse", "--path-format=absolute", "--git-path", "hooks")
	if err != nil {
		return nil, fmt.Errorf("find hooks: %w", err)
	}
	d := &hookDir{path: strings.TrimSuffix(string(out), "\n")}
	d.refused, err = in.whyNotIn(d.path)
	return d, err
}

// whyNotIn says why files in a folder of hooks are not ours to change: only the
// repository's own directory belongs to this repository alone and to no commit.
func (in *installer) whyNotIn(dir string) (string, error) {
	real, err := realPath(dir)
	if err != nil {
		return "", fmt.Errorf("find hooks: %w", err)
	}
	own, err := realPath(in.repo.CommonDir)
	if err != nil {
		return "", fmt.Errorf("find hooks: %w", err)
	}
	top, err := realPath(in.repo.Top)
	if err != nil {
		return "", fmt.Errorf("find hooks: %w", err)
	}
	switch {
	case isBelow(real, own):
		return "", nil
	case isBelow(real, top):
		return "hooks are kept in the work tree (core.hooksPath): a change there would be committed", nil
	}
	return "hooks are kept outside of this repository (core.hooksPath): a change there would reach others", nil
}

// realPath resolves links in what there is of a path.
func realPath(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return real, err
	}
	parent, err := realPath(filepath.Dir(path))
	return filepath.Join(parent, filepath.Base(path)), err
}

func isBelow(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

func (d *hookDir) file(event string) string { return filepath.Join(d.path, event) }

// set prepares the edit that puts the block for an event in. It is a *Refused
// where the file may not be changed, unless what it would put in is there.
func (d *hookDir) set(event, exe string) (*edit, error) {
	e, why, err := d.look(event)
	if err != nil {
		return nil, fmt.Errorf("install hooks: %w", err)
	}
	if why != "" {
		if e.old != nil && bytes.Contains(e.old, []byte(block(beginPlain, event, exe))) {
			e.new = e.old
			return e, nil
		}
		return nil, &Refused{Reason: why, Where: e.path}
	}
	rest, gone, err := remove(e.old)
	if err != nil {
		return nil, &Refused{Reason: err.Error(), Where: e.path}
	}
	if gone {
		rest = nil
	}
	e.new = insert(rest, event, exe)
	return e, nil
}

// clear takes the block for an event out.
func (d *hookDir) clear(event string) (Hook, error) {
	e, why, err := d.look(event)
	h := Hook{Event: event, Where: e.path, State: Missing}
	if err != nil {
		return h, fmt.Errorf("uninstall hooks: %w", err)
	}
	_, found, err := find(e.old)
	if err != nil || found && why != "" {
		h.State, h.Problem = Installed, "take the lines between the marks out by hand: "+why
		if err != nil {
			h.Problem = err.Error()
		}
		return h, nil
	}
	if !found {
		return h, nil
	}
	rest, gone, err := remove(e.old)
	if err != nil {
		return h, fmt.Errorf("uninstall hooks: %s: %w", e.path, err)
	}
	if e.new = rest; gone {
		e.new = nil
	}
	h.Changed = true
	if err := e.write(); err != nil {
		return h, fmt.Errorf("uninstall hooks: %w", err)
	}
	return h, nil
}

// status says what the file for an event holds.
func (d *hookDir) status(event, exe string) (Hook, error) {
	e, why, err := d.look(event)
	if err != nil {
		return Hook{}, fmt.Errorf("look at hooks: %w", err)
	}
	h := Hook{Event: event, Where: e.path, State: Missing, Problem: why}
	_, found, err := find(e.old)
	if err != nil {
		h.Problem = err.Error()
	}
	if found {
		h.State = Outdated
		_, lines, _ := strings.Cut(block(beginPlain, event, exe), "\n")
		if bytes.Contains(e.old, []byte(lines)) {
			h.State = Installed
		}
	}
	return h, nil
}

// look reads the file of an event, and says why it may not be changed.
func (d *hookDir) look(event string) (e *edit, why string, err error) {
	if d.path == "" {
		return &edit{event: event, path: "core.hooksPath"}, d.refused, nil
	}
	e = &edit{event: event, path: d.file(event)}
	info, err := os.Lstat(e.path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || err == nil && info.IsDir() {
		return e, d.refused, nil
	}
	if err != nil {
		return e, "", err
	}
	if why = d.refused; why == "" && !info.Mode().IsRegular() {
		why = "it is a symbolic link or no plain file"
	}
	if info, err = os.Stat(e.path); err != nil || !info.Mode().IsRegular() {
		return e, why, nil
	}
	e.mode = info.Mode().Perm()
	if e.old, err = readText(e.path); err != nil {
		return e, "", err
	}
	if why == "" {
		why = whyNotShell(e.old, e.mode)
	}
	return e, why, nil
}

// readText reads a file; the result is not nil.
func readText(path string) ([]byte, error) {
	b, err := os.ReadFile(path)
	return append([]byte{}, b...), err
}
