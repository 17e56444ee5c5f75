package gitstore_test

import (
	"bytes"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"
	"time"

	"codeidx/gitstore"
	"codeidx/gitstore/gitstoretest"
)

func age(t *testing.T, path string, when time.Time) {
	t.Helper()
	if err := os.Chtimes(path, when, when); err != nil {
		t.Fatal(err)
	}
}

func writeAged(t *testing.T, path string, when time.Time) {
	t.Helper()
	if err := os.WriteFile(path, []byte("left over"), 0o600); err != nil {
		t.Fatal(err)
	}
	age(t, path, when)
}

// damageObject flips a bit of every stored copy of a payload.
func damageObject(t *testing.T, s *gitstore.Store, dir string, oid gitstore.OID) {
	t.Helper()
	content := gitstoretest.Git(t, dir, "cat-file", "blob", hex.EncodeToString(oid[:]))
	n := 0
	for _, path := range storeFiles(t, dir, "objects/pack") {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if i := bytes.Index(b, []byte(content)); filepath.Ext(path) == ".pack" && i >= 0 {
			b[i+len(content)/2] ^= 1
			n++
			if err := os.WriteFile(path, b, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n == 0 {
		t.Fatalf("object %v is nowhere", oid)
	}
	if _, _, err := s.GetOID(oid); err == nil {
		t.Fatalf("object %v is not damaged", oid)
	}
}
