package hooks

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"codeidx/gitstore"
)

func TestNewEvent(t *testing.T) {
	dir := t.TempDir()
	head, other, zeros := strings.Repeat("a", 40), strings.Repeat("b", 40), strings.Repeat("0", 40)
	repo := &gitstore.Repo{GitDir: dir, Format: gitstore.SHA1, Head: head}
	now := time.Date(2030, 1, 2, 3, 4, 5, 6, time.FixedZone("", 3600))
	tests := []struct {
		hook string
		args []string
		want string // "" for an error
	}{
		{PostCommit, nil, `{"schema":"codeidx.event.v1","id":"2fe34d5a","time":"2030-01-02T02:04:05.000000006Z","event":"post-commit","detected_by":"hook:post-commit","new":"` + head + `"}`},
		{PostCheckout, []string{other, head, "1"}, `{"schema":"codeidx.event.v1","id":"","time":"2030-01-02T02:04:05.000000006Z","event":"post-checkout","detected_by":"hook:post-checkout","old":"` + other + `","new":"` + head + `","branch":true}`},
		{PostCheckout, []string{zeros, head, "0"}, `{"schema":"codeidx.event.v1","id":"","time":"2030-01-02T02:04:05.000000006Z","event":"post-checkout","detected_by":"hook:post-checkout","new":"` + head + `"}`},
		{PostCheckout, []string{head, other}, ""},
		{PostCheckout, []string{head, other, "2"}, ""},
		{PostCheckout, []string{"--help", other, "1"}, ""},
		{PostCheckout, []string{head, other + other, "1"}, ""},
		{"pre-push", nil, ""},
		{"", nil, ""},
	}
	for _, tt := range tests {
		e, err := newEvent(t.Context(), repo, Call{Name: tt.hook, Args: tt.args}, now)
		if err != nil {
			if tt.want != "" {
				t.Errorf("%s %q: %v", tt.hook, tt.args, err)
			}
			continue
		}
		var want Event
		if err := json.Unmarshal([]byte(tt.want), &want); err != nil {
			t.Fatalf("%s %q gave %+v; want an error", tt.hook, tt.args, e)
		}
		if len(e.ID) != 2*idBytes {
			t.Errorf("id %q", e.ID)
		}
		want.ID = e.ID
		if diff := cmp.Diff(want, *e); diff != "" {
			t.Errorf("%s %q (-want +got):\n%s", tt.hook, tt.args, diff)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "rebase-apply"), 0o777); err != nil {
		t.Fatal(err)
	}
	if e, err := newEvent(t.Context(), repo, Call{Name: PostCommit}, now); err != nil || !e.Rebase {
		t.Errorf("in a rebase: %+v, %v", e, err)
	}
}

func TestLogIsBounded(t *testing.T) {
	dir := t.TempDir()
	message := strings.Repeat("x", 1000)
	for i := range 4 * maxLog / len(message) {
		if err := appendLog(dir, time.Unix(int64(i), 0), message+"\nmore"); err != nil {
			t.Fatal(err)
		}
	}
	var size int64
	for _, name := range []string{logFile, oldLogFile} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		size += info.Size()
	}
	if size > 2*(maxLog+2000) {
		t.Errorf("the log takes %d bytes", size)
	}
	list, err := ReadLog(dir)
	if err != nil || len(list) < 2 {
		t.Fatalf("%d failures, %v", len(list), err)
	}
	for i := range list {
		if list[i].Message != message+" more" || i > 0 && list[i].Time < list[i-1].Time {
			t.Fatalf("failure %d: %+v", i, list[i])
		}
	}
}

// TestChangesInLines splits changes and puts them together again.
func TestChangesInLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 300).Draw(t, "entries")
		long := rapid.IntRange(1, 4000).Draw(t, "length of a path")
		c := &Changes{Schema: changesSchema, Of: "e", Last: true}
		for i := range n {
			c.Entries = append(c.Entries, Entry{ID: string(rune('a' + i)), Path: strings.Repeat("\x01", long), Kind: Add})
		}
		lines, err := c.lines()
		if err != nil {
			t.Fatal(err)
		}
		var step *Step
		for i := len(lines) - 1; i >= 0; i-- {
			if len(lines[i]) > gitstore.MaxSpoolLine || bytes.ContainsRune(lines[i], '\n') {
				t.Fatalf("a line of %d bytes", len(lines[i]))
			}
			l, _, err := parseLine(lines[i])
			if err != nil || l.changes.Last != (i == len(lines)-1) {
				t.Fatalf("line %d: %+v, %v", i, l, err)
			}
			step = step.with(l.changes).with(l.changes)
		}
		if diff := cmp.Diff(c.Entries, step.Entries); diff != "" || !step.complete {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	})
}

func FuzzParseDiffs(f *testing.F) {
	a, b := strings.Repeat("a", 40), strings.Repeat("b", 40)
	f.Add([]byte("=0\n=1\n"))
	f.Add([]byte("=0\n" + a + "\x00:100644 100644 " + a + " " + b + " M\x00a b\x00=1\n"))
	f.Add([]byte("=0\n" + a + "\x00:100644 100644 " + a + " " + a + " R100\x00a\x00b\x00:160000 000000 " + a + " " + b + " D\x00s\x00=1\n"))
	f.Fuzz(func(t *testing.T, out []byte) {
		diffs, err := parseDiffs(out, 1)
		if err != nil {
			return
		}
		if len(diffs) != 1 {
			t.Fatalf("%d diffs", len(diffs))
		}
		for _, c := range diffs[0].Changes {
			if c.Kind == "" || c.Path == "" || (c.Kind == Rename) != (c.OldPath != "") {
				t.Errorf("%+v", c)
			}
		}
	})
}

func FuzzParseLine(f *testing.F) {
	f.Add([]byte(`{"schema":"codeidx.event.v1","id":"a","time":"2030-01-02T03:04:05Z"}`))
	f.Add([]byte(`{"schema":"codeidx.changes.v1","id":"a","entries":[{"path":"a"}]}`))
	f.Add([]byte(`{"schema":"codeidx.symbols.v1","id":"a","files":[{"path":"a"}]}`))
	f.Add([]byte(`{"schema":"codeidx.ack.v1","id":"a","of":["b"]}`))
	f.Add([]byte(`{"schema":"codeidx.report.v1","id":"a"}`))
	f.Add([]byte(`{"schema":"x"}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, line []byte) {
		l, _, err := parseLine(line)
		if err != nil || l == nil {
			return
		}
		n := 0
		for _, is := range []bool{l.event != nil, l.changes != nil, l.meaning != nil, l.ack != nil, l.report != nil} {
			if is {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%+v", l)
		}
	})
}
