package hooks_test

import (
	"context"
	"crypto/sha1"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeidx/gitstore"
	"codeidx/hooks"
)

// index publishes a generation that holds files with this content. Those in
// known have git's id beside it.
func (l *ledger) index(content files, known ...string) gitstore.Digest {
	l.t.Helper()
	w, err := l.store.NewWriter()
	if err != nil {
		l.t.Fatal(err)
	}
	defer w.Abort()
	var rows []gitstore.Row
	for _, path := range slices.Sorted(maps.Keys(content)) {
		e := gitstore.Entry{Path: path, SHA256: gitstore.DigestOf([]byte(content[path])), Size: int64(len(content[path])), Class: gitstore.ClassSource}
		if slices.Contains(known, path) {
			sum := sha1.Sum([]byte("blob " + string(rune('0'+len(content[path]))) + "\x00" + content[path]))
			e.Blob = gitstore.GitID(sum[:])
		}
		if e.Source, err = w.Put([]byte(content[path])); err != nil {
			l.t.Fatal(err)
		}
		rows = append(rows, gitstore.Row{Key: path, Data: e.Encode()})
	}
	var blocks []gitstore.BlockRef
	for _, b := range gitstore.PackRows(rows) {
		ref, err := w.Put(b.Data)
		if err != nil {
			l.t.Fatal(err)
		}
		blocks = append(blocks, gitstore.BlockRef{Key: []byte(b.Key), Blob: ref})
	}
	manifest := gitstore.DigestOf([]byte(l.describeFiles(content)))
	old, err := l.store.Pointer(l.binding, gitstore.Current)
	if err != nil {
		l.t.Fatal(err)
	}
	_, err = w.Publish(context.Background(), gitstore.Publication{
		Binding: l.binding, Ref: gitstore.Current, Predecessor: old,
		Root: gitstore.Root{Format: 1, Manifest: manifest, Sections: map[string][]gitstore.BlockRef{gitstore.FilesSection: blocks}},
	})
	if err != nil {
		l.t.Fatal(err)
	}
	return manifest
}

func (l *ledger) describeFiles(content files) (s string) {
	for _, path := range slices.Sorted(maps.Keys(content)) {
		s += path + "\x00" + content[path] + "\x00"
	}
	return s
}

func (l *ledger) pending() (int, []string) {
	n, since := hooks.Pending(l.repo(), l.store, l.binding)
	for path, when := range since {
		if len(when) != len("2006-01-02T15:04:05Z") {
			l.t.Errorf("%s since %q", path, when)
		}
	}
	return n, slices.Sorted(maps.Keys(since))
}

func TestPending(t *testing.T) {
	tests := []struct {
		name    string
		indexed files    // when the events happen
		known   []string // of them
		changes []files  // commits after it
		entries int
		paths   []string
	}{
		{name: "nothing happened", indexed: files{"a.py": "1\n"}},
		{name: "changed", indexed: files{"a.py": "1\n"}, changes: []files{{"a.py": "2\n"}}, entries: 1, paths: []string{"a.py"}},
		{name: "changed, id known", indexed: files{"a.py": "1\n"}, known: []string{"a.py"}, changes: []files{{"a.py": "2\n"}}, entries: 1, paths: []string{"a.py"}},
		{name: "changed twice", indexed: files{"a.py": "1\n"}, changes: []files{{"a.py": "2\n"}, {"a.py": "3\n"}}, entries: 2, paths: []string{"a.py"}},
		{name: "changed and back", indexed: files{"a.py": "1\n"}, changes: []files{{"a.py": "2\n"}, {"a.py": "1\n"}}},
		{name: "changed and back, id known", indexed: files{"a.py": "1\n"}, known: []string{"a.py"}, changes: []files{{"a.py": "2\n"}, {"a.py": "1\n"}}},
		{name: "indexed before it was committed", indexed: files{"a.py": "2\n"}, changes: []files{{"a.py": "2\n"}}},
		{name: "new source", indexed: files{"a.py": "1\n"}, changes: []files{{"b.py": "1\n"}}, entries: 1, paths: []string{"b.py"}},
		{name: "new other file", indexed: files{"a.py": "1\n"}, changes: []files{{"b.txt": "1\n"}}},
		{name: "deleted", indexed: files{"a.py": "1\n"}, changes: []files{{"a.py": ""}}, entries: 1, paths: []string{"a.py"}},
		{name: "deleted, not indexed", indexed: files{}, changes: []files{{"a.py": ""}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newTree(t).ledger()
			l.commit("before", files{"a.py": "1\n"})
			l.fold()
			manifest := l.index(tt.indexed, tt.known...)
			for _, c := range tt.changes {
				l.commit("after", c)
			}
			l.fold()
			d := l.read(hooks.Filter{Limit: len(tt.changes)})
			for _, s := range d.Steps[:len(tt.changes)] {
				if s.Generation != manifest.String() {
					t.Errorf("generation %q, want %q", s.Generation, manifest)
				}
			}
			entries, paths := l.pending()
			if diff := cmp.Diff(tt.paths, paths); diff != "" || entries != tt.entries {
				t.Errorf("%d entries, want %d; paths (-want +got):\n%s", entries, tt.entries, diff)
			}
		})
	}
}

func TestIndexThatComesBack(t *testing.T) {
	l := newTree(t).ledger()
	l.commit("x", files{"a.py": "1\n"})
	l.fold()
	for _, text := range []string{"1\n", "2\n"} {
		other := map[string]string{"1\n": "2\n", "2\n": "1\n"}[text]
		l.index(files{"a.py": text})
		l.commit("x", files{"a.py": other})
		l.fold()
		if n, _ := l.pending(); n != 1 {
			t.Errorf("indexed %q: %d entries, want 1", text, n)
		}
	}
	l.index(files{"a.py": "1\n"})
	if n, paths := l.pending(); n != 0 || paths != nil {
		t.Errorf("%d entries of %q, want none", n, paths)
	}
}

func TestPendingWithoutIndex(t *testing.T) {
	w := newTree(t)
	w.commit("one", files{"a.py": "1\n"})
	if n, since := hooks.Pending(w.repo(), nil, ""); n != 0 || len(since) != 0 {
		t.Errorf("%d entries, %v", n, since)
	}
	l := w.ledger()
	l.fold()
	if n, paths := l.pending(); n != 0 || len(paths) != 0 {
		t.Errorf("%d entries, %v", n, paths)
	}
}

func TestRenameIsPending(t *testing.T) {
	l := newTree(t).ledger()
	l.commit("before", files{"a.py": "1\n"})
	l.index(files{"a.py": "1\n"})
	l.git("mv", "a.py", "b.py")
	l.commit("after", nil)
	l.fold()
	n, paths := l.pending()
	if diff := cmp.Diff([]string{"a.py", "b.py"}, paths); diff != "" || n != 1 {
		t.Errorf("%d entries (-want +got):\n%s", n, diff)
	}
}

func TestSHA256FromTheIndex(t *testing.T) {
	l := newTree(t).ledger()
	l.commit("before", files{"a.py": "1\n"})
	l.index(files{"a.py": "1\n"}, "a.py")
	l.commit("after", files{"a.py": "2\n"})
	l.fold()
	e := l.read(hooks.Filter{Limit: 1}).Steps[0].Entries[0]
	if want := gitstore.DigestOf([]byte("1\n")).String(); e.OldSHA256 != want || e.NewSHA256 != "" {
		t.Errorf("old %q, want %q; new %q, want none", e.OldSHA256, want, e.NewSHA256)
	}
}
