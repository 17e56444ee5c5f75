package reliability

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// sameSize is small["a.py"] with other bytes and the same length.
var sameSize = strings.Replace(small["a.py"], "def f()", "def k()", 1)

// fooled is a place whose stat record was taken long after the last change, so
// that nothing is hashed for having changed just before.
type fooled struct {
	*place
	path string // of the file that is changed
	was  os.FileInfo
}

// recent is for how long after a change every check hashes the file.
const recent = 2100 * time.Millisecond

// trick changes a file behind the back of whoever only looks at stat.
type trick struct {
	name string
	do   func(t *testing.T, f *fooled)
	// stat says what the stat mode makes of it; strict sees every change.
	stat  string // sees, misses, may miss (the file system decides) or strict (there is no record to trust)
	fresh bool   // nothing has changed, and both must say so
}

var tricks = []trick{
	{name: "edit of the same size", stat: "sees", do: func(t *testing.T, f *fooled) { f.overwrite(t) }},
	{name: "edit of the same size, mtime restored", stat: "sees", do: func(t *testing.T, f *fooled) { f.overwrite(t); f.restoreTime(t) }},
	{name: "replaced by rename, size and mtime as before", stat: "sees", do: func(t *testing.T, f *fooled) { f.replaceInode(t); f.restoreTime(t) }},
	{name: "edit through a hard link elsewhere", stat: "sees", do: func(t *testing.T, f *fooled) {
		link := filepath.Join(t.TempDir(), "link")
		check(t, os.Link(f.path, link), os.WriteFile(link, []byte(sameSize), 0o644))
		f.restoreTime(t)
	}},
	{name: "chmod alone", stat: "sees", do: func(t *testing.T, f *fooled) { check(t, os.Chmod(f.path, 0o755)) }},
	{name: "file becomes a symbolic link to its copy", stat: "sees", do: func(t *testing.T, f *fooled) {
		check(t, os.Rename(f.path, filepath.Join(f.dir, "copy.py")), os.Symlink("copy.py", f.path))
	}},
	{name: "file becomes a folder", stat: "sees", do: func(t *testing.T, f *fooled) { check(t, os.Remove(f.path), os.Mkdir(f.path, 0o755)) }},
	{name: "file becomes a pipe", stat: "sees", do: func(t *testing.T, f *fooled) { check(t, os.Remove(f.path), syscall.Mkfifo(f.path, 0o644)) }},
	{name: "renamed to another case", stat: "sees", do: func(t *testing.T, f *fooled) { check(t, os.Rename(f.path, filepath.Join(f.dir, "A.py"))) }},
	{name: "removed", stat: "sees", do: func(t *testing.T, f *fooled) { check(t, os.Remove(f.path)) }},
	{name: "a new file is added to git's index", stat: "sees", do: func(t *testing.T, f *fooled) {
		f.write(t, "new.py", "x = 1\n")
		f.must(t, "git", "add", "new.py")
	}},
	{name: "folder replaced by a copy of older files", stat: "sees", do: func(t *testing.T, f *fooled) {
		lib := filepath.Join(f.dir, "lib")
		check(t, os.Rename(lib, filepath.Join(t.TempDir(), "lib")), os.Mkdir(lib, 0o755))
		f.write(t, "lib/util.js", strings.Replace(small["lib/util.js"], "once", "nice", 1))
		f.write(t, "lib/User.php", small["lib/User.php"])
	}},
	{name: "written in the same tick as the capture", stat: "sees", do: func(t *testing.T, f *fooled) {
		f.overwrite(t)
		f.patch(t, func(record []byte) { // as if stat had said the same before, and the capture began just now
			f.setStat(t, record)
			binary.LittleEndian.PutUint64(record[32:], uint64(time.Now().UnixNano()))
		})
	}},
	{name: "clock set back: mtime and ctime come out as recorded", stat: "misses", do: func(t *testing.T, f *fooled) {
		f.overwrite(t)
		f.patch(t, func(record []byte) { f.setStat(t, record) })
	}},
	{name: "a record that somebody forged", stat: "misses", do: func(t *testing.T, f *fooled) {
		f.replaceInode(t)
		f.patch(t, func(record []byte) { f.setStat(t, record) })
	}},
	{name: "store through a shared mapping that was dirty before", stat: "may miss", do: func(t *testing.T, f *fooled) {
		file, err := os.OpenFile(f.path, os.O_RDWR, 0)
		check(t, err)
		defer file.Close()
		m, err := syscall.Mmap(int(file.Fd()), 0, len(sameSize), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
		check(t, err)
		t.Cleanup(func() { _ = syscall.Munmap(m) })
		m[0] = 'd' // the page is dirty from here on
		f.must(t, "index", "-q")
		f.patch(t, func([]byte) {})
		copy(m, sameSize)
	}},
	{name: "record with a flipped bit", stat: "strict", do: func(t *testing.T, f *fooled) {
		f.overwrite(t)
		b := f.record(t)
		b[60] ^= 1
		check(t, os.WriteFile(f.recordPath(), b, 0o600))
	}},
	{name: "record cut short", stat: "strict", do: func(t *testing.T, f *fooled) { f.overwrite(t); check(t, os.Truncate(f.recordPath(), 100)) }},
	{name: "record removed", stat: "strict", do: func(t *testing.T, f *fooled) { f.overwrite(t); check(t, os.Remove(f.recordPath())) }},
	{name: "record that is a pipe", stat: "strict", do: func(t *testing.T, f *fooled) {
		f.overwrite(t)
		check(t, os.Remove(f.recordPath()), syscall.Mkfifo(f.recordPath(), 0o600))
	}},
	{name: "record of another work tree with the same bytes", stat: "sees", do: func(t *testing.T, f *fooled) {
		other := newFooled(t)
		f.overwrite(t)
		check(t, os.WriteFile(f.recordPath(), other.record(t), 0o600))
	}},
	{name: "touched, no byte differs", stat: "sees", fresh: true, do: func(t *testing.T, f *fooled) { check(t, os.Chtimes(f.path, time.Now(), time.Now())) }},
	{name: "copied over itself", stat: "sees", fresh: true, do: func(t *testing.T, f *fooled) {
		check(t, os.WriteFile(f.path+".new", []byte(small["a.py"]), 0o644), os.Rename(f.path+".new", f.path))
	}},
}

// TestStatFooled tries every way of changing a file that stat might not show.
// Strict sees all of them; the stat mode all but those that docs/RELIABILITY.md
// names, and it says in each answer which of the two was used.
func TestStatFooled(t *testing.T) {
	rows := counts.table("Freshness", "change", "strict", "stat")
	for _, tr := range tricks {
		t.Run(tr.name, func(t *testing.T) {
			f := newFooled(t)
			if a, _ := f.ask(t, "--freshness", "stat"); a.Mode != "stat" || a.Freshness != "fresh" {
				t.Fatalf("before: mode %s, %s", a.Mode, a.Freshness)
			}
			tr.do(t, f)
			if tr.stat == "misses" {
				time.Sleep(recent)
			}
			stat, status := f.ask(t, "--freshness", "stat")
			strict, strictStatus := f.ask(t)
			if status != 0 || strictStatus != 0 {
				t.Fatalf("status %d and %d: %s %s", status, strictStatus, stat.Message, strict.Message)
			}
			want := map[bool]string{true: "fresh", false: "stale"}[tr.fresh]
			if strict.Mode != "strict" || strict.Freshness != want {
				t.Errorf("strict: mode %s, %s", strict.Mode, strict.Freshness)
			}
			wantMode := "stat"
			if tr.stat == "strict" {
				wantMode = "strict"
			}
			if stat.Mode != wantMode {
				t.Errorf("the answer to --freshness stat names mode %s, want %s", stat.Mode, wantMode)
			}
			if sees := stat.Freshness == want; tr.stat != "may miss" && sees != (tr.stat != "misses") {
				t.Errorf("stat mode says %s, expected that it %s", stat.Freshness, tr.stat)
			}
			said := map[string]string{"strict": "no record to trust: strict"}[tr.stat]
			if said == "" {
				said = tr.stat
			}
			rows.add(tr.name, "sees", said)
			if tr.fresh {
				rows.rows[len(rows.rows)-1] = row([]string{tr.name, "fresh", "fresh"})
			}
		})
	}
}

func newFooled(t *testing.T) *fooled {
	t.Helper()
	f := &fooled{place: newRepo(t, filepath.Join(t.TempDir(), "r"))}
	f.path = filepath.Join(f.dir, "a.py")
	f.must(t, "index", "-q")
	f.patch(t, func([]byte) {})
	var err error
	f.was, err = os.Stat(f.path)
	check(t, err)
	return f
}

func check(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func (f *fooled) overwrite(t *testing.T) {
	t.Helper()
	check(t, os.WriteFile(f.path, []byte(sameSize), 0o644))
}

func (f *fooled) replaceInode(t *testing.T) {
	t.Helper()
	check(t, os.WriteFile(f.path+".new", []byte(sameSize), 0o644), os.Rename(f.path+".new", f.path))
}

func (f *fooled) restoreTime(t *testing.T) {
	t.Helper()
	check(t, os.Chtimes(f.path, f.was.ModTime(), f.was.ModTime()))
}

func (f *fooled) recordPath() string { return filepath.Join(f.dir, store, "stats") }

func (f *fooled) record(t *testing.T) []byte {
	t.Helper()
	b, err := os.ReadFile(f.recordPath())
	check(t, err)
	return b
}

// patch changes the stat record (docs/FORMAT.md, Work tree) and puts its time an
// hour ahead, as if all files had been old when they were read.
func (f *fooled) patch(t *testing.T, change func(record []byte)) {
	t.Helper()
	b := f.record(t)
	b = b[:len(b)-sha256.Size]
	binary.LittleEndian.PutUint64(b[32:], uint64(time.Now().Add(time.Hour).UnixNano()))
	change(b)
	sum := sha256.Sum256(b)
	check(t, os.WriteFile(f.recordPath(), append(b, sum[:]...), 0o600))
}

// setStat puts what stat says of the file now into the record.
func (f *fooled) setStat(t *testing.T, record []byte) {
	t.Helper()
	var st syscall.Stat_t
	check(t, syscall.Stat(f.path, &st))
	at := 48 // a.py is the first of the files
	for i, v := range statFields(&st) {
		binary.LittleEndian.PutUint64(record[at+8*i:], v)
	}
	if !slices.Equal(record[at+8*5:at+8*5+2], binary.LittleEndian.AppendUint16(nil, uint16(st.Mode))) {
		t.Fatal("the record is not as docs/FORMAT.md says")
	}
}
