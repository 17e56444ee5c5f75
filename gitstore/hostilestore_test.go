package gitstore_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"codeidx/gitstore"
	"codeidx/gitstore/gitstoretest"
)

// hostile is a store as somebody might have written it who wants to harm its
// reader. Each must be refused by name, in bounded memory and without waiting.
var hostile = []struct {
	name string
	make func(t *testing.T, dir string)
}{
	{"blob of zeros instead of a root", func(t *testing.T, dir string) {
		setCurrent(t, dir, rootBlob(t, dir, looseObject(t, dir, "blob", 200<<20, make([]byte, 1<<20))))
	}},
	{"loose object longer than it says", func(t *testing.T, dir string) {
		setCurrent(t, dir, rootBlob(t, dir, looseObject(t, dir, "blob", 10, make([]byte, 1<<20))))
	}},
	{"frame that claims 64 MiB", func(t *testing.T, dir string) {
		setCurrent(t, dir, rootBlob(t, dir, hashObject(t, dir, payload(64<<20, []byte("\x28\xb5\x2f\xfd\xa0\x00\x00\x00\x04")))))
	}},
	{"frame that claims 4 GiB", func(t *testing.T, dir string) {
		setCurrent(t, dir, rootBlob(t, dir, hashObject(t, dir, payload(1<<32-1, []byte("\x28\xb5\x2f\xfd\xe0\x00\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00")))))
	}},
	{"frame of repeated blocks", func(t *testing.T, dir string) {
		frame := []byte("\x28\xb5\x2f\xfd\x20\x00") // single segment, one byte of content size
		for range 2000 {
			frame = append(frame, 0x02, 0x00, 0x10, 'x') // a block of 128 KiB of one byte
		}
		setCurrent(t, dir, rootBlob(t, dir, hashObject(t, dir, payload(64<<20, frame))))
	}},
	{"trees nested without end", func(t *testing.T, dir string) {
		tree := mktree(t, dir, "100644 blob "+hashObject(t, dir, []byte("x"))+"\tmanifest\n")
		for range 300 {
			tree = mktree(t, dir, "040000 tree "+tree+"\tsub\n")
		}
		setCurrent(t, dir, tree)
	}},
	{"trees that multiply", func(t *testing.T, dir string) {
		tree := mktree(t, dir, "100644 blob "+hashObject(t, dir, []byte("x"))+"\tmanifest\n")
		for range 40 {
			var list strings.Builder
			for i := range 40 {
				fmt.Fprintf(&list, "040000 tree %s\tsub%02d\n", tree, i)
			}
			tree = mktree(t, dir, list.String())
		}
		setCurrent(t, dir, tree)
	}},
	{"refs that name each other", func(t *testing.T, dir string) {
		writeRef(t, dir, "current", "ref: refs/codeidx/"+gitstoretest.Binding+"/live\n")
		writeRef(t, dir, "live", "ref: refs/codeidx/"+gitstoretest.Binding+"/current\n")
		writeRef(t, dir, "previous", "ref: ../../../../../HEAD\n")
	}},
	{"ref that is a pipe", func(t *testing.T, dir string) {
		replace(t, refPath(dir, "current"), func(p string) error { return syscall.Mkfifo(p, 0o600) })
	}},
	{"ref that is a link to a device", func(t *testing.T, dir string) {
		replace(t, refPath(dir, "current"), func(p string) error { return os.Symlink("/dev/zero", p) })
	}},
	{"ref of a gigabyte", func(t *testing.T, dir string) {
		replace(t, refPath(dir, "current"), func(p string) error { return sparse(p, 1<<30) })
	}},
	{"packed-refs of a terabyte", func(t *testing.T, dir string) {
		replace(t, filepath.Join(dir, "packed-refs"), func(p string) error { return sparse(p, 1<<40) })
		os.Remove(refPath(dir, "current"))
	}},
	{"pack index that is a pipe", func(t *testing.T, dir string) {
		for _, p := range packsOf(t, dir) {
			replace(t, p+".idx", func(p string) error { return syscall.Mkfifo(p, 0o600) })
		}
	}},
	{"pack that is a link", func(t *testing.T, dir string) {
		for _, p := range packsOf(t, dir) {
			replace(t, p+".pack", func(p string) error { return os.Symlink("/dev/zero", p) })
		}
	}},
	{"pack index of a thousand million objects", func(t *testing.T, dir string) {
		const n = 1 << 30
		for _, p := range packsOf(t, dir) {
			head := []byte("\xfftOc\x00\x00\x00\x02")
			for range 256 {
				head = binary.BigEndian.AppendUint32(head, n)
			}
			replace(t, p+".idx", func(p string) error {
				return errors.Join(os.WriteFile(p, head, 0o600), os.Truncate(p, int64(len(head))+28*n+40))
			})
		}
	}},
	{"no folder for packs but a pipe", func(t *testing.T, dir string) {
		replace(t, filepath.Join(dir, "objects", "pack"), func(p string) error { return syscall.Mkfifo(p, 0o600) })
	}},
	{"format that is a pipe", func(t *testing.T, dir string) {
		replace(t, filepath.Join(dir, "format"), func(p string) error { return syscall.Mkfifo(p, 0o600) })
	}},
}

