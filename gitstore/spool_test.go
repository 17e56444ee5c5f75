package gitstore_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"codeidx/gitstore"
	"codeidx/gitstore/gitstoretest"

	"github.com/google/go-cmp/cmp"
)

func readSpool(t testing.TB, dir string) (entries []string, torn []gitstore.TornLine) {
	t.Helper()
	raw, torn, err := gitstore.ReadSpool(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range raw {
		entries = append(entries, string(e))
	}
	return entries, torn
}

func TestSpoolTornLines(t *testing.T) {
	dir := t.TempDir()
	appendEntries(t, dir, 0, 3)
	path := filepath.Join(dir, "spool")
	intact, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const line = len("7 01234567 {\"n\":0}\n")
	flipped := []byte(string(intact))
	flipped[line+line-4] ^= 1
	for _, tc := range []struct {
		name string
		data string
		want []string
		torn int // number of the torn line
	}{
		{"whole", string(intact), []string{entry(0), entry(1), entry(2), entry(9)}, 0},
		{"last line cut", string(intact[:2*line+9]), []string{entry(0), entry(1), entry(9)}, 3},
		{"last line without its end", string(intact[:3*line-1]), []string{entry(0), entry(1), entry(2), entry(9)}, 0},
		{"bit flipped", string(flipped), []string{entry(0), entry(2), entry(9)}, 2},
		{"nonsense", "nonsense\n" + string(intact), []string{entry(0), entry(1), entry(2), entry(9)}, 1},
		{"empty", "", []string{entry(9)}, 0},
	} {
		if err := os.WriteFile(path, []byte(tc.data), 0o600); err != nil {
			t.Fatal(err)
		}
		appendEntries(t, dir, 9, 10)
		got, torn := readSpool(t, dir)
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
		if tc.torn == 0 && len(torn) > 0 || tc.torn > 0 && (len(torn) != 1 || torn[0].Number != tc.torn || torn[0].Reason == "") {
			t.Errorf("%s: torn lines %+v, want line %d", tc.name, torn, tc.torn)
		}
	}
}

func TestSpoolRefuses(t *testing.T) {
	dir := t.TempDir()
	for _, bad := range []string{"", "no json", "{\n}", `"` + strings.Repeat("x", gitstore.MaxSpoolLine) + `"`} {
		if err := gitstore.AppendSpool(dir, []byte(bad)); err == nil {
			t.Errorf("took %.20q", bad)
		}
	}
	if entries, torn := readSpool(t, dir); len(entries)+len(torn) > 0 {
		t.Errorf("left %v %v", entries, torn)
	}
}

func TestLedger(t *testing.T) {
	s := gitstoretest.NewStore(t)
	dir := filepath.Join(t.TempDir(), "binding")
	wantEntries(t, s, dir, 0)
	appendEntries(t, dir, 0, 3)
	f, err := os.OpenFile(filepath.Join(dir, "spool"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(f, "torn")
	f.Close()
	appendEntries(t, dir, 3, 5)
	res, err := s.FoldSpool(t.Context(), dir, gitstoretest.Binding)
	if err != nil || res.Entries != 5 || len(res.Torn) != 1 || res.Torn[0].Number != 4 {
		t.Errorf("%+v, %v", res, err)
	}
	wantEntries(t, s, dir, 5)
	// What could not be read is not thrown away.
	tip := "refs/codeidx/" + gitstoretest.Binding + "/ledger"
	if got := gitstoretest.Git(t, s.Dir(), "cat-file", "blob", tip+":torn"); got != "torn\n" {
		t.Errorf("git sees torn lines %q", got)
	}
	// Nothing to fold makes no commit.
	if res, err := s.FoldSpool(t.Context(), dir, gitstoretest.Binding); err != nil || res.Entries != 0 {
		t.Errorf("%+v, %v", res, err)
	}
	foldEntries(t, s, dir, 5, 8)
	wantEntries(t, s, dir, 8)
	if got := gitstoretest.Git(t, s.Dir(), "rev-list", "--count", tip); got != "4\n" {
		t.Errorf("ledger has %q commits", got)
	}
	// A generation of the same binding leaves it alone.
	gitstoretest.Publish(t, s, gitstore.Current, numbered(0, 3))
	wantEntries(t, s, dir, 8)
}

// TestSpoolTraffic appends from several goroutines while others fold: each entry
// must come out once, those of one writer in their order.
func TestSpoolTraffic(t *testing.T) {
	storeDir := gitstoretest.NewDir(t)
	gitstoretest.SetFault(t, skipSync)
	dir := filepath.Join(t.TempDir(), "binding")
	const writers, each = 3, 40
	var writing, folding sync.WaitGroup
	ctx, stop := context.WithCancel(t.Context())
	for k := range writers {
		writing.Go(func() {
			for i := range each {
				if err := gitstore.AppendSpool(dir, fmt.Appendf(nil, `"%d/%d"`, k, i)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 2 {
		folding.Go(func() {
			s := gitstoretest.Open(t, storeDir, gitstore.Options{})
			for ctx.Err() == nil {
				if _, err := s.FoldSpool(t.Context(), dir, gitstoretest.Binding); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writing.Wait()
	stop()
	folding.Wait()
	s := gitstoretest.Open(t, storeDir, gitstore.Options{})
	if _, err := s.FoldSpool(t.Context(), dir, gitstoretest.Binding); err != nil {
		t.Error(err)
	}
	next := [writers]int{}
	for k := range next {
		next[k] = each
	}
	for e, err := range s.Ledger(gitstoretest.Binding) {
		var k, i int
		if _, serr := fmt.Sscanf(string(e.JSON), `"%d/%d"`, &k, &i); err != nil || serr != nil {
			t.Fatal(err, serr)
		}
		if next[k]--; i != next[k] {
			t.Fatalf("writer %d: entry %d where %d is due", k, i, next[k])
		}
	}
	if next != [writers]int{} {
		t.Errorf("entries are missing: %v", next)
	}
}

func FuzzSpool(f *testing.F) {
	f.Add([]byte("2 00000000 {}\n"))
	f.Add([]byte("\n\n7 x y\n-1 00000000 \n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "spool"), data, 0o600); err != nil {
			t.Fatal(err)
		}
		before, _ := readSpool(t, dir)
		appendEntries(t, dir, 1, 2)
		after, _ := readSpool(t, dir)
		// A line that is whole but for its end is completed by the next one.
		if n := len(after); n < len(before)+1 || after[n-1] != entry(1) {
			t.Fatalf("%q: %v, then %v", data, before, after)
		}
	})
}

// TestReadDuringFold reads the spool while another folds it away: whatever is
// gone between looking and opening is no error.
func TestReadDuringFold(t *testing.T) {
	s := gitstoretest.NewStore(t)
	gitstoretest.SetFault(t, skipSync)
	dir := filepath.Join(t.TempDir(), "binding")
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 60 {
			if err := gitstore.AppendSpool(dir, []byte(entry(i))); err != nil {
				t.Error(err)
			}
			if _, err := s.FoldSpool(context.Background(), dir, gitstoretest.Binding); err != nil {
				t.Error(err)
			}
		}
	}()
	for reading := true; reading; {
		select {
		case <-done:
			reading = false
		default:
		}
		if _, _, err := gitstore.ReadSpool(dir); err != nil {
			t.Fatal(err)
		}
	}
	wantEntries(t, s, dir, 60)
}
