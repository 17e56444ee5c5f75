package gitstore

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// bindingBytes is the length of a binding id: 16 hex digits.
const bindingBytes = 8

// BindingID returns the opaque id of this work tree, "" where it has none and
// create is false. It is random, made at the first call with create, and kept
// in BindingDir, so that it survives a move and goes with the work tree.
func (r *Repo) BindingID(create bool) (string, error) {
	file := filepath.Join(r.bindingDir, "binding")
	id, err := readBinding(file)
	if !errors.Is(err, fs.ErrNotExist) {
		return id, err
	}
	if !create {
		return "", nil
	}
	if err := createBinding(file); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("create binding: %w", err)
	}
	return readBinding(file)
}

func readBinding(file string) (string, error) {
	data, err := readOwn(file, maxSmallFile)
	if errors.Is(err, errForeignFile) {
		data, err = nil, nil
	}
	if err != nil {
		return "", fmt.Errorf("read binding: %w", err)
	}
	if len(data) != 2*bindingBytes+1 || data[len(data)-1] != '\n' {
		return "", fmt.Errorf("read binding %s: damaged; remove it to start anew", file)
	}
	id := string(data[:2*bindingBytes])
	if raw, err := hex.DecodeString(id); err != nil || hex.EncodeToString(raw) != id {
		return "", fmt.Errorf("read binding %s: damaged; remove it to start anew", file)
	}
	return id, nil
}

// createBinding writes a complete file and links it to its name, which fails
// where another process was first.
func createBinding(file string) error {
	if err := errors.Join(checkFolder(filepath.Dir(file)), makeDir(filepath.Dir(file))); err != nil {
		return err
	}
	var id [bindingBytes]byte
	if _, err := rand.Read(id[:]); err != nil {
		return err
	}
	tmp, err := createTemp(file + ".tmp-")
	if err != nil {
		return err
	}
	_, err = tmp.Write([]byte(hex.EncodeToString(id[:]) + "\n"))
	if err = errors.Join(err, tmp.Sync(), tmp.Close()); err == nil {
		err = os.Link(tmp.Name(), file)
	}
	return errors.Join(err, removeFile(tmp.Name()))
}