// memoryBound is what reading a hostile store may allocate in all, in bytes.
const memoryBound = 600 << 20

func TestHostileStore(t *testing.T) {
	if testing.Short() {
		t.Skip("inflates gigabytes, and under the race detector make and append allocate twice, which breaks the bound")
	}
	for _, tc := range hostile {
		t.Run(tc.name, func(t *testing.T) {
			dir, _, _ := closedStore(t)
			tc.make(t, dir)
			var was, is runtime.MemStats
			runtime.ReadMemStats(&was)
			s, err := gitstore.Open(t.Context(), dir, gitstore.Options{Exclusive: true})
			if err == nil {
				defer s.Close()
				_, err = s.Generation(gitstoretest.Binding, gitstore.Current)
				if g, bad := s.GenerationOf(gitstore.Digest{1}); g != nil || bad == nil {
					t.Error("a generation that nobody published")
				}
				findings, fsckErr := s.Fsck(t.Context())
				damage := fsckErr != nil
				for _, f := range findings {
					damage = damage || f.Severity == gitstore.Damage
				}
				if !damage {
					t.Errorf("fsck finds nothing; the generation: %v", err)
				}
				if _, gcErr := s.GC(t.Context(), gitstore.GCOptions{}); gcErr != nil && !errors.Is(gcErr, gitstore.ErrCorrupt) {
					t.Logf("gc: %v", gcErr)
				}
			} else if !errors.Is(err, gitstore.ErrNoStore) {
				t.Logf("open: %v", err)
			}
			runtime.ReadMemStats(&is)
			if used := is.TotalAlloc - was.TotalAlloc; used > memoryBound {
				t.Errorf("%d MiB were allocated", used>>20)
			}
		})
	}
}

