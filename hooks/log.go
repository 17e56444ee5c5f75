package hooks

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// The log of failures lies beside the spool: a line each, its time first. When
// it is full it becomes hooks.log.old, in place of an older one.
const (
	logFile    = "hooks.log"
	oldLogFile = "hooks.log.old"
	maxLog     = 64 << 10 // bytes
	maxMessage = 1 << 10  // bytes
)

// Failure is something that went wrong in a hook.
type Failure struct {
	Time    string `json:"time"` // RFC 3339, UTC
	Message string `json:"message"`
}

func appendLog(dir string, now time.Time, message string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("log failure: %w", err)
	}
	path := filepath.Join(dir, logFile)
	if info, err := os.Stat(path); err == nil && info.Size() > maxLog {
		if err := os.Rename(path, filepath.Join(dir, oldLogFile)); err != nil {
			return fmt.Errorf("log failure: %w", err)
		}
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("log failure: %w", err)
	}
	message = strings.Join(strings.Fields(message), " ")
	line := now.UTC().Format(time.RFC3339) + " " + message[:min(len(message), maxMessage)] + "\n"
	_, err = f.WriteString(line)
	return errors.Join(err, f.Close())
}

// ReadLog returns what the hooks of a binding's directory failed at, oldest
// first, as far as the log reaches back.
func ReadLog(dir string) ([]Failure, error) {
	var list []Failure
	for _, name := range [...]string{oldLogFile, logFile} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return list, fmt.Errorf("read log of hooks: %w", err)
		}
		for line := range bytes.Lines(data) {
			if when, message, ok := strings.Cut(strings.TrimSpace(string(line)), " "); ok {
				list = append(list, Failure{when, message})
			}
		}
	}
	return list, nil
}
