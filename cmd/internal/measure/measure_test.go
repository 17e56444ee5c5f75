package measure

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestRun(t *testing.T) {
	if _, err := Run(t.TempDir(), nil, "sh", "-c", "exit 1"); err != nil {
		t.Errorf("exit status 1 is an answer: %v", err)
	}
	if _, err := Run(t.TempDir(), nil, "sh", "-c", "exit 2"); err == nil {
		t.Error("exit status 2 went unnoticed")
	}
	if _, err := Run(t.TempDir(), nil, "no-such-command-here"); err == nil {
		t.Error("a missing command went unnoticed")
	}
	dir := t.TempDir()
	if _, err := Run(dir, []string{"NAME=made"}, "sh", "-c", `: > "$NAME"`); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "made")); err != nil {
		t.Errorf("the command ran elsewhere or without its environment: %v", err)
	}
}

func TestMedians(t *testing.T) {
	got := Medians([]Cost{{3, 30, 1}, {1, 10, 9}, {2, 20, 5}})
	if want := (Cost{2, 20, 9}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	list := []time.Duration{2, 1}
	if Median(list) != 2 || list[0] != 2 {
		t.Error("the upper of two, and the list stays as it was")
	}
}

func TestDiskUse(t *testing.T) {
	dir := t.TempDir()
	for name, size := range map[string]int{"a": 10, "b/c": 5} {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, make([]byte, size), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := DiskUse(dir); got != 15 {
		t.Errorf("got %d bytes", got)
	}
	if DiskUse(filepath.Join(dir, "none")) != 0 {
		t.Error("a folder that is not there has bytes")
	}
}
