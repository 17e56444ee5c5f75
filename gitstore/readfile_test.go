package gitstore

import (
	"os"
	"path/filepath"
	"testing"
)

func TestReadFile(t *testing.T) {
	top := t.TempDir()
	for _, dir := range []string{"a", "other"} {
		if err := os.MkdirAll(filepath.Join(top, dir), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(top, dir, "f"), []byte("a\r\nb"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("other", filepath.Join(top, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a/f", filepath.Join(top, "g")); err != nil {
		t.Fatal(err)
	}
	r := &Repo{Top: top}
	if b, err := r.ReadFile("a/f", 4); err != nil || string(b) != "a\r\nb" {
		t.Errorf("%q %v", b, err)
	}
	for _, path := range []string{"a/none", "link/f", "g", "a"} {
		if b, err := r.ReadFile(path, 100); err == nil {
			t.Errorf("%s reads %q", path, b)
		}
	}
	if _, err := r.ReadFile("a/f", 3); err == nil {
		t.Error("more than the limit was read")
	}
}