// TestLinksOutOfTheStore puts links and names into the store that lead to files
// of the user. Whatever is done to the store, those files stay.
func TestLinksOutOfTheStore(t *testing.T) {
	oid := strings.Repeat("1", 40)
	for name, make := range map[string]func(t *testing.T, dir, outside string){
		"packs": func(t *testing.T, dir, outside string) {
			replace(t, filepath.Join(dir, "objects", "pack"), func(p string) error { return os.Symlink(outside, p) })
		},
		"refs": func(t *testing.T, dir, outside string) {
			replace(t, filepath.Join(dir, "refs", "codeidx"), func(p string) error { return os.Symlink(outside, p) })
		},
		"a binding's refs": func(t *testing.T, dir, outside string) {
			replace(t, filepath.Dir(refPath(dir, "x")), func(p string) error { return os.Symlink(outside, p) })
		},
		"locks": func(t *testing.T, dir, outside string) {
			replace(t, filepath.Join(dir, "locks"), func(p string) error { return os.Symlink(outside, p) })
		},
		"one lock": func(t *testing.T, dir, outside string) {
			for _, name := range []string{"store", "refs", "fold", "build-" + gitstoretest.Binding} {
				replace(t, filepath.Join(dir, "locks", name), func(p string) error { return os.Symlink(filepath.Join(outside, "live"), p) })
			}
		},
		"names in packed-refs": func(t *testing.T, dir, outside string) {
			rel, err := filepath.Rel(filepath.Join(dir, "refs", "codeidx", "gen"), outside)
			if err != nil {
				t.Fatal(err)
			}
			lines := oid + " refs/codeidx/gen/" + filepath.ToSlash(rel) + "/live\n" + oid + " refs/codeidx/" + gitstoretest.Binding + "/../../../../outside/current\n"
			if err := os.WriteFile(filepath.Join(dir, "packed-refs"), []byte(lines), 0o600); err != nil {
				t.Fatal(err)
			}
		},
		"the spool": func(t *testing.T, dir, outside string) {
			if err := os.Symlink(filepath.Join(outside, "live"), filepath.Join(dir, "spool")); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir, _, _ := closedStore(t)
			outside := filepath.Join(filepath.Dir(dir), "outside")
			files := map[string]string{"live": "mine\n", "current": "mine\n", "previous": "mine\n", "pack-x.pack": "mine", "pack-x.idx": "mine", "store": "mine", "refs": "mine"}
			if err := os.Mkdir(outside, 0o700); err != nil {
				t.Fatal(err)
			}
			for name, text := range files {
				if err := os.WriteFile(filepath.Join(outside, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			make(t, dir, outside)
			// Each of these may fail or not; none may reach out.
			if s, err := gitstore.Open(t.Context(), dir, gitstore.Options{Create: true, Exclusive: true}); err == nil {
				_, _ = gitstoretest.TryPublish(s, gitstoretest.Binding, gitstore.Current, numbered(3, 5))
				_, _ = s.GC(t.Context(), gitstore.GCOptions{})
				_ = gitstore.AppendSpool(dir, []byte(entry(1)))
				_, _ = s.FoldSpool(t.Context(), dir, gitstoretest.Binding)
				_, _ = s.Clear(t.Context(), gitstoretest.Binding, true, gitstore.GCOptions{})
				s.Close()
			}
			left, err := os.ReadDir(outside)
			if err != nil || len(left) != len(files) {
				t.Errorf("%d files outside, were %d: %v", len(left), len(files), err)
			}
			for name, text := range files {
				if b, err := os.ReadFile(filepath.Join(outside, name)); string(b) != text || err != nil {
					t.Errorf("%s is %q, %v", name, b, err)
				}
			}
		})
	}
}

func refPath(dir, name string) string {
	return filepath.Join(dir, "refs", "codeidx", gitstoretest.Binding, name)
}

func writeRef(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(refPath(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func replace(t *testing.T, path string, make func(string) error) {
	t.Helper()
	if err := errors.Join(os.RemoveAll(path), make(path)); err != nil {
		t.Fatal(err)
	}
}

func sparse(path string, size int64) error {
	return errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, size))
}

func packsOf(t *testing.T, dir string) (bases []string) {
	t.Helper()
	for _, p := range storeFiles(t, dir, "objects/pack") {
		if base, ok := strings.CutSuffix(p, ".pack"); ok {
			bases = append(bases, base)
		}
	}
	return bases
}

// payload is the content of a blob whose frame is not what its header says.
func payload(size uint32, frame []byte) []byte {
	b := append([]byte("cix\x01"), bytes.Repeat([]byte{7}, 32)...)
	return append(binary.LittleEndian.AppendUint32(b, size), frame...)
}

func plumb(t *testing.T, dir string, stdin []byte, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"--git-dir=" + dir}, args...)...)
	cmd.Stdin = bytes.NewReader(stdin)
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %s: %v", args, err)
	}
	return strings.TrimSpace(string(out))
}

func hashObject(t *testing.T, dir string, content []byte) string {
	t.Helper()
	return plumb(t, dir, content, "hash-object", "-w", "--stdin")
}

func mktree(t *testing.T, dir, list string) string {
	t.Helper()
	return plumb(t, dir, []byte(list), "mktree", "--missing")
}

func rootBlob(t *testing.T, dir, blob string) (tree string) {
	t.Helper()
	return mktree(t, dir, "100644 blob "+blob+"\tmanifest\n")
}

// setCurrent makes all pointers lead to a commit with the tree.
func setCurrent(t *testing.T, dir, tree string) {
	t.Helper()
	commit := plumb(t, dir, nil, "commit-tree", tree, "-m", "generation\n\nCodeidx-Manifest: "+strings.Repeat("0", 64))
	for _, name := range []string{"current", "live", "previous"} {
		writeRef(t, dir, name, commit+"\n")
	}
}

// looseObject writes a loose object of a made-up id whose content is size bytes,
// compressed to next to nothing, while its head claims something else.
func looseObject(t *testing.T, dir, kind string, size int, chunk []byte) (id string) {
	t.Helper()
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	fmt.Fprintf(z, "%s %d\x00", kind, size)
	for n := 0; n < 200<<20; n += len(chunk) {
		z.Write(chunk)
	}
	z.Close()
	raw := bytes.Repeat([]byte{0xab}, 20)
	id = hex.EncodeToString(raw)
	path := filepath.Join(dir, "objects", id[:2], id[2:])
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, b.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
	return id
}
