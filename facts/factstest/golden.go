// Package factstest compares what an extractor states about small sources with
// dumps on disk.
package factstest

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"codeidx/facts"
)

var rewrite = flag.Bool("rewrite", false, "write what the code under test gives as the expected dumps")

// dumpName is the archive member that holds the expected dump.
const dumpName = "facts"

// Golden runs extract over each txtar archive that glob matches. The first
// member of an archive is the source, under the path that the extractor is
// told; the member "facts" is its expected dump (facts.Dump). With -rewrite
// the member is replaced by what extract gives. The facts must be valid
// (facts.Validate). A glob without a match fails the test.
func Golden(t *testing.T, glob string, extract func(path string, src []byte) (*facts.File, error)) {
	t.Helper()
	archives, err := filepath.Glob(glob)
	if err != nil || len(archives) == 0 {
		t.Fatalf("glob %q matches no archive (%v)", glob, err)
	}
	for _, name := range archives {
		t.Run(filepath.Base(name), func(t *testing.T) { golden(t, name, extract) })
	}
}

func golden(t *testing.T, name string, extract func(path string, src []byte) (*facts.File, error)) {
	archive, err := txtar.ParseFile(name)
	if err != nil || len(archive.Files) == 0 {
		t.Fatalf("read archive: no source (%v)", err)
	}
	source := archive.Files[0]
	f, err := extract(source.Name, source.Data)
	if err != nil {
		t.Fatal(err)
	}
	if err := facts.Validate(f); err != nil {
		t.Fatalf("facts are not valid: %v", err)
	}
	var got bytes.Buffer
	if err := facts.Dump(&got, f, source.Data); err != nil {
		t.Fatal(err)
	}
	dump := member(archive, dumpName)
	if *rewrite {
		dump.Data = got.Bytes()
		if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(dump.Data), got.String()); diff != "" {
		t.Errorf("dump differs (-want +got), -rewrite accepts it:\n%s", diff)
	}
}

// member returns the named member, which is added where it is missing.
func member(a *txtar.Archive, name string) *txtar.File {
	for i := range a.Files {
		if a.Files[i].Name == name {
			return &a.Files[i]
		}
	}
	a.Files = append(a.Files, txtar.File{Name: name})
	return &a.Files[len(a.Files)-1]
}
